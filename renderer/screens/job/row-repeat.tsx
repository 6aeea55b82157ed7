/** The earlier rows about the same person, and why the row was free because of them. */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ResultRow } from '../../../engine/contract/jobs/job.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import type { EarlierRow } from '../../../engine/contract/jobs/repeats.ts';
import { showCount } from '../../components/numbers.ts';

function EarlierJob({ row }: { row: EarlierRow }) {
  return (
    <>
      row {showCount(row.row_index + 1)} of{' '}
      <Anchor component={Link} underline="always" href={`/jobs/${row.job_id}`}>
        an earlier job
      </Anchor>
    </>
  );
}

/** A sentence for each earlier row; nothing if the row repeats none. */
export function RowRepeat({ result }: { result: ResultRow }) {
  const { duplicate_of: first, paid_before: paid, known_from: known } = result;
  return (
    <>
      {first !== null && (
        <Text>Row {showCount(first + 1)} is about the same person, so this row was free.</Text>
      )}
      {paid.map((row) => (
        <Text key={`${row.job_id} ${row.row_index}`}>
          {row.layers.map(nameLayer).join(', ')} {row.layers.length === 1 ? 'was' : 'were'} free:
          paid for on {row.paid_on} by <EarlierJob row={row} />.
        </Text>
      ))}
      {known !== null && (
        <Text>
          The person is in <EarlierJob row={known} />.
        </Text>
      )}
    </>
  );
}
