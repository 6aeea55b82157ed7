/**
 * Inspects a decoded table before anything is spent: rows that cannot match, and duplicate rows.
 */
import { setImmediate } from 'node:timers/promises';
import type { ColumnMapping, RowInputField } from '../contract/jobs/row-input.ts';
import { inputIndexStride } from '../contract/limits/spreadsheet.ts';
import { openRows } from './read-rows.ts';

/** Counts that are shown before the price. */
export interface RowsInspection {
  /** Rows without an email, a profile URL or a name. */
  readonly rowsWithoutIdentity: number;
  /** Rows with the same contact as an earlier one. */
  readonly duplicateRows: number;
}

/**
 * A 52-bit hash, never 0. Among a million contacts, a collision has a probability of about one in
 * ten thousand.
 */
function hashText(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high & 0xfffff) * 0x100000000 + (low >>> 0) || 1;
}

/** A hash set with little more than 8 bytes per entry. A Set of numbers needs ten times as much. */
function createHashSet(countMax: number): { add(hash: number): boolean } {
  const slots = new Float64Array(2 ** Math.ceil(Math.log2(countMax * 1.5 + 2)));
  return {
    add(hash) {
      let at = hash % slots.length;
      while (slots[at] !== 0 && slots[at] !== hash) at = (at + 1) % slots.length;
      const isNew = slots[at] === 0;
      slots[at] = hash;
      return isNew;
    },
  };
}

/** The identity of a row: URL, otherwise email, otherwise name and employer; null without any. */
function identify(read: (field: RowInputField) => string): string | null {
  const url = read('profile_url');
  if (url) return `u:${url}`;
  const email = read('email');
  if (email) return `e:${email}`;
  const name = `${read('first_name')} ${read('last_name')}`.trim();
  return name ? `n:${name}|${read('company_name') || read('company_domain')}` : null;
}

/**
 * Counts over the whole table, one block of the index at a time. Memory is a few bytes per row.
 * @param signal stops the work with the signal's reason
 */
export async function inspectRows(
  dir: string,
  mapping: ColumnMapping,
  signal?: AbortSignal,
): Promise<RowsInspection> {
  const rows = openRows(dir);
  try {
    const seen = createHashSet(rows.rowCount);
    let rowsWithoutIdentity = 0;
    let duplicateRows = 0;
    for (let first = 0; first < rows.rowCount; first += inputIndexStride) {
      await setImmediate();
      signal?.throwIfAborted();
      for (const cells of rows.readRange(first, inputIndexStride)) {
        const identity = identify((field) => {
          const column = mapping[field];
          return column === undefined ? '' : (cells[column] ?? '').trim().toLowerCase();
        });
        if (identity === null) rowsWithoutIdentity += 1;
        else if (!seen.add(hashText(identity))) duplicateRows += 1;
      }
    }
    return { rowsWithoutIdentity, duplicateRows };
  } finally {
    rows.close();
  }
}
