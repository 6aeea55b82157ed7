/**
 * The result of a dry run over a sample: enriched rows, filled fields by layer, and reasons of
 * unmatched rows.
 */
import { Skeleton, Stack, Text } from '@mantine/core';
import { phraseExpected } from '../../../../engine/contract/jobs/expected-price.ts';
import type { Preview } from '../../../../engine/contract/jobs/job.ts';
import { type LayerCode, layerByCode, nameLayer } from '../../../../engine/contract/jobs/layers.ts';
import { countOf, showShare } from '../../../components/numbers.ts';
import { wordOfReason } from '../../../components/words.ts';
import classes from '../enrich.module.css';
import { RepairedRows } from '../repaired-rows.tsx';
import { countCreditsAbout } from './about.ts';
import { Savings } from './savings.tsx';

/** The names of the row, which every match returns. */
const echoedFields: readonly string[] = ['First name', 'Last name'];

/** The fields of one layer with the share of rows that have each, also of those without any. */
function LayerFills({ code, fillRate }: { code: LayerCode; fillRate: Preview['fill_rate'] }) {
  const { fields } = layerByCode[code];
  const label = nameLayer(code);
  return (
    <section aria-labelledby={`fills-${code}`}>
      <Text size="sm" fw={600} id={`fills-${code}`} mb={2}>
        {label}
      </Text>
      <dl className={classes.fills}>
        {fields
          .filter((field) => !echoedFields.includes(field))
          .map((field) => ({ field, share: fillRate[field] ?? 0 }))
          .map(({ field, share }) => (
            <div key={field} className={classes.fill} data-empty={share === 0 || undefined}>
              <dt title={field}>{field.replace(' State', ' state')}</dt>
              <dd className={classes.bar} aria-hidden>
                <span style={{ width: `${share * 100}%` }} />
              </dd>
              <dd className={classes.share}>{showShare(share)}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}

/** The expected credits as a phrase: exact, or rounded if only a sample was tried. */
export function showExpected(preview: Preview, rowCount: number): string {
  const [before, after] = phraseExpected(preview, rowCount);
  const shown = countCreditsAbout(Number(preview.expected_credits), preview.sampled === rowCount);
  return `${before}${shown}${after}`;
}

export function Expectation({
  preview,
  codes,
  rowCount,
  counting,
}: {
  preview: Preview | undefined;
  codes: readonly LayerCode[];
  rowCount: number;
  counting: boolean;
}) {
  if (!preview) return <Skeleton height={120} />;
  const missed = Object.entries(preview.reasons)
    .filter(([reason, share]) => reason !== '' && share > 0)
    .sort(([, one], [, other]) => other - one);
  const source = preview.has_team ? ' from your own directory, by' : ', from';
  return (
    <Stack gap="md" aria-busy={counting}>
      <Text>
        Expected{source} a free dry run of {countOf(preview.sampled, 'row')}:{' '}
        <strong>{showShare(preview.expected_match_rate)} enriched</strong>,{' '}
        <strong className="numbers">{showExpected(preview, rowCount)}</strong>.
      </Text>
      {missed.length > 0 && (
        <Text size="sm" c="dimmed">
          Not enriched, not charged:{' '}
          {missed
            .map(([reason, share]) => `${wordOfReason(reason)} ${showShare(share)}`)
            .join(', ')}
          .
        </Text>
      )}
      <Savings preview={preview} rowCount={rowCount} />
      {codes.map((code) => (
        <LayerFills key={code} code={code} fillRate={preview.fill_rate} />
      ))}
      <RepairedRows preview={preview} />
    </Stack>
  );
}
