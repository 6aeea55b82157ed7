// Large bodies in routes: already parsed by the body thread, with their rows in a table.
import { EngineError } from '../../contract/errors.ts';
import { otherWays, type RowsTable, readRows } from './read-given-rows.ts';
import {
  fingerprintBody,
  type ReadBody,
  type RowsOutcome,
  type WrittenTable,
} from './read-large-body.ts';

export type InputTable = RowsTable | WrittenTable;

class ReceivedRows {
  readonly outcome: RowsOutcome;
  constructor(outcome: RowsOutcome) {
    this.outcome = outcome;
  }
}

const fingerprints = new WeakMap<object, string>();

export function acceptBody(
  { value, rows, fingerprint }: ReadBody,
  name: 'rows' | 'contacts' | null,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (rows && name) Object.assign(value, { [name]: new ReceivedRows(rows) });
  if (fingerprint !== null) fingerprints.set(value, fingerprint);
  return value;
}

export const isChecked = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && fingerprints.has(body);

/** Fingerprint that a repeat with the same idempotency key must share. */
export const fingerprintOf = (body: object): string =>
  fingerprints.get(body) ?? fingerprintBody(body);

/** The table of a body's rows. Throws `validation_error` with the path of the first problem. */
export function takeTable(rows: unknown, name: 'rows' | 'contacts'): InputTable {
  if (!(rows instanceof ReceivedRows)) return readRows(rows, otherWays[name], name);
  if ('table' in rows.outcome) return rows.outcome.table;
  const { code, detail } = rows.outcome.refusal;
  throw new EngineError(code, detail);
}
