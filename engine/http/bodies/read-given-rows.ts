// Converts rows in JSON to a table.
import { invalid } from '../../contract/errors.ts';
import { type ColumnMapping, rowInputFields } from '../../contract/jobs/row-input.ts';
import { jsonRowsMax } from '../../contract/limits/jobs.ts';
import { csvCellCharactersMax, csvColumnsMax } from '../../contract/limits/spreadsheet.ts';
import type { SparseRow } from '../../spreadsheet/write-rows-table.ts';
import { findNearest, foldName } from './explain-issue.ts';

export interface RowsTable {
  readonly headers: readonly string[];
  readonly rows: readonly SparseRow[];
  readonly mapping: ColumnMapping;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const otherWays = {
  rows: 'Send them as a CSV file in multipart/form-data.',
  contacts: 'Split them over several pipelines.',
} as const;

export const describeTooMany = (count: number, otherWay: string, name: string): string =>
  `${name}: ${count} rows are more than the ${jsonRowsMax} allowed in JSON. ${otherWay}`;

/** Reads one cell of a JSON row. Throws `validation_error` with its JSON path. */
function readCell(value: unknown, path: () => string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw invalid(`${path()}: send a string or null.`);
  if (value.length > csvCellCharactersMax)
    throw invalid(`${path()}: at most ${csvCellCharactersMax} characters.`);
  if (value.includes('\0') || !value.isWellFormed())
    throw invalid(
      `${path()}: the text contains characters that cannot be stored (NUL or an unpaired ` +
        'surrogate). Remove them.',
    );
  return value;
}

const keyPath = (row: string, key: string) =>
  /^[\w-]+$/.test(key) ? `${row}.${key}` : `${row}[${JSON.stringify(key)}]`;

/** The fields of which a row needs one, so that it can be answered. */
const identityFields: readonly string[] = ['first_name', 'last_name', 'email', 'profile_url'];

/** Whether a key is nearly the name of a field, and not only of the same meaning. */
const isNear = (key: string, field: string): boolean =>
  foldName(field).length >= sureNameMin && findNearest(key, [field], true) !== null;

/** A shorter name may be a field of the caller's own. */
const sureNameMin = 8;

/**
 * Refuses rows with a key that is nearly the long name of a field that they lack; rows of which
 * none can be answered also for a short name, or one of the same meaning. Other unknown keys are
 * the caller's own.
 */
function pointOutMisspelt(columns: ReadonlyMap<string, number>, name: string): void {
  const canBeAnswered = identityFields.some((field) => columns.has(field));
  for (const key of columns.keys()) {
    const meant = findNearest(key, rowInputFields);
    if (meant === null || meant === key || columns.has(meant)) continue;
    if (canBeAnswered && isNear(key, meant))
      throw invalid(
        `${name}: there is no field ${JSON.stringify(key.slice(0, 60))}. Did you mean ` +
          `${JSON.stringify(meant)}? Rename it, or call a field of your own otherwise.`,
      );
    if (!canBeAnswered)
      throw invalid(
        `${name}: no row has a first_name, an email or a profile_url, but there is ` +
          `${JSON.stringify(key.slice(0, 60))}. Did you mean ${JSON.stringify(meant)}?`,
      );
  }
}

/**
 * Converts JSON rows to a table. The columns are their keys, in the order of first appearance.
 * Throws `validation_error` with the JSON path of the first problem.
 * @param name name of the rows in the body
 */
export function readRows(rows: unknown, otherWay: string, name = 'rows'): RowsTable {
  if (!Array.isArray(rows)) throw invalid(`${name}: send an array of objects.`);
  if (rows.length > jsonRowsMax) throw invalid(describeTooMany(rows.length, otherWay, name));
  const columns = new Map<string, number>();
  const table: SparseRow[] = [];
  for (const [at, row] of rows.entries()) {
    const path = `${name}[${at}]`;
    if (!isObject(row)) throw invalid(`${path}: send an object.`);
    const cells: Record<number, string> = {};
    for (const [key, value] of Object.entries(row)) {
      const column = columns.get(key) ?? columns.size;
      columns.set(key, column);
      cells[column] = readCell(value, () => keyPath(path, key));
    }
    if (columns.size > csvColumnsMax)
      throw invalid(`${path}: all rows together have more than ${csvColumnsMax} different fields.`);
    table.push(cells);
  }
  pointOutMisspelt(columns, name);
  // A table without columns cannot be written, but rows without any field are valid.
  if (columns.size === 0) columns.set('email', 0);
  const mapping: ColumnMapping = {};
  for (const field of rowInputFields) {
    const column = columns.get(field);
    if (column !== undefined) mapping[field] = column;
  }
  return { headers: [...columns.keys()], rows: table, mapping };
}
