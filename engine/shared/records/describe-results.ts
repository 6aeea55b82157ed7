// Describes the people that the shared directory found as results, before they are written.
import { type Reason, type RowStatus, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import { createProjection, markShared } from '../../directory/read/projection.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { type FetchedRecords, fillFetched, openFetched } from './fetched-tables.ts';
import { suppressFetched } from './suppress-fetched.ts';

export interface SharedResult {
  readonly position: number;
  readonly status: number;
  readonly reason: number;
  readonly contactUuid: string | null;
  readonly layerBits: number;
  readonly fields: string | null;
  readonly confidence: number;
  readonly matchedOn: number;
  readonly provenance: string | null;
  /** The candidates column: people of the shared directory that the row may mean. */
  readonly candidates: string | null;
  /** Why the row failed; null if it did not. */
  readonly error: string | null;
}

export const describeWrong = (positions: Iterable<number>, error: string): SharedResult[] =>
  Array.from(positions, (position) => ({
    position,
    status: rowStatuses.indexOf('failed' satisfies RowStatus),
    reason: reasons.indexOf('source_error' satisfies Reason),
    contactUuid: null,
    layerBits: 0,
    fields: null,
    confidence: 0,
    matchedOn: 0,
    provenance: null,
    candidates: null,
    error,
  }));

export interface ResultDescriber {
  /** Rows with a person or candidates, or suppressed. @param store has the suppression list */
  describe(batch: MatchBatch, records: FetchedRecords, store: ReadableDatabase): SharedResult[];
  readonly database: ReturnType<typeof openFetched>;
  close(): void;
}

/** Codes of statuses that are results; another one means that the person was removed meanwhile. */
const known = rowStatuses.length;
const suppressed = reasons.indexOf('suppressed' satisfies Reason);

export function createDescriber(layers: readonly LayerCode[]): ResultDescriber {
  const database = openFetched();
  const { load, selectSql } = createProjection(database, { schema: 'main', layers });
  const select = `
    SELECT row_index AS position, status, reason, contact_uuid AS contactUuid,
      layer_bits AS layerBits, fields, confidence, matched_on AS matchedOn, provenance, candidates,
      NULL AS error
    FROM (${selectSql}) WHERE status < ${known}`;
  return {
    database,
    describe(batch, records, store) {
      fillFetched(database, records);
      suppressFetched(database, store);
      load(batch, 0);
      return statement<SharedResult>(database, select)
        .all()
        .filter(
          ({ position, reason, candidates }) =>
            (batch.personIds[position] ?? 0) > 0 || reason === suppressed || candidates !== null,
        )
        .map((result) =>
          result.candidates === null
            ? result
            : { ...result, candidates: markShared(result.candidates) },
        );
    },
    close: () => database.close(),
  };
}
