/** The status of a row: as a chip, as an icon, in a word. A skipped row says why. */
import { chipOfRow, StatusChip, StatusIcon } from '../../components/status-chip.tsx';
import { wordOfReason } from '../../components/words.ts';

type Result = Parameters<typeof chipOfRow>[0];

export function wordOfRow(result: Result): string {
  const status = chipOfRow(result);
  return (status === 'skipped' && result && wordOfReason(result.reason)) || status;
}

export const RowChip = ({ result }: { result: Result }) => (
  <StatusChip status={chipOfRow(result)} label={wordOfRow(result)} />
);

export const RowIcon = ({ result }: { result: Result }) => (
  <StatusIcon status={chipOfRow(result)} label={wordOfRow(result)} />
);
