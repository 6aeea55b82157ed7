/**
 * The result of a dry run over a sample: enriched rows, filled fields, and reasons of unmatched
 * rows.
 */
import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { phraseExpected } from '../../../engine/contract/jobs/expected-price.ts';
import type { Preview } from '../../../engine/contract/jobs/job.ts';
import { layers } from '../../../engine/contract/jobs/layers.ts';
import { countCredits, countOf, showShare } from '../../components/numbers.ts';
import { wordOfReason } from '../../components/words.ts';
import classes from './enrich.module.css';
import { RepairedRows } from './repaired-rows.tsx';
import { Savings } from './savings.tsx';

const fieldOrder: readonly string[] = layers.flatMap(({ fields }) => fields);

function Fills({ fillRate }: { fillRate: Preview['fill_rate'] }) {
  const fills = Object.entries(fillRate).sort(
    ([one], [other]) => fieldOrder.indexOf(one) - fieldOrder.indexOf(other),
  );
  return (
    <dl className={classes.fills}>
      {fills.map(([field, share]) => (
        <div key={field} className={classes.fill}>
          <dt title={field}>{field}</dt>
          <dd className={classes.bar} aria-hidden>
            <span style={{ width: `${share * 100}%` }} />
          </dd>
          <dd className={classes.share}>{showShare(share)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Expectation({
  preview,
  rowCount,
  emptyDirectory,
  counting,
}: {
  preview: Preview | undefined;
  rowCount: number;
  emptyDirectory: boolean;
  counting: boolean;
}) {
  if (emptyDirectory)
    return (
      <Text size="sm">
        Your directory is empty, so nothing can be found yet.{' '}
        <Anchor component={Link} underline="always" href="/directory/imports" size="sm">
          Import people or load the sample
        </Anchor>
        ; your choices on this page are kept.
      </Text>
    );
  if (!preview) return <Skeleton height={120} />;
  const reasons = Object.entries(preview.reasons)
    .filter(([reason, share]) => reason !== '' && share > 0)
    .sort(([, one], [, other]) => other - one);
  const [before, after] = phraseExpected(preview, rowCount);
  return (
    <Stack gap="md" style={{ opacity: counting ? 0.6 : 1 }} aria-busy={counting}>
      <Text>
        Expected, from a free dry run of {countOf(preview.sampled, 'row')}:{' '}
        <strong>{showShare(preview.expected_match_rate)} enriched</strong>, {before}
        <strong className="numbers">{countCredits(preview.expected_credits)}</strong>
        {after}.
      </Text>
      <Savings preview={preview} rowCount={rowCount} />
      <Fills fillRate={preview.fill_rate} />
      {reasons.length > 0 && (
        <Text size="sm" c="dimmed">
          Not enriched, not charged:{' '}
          {reasons
            .map(([reason, share]) => `${wordOfReason(reason)} ${showShare(share)}`)
            .join(', ')}
          .
        </Text>
      )}
      <RepairedRows preview={preview} />
    </Stack>
  );
}
