// Repairs a data folder: lists what can be repaired, makes a backup, repairs, and checks again.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentName } from '../../contract/ids.ts';
import type { RepairFinding, RepairReport } from '../../contract/maintenance.ts';
import { openDirectory, openDirectoryReadable } from '../../directory/open-directory.ts';
import { listDamaged } from '../../directory/saved-indexes.ts';
import { hasJob } from '../../jobs/job.table.ts';
import { hasMonitor } from '../../monitors/monitor.table.ts';
import { hasPipeline } from '../../pipelines/pipeline.table.ts';
import { passingNames } from '../../platform/data-files.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { openStore, openStoreReadable, withStore } from '../../platform/sqlite/open-store.ts';
import { findSystemRefusal } from '../../platform/sqlite/system-refusal.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { listRetriesBeyond, setDueAt } from '../../webhooks/delivery.table.ts';
import { retryWaitMaxMs } from '../../webhooks/retry-policy.ts';
import { keepAutomaticBackup } from '../automatic-backups.ts';
import { requireDatabases } from '../check-databases.ts';
import { closedSource } from '../closed-source.ts';
import { readKnownVersions } from '../prepare-migration.ts';

/**
 * The repairs that `desk doctor --repair` can make without a loss: each finds what is wrong, and
 * changes only that. None changes the ledger or the audit log; the only rows that change are
 * deliveries of webhooks that would wait forever. Call them with the folder's lock, while no
 * engine runs.
 */
interface Repair {
  /** What is wrong, and what would be changed; none if nothing is. */
  find(folder: string): Omit<RepairFinding, 'repair'>[];
  /** Changes what was found. A second run finds nothing. */
  apply(folder: string): void;
}

const restore = 'Cannot be repaired. Restore a backup: desk restore FILE.';
const foundMax = 100;
const shownMax = 3;
/** Sentences of SQLite about an index that differs from its table. */
const indexFault = /wrong # of entries in index|missing from index|non-unique entry in index/;

function findFaults(open: () => ReadableDatabase): { indexes: string[]; others: string[] } {
  try {
    const database = open();
    try {
      const rows = database.pragma(`main.integrity_check(${foundMax})`) as Record<string, string>[];
      const lines = rows.map((row) => row.integrity_check ?? '').filter((line) => line !== 'ok');
      return {
        indexes: lines.filter((line) => indexFault.test(line)),
        others: lines.filter((line) => !indexFault.test(line)),
      };
    } finally {
      database.close();
    }
  } catch (error) {
    if (findSystemRefusal(error)?.code !== 'database_damaged') throw error;
    return { indexes: [], others: [(error as Error).message] };
  }
}

function rebuildIndexes(
  read: (folder: string) => ReadableDatabase,
  write: (folder: string) => WritableDatabase,
): Repair {
  return {
    find(folder) {
      const { indexes, others } = findFaults(() => read(folder));
      // An index of a damaged table cannot be trusted either.
      if (others.length > 0)
        return [{ finding: others.slice(0, shownMax).join('; '), action: restore, can: false }];
      if (indexes.length === 0) return [];
      const finding = indexes.slice(0, shownMax).join('; ');
      return [{ finding, action: 'Rebuild the indexes from the tables.', can: true }];
    },
    apply(folder) {
      const database = write(folder);
      try {
        database.exec('REINDEX');
      } finally {
        database.close();
      }
    },
  };
}

/** Deletes entries of a folder; `find` names them. */
const deleteEntries = (
  what: string,
  action: string,
  list: (folder: string) => readonly string[],
): Repair => ({
  find(folder) {
    const paths = list(folder);
    const shown = paths.slice(0, shownMax).join(', ');
    const more = paths.length > shownMax ? ', …' : '';
    return paths.length === 0
      ? []
      : [{ finding: `${paths.length} ${what}: ${shown}${more}`, action, can: true }];
  },
  apply(folder) {
    for (const name of list(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  },
});

const listNames = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir).sort() : []);

/** Whether a row of engine.db can be trusted: an index that differs hides rows. */
const isStoreWhole = (folder: string): boolean =>
  Object.values(findFaults(() => openStoreReadable(folder))).every(({ length }) => length === 0);

