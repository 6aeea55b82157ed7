// How the dry run read cells that are not written as their fields expect.
import { Text } from '@mantine/core';
import { inputRepairSentences } from '../../../engine/contract/jobs/input-repair-sentences.ts';
import { inputRepairRules } from '../../../engine/contract/jobs/input-repairs.ts';
import type { Preview } from '../../../engine/contract/jobs/job.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import { describeRepairs } from '../../components/words.ts';
import classes from './enrich.module.css';

/** A closed list: the number of rows by rule, and the first rows. */
export function RepairedRows({
  preview: { input_repairs: counts, repaired_rows: rows },
}: {
  preview: Preview;
}) {
  const rules = inputRepairRules.filter((rule) => counts[rule] !== undefined);
  if (rules.length === 0) return null;
  return (
    <details className={classes.repairs}>
      <summary>Some cells are read differently. Your cells do not change.</summary>
      <ul aria-label="Repairs by kind">
        {rules.map((rule) => (
          <li key={rule}>
            {inputRepairSentences[rule]} <span>{countOf(counts[rule] ?? 0, 'row')}</span>
          </li>
        ))}
      </ul>
      <Text size="sm" fw={600}>
        The first of these rows
      </Text>
      <ul aria-label="First repaired rows">
        {rows.map(({ row_index: index, input_repairs: repairs }) => (
          <li key={index}>
            Row {showCount(index + 1)}:{' '}
            {describeRepairs(repairs)
              .map(({ sentence }) => sentence)
              .join(' ')}
          </li>
        ))}
      </ul>
    </details>
  );
}
