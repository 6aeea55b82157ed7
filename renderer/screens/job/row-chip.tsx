/** The chip of a row. A skipped row says why. */
import { chipOfRow, StatusChip } from '../../components/status-chip.tsx';
import { wordOfReason } from '../../components/words.ts';

export function RowChip({ result }: { result: Parameters<typeof chipOfRow>[0] }) {
  const status = chipOfRow(result);
  const reason = status === 'skipped' && result ? wordOfReason(result.reason) : '';
  return reason === '' ? (
    <StatusChip status={status} />
  ) : (
    <StatusChip status={status} label={reason} />
  );
}
