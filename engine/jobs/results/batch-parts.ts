// How many rows of each status stand in each 64 rows of a batch: bytes, in the order of the rows,
// and in each part of rowStatuses. A page of one status finds its first row by them.
import { rowStatuses } from '../../contract/jobs/job.ts';

/** Rows that are counted together; a count of them fits a byte. */
const partRows = 64;

/**
 * Counts the rows of a batch by parts.
 * @param statuses a code of rowStatuses for each row
 */
export function countParts(statuses: Uint8Array): Uint8Array {
  const parts = new Uint8Array(rowStatuses.length * Math.ceil(statuses.length / partRows));
  for (const [row, status] of statuses.entries()) {
    const at = Math.floor(row / partRows) * rowStatuses.length + status;
    parts[at] = (parts[at] ?? 0) + 1;
  }
  return parts;
}

/**
 * Passes over the parts that hold nothing but rows to be skipped.
 * @param status code of rowStatuses
 * @param skipCount rows of that status before the wanted one
 * @returns rows that lie before what is to be read, and how many to skip in the rest
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
