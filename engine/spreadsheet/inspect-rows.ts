// Inspects a decoded table before anything is spent: rows that cannot match, and duplicate rows.
import { setImmediate } from 'node:timers/promises';
import { type ColumnMapping, readMapped, rowInputFields } from '../contract/jobs/row-input.ts';
import { checkedRowsShownMax, inputIndexStride } from '../contract/limits/spreadsheet.ts';
import type { LeaveOutKind } from '../contract/reading/reading.ts';
import { hashText } from '../platform/hash-text.ts';
import { openRows } from './read-rows.ts';
import { sampleRows } from './sample-rows.ts';
import { describePeople, splitPairs } from './several-people.ts';

export interface RowsInspection {
  /** Rows without an email, a profile URL, a name or a company. */
  readonly rowsWithoutIdentity: number;
  /** Rows with the same text as an earlier one in all recognised fields that name a contact. */
  readonly duplicateRows: number;
  /** How many rows of the table name the same person as each row of its sample, itself included. */
  readonly sampleRepeats: readonly number[];
  readonly examples: readonly CheckedRow[];
  /** The first rows whose name is that of several people, with the cell. */
  readonly severalPeople: readonly {
    readonly row: number;
    readonly text: string;
    /** What describePeople says of the name. */
    readonly said: string;
    /** Whether they can have a row each: a couple or a group can't. */
    readonly canSplit: boolean;
  }[];
}

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

/** Letters and digits tell names apart; a point or a hyphen does not. */
const isNoLetter = /[^\p{L}\p{N}]+/gu;

interface RowIdentity {
  /** Every recognised field without case and space. Rows with the same text are duplicates. */
  readonly text: string;
  /**
   * The name with the email, else the profile URL, else the company. Rows that have them in common
   * are nearly always about one person, whatever else they say.
   */
  readonly person: string;
}

/** Identifies a row; null without an email, a profile URL, a name and a company. */
export function identifyRow(cells: readonly string[], mapping: ColumnMapping): RowIdentity | null {
  const texts = comparedFields.map((field) => foldCell(readMapped(cells, mapping, field)));
  const [first, last, company, email, url, , , domain] = texts;
  const name = `${first}${last}`;
  const place = email || url || company || domain;
  if (!name && !place) return null;
  return {
    text: texts.join('\u0000'),
    person: `${name}${place}`.replace(isNoLetter, ''),
  };
}

/** Sorts the rows of one table, in order: what could be left out, or null. */
export function createRowSorter(
  rowCount: number,
): (identity: RowIdentity | null) => LeaveOutKind | null {
  const seen = createHashSet(rowCount);
  return (identity) => {
    if (identity === null) return 'no_identity';
    return seen.add(hashText(identity.text)) ? null : 'duplicates';
  };
}

function createPersonCount(dir: string, mapping: ColumnMapping) {
  const sample = sampleRows(dir).rows.map(({ cells }) => identifyRow(cells, mapping)?.person);
  const counts = new Map(sample.map((person) => [person, 0]));
  return {
    add(person: string) {
      const count = counts.get(person);
      if (count !== undefined) counts.set(person, count + 1);
    },
    list: () => sample.map((person) => Math.max(1, counts.get(person) ?? 1)),
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
    const sort = createRowSorter(rows.rowCount);
    const people = createPersonCount(dir, mapping);
    const counts = { no_identity: 0, duplicates: 0 };
    const examples: CheckedRow[] = [];
    const severalPeople: RowsInspection['severalPeople'][number][] = [];
    for (let first = 0; first < rows.rowCount; first += inputIndexStride) {
      await setImmediate();
      signal?.throwIfAborted();
      for (const [at, cells] of rows.readRange(first, inputIndexStride).entries()) {
        if (severalPeople.length < checkedRowsShownMax) {
          const text = readMapped(cells, mapping, 'first_name');
          const last = readMapped(cells, mapping, 'last_name');
          const said = describePeople(text, last);
          const canSplit = splitPairs(text, last).length > 1;
          if (said !== '') severalPeople.push({ row: first + at, text, said, canSplit });
        }
        const identity = identifyRow(cells, mapping);
        if (identity !== null) people.add(identity.person);
        const kind = sort(identity);
        if (kind === null) continue;
        counts[kind] += 1;
        if (counts[kind] <= checkedRowsShownMax) examples.push({ kind, row: first + at, cells });
      }
    }
    return {
      rowsWithoutIdentity: counts.no_identity,
      duplicateRows: counts.duplicates,
      sampleRepeats: people.list(),
      examples,
      severalPeople,
    };
  } finally {
    rows.close();
  }
}
