// Prices the picks of a review with the rules of repeated people (docs/rules.md, "Repeated
// people"). A person is charged once per job, whichever of its rows were picked.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { type CreditUnits, creditUnits } from '../../contract/credits.ts';
import { rowStatuses } from '../../contract/jobs/job.ts';
import { survivorOf } from '../../ledger/merged-person.table.ts';
import { layerSet, priceRow } from '../../ledger/price-job.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { JobRow } from '../job.table.ts';
import { findPicks, type PickRow, setPickPrice } from '../review/review-pick.table.ts';
import { indexPeople } from './index-people.ts';
import {
  findRowsOfJob,
  insertPeople,
  type PersonRow,
  type SourceJobs,
} from './job-person.table.ts';
import { findPaidRepeats } from './mark-repeats.ts';
import { listSources } from './paid-layers.ts';
import { deleteRepeats, findRepeats, insertRepeats, type RepeatRow } from './repeat-row.table.ts';

export interface DecidedRows {
  /** The price of each decided row before the request, in units. */
  readonly oldUnits: Map<number, number>;
  readonly people: Set<string>;
}

export interface PickChanges {
  readonly chargedUnits: number;
  readonly refundedUnits: number;
  readonly duplicates: number;
  readonly paidBefore: number;
}

/** The repeats of the picks of one person. A row that was enriched by its match is first. */
function repeatPicks(
  database: WritableDatabase,
  job: JobRow,
  rows: readonly PersonRow[],
  picked: ReadonlyMap<number, PickRow>,
): RepeatRow[] {
  const isPick = ({ id }: PersonRow) => picked.has(id - job.resultBase);
  const first = rows.find((row) => !isPick(row)) ?? rows[0];
  if (!first) return [];
  const freeLayers = layerSet(job.codes);
  const duplicates = rows
    .filter((row) => row.id !== first.id && isPick(row))
    .map(({ id }): RepeatRow => ({ id, sourceId: first.id, kind: 'duplicate', freeLayers }));
  if (!isPick(first)) return duplicates;
  const payer = { ...first, rowIndex: first.id - job.resultBase };
  return [...findPaidRepeats(database, job, [payer]), ...duplicates];
}

const countRows = (repeats: readonly RepeatRow[], kind: RepeatRow['kind']): number =>
  new Set(repeats.flatMap((one) => (one.kind === kind ? one.id : []))).size;

function groupRows(
  database: WritableDatabase,
  job: JobRow,
  people: ReadonlySet<string>,
): Map<string, PersonRow[]> {
  const enriched = rowStatuses.indexOf('enriched');
  const rows = new Map<string, PersonRow[]>();
  for (const row of findRowsOfJob(database, job, [...people]))
    if (row.status === enriched && people.has(row.personUuid))
      rows.set(row.personUuid, [...(rows.get(row.personUuid) ?? []), row]);
  return rows;
}

function sourcesOf(job: JobRow): SourceJobs {
  const sources = listSources(job);
  return { ...sources, jobIds: [...sources.jobIds, job.uuid] };
}

/**
 * Adds the people that the picks of a job are compared with to `job_person`, before the first
 * decision. Yields the thread between stretches, so that other commands never wait.
 */
export async function indexBeforePicks(database: WritableDatabase, job: JobRow): Promise<void> {
  for (const _transaction of indexPeople(database, sourcesOf(job))) await yieldThread();
}

/** Adds what the rows of the people must be compared with to `job_person`. */
function indexRows(database: WritableDatabase, job: JobRow, picks: readonly PickRow[]): void {
  // A job that has completed since is still missing.
  for (const _transaction of indexPeople(database, sourcesOf(job)));
  const people = picks.flatMap(({ rowIndex, contactUuid }) =>
    contactUuid === null
      ? []
      : { rowIndex, personUuid: survivorOf(database, contactUuid), isCharged: true },
  );
  insertPeople(database, job, people);
}

/**
 * Sets the prices of the picks that a request's decisions concern: those of the decided rows, and
 * those of the same people. Call after the decisions are written, in their transaction.
 */
export function pricePicks(
  database: WritableDatabase,
  job: JobRow,
  { oldUnits, people }: DecidedRows,
): PickChanges {
  const decided = [...oldUnits.keys()];
  indexRows(database, job, findPicks(database, job.id, decided));
  const rows = groupRows(database, job, people);
  const concerned = [...rows.values()].flat().map(({ id }) => id - job.resultBase);
  const all = [...new Set([...decided, ...concerned])];
  const picked = new Map(findPicks(database, job.id, all).map((pick) => [pick.rowIndex, pick]));
  const changed = all.filter((row) => oldUnits.has(row) || picked.has(row));
  const ids = changed.map((row) => job.resultBase + row);
  const before = findRepeats(database, ids);
  const after = [...rows.values()].flatMap((own) => repeatPicks(database, job, own, picked));
  for (const id of ids) deleteRepeats(database, { firstId: id, lastId: id });
  insertRepeats(database, after);
  const bits = new Map([...rows.values()].flat().map(({ id, layerBits }) => [id, layerBits]));
  const priceOf = (row: number): CreditUnits => {
    const id = job.resultBase + row;
    const free = after.reduce((set, one) => set | (one.id === id ? one.freeLayers : 0), 0);
    const layerBits = bits.get(id);
    return layerBits === undefined ? creditUnits(0) : priceRow(job, true, layerBits, free);
  };
  const sums = { chargedUnits: 0, refundedUnits: 0 };
  for (const row of changed) {
    const units = priceOf(row);
    const change = units - (oldUnits.get(row) ?? picked.get(row)?.priceUnits ?? 0);
    sums.chargedUnits += Math.max(0, change);
    sums.refundedUnits += Math.max(0, -change);
    if (picked.has(row)) setPickPrice(database, job.id, row, units);
  }
  return {
    ...sums,
    duplicates: countRows(after, 'duplicate') - countRows(before, 'duplicate'),
    paidBefore: countRows(after, 'paid_before') - countRows(before, 'paid_before'),
  };
}
