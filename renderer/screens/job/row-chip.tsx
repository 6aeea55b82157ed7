// The status of a row: as a chip, as an icon, in a word. A skipped row says why.
import type { ResultRow } from '../../../engine/contract/jobs/job.ts';
import { chipOfRow, StatusChip, StatusIcon } from '../../components/status-chip.tsx';
import { wordOfReason } from '../../components/words.ts';

type Result =
  | (NonNullable<Parameters<typeof chipOfRow>[0]> & Partial<Pick<ResultRow, 'review'>>)
  | null;

export function wordOfRow(result: Result): string {
  const status = chipOfRow(result);
  if (status !== 'skipped' || !result) return status;
  const isDecided = result.reason === 'no_match' && result.review != null;
  return isDecided ? 'no match, decided' : wordOfReason(result.reason) || status;
}

export const RowChip = ({ result }: { result: Result }) => (
  <StatusChip status={chipOfRow(result)} label={wordOfRow(result)} />
);

export const RowIcon = ({ result }: { result: Result }) => (
  <StatusIcon status={chipOfRow(result)} label={wordOfRow(result)} />
);
