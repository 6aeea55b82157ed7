/** Large bodies as routes meet them: read already by a thread, their rows written to a table. */
import { EngineError } from '../../contract/errors.ts';
import { otherWays, type RowsTable, readRows } from './read-given-rows.ts';
import {
  fingerprintBody,
  type ReadBody,
  type RowsOutcome,
  type WrittenTable,
} from './read-large-body.ts';

/** Rows to be written as a table, or a table. */
export type GivenTable = RowsTable | WrittenTable;

/** Stands in a large body where it had a list of rows. */
class ReceivedRows {
  readonly outcome: RowsOutcome;
  constructor(outcome: RowsOutcome) {
    this.outcome = outcome;
  }
}

/** Fingerprints of the bodies that a schema has checked. */
const fingerprints = new WeakMap<object, string>();

/** The value of a large body, as a route is given it. */
export function acceptBody(
  { value, rows, fingerprint }: ReadBody,
  name: 'rows' | 'contacts' | null,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (rows && name) Object.assign(value, { [name]: new ReceivedRows(rows) });
  if (fingerprint !== null) fingerprints.set(value, fingerprint);
  return value;
}

/** Whether a schema has checked a body on the thread that read it. */
export const isChecked = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && fingerprints.has(body);

/** What a repeat of a request under the same key must have in common with the first. */
export const fingerprintOf = (body: object): string =>
  fingerprints.get(body) ?? fingerprintBody(body);

/** The table of a body's rows. Throws `validation_error` with the path of the first offence. */
export function takeTable(rows: unknown, name: 'rows' | 'contacts'): GivenTable {
  if (!(rows instanceof ReceivedRows)) return readRows(rows, otherWays[name], name);
  if ('table' in rows.outcome) return rows.outcome.table;
  const { code, detail } = rows.outcome.refusal;
  throw new EngineError(code, detail);
}
