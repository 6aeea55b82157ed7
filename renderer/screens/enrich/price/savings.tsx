/** Why the expected credits are less than the full price of the rows that are found. */
import { Text } from '@mantine/core';
import {
  decidedSentence,
  explainSaving,
  partlyComparedSentence,
} from '../../../../engine/contract/jobs/expected-price.ts';
import type { Preview } from '../../../../engine/contract/jobs/job.ts';
import { countOf } from '../../../components/numbers.ts';
import classes from '../enrich.module.css';
import { countCreditsAbout } from './about.ts';

/** A list with the rows of each reason; nothing if every found row costs the full price. */
export function Savings({ preview, rowCount }: { preview: Preview; rowCount: number }) {
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
                {countOf(rows, 'row')}: {explainSaving(kind, days)},{' '}
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
