/** Keeps the suppression list when a data folder is replaced with an older backup. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, openStoreReadable } from '../platform/sqlite/open-store.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { insertEntry, listNewEntries, raiseVersion, readVersion } from './suppression.table.ts';

function readList(folder: string) {
  const store = openStoreReadable(folder);
  try {
    return { version: readVersion(store), entries: listNewEntries(store) };
  } finally {
    store.close();
  }
}

/**
 * Adds the entries of a folder to the list of another. No entry is lost, also one that was removed
 * since the backup. Returns the number of added entries; null if the former list cannot be read.
 * @param former the folder that is replaced; it may have no databases
 * @param next the folder that replaces it
 */
export function mergeLists(former: string, next: string): number | null {
  if (!existsSync(join(former, 'engine.db'))) return 0;
  let list: ReturnType<typeof readList>;
  try {
    list = readList(former);
  } catch {
    return null;
  }
  const store = openStore(next);
  try {
    return inTransaction(store, () => {
      const added = list.entries.filter((entry) => insertEntry(store, entry)).length;
      // What was derived from either list is outdated.
      raiseVersion(store, list.version);
      return added;
    });
  } finally {
    store.close();
  }
}
