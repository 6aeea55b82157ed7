// Keeps the receipts of deletions when a data folder is replaced with an older backup.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EnvironmentName } from '../contract/ids.ts';
import { openDirectoryReadable } from '../directory/open-directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { openStore, openStoreReadable } from '../platform/sqlite/open-store.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import {
  createHasher,
  insertStoredDeletion,
  listStoredDeletions,
  readReceiptKey,
  type StoredDeletion,
} from './person-deletion.table.ts';

/** What a backup does not know about deletions. */
export interface MergedReceipts {
  /** Added receipts; null if the former ones are unreadable or of another data folder. */
  readonly kept: number | null;
  /** Receipts of deletions since the backup: it may have these people. */
  readonly since: readonly string[];
  readonly people: readonly string[];
}

const none: MergedReceipts = { kept: 0, since: [], people: [] };
const unknown: MergedReceipts = { ...none, kept: null };

function readFormer(folder: string) {
  const store = openStoreReadable(folder);
  try {
    return {
      key: readReceiptKey(store),
      deletions: listStoredDeletions(store),
      hash: createHasher(store),
    };
  } finally {
    store.close();
  }
}

type Former = ReturnType<typeof readFormer>;

function* listKnownUuids(folder: string): Generator<{ known: string; person: string }> {
  const read = (database: ReadableDatabase, sql: string) =>
    statement<{ known: string; person: string }>(database, sql).iterate();
  const directory = openDirectoryReadable(folder);
  const store = openStoreReadable(folder);
  try {
    yield* read(
      directory,
      `SELECT uuid AS known, uuid AS person FROM person
       UNION ALL SELECT m.uuid, p.uuid FROM merged_record m JOIN person p ON p.id = m.survivor_id
       WHERE m.kind = 'person'`,
    );
    yield* read(
      store,
      `SELECT DISTINCT contact_uuid AS known, contact_uuid AS person FROM result
       WHERE contact_uuid IS NOT NULL`,
    );
  } finally {
    directory.close();
    store.close();
  }
}

/** The people of a folder that deletions are about. Receipts have hashes of their UUIDs. */
function findPeople(folder: string, deletions: readonly StoredDeletion[], hash: Former['hash']) {
  const hashes = new Set(deletions.flatMap((one) => JSON.parse(one.hashes) as string[]));
  const people = new Set<string>();
  if (hashes.size === 0) return [];
  for (const { known, person } of listKnownUuids(folder))
    if (hashes.has(hash('uuids', known))) people.add(person);
  return [...people];
}

/** Adds the deletions that a folder does not have. Returns their ids; null for other keys. */
function addDeletions(next: string, { key, deletions }: Former): string[] | null {
  const store = openStore(next);
  try {
    if (!readReceiptKey(store).equals(key)) return deletions.length === 0 ? [] : null;
    return inTransaction(store, () =>
      deletions.flatMap((one) => (insertStoredDeletion(store, one) ? one.uuid : [])),
    );
  } finally {
    store.close();
  }
}

/**
 * Adds the deletions of a folder to those of another, and finds the people who are back. One that
 * was interrupted continues when the engine starts; the others must be repeated.
 * @param former the folder that is replaced; it may have no databases
 * @param next the unpacked backup that replaces it
 */
export function mergeReceipts(
  former: string,
  next: string,
  { environment, backupAt }: { readonly environment: EnvironmentName; readonly backupAt: string },
): MergedReceipts {
  // Deletions of staging are recorded in the live engine.db, which stays.
  const recorded = environment === 'live' ? former : dirname(former);
  if (!existsSync(join(recorded, 'engine.db'))) return none;
  let known: Former;
  try {
    known = readFormer(recorded);
  } catch {
    return unknown;
  }
  const added = environment === 'live' ? addDeletions(next, known) : [];
  if (added === null) return unknown;
  const since = known.deletions.filter(
    ({ uuid, completedAt }) =>
      added.includes(uuid) || completedAt === null || completedAt > backupAt,
  );
  const people = findPeople(next, since, known.hash);
  return { kept: added.length, since: since.map(({ uuid }) => uuid), people };
}
