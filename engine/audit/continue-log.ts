// Continues the audit log when a data folder is replaced with a backup. If the log of the backup is
// the beginning of the log of the folder, the later entries are added unchanged, so that the chain
// and every anchor still fit. Otherwise the new entry says how many entries are in the former log
// alone.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentName } from '../contract/ids.ts';
import { auditBatchEntries } from '../contract/limits/privacy/audit.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { openStore, openStoreReadable } from '../platform/sqlite/open-store.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { runWithOrigin } from '../platform/workers/call-origin.ts';
import { getAuditHash, getAuditHead, insertAuditRow, readAuditRows } from './audit.table.ts';
import { recordAudit } from './record-audit.ts';

export interface ContinuedLog {
  readonly kept: number;
  /** Entries that only the former log has; null if it cannot be read. */
  readonly lost: number | null;
}

/** The last entry that two logs have in common; 0 for none. */
function findCommon(one: ReadableDatabase, other: ReadableDatabase): number {
  const [first, second] = [getAuditHead(one)?.id ?? 0, getAuditHead(other)?.id ?? 0];
  let [low, high] = [0, Math.min(first, second)];
  // Equal hashes at an entry mean equal entries up to it.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const isEqual = getAuditHash(one, middle) === getAuditHash(other, middle);
    if (isEqual) low = middle;
    else high = middle - 1;
  }
  return low;
}

function addLater(former: ReadableDatabase, store: WritableDatabase): ContinuedLog {
  const common = findCommon(former, store);
  const later = (getAuditHead(former)?.id ?? 0) - common;
  if (common < (getAuditHead(store)?.id ?? 0)) return { kept: 0, lost: later };
  for (let after = common; ; ) {
    const rows = readAuditRows(former, after, auditBatchEntries);
    for (const row of rows) insertAuditRow(store, 'main', row);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < auditBatchEntries) return { kept: later, lost: 0 };
  }
}

/** Opens the former engine.db; null if it cannot be read. */
function openFormer(folder: string): ReadableDatabase | null {
  try {
    const former = openStoreReadable(folder);
    try {
      getAuditHead(former);
      return former;
    } catch {
      former.close();
      return null;
    }
  } catch {
    return null;
  }
}

function continueWith(former: string, store: WritableDatabase): ContinuedLog {
  if (!existsSync(join(former, 'engine.db'))) return { kept: 0, lost: 0 };
  const database = openFormer(former);
  if (!database) return { kept: 0, lost: null };
  try {
    return addLater(database, store);
  } finally {
    database.close();
  }
}

/**
 * Adds what the former log has beyond the backup, and the entry "backup restored", in one
 * transaction.
 * @param former the folder that is replaced; it may have no databases
 * @param next the unpacked backup that replaces it
 * @param restored when the backup was made, and the time now
 */
export function continueLog(
  former: string,
  next: string,
  restored: {
    readonly environment: EnvironmentName;
    readonly backupAt: string;
    readonly at: string;
  },
): ContinuedLog {
  const store = openStore(next);
  const { environment, backupAt, at } = restored;
  try {
    return inTransaction(store, () => {
      const done = continueWith(former, store);
      const details = {
        backup_of: backupAt,
        later_entries_kept: done.kept,
        later_entries_lost: done.lost ?? 'unknown: the former log could not be read',
      };
      const note = {
        action: 'backup_restored',
        at,
        environment,
        accountId: null,
        details,
      } as const;
      const origin = { channel: 'command_line', keyId: null, accountId: null } as const;
      runWithOrigin(origin, () => recordAudit(store, note));
      return done;
    });
  } finally {
    store.close();
  }
}
