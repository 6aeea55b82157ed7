// Finds the lines of a filter. A search by name reads a bounded number of lines per request.
import { walletBatchLines, walletSearchLinesMax } from '../contract/limits/wallet.ts';
import type { WalletFilter } from '../contract/wallet/wallet-lines.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { type LineRow, listLines } from './line.table.ts';
import { nameLine } from './present-line.ts';

/** Whether a line's name contains the text of a filter, ignoring case. */
export function hasName(line: LineRow, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return (nameLine(line) ?? '').toLocaleLowerCase().includes(wanted.toLocaleLowerCase());
}

export interface FoundLines {
  readonly lines: readonly LineRow[];
  /** The last line that was read, if there may be more after it. */
  readonly next: LineRow | null;
}

export function findLines(
  database: ReadableDatabase,
  accountId: number,
  { name, before, limit, ...filter }: WalletFilter & { before?: number | undefined; limit: number },
): FoundLines {
  if (name === undefined) {
    const rows = listLines(database, accountId, { ...filter, before, limit: limit + 1 });
    const lines = rows.slice(0, limit);
    return { lines, next: rows.length > limit ? (lines.at(-1) ?? null) : null };
  }
  const lines: LineRow[] = [];
  let last = before;
  for (let read = 0; read < walletSearchLinesMax; read += walletBatchLines) {
    const page = { ...filter, before: last, limit: walletBatchLines };
    const rows = listLines(database, accountId, page);
    for (const row of rows) {
      if (hasName(row, name)) lines.push(row);
      if (lines.length === limit) return { lines, next: row };
    }
    const end = rows.at(-1);
    if (!end || rows.length < walletBatchLines) return { lines, next: null };
    last = end.id;
    if (read + walletBatchLines >= walletSearchLinesMax) return { lines, next: end };
  }
  return { lines, next: null };
}
