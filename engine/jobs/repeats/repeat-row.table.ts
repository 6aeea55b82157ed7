// The table `repeat_row`: rows about people who were answered before, and the rows that were.
import {
  type EarlierRow,
  noRepeat,
  type PaidRow,
  type Repeat,
  type RepeatKind,
  repeatKinds,
} from '../../contract/jobs/repeats.ts';
import { listLayers } from '../../ledger/price-job.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

export interface RepeatRow {
  readonly id: number;
  /** result.id of the row that has the answer. */
  readonly sourceId: number;
  readonly kind: RepeatKind;
  /** Set of the layers that the row is not charged for. Its other sources have other layers. */
  readonly freeLayers: number;
}

export function insertRepeats(database: WritableDatabase, repeats: readonly RepeatRow[]): void {
  if (repeats.length === 0) return;
  const rows = repeats.map((one) => [
    one.id,
    one.sourceId,
    repeatKinds.indexOf(one.kind),
    one.freeLayers,
  ]);
  statement(
    database,
    `INSERT INTO repeat_row (id, source_id, kind, free_layers)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
  ).run(JSON.stringify(rows));
}

/** Deletes the repeats of a kind, or of any, from firstId to lastId, both included. */
export const deleteRepeats = (
  database: WritableDatabase,
  { firstId, lastId }: { firstId: number; lastId: number },
  kind: RepeatKind | null = null,
): void =>
  void statement(
    database,
    'DELETE FROM repeat_row WHERE id BETWEEN @firstId AND @lastId AND kind = ifnull(@kind, kind)',
  ).run({ firstId, lastId, kind: kind === null ? null : repeatKinds.indexOf(kind) });

interface StoredRepeat extends Omit<RepeatRow, 'kind'> {
  readonly kind: number;
}

const selectRepeat =
  'SELECT id, source_id AS sourceId, kind, free_layers AS freeLayers FROM repeat_row';

const readRepeat = (stored: StoredRepeat): RepeatRow => ({
  ...stored,
  kind: repeatKinds[stored.kind] ?? 'duplicate',
});

/** The repeats from firstId to lastId, both included. */
export const listRepeats = (
  database: ReadableDatabase,
  { firstId, lastId }: { firstId: number; lastId: number },
): RepeatRow[] =>
  statement<StoredRepeat>(database, `${selectRepeat} WHERE id BETWEEN ? AND ? ORDER BY id`)
    .all(firstId, lastId)
    .map(readRepeat);

export const findRepeats = (database: ReadableDatabase, ids: readonly number[]): RepeatRow[] =>
  statement<StoredRepeat>(
    database,
    `${selectRepeat} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`,
  )
    .all(JSON.stringify(ids))
    .map(readRepeat);

export interface DescribedRepeat {
  readonly repeat: Repeat;
  /** Set of the layers that the row is not charged for. */
  readonly freeLayers: number;
}

export const notRepeated: DescribedRepeat = { repeat: noRepeat, freeLayers: 0 };

interface Described extends StoredRepeat {
  readonly jobId: string;
  readonly resultBase: number;
  readonly completedAt: string | null;
}

function addSource(known: DescribedRepeat, found: Described): DescribedRepeat {
  const { repeat } = known;
  const rowIndex = found.sourceId - found.resultBase;
  const source: EarlierRow = { job_id: found.jobId, row_index: rowIndex };
  const freeLayers = known.freeLayers | found.freeLayers;
  const kind = repeatKinds[found.kind];
  if (kind === 'duplicate') return { freeLayers, repeat: { ...repeat, duplicate_of: rowIndex } };
  if (kind === 'known') return { freeLayers, repeat: { ...repeat, known_from: source } };
  const paid: PaidRow = {
    ...source,
    paid_on: (found.completedAt ?? '').slice(0, 10),
    layers: listLayers(found.freeLayers),
  };
  return { freeLayers, repeat: { ...repeat, paid_before: [...repeat.paid_before, paid] } };
}

/**
 * Describes the repeats among some rows of a job, by row_index. Rows that repeat none are left out.
 * @param resultBase result.id of the job's first row
 */
export function describeRepeats(
  database: ReadableDatabase,
  resultBase: number,
  rows: readonly number[],
): Map<number, DescribedRepeat> {
  const found = statement<Described>(
    database,
    `SELECT f.id, f.source_id AS sourceId, f.kind, f.free_layers AS freeLayers, j.uuid AS jobId,
       j.result_base AS resultBase, j.completed_at AS completedAt
     FROM repeat_row f JOIN job j
       ON j.result_base = (SELECT max(result_base) FROM job WHERE result_base <= f.source_id)
     WHERE f.id IN (SELECT value FROM json_each(?)) ORDER BY f.id, j.id DESC`,
  ).all(JSON.stringify(rows.map((row) => resultBase + row)));
  const described = new Map<number, DescribedRepeat>();
  for (const one of found) {
    const row = one.id - resultBase;
    described.set(row, addSource(described.get(row) ?? notRepeated, one));
  }
  return described;
}
