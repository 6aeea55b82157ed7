// The result of a dry run over a sample: enriched rows, and reasons of unmatched rows.
import { Skeleton, Stack, Text } from '@mantine/core';
import {
  decidedSentence,
  explainSaving,
  partlyComparedSentence,
  phraseExpected,
} from '../../../../engine/contract/jobs/expected-price.ts';
import type { Preview } from '../../../../engine/contract/jobs/job.ts';
import { countOf, showShare } from '../../../components/numbers.ts';
import { Note } from '../../../components/text.tsx';
import { wordOfReason } from '../../../components/words.ts';
import classes from '../enrich.module.css';
import { useFlow } from '../flow.tsx';
import { RepairedRows } from '../repaired-rows.tsx';
import { countCreditsAbout } from './about.ts';

/** A list with the rows of each reason; nothing if every found row costs the full price. */
function Savings({ preview, rowCount }: { preview: Preview; rowCount: number }) {
  const { flow } = useFlow();
  const { savings, free_repeat_days: days, decided_rows: decided, certainty } = preview;
  const isPartial = certainty === 'at_most';
  if (savings.length === 0 && decided === 0 && !isPartial) return null;
  const isExact = preview.sampled >= rowCount;
  const about = isExact ? '' : 'About ';
  return (
    <div className={classes.savings}>
      {savings.length > 0 && (
        <>
          <Text size="sm" fw={600} id="savings">
            Less than the full price of the rows found
          </Text>
          <ul aria-labelledby="savings">
            {savings.map(({ kind, rows, credits }) => (
              <li key={kind}>
                {about}
                {countOf(rows, 'row')}: {explainSaving(kind, days, flow.mapping)},{' '}
                <span>{countCreditsAbout(Number(credits), isExact)} less</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {decided > 0 && (
        <Text size="sm">
          {about}
          {countOf(decided, 'row')}: {decidedSentence}.
        </Text>
      )}
      {isPartial && <Text size="sm">{partlyComparedSentence}</Text>}
    </div>
  );
}

/** The expected credits as a phrase: exact, or rounded if only a sample was tried. */
export function showExpected(preview: Preview, rowCount: number): string {
  const [before, after] = phraseExpected(preview, rowCount);
  const shown = countCreditsAbout(Number(preview.expected_credits), preview.sampled === rowCount);
  return `${before}${shown}${after}`;
}

interface ExpectationProps {
  preview: Preview | undefined;
  rowCount: number;
  counting: boolean;
}

export function Expectation({ preview, rowCount, counting }: ExpectationProps) {
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
        <Note>
          Not enriched, not charged:{' '}
          {missed
            .map(([reason, share]) => `${wordOfReason(reason)} ${showShare(share)}`)
            .join(', ')}
          .
        </Note>
      )}
      <Savings preview={preview} rowCount={rowCount} />
      <RepairedRows preview={preview} />
    </Stack>
  );
}
