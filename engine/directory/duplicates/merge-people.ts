// Moves everything about one person to another record of the same person.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { deriveEmployment, touchNumber, touchPerson } from '../import/derive.ts';
import type { ListedRecord } from '../import/import-context.ts';
import { readRecord } from '../import/import-context.ts';
import { mergeValues, type RecordRow, type Side } from '../import/source-values.ts';
import { findRepeatedJob } from '../import/write-employment.ts';
import { addKeysOfId, insertListing, readPersonKeys } from '../import/write-listing.ts';
import type { FieldName } from '../normalize/record-fields.ts';

export type Sides<R extends 'person' | 'employment' | 'company'> = Partial<
  Record<FieldName<R>, Side>
>;

const readJobs = (db: ReadableDatabase, personId: number): RecordRow[] =>
  statement<RecordRow>(db, 'SELECT * FROM employment WHERE person_id = ? ORDER BY id').all(
    personId,
  );

const lists: readonly (readonly [string, readonly string[]])[] = [
  ['person_name', ['first_name', 'last_name']],
  ['person_key', ['kind', 'value']],
  ['person_phone', ['kind', 'number']],
  ['person_listing', ['given_id', 'kept']],
];

/** Moves the lists of values. Exact repeats of one import stay in the record of the merge alone. */
function moveLists(db: WritableDatabase, from: number, to: number): void {
  for (const [table, columns] of lists) {
    const same = [...columns, 'import_id'].map((name) => `o.${name} = ${table}.${name}`);
    statement(
      db,
      `DELETE FROM ${table} WHERE person_id = @from AND EXISTS
         (SELECT 1 FROM ${table} o WHERE o.person_id = @to AND ${same.join(' AND ')})`,
    ).run({ from, to });
    statement(db, `UPDATE ${table} SET person_id = @to WHERE person_id = @from`).run({ from, to });
  }
}

function keepKey(
  db: WritableDatabase,
  personId: number,
  kind: 'profile_url' | 'email',
  value: unknown,
  importId: number,
): void {
  if (typeof value !== 'string' || value === '') return;
  statement(
    db,
    `INSERT INTO person_key (person_id, kind, value, import_id)
     SELECT @personId, @kind, @value, @importId WHERE NOT EXISTS
       (SELECT 1 FROM person_key WHERE person_id = @personId AND kind = @kind AND value = @value)`,
  ).run({ personId, kind, value, importId });
}

/** Keeps the names and URLs that did not become the person's own. They still find the person. */
function keepIdentity(db: WritableDatabase, row: RecordRow, before: readonly RecordRow[]): void {
  for (const { first_name: first, last_name: last, profile_key: key, import_id } of before) {
    if (key !== row.profile_key) keepKey(db, row.id, 'profile_url', key, import_id);
    if (first === row.first_name && last === row.last_name) continue;
    statement(
      db,
      `INSERT INTO person_name (person_id, first_name, last_name, import_id)
       SELECT @id, @first, @last, @import_id WHERE NOT EXISTS (SELECT 1 FROM person_name
         WHERE person_id = @id AND first_name = @first AND last_name = @last)`,
    ).run({ id: row.id, first, last, import_id });
  }
}

function deleteClaims(db: WritableDatabase, record: number, id: number): void {
  statement(db, 'DELETE FROM value_claim WHERE record = ? AND record_id = ?').run(record, id);
}

function moveJobs(
  db: WritableDatabase,
  survivor: RecordRow,
  other: RecordRow,
  sides: Sides<'employment'>,
): void {
  const main = findMainJobs(db, survivor, other);
  let known = readJobs(db, survivor.id);
  for (const job of readJobs(db, other.id)) {
    const same = findRepeatedJob(known, job);
    if (!same) {
      statement(db, 'UPDATE employment SET person_id = ? WHERE id = ?').run(survivor.id, job.id);
      continue;
    }
    known = known.filter(({ id }) => id !== same.id);
    const before = [{ ...same }, job];
    mergeValues(db, 'employment', same, job, main?.other.id === job.id ? sides : {});
    for (const { email, import_id } of before)
      if (String(email ?? '').toLowerCase() !== String(same.email ?? '').toLowerCase())
        keepKey(db, survivor.id, 'email', email, import_id);
    deleteClaims(db, 1, job.id);
    statement(db, 'DELETE FROM employment WHERE id = ?').run(job.id);
  }
}

/** The job of both people that the survivor's main one becomes; null if it repeats none. */
export function findMainJobs(
  db: ReadableDatabase,
  survivor: RecordRow,
  other: RecordRow,
): { own: RecordRow; other: RecordRow } | null {
  let known = readJobs(db, survivor.id);
  let first: { own: RecordRow; other: RecordRow } | null = null;
  for (const job of readJobs(db, other.id)) {
    const same = findRepeatedJob(known, job);
    if (!same) continue;
    known = known.filter(({ id }) => id !== same.id);
    const pair = { own: same, other: job };
    if (same.id === survivor.employment_id) return pair;
    first ??= pair;
  }
  return first;
}

/** Keeps the id that the other record has in its list. */
export function keepListing(
  db: WritableDatabase,
  record: ListedRecord,
  survivorId: number,
  { given_id: givenId, import_id: importId }: RecordRow,
): void {
  if (typeof givenId !== 'string') return;
  const claimant = { importId, source: '', trust: 0 };
  insertListing({ db, claimant }, record, survivorId, { givenId, kept: '' });
}

/** Merges a person into another. The other's row is deleted; the caller derives phones. */
export function mergePeople(
  db: WritableDatabase,
  survivorId: number,
  otherId: number,
  sides: { readonly person: Sides<'person'>; readonly employment: Sides<'employment'> },
): void {
  const survivor = readRecord(db, 'person', survivorId);
  const other = readRecord(db, 'person', otherId);
  const before = [{ ...survivor }, other];
  const ownKeys = readPersonKeys(db, survivorId);
  const otherKeys = [...readPersonKeys(db, otherId)].filter((key) => !ownKeys.has(key));
  const otherIds = statement<{ givenId: string }>(
    db,
    `SELECT given_id AS givenId FROM person WHERE id = @otherId AND given_id IS NOT NULL
     UNION SELECT given_id FROM person_listing WHERE person_id = @otherId AND given_id <> ''`,
  ).all({ otherId });
  mergeValues(db, 'person', survivor, other, sides.person);
  moveJobs(db, survivor, other, sides.employment);
  moveLists(db, otherId, survivorId);
  keepIdentity(db, survivor, before);
  keepListing(db, 'person', survivorId, other);
  for (const { givenId } of otherIds) addKeysOfId(db, survivorId, givenId, otherKeys);
  deleteClaims(db, 0, otherId);
  statement(db, 'DELETE FROM person WHERE id = ?').run(otherId);
  deriveEmployment(db, survivorId);
  touchPerson(db, survivorId);
  const numbers = statement<{ number: string }>(
    db,
    'SELECT number FROM person_phone WHERE person_id = ?',
  );
  for (const { number } of numbers.all(survivorId)) touchNumber(db, number);
}
