// Decides which stored rows are suppressed now, whenever a page of them is read.
import { type Reason, type RowStatus, reasons, rowStatuses } from '../contract/jobs/job.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readHiddenPeople } from './hidden-people.ts';
import { namesContact, namesRow } from './suppress-rows.ts';
import { readSuppressionList, type SuppressionList } from './suppression-list.ts';

export interface HiddenRows {
  readonly list: SuppressionList;
  readonly isEmpty: boolean;
  hasPerson(uuid: string): boolean;
  /** By the caller's cells, the person, or the person's `values`, by display name. */
  hides(
    row: {
      readonly cells: readonly string[];
      readonly contactUuid: string;
      readonly values: Readonly<Record<string, string>>;
    },
    mapping: ColumnMapping,
  ): boolean;
}

/** @param database engine.db @param directory directory.db as a connection's main file */
export const readHiddenRows = (
  database: ReadableDatabase,
  directory: ReadableDatabase,
): HiddenRows =>
  createHiddenRows(readSuppressionList(database, directory), readHiddenPeople(directory));

export function createHiddenRows(list: SuppressionList, people: ReadonlySet<string>): HiddenRows {
  const hasPerson = (uuid: string) => people.has(uuid) || list.hasPerson(uuid);
  return {
    list,
    isEmpty: list.isEmpty && people.size === 0,
    hasPerson,
    hides: ({ cells, contactUuid, values }, mapping) =>
      (contactUuid !== '' && hasPerson(contactUuid)) ||
      namesRow(list, cells, mapping) ||
      namesContact(list, contactUuid, values),
  };
}

/** Only the reference is left, by which callers find the row, unless it is suppressed too. */
export const blankCells = (
  { list }: HiddenRows,
  cells: readonly string[],
  mapping: ColumnMapping,
): string[] =>
  cells.map((cell, at) =>
    at === mapping.client_reference_id && !list.namesAny({}, [cell]) ? cell : '',
  );

/** The stored error of a result whose person was deleted, which is shown in the first cell. */
export const deletedMarker = 'deleted on request';

/** The columns of a result that reveal nothing but that its row is suppressed. */
export const suppressedResult = {
  status: rowStatuses.indexOf('skipped' satisfies RowStatus),
  reason: reasons.indexOf('suppressed' satisfies Reason),
  contactUuid: '',
  layerBits: 0,
  fields: '{}',
  confidence: 0,
  matchedOn: 0,
  candidates: null,
  provenance: null,
  inferred: null,
  error: null,
} as const;
