/**
 * Inspects a decoded table before anything is spent: rows that cannot match, and duplicate rows.
 */
import { setImmediate } from 'node:timers/promises';
import {
  type ColumnMapping,
  type RowInputField,
  readMapped,
  rowInputFields,
} from '../contract/jobs/row-input.ts';
import { checkedRowsShownMax, inputIndexStride } from '../contract/limits/spreadsheet.ts';
import type { LeaveOutKind } from '../contract/reading/reading.ts';
import { hashText } from '../platform/hash-text.ts';
import { openRows } from './read-rows.ts';
import { describePeople } from './several-people.ts';

/** Counts that are shown before the price. */
export interface RowsInspection {
  /** Rows without an email, a profile URL, a name or a company. */
  readonly rowsWithoutIdentity: number;
  /** Rows with the same text as an earlier one in all recognised fields that name a contact. */
  readonly duplicateRows: number;
  /** The first rows of each kind. */
  readonly examples: readonly CheckedRow[];
  /** The first rows whose name is that of several people, with the cell. */
  readonly severalPeople: readonly {
    readonly row: number;
    readonly text: string;
    /** What describePeople says of the name. */
    readonly said: string;
  }[];
}

/** A row that could be left out, and its position in the table. */
export interface CheckedRow {
  readonly kind: LeaveOutKind;
  readonly row: number;
  readonly cells: string[];
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

/** A cell without the differences of case and space. */
const foldCell = (cell: string): string =>
  cell.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Fields that say who is meant; the caller's reference does not. */
const comparedFields = rowInputFields.filter((field) => field !== 'client_reference_id');

/**
 * The text of a row: every recognised field, without differences of case and space; null without an
 * email, a profile URL, a name and a company. Rows with the same text are duplicates.
 */
export function identifyRow(cells: readonly string[], mapping: ColumnMapping): string | null {
  const read = (field: RowInputField) => foldCell(readMapped(cells, mapping, field));
  const hasContact =
    read('profile_url') ||
    read('email') ||
    read('first_name') ||
    read('last_name') ||
    read('company_name') ||
    read('company_domain');
  return hasContact ? comparedFields.map(read).join('\u0000') : null;
}

/** Sorts the rows of one table, in order: what could be left out, or null. */
export function createRowSorter(
  rowCount: number,
  mapping: ColumnMapping,
): (cells: readonly string[]) => LeaveOutKind | null {
  const seen = createHashSet(rowCount);
  return (cells) => {
    const identity = identifyRow(cells, mapping);
    if (identity === null) return 'no_identity';
    return seen.add(hashText(identity)) ? null : 'duplicates';
  };
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
    const sort = createRowSorter(rows.rowCount, mapping);
    const counts = { no_identity: 0, duplicates: 0 };
    const examples: CheckedRow[] = [];
    const severalPeople: RowsInspection['severalPeople'][number][] = [];
    for (let first = 0; first < rows.rowCount; first += inputIndexStride) {
      await setImmediate();
      signal?.throwIfAborted();
      for (const [at, cells] of rows.readRange(first, inputIndexStride).entries()) {
        if (severalPeople.length < checkedRowsShownMax) {
          const text = readMapped(cells, mapping, 'first_name');
          const said = describePeople(text, readMapped(cells, mapping, 'last_name'));
          if (said !== '') severalPeople.push({ row: first + at, text, said });
        }
        const kind = sort(cells);
        if (kind === null) continue;
        counts[kind] += 1;
        if (counts[kind] <= checkedRowsShownMax) examples.push({ kind, row: first + at, cells });
      }
    }
    return {
      rowsWithoutIdentity: counts.no_identity,
      duplicateRows: counts.duplicates,
      examples,
      severalPeople,
    };
  } finally {
    rows.close();
  }
}
