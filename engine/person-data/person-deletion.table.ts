// The table `person_deletion`, in engine.db of the live environment: deletions and their receipts.
//
//   erasing ──everything is erased──> scrubbing ──no free space has values──> done
//
// A deletion that a kill interrupts continues at the next start. While it is erasing, the record
// has the person's values; a receipt has only keyed hashes of them.
import { createHmac } from 'node:crypto';
import type { EnvironmentName } from '../contract/ids.ts';
import { personReceiptsMax } from '../contract/limits/privacy/person-data.ts';
import {
  type PersonPlace,
  type PersonReceipt,
  PersonReceiptSchema,
} from '../contract/person-data/person-data.ts';
import { readNameKey } from '../directory/normalize/field-keys.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { readJson } from '../platform/sqlite/read-json.ts';
import { statement } from '../platform/sqlite/statement.ts';
import type { ErasedEntry } from './erase-store.ts';
import type { Subject } from './subject.ts';

export interface DeletionPlan {
  readonly subject: Subject;
  readonly entries: Readonly<Partial<Record<EnvironmentName, readonly ErasedEntry[]>>>;
}

export interface NewDeletion {
  readonly uuid: string;
  readonly plan: DeletionPlan;
  readonly places: readonly PersonPlace[];
  readonly author: string;
  readonly source: 'app' | 'command_line';
}

export interface OpenDeletion {
  readonly uuid: string;
  /** Null once everything is erased. */
  readonly plan: DeletionPlan | null;
}

/** The key of the hashes. Every data folder has its own. */
export function readReceiptKey(database: ReadableDatabase): Buffer {
  const row = statement<{ key: Buffer }>(database, 'SELECT key FROM person_deletion_key').get();
  if (!row) throw new Error('there is no key of receipts');
  return row.key;
}

export function createHasher(database: ReadableDatabase) {
  const key = readReceiptKey(database);
  return (kind: string, value: string): string =>
    createHmac('sha256', key).update(`${kind}:${value}`).digest('hex');
}

function hashSubject(database: ReadableDatabase, subject: Subject): string[] {
  const hash = createHasher(database);
  return [
    ...(['uuids', 'emails', 'profiles', 'phones'] as const).flatMap((kind) =>
      subject[kind].map((value) => hash(kind, value)),
    ),
    ...subject.names.map(({ first, last }) => hash('name', readNameKey(`${first} ${last}`))),
  ];
}

export function insertDeletion(
  database: WritableDatabase,
  { uuid, plan, places, author, source }: NewDeletion,
  { isSuppressed, at }: { readonly isSuppressed: boolean; readonly at: string },
): void {
  statement(
    database,
    `INSERT INTO person_deletion (uuid, state, subject, subject_hashes, places, is_suppressed,
       author, source, requested_at)
     VALUES (@uuid, 'erasing', @plan, @hashes, @places, @isSuppressed, @author, @source, @at)`,
  ).run({
    uuid,
    author,
    source,
    at,
    isSuppressed: Number(isSuppressed),
    plan: JSON.stringify(plan),
    hashes: JSON.stringify(hashSubject(database, plan.subject)),
    places: JSON.stringify(places),
  });
}

export interface StoredDeletion {
  readonly uuid: string;
  readonly state: string;
  readonly subject: string | null;
  readonly hashes: string;
  readonly places: string;
  readonly isSuppressed: number;
  readonly author: string;
  readonly source: string;
  readonly requestedAt: string;
  readonly completedAt: string | null;
}

export const listStoredDeletions = (database: ReadableDatabase): StoredDeletion[] =>
  statement<StoredDeletion>(
    database,
    `SELECT uuid, state, subject, subject_hashes AS hashes, places, is_suppressed AS isSuppressed,
       author, source, requested_at AS requestedAt, completed_at AS completedAt
     FROM person_deletion ORDER BY id`,
  ).all();

/**
 * Adds a deletion of another copy of this engine.db; false if it is there. One that has not ended
 * keeps the values and loses the keys of entries, which may be those of other records here.
 */
export const insertStoredDeletion = (database: WritableDatabase, stored: StoredDeletion): boolean =>
  statement(
    database,
    `INSERT INTO person_deletion (uuid, state, subject, subject_hashes, places, is_suppressed,
       author, source, requested_at, completed_at)
     VALUES (@uuid, @state, json_set(@subject, '$.entries', json('{}')), @hashes, @places,
       @isSuppressed, @author, @source, @requestedAt, @completedAt)
     ON CONFLICT (uuid) DO NOTHING`,
  ).run(stored).changes > 0;

/** Removes the values from the record of a deletion, because everything is erased. */
export const noteErased = (database: WritableDatabase, uuid: string): void =>
  void statement(
    database,
    `UPDATE person_deletion SET state = 'scrubbing', subject = NULL
     WHERE uuid = ? AND state = 'erasing'`,
  ).run(uuid);

export const endDeletion = (database: WritableDatabase, uuid: string, at: string): void =>
  void statement(
    database,
    `UPDATE person_deletion SET state = 'done', completed_at = ?
     WHERE uuid = ? AND state = 'scrubbing'`,
  ).run(at, uuid);

export const listOpenDeletions = (database: ReadableDatabase): OpenDeletion[] =>
  statement<{ uuid: string; subject: string | null }>(
    database,
    'SELECT uuid, subject FROM person_deletion WHERE completed_at IS NULL ORDER BY id',
  )
    .all()
    .map(({ uuid, subject }) => ({
      uuid,
      plan: subject === null ? null : (JSON.parse(subject) as DeletionPlan),
    }));

interface ReceiptRow
  extends Omit<PersonReceipt, 'places' | 'subject_hashes' | 'suppressed' | 'total'> {
  readonly places: string;
  readonly hashes: string;
  readonly isSuppressed: number;
}

/** Receipts, newest first. With a hash, only those about a person with this identifier. */
export const listReceipts = (database: ReadableDatabase, hash: string | null): PersonReceipt[] =>
  statement<ReceiptRow>(
    database,
    `SELECT uuid AS receipt_id, state, requested_at, completed_at, author, source, places,
       subject_hashes AS hashes, is_suppressed AS isSuppressed
     FROM person_deletion
     WHERE @hash IS NULL OR EXISTS (
       SELECT 1 FROM json_each(iif(json_valid(subject_hashes), subject_hashes, '[]'))
       WHERE value = @hash)
     ORDER BY id DESC LIMIT @limit`,
  )
    .all({ hash, limit: personReceiptsMax })
    .map(({ places: json, hashes, isSuppressed, ...receipt }) => {
      const places = readJson(PersonReceiptSchema.shape.places, json, []);
      return {
        ...receipt,
        suppressed: isSuppressed === 1,
        total: countErased(places),
        places,
        subject_hashes: readJson(PersonReceiptSchema.shape.subject_hashes, hashes, []),
      };
    });

export const countErased = (places: readonly PersonPlace[]): number =>
  places.reduce((sum, place) => sum + (place.treatment === 'kept' ? 0 : place.entries), 0);
