// Counts of each status for every 64 rows of a batch, as bytes: by part in row order, and within a
// part by rowStatuses. A page of one status finds its first row with them.
import { rowStatuses } from '../../contract/jobs/job.ts';

/** Rows per part. The count of a part fits in a byte. */
const partRows = 64;

/** @param statuses a code of rowStatuses for each row */
export function countParts(statuses: Uint8Array): Uint8Array {
  const parts = new Uint8Array(rowStatuses.length * Math.ceil(statuses.length / partRows));
  for (const [row, status] of statuses.entries()) {
    const at = Math.floor(row / partRows) * rowStatuses.length + status;
    parts[at] = (parts[at] ?? 0) + 1;
  }
  return parts;
}

/**
 * Skips the parts in which every row of the status is to be skipped.
 * @param status code of rowStatuses
 * @param skipCount rows of that status before the first wanted row
 * @returns rows before the first part to read, and how many rows of the status to skip in the rest
 */
export function passParts(
  parts: Uint8Array,
  status: number,
  skipCount: number,
): { rows: number; skipCount: number } {
  let rows = 0;
  let left = skipCount;
  for (let at = status; at < parts.length; at += rowStatuses.length) {
    const count = parts[at] ?? 0;
    if (count > left) break;
    left -= count;
    rows += partRows;
  }
  return { rows, skipCount: left };
}
