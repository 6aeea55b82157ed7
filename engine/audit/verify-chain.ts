// Checks the chain of the audit log. It detects entries that were changed, removed, inserted or
// reordered, and an end that was cut off, if not all later hashes were computed again. A log
// that was rewritten to its end fits if it still has an entry for each job, pipeline, validation,
// key, account and grant; only an anchor that is kept elsewhere detects that.
import { setImmediate } from 'node:timers/promises';
import type { AuditState } from '../contract/audit/audit.ts';
import { auditBatchEntries } from '../contract/limits/privacy/audit.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import {
  type AuditRow,
  findUnrecorded,
  getAuditHash,
  readAuditRows,
  readHighestId,
} from './audit.table.ts';
import { firstHash, hashEntry } from './hash-entry.ts';

type Fault = NonNullable<AuditState['fault']>;
type Link = Pick<AuditRow, 'id' | 'hash'>;

/** Why an entry does not follow another; null if it does. */
function findFault(last: Link, row: AuditRow): Fault | null {
  if (row.id !== last.id + 1) return { entry: last.id + 1, what: 'it was removed' };
  if (row.hash === hashEntry(last.hash, row)) return null;
  return { entry: row.id, what: 'it was changed, inserted or moved: its hash does not match' };
}

/** Why the end of the chain is not the end of the log; null if it is. */
function findCut(last: Link, highestId: number): Fault | null {
  if (highestId <= last.id) return null;
  return { entry: last.id + 1, what: `the end was removed: there were ${highestId} entries` };
}

/** Why a log is not that of its database: a record was written without its entry. */
function findHole(database: ReadableDatabase, last: Link): Fault | null {
  const found = findUnrecorded(database);
  if (!found) return null;
  return { entry: last.id + 1, what: `no entry is left about ${found.what} of ${found.at}` };
}

/** Why a log does not have an anchor; null if it has. */
function findStray(database: ReadableDatabase, anchor: string): Fault | null {
  const [id = '', hash] = anchor.split(':');
  const found = getAuditHash(database, Number(id));
  if (found === hash) return null;
  const what =
    found === undefined
      ? 'the anchor names it, and the log does not have it'
      : 'its hash is not that of the anchor: the log was written again';
  return { entry: Number(id), what };
}

/**
 * Checks the entries from the first to the last, in batches between which other work runs.
 * @param anchor an entry that the log must have; see AuditStateQuerySchema
 */
export async function verifyAudit(
  database: ReadableDatabase,
  anchor?: string | undefined,
): Promise<AuditState> {
  // Read first: entries that are added meanwhile are not missing.
  const highestId = readHighestId(database);
  let last: Link = { id: 0, hash: firstHash };
  let fault: Fault | null = null;
  for (;;) {
    const rows = readAuditRows(database, last.id, auditBatchEntries);
    for (const row of rows) {
      fault = findFault(last, row);
      if (fault) break;
      last = row;
    }
    if (fault || rows.length < auditBatchEntries) break;
    await setImmediate();
  }
  fault ??= findCut(last, highestId);
  fault ??= findHole(database, last);
  fault ??= anchor === undefined ? null : findStray(database, anchor);
  return { entries: last.id, head: last.id === 0 ? null : `${last.id}:${last.hash}`, fault };
}
