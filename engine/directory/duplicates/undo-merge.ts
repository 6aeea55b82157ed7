// Undoes a merge: restores the rows of both records exactly, as long as nothing changed them.
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';
import { EngineError, notFound } from '../../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import {
  clearTouched,
  derivePhones,
  raiseGeneration,
  touchNumber,
  touchPerson,
} from '../import/derive.ts';
import { deleteTransferred } from './duplicate.table.ts';
import {
  findLaterMerge,
  getMerge,
  restoreRecord,
  type StoredMerge,
  setUndone,
} from './merge.table.ts';
import {
  findDifference,
  listImports,
  replaceRows,
  type Snapshot,
  takeSnapshot,
} from './snapshot.ts';

const refusal = (merge: StoredMerge, why: string): EngineError =>
  new EngineError('already_finished', `Merge ${merge.id} cannot be undone: ${why}`);

const whatChanged: Readonly<Record<string, string>> = {
  person: 'a value of the person',
  company: 'a value of the company',
  employment: 'a job of the person',
  person_name: 'a name of the person',
  person_key: 'an address or a page of the person',
  person_phone: 'a phone number of the person',
  company_alias: 'an alias of the company',
  person_listing: 'what a list says of the person',
  company_listing: 'what a list says of the company',
  value_claim: 'what the sources state',
};

/** The first of some imports, as it is listed; undefined if none has the status. */
const findImport = (
  db: ReadableDatabase,
  ids: Iterable<number>,
  status: 'completed' | 'undone',
): number | undefined =>
  statement<{ id: number }>(
    db,
    `SELECT ifnull(part_of, id) AS id FROM source_import WHERE status = @status
       AND id IN (SELECT value FROM json_each(@ids)) LIMIT 1`,
  ).get({ status, ids: JSON.stringify([...ids]) })?.id;

/** Throws if people joined or left the company since. */
function requireSameStaff(db: ReadableDatabase, merge: StoredMerge): void {
  const { jobs, lastJob } = merge.after;
  const added = statement<{ import_id: number }>(
    db,
    'SELECT import_id FROM employment WHERE company_id = ? AND id > ? LIMIT 1',
  ).get(merge.survivorId, lastJob);
  if (added)
    throw refusal(
      merge,
      `import ${added.import_id} added a job at the company since. Undo that import first.`,
    );
  const kept = statement<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM json_each(?) j JOIN employment e ON e.id = j.value
     WHERE e.company_id = ?`,
  ).get(JSON.stringify(jobs), merge.survivorId);
  if (kept?.count !== jobs.length)
    throw refusal(merge, 'a job at the company was removed or merged since.');
}

/** Throws `already_finished` with the reason if the merge cannot be undone exactly. */
function requireUntouched(db: ReadableDatabase, merge: StoredMerge, now: Snapshot): void {
  const laterMerge = findLaterMerge(db, merge);
  if (laterMerge !== null) throw refusal(merge, `undo merge ${laterMerge} first.`);
  if ((now[merge.kind] ?? []).length === 0)
    throw refusal(merge, 'the survivor is no longer in the directory.');
  const undone = findImport(db, listImports(merge.before), 'undone');
  if (undone !== undefined)
    throw refusal(merge, `import ${undone}, which both records had values of, was undone since.`);
  const difference = findDifference(merge.after.rows, now);
  if (difference) {
    const { table, column } = difference;
    const known = listImports(merge.after.rows);
    const others = [...listImports(now)].filter((id) => !known.has(id));
    const later = findImport(db, others, 'completed');
    if (later !== undefined)
      throw refusal(merge, `import ${later} stated values of it since. Undo that import first.`);
    const what = `${whatChanged[table] ?? 'a value'}${column ? ` (${column})` : ''}`;
    throw refusal(merge, `${what} has changed since.`);
  }
  if (merge.kind === 'company') requireSameStaff(db, merge);
}

function restoreRows(db: WritableDatabase, merge: StoredMerge, now: Snapshot): void {
  const { kind, survivorId, loserId, before, after } = merge;
  replaceRows(db, kind, now, before);
  statement(
    db,
    'UPDATE employment SET company_id = ? WHERE id IN (SELECT value FROM json_each(?))',
  ).run(loserId, JSON.stringify(after.jobs));
  if (kind === 'person') for (const id of [survivorId, loserId]) touchPerson(db, id);
  const numbers = [...(before.person_phone ?? []), ...(before.company ?? [])];
  for (const row of numbers) {
    const number = row.number ?? row.phone;
    if (typeof number === 'string') touchNumber(db, number);
  }
}

/**
 * Undoes a merge in one transaction. Throws EngineError: not_found, or already_finished with the
 * reason if it was undone or a later change touched the records.
 * @param beforeCommit runs at the end of the transaction
 * @returns what was merged
 */
export function undoMerge(
  db: WritableDatabase,
  { mergeId, at, author }: { mergeId: number; at: string; author: string },
  beforeCommit?: () => void,
): DuplicateKind {
  return inTransaction(db, () => {
    const merge = getMerge(db, mergeId);
    if (!merge)
      throw notFound(
        `Merge ${mergeId} does not exist. ` +
          'List the merges with "desk directory duplicates list --merges".',
      );
    if (merge.undoneAt !== null)
      throw new EngineError('already_finished', `Merge ${mergeId} has already been undone.`);
    const now = takeSnapshot(db, merge.kind, [merge.survivorId]);
    requireUntouched(db, merge, now);
    clearTouched(db);
    restoreRecord(db, merge);
    restoreRows(db, merge, now);
    deleteTransferred(db, merge);
    setUndone(db, mergeId, at, author);
    derivePhones(db);
    raiseGeneration(db);
    beforeCommit?.();
    return merge.kind;
  });
}
