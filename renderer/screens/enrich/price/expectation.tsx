/** The result of a dry run over a sample: enriched rows, and reasons of unmatched rows. */
import { Skeleton, Stack, Text } from '@mantine/core';
import { phraseExpected } from '../../../../engine/contract/jobs/expected-price.ts';
import type { Preview } from '../../../../engine/contract/jobs/job.ts';
import { countOf, showShare } from '../../../components/numbers.ts';
import { wordOfReason } from '../../../components/words.ts';
import { RepairedRows } from '../repaired-rows.tsx';
import { countCreditsAbout } from './about.ts';
import { Savings } from './savings.tsx';

/** The expected credits as a phrase: exact, or rounded if only a sample was tried. */
export function showExpected(preview: Preview, rowCount: number): string {
  const [before, after] = phraseExpected(preview, rowCount);
  const shown = countCreditsAbout(Number(preview.expected_credits), preview.sampled === rowCount);
  return `${before}${shown}${after}`;
}

export function Expectation({
  preview,
  rowCount,
  counting,
}: {
  preview: Preview | undefined;
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
      <RepairedRows preview={preview} />
    </Stack>
  );
}