/** Inputs without an owner. None if engine.db is damaged: it could lack the owner. */
function listOrphanedInputs(folder: string): string[] {
  if (!isStoreWhole(folder)) return [];
  return withStore(folder, (store) =>
    listNames(join(folder, 'jobs'))
      .filter((uuid) => ![hasJob, hasMonitor, hasPipeline].some((owns) => owns(store, uuid)))
      .map((uuid) => join('jobs', uuid)),
  );
}

const listOrphanedUploads = (folder: string): string[] =>
  listNames(join(folder, 'uploads'))
    .filter((name) => !existsSync(join(folder, 'uploads', name, 'upload.json')))
    .map((name) => join('uploads', name));

const findRetriesBeyond = (store: ReadableDatabase) =>
  listRetriesBeyond(store, new Date(Date.now() + retryWaitMaxMs).toISOString());

/**
 * Queues retries that no clock reaches. Jobs, pipelines, validations and monitors need no such
 * repair: each start takes up all that have not ended, and CHECK constraints tie the end to the
 * status.
 */
const requeueDeliveries: Repair = {
  find(folder) {
    if (!isStoreWhole(folder)) return [];
    const { length } = withStore(folder, findRetriesBeyond);
    const finding = `${length} that wait for a time that no retry has`;
    return length === 0 ? [] : [{ finding, action: 'Send them at the next start.', can: true }];
  },
  apply(folder) {
    const store = openStore(folder);
    try {
      const now = new Date().toISOString();
      inTransaction(store, () => {
        for (const { id } of findRetriesBeyond(store)) setDueAt(store, id, now);
      });
    } finally {
      store.close();
    }
  },
};

/** Every repair by its name, in the order in which they are made. */
const repairs: Readonly<Record<string, Repair>> = {
  'engine.db': rebuildIndexes(openStoreReadable, openStore),
  'directory.db': rebuildIndexes(openDirectoryReadable, openDirectory),
  'Index files': deleteEntries(
    'damaged',
    'Delete them: the next start builds them again.',
    listDamaged,
  ),
  Inputs: deleteEntries('without a job', 'Delete them.', listOrphanedInputs),
  Deliveries: requeueDeliveries,
  Uploads: deleteEntries('incomplete', 'Delete them.', listOrphanedUploads),
  Leftovers: deleteEntries('of killed work', 'Delete them.', (folder) =>
    listNames(folder).filter((name) => passingNames.test(name)),
  ),
};

/**
 * What is wrong in a folder that a repair knows. Changes nothing. The caller owns the lock. Throws
 * `database_too_new`: what this version does not know may belong to a newer one.
 */
export function planRepairs(name: EnvironmentName, folder: string): RepairFinding[] {
  requireDatabases(name, folder);
  if (!existsSync(join(folder, 'engine.db'))) return [];
  readKnownVersions(folder);
  return Object.entries(repairs).flatMap(([repair, { find }]) =>
    find(folder).map((found) => ({ repair, ...found })),
  );
}

/**
 * Makes the repairs of a plan, after a backup that also takes a damaged database. The caller owns
 * the lock. Throws `read_only` if there is no space for the backup: nothing is changed then.
 */
export async function repairFolder(
  name: EnvironmentName,
  folder: string,
  plan: readonly RepairFinding[],
): Promise<RepairReport> {
  const possible = plan.filter(({ can }) => can);
  if (possible.length === 0) return { backup: null, repaired: [], left: [...plan] };
  const { path } = await keepAutomaticBackup(closedSource(name, folder, true), 'repair');
  const failed = new Map<string, string>();
  for (const { repair } of possible)
    try {
      repairs[repair]?.apply(folder);
    } catch (error) {
      failed.set(repair, (error as Error).message);
    }
  const left = planRepairs(name, folder).map((found) => {
    const why = failed.get(found.repair);
    return why === undefined ? found : { ...found, action: `The repair failed (${why}).` };
  });
  const repaired = possible.filter(({ repair }) => left.every((found) => found.repair !== repair));
  return { backup: path, repaired, left };
}
