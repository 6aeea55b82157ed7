// Marks the rows of a batch about people who were answered before, in the batch's transaction
// (docs/rules.md, "Repeated people"). sort-rows.ts decides which rule applies to a row.
import { reasons, rowStatuses } from '../../contract/jobs/job.ts';
import { findMerged } from '../../ledger/merged-person.table.ts';
import { addPaid, chargedLayers, layerSet, type PaidSets } from '../../ledger/price-job.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { getJob, type JobRow } from '../job.table.ts';
import type { FirstRows } from './first-rows.ts';
import { findRowsOfJob } from './job-person.table.ts';
import { findPaidLayers, hasSources, listSources } from './paid-layers.ts';
import { insertRepeats, type RepeatRow } from './repeat-row.table.ts';
import { firstByPerson, type PersonOfRow, sortRows } from './sort-rows.ts';

export interface BatchRepeats {
  readonly duplicates: number;
  readonly paidBefore: number;
  readonly known: number;
  /** The layers that the enriched rows of the batch do not pay for. */
  readonly saved: PaidSets;
  /** The first row of each person who is new to the job, to be added after the commit. */
  readonly firsts: readonly PersonOfRow[];
}

export function readEnriched(
  database: WritableDatabase,
  job: Pick<JobRow, 'resultBase'>,
  { firstRow, count }: { firstRow: number; count: number },
): PersonOfRow[] {
  const firstId = job.resultBase + firstRow;
  const enriched = rowStatuses.indexOf('enriched');
  // Three long texts are read faster than many rows.
  const stored = statement<Record<'ids' | 'people' | 'layers', string>>(
    database,
    `SELECT json_group_array(id) AS ids, json_group_array(contact_uuid) AS people,
       json_group_array(layer_bits) AS layers
     FROM (SELECT id, contact_uuid, layer_bits FROM result
       WHERE id >= ? AND id < ? AND status = ${enriched} AND contact_uuid <> '' ORDER BY id)`,
  ).get(firstId, firstId + count);
  if (!stored) return [];
  const ids: number[] = JSON.parse(stored.ids);
  const people: string[] = JSON.parse(stored.people);
  const layers: number[] = JSON.parse(stored.layers);
  return ids.map((id, at) => ({
    rowIndex: id - job.resultBase,
    personUuid: people[at] ?? '',
    layerBits: layers[at] ?? 0,
  }));
}

const skipped = rowStatuses.indexOf('skipped');
const knownReason = reasons.indexOf('known_from_earlier_job');

/** The first row of the excluded job about each person: result.id. */
function findKnown(
  database: WritableDatabase,
  job: JobRow,
  rows: readonly PersonOfRow[],
): ReadonlyMap<string, number> {
  const earlier = job.newSince === null ? null : getJob(database, job.accountId, job.newSince);
  if (!earlier || rows.length === 0) return new Map();
  const people = [...new Set(rows.map(({ personUuid }) => personUuid))];
  return firstByPerson(findRowsOfJob(database, earlier, people));
}

function skipRows(database: WritableDatabase, known: readonly RepeatRow[]): void {
  if (known.length === 0) return;
  // The person stays, so that a job that excludes this one skips the person too.
  statement(
    database,
    `UPDATE result SET status = ${skipped}, reason = ${knownReason}, layer_bits = 0, fields = NULL,
       provenance = NULL, candidates = NULL, inferred = NULL
     WHERE id IN (SELECT value FROM json_each(?))`,
  ).run(JSON.stringify(known.map(({ id }) => id)));
}

/** The first row of each person. Rows from before a merge are about its survivor. */
function findFirstRows(
  database: WritableDatabase,
  firstRows: FirstRows,
  rows: readonly PersonOfRow[],
): ReadonlyMap<string, number> {
  const people = rows.map(({ personUuid }) => personUuid);
  const found = new Map<string, number>();
  const note = (survivor: string, personUuid: string) => {
    const [row] = firstRows.find(personUuid);
    if (row !== undefined) found.set(survivor, Math.min(row, found.get(survivor) ?? row));
  };
  for (const person of people) note(person, person);
  for (const [uuid, survivor] of findMerged(database, people)) note(survivor, uuid);
  return found;
}

export function findPaidRepeats(
  database: WritableDatabase,
  job: JobRow,
  rows: readonly PersonOfRow[],
): RepeatRow[] {
  if (!hasSources(listSources(job))) return [];
  const wanted = new Map(
    rows.map(({ personUuid, layerBits }) => [personUuid, chargedLayers(job, layerBits)]),
  );
  const paid = findPaidLayers(database, job, wanted);
  return rows.flatMap(({ rowIndex, personUuid }) =>
    (paid.get(personUuid) ?? []).map(
      ({ sourceId, layers }): RepeatRow => ({
        id: job.resultBase + rowIndex,
        sourceId,
        kind: 'paid_before',
        freeLayers: layers,
      }),
    ),
  );
}

/** The layers that rows do not pay for because of their repeats. */
export function listSaved(
  job: JobRow,
  rows: readonly PersonOfRow[],
  repeats: readonly RepeatRow[],
): PaidSets {
  const free = new Map<number, number>();
  for (const { id, freeLayers } of repeats) free.set(id, (free.get(id) ?? 0) | freeLayers);
  const saved: PaidSets = new Map();
  for (const { rowIndex, layerBits } of rows) {
    const set = free.get(job.resultBase + rowIndex) ?? 0;
    if (set !== 0) addPaid(saved, chargedLayers(job, layerBits) & set, 1);
  }
  return saved;
}

/**
 * Marks the repeats of a batch whose results are written. Call inside the batch's transaction,
 * before its rows are counted.
 * @param firstRows the people of the committed batches of the job
 * @param all the enriched rows of the batch whose person is known, in order
 */
export function markRepeats(
  database: WritableDatabase,
  job: JobRow,
  firstRows: FirstRows,
  all: readonly PersonOfRow[],
): BatchRepeats {
  const sorted = sortRows(all, findKnown(database, job, all), (rows) =>
    findFirstRows(database, firstRows, rows),
  );
  const freeLayers = layerSet(job.codes);
  const repeatOf = (row: PersonOfRow, sourceId: number, kind: RepeatRow['kind']): RepeatRow => ({
    id: job.resultBase + row.rowIndex,
    sourceId,
    kind,
    freeLayers,
  });
  const known = sorted.known.map(({ row, sourceId }) => repeatOf(row, sourceId, 'known'));
  skipRows(database, known);
  const duplicates = sorted.duplicates.map(({ row, firstRow }) =>
    repeatOf(row, job.resultBase + firstRow, 'duplicate'),
  );
  const paid = findPaidRepeats(database, job, sorted.firsts);
  const repeats = [...duplicates, ...paid];
  insertRepeats(database, [...known, ...repeats]);
  const knownIds = new Set(known.map(({ id }) => id));
  const rows = all.filter(({ rowIndex }) => !knownIds.has(job.resultBase + rowIndex));
  return {
    duplicates: duplicates.length,
    paidBefore: new Set(paid.map(({ id }) => id)).size,
    known: known.length,
    saved: listSaved(job, rows, repeats),
    firsts: sorted.firsts,
  };
}
