// Creates the reader of an environment: previews, matches of one row, statistics and checks on
// read-only connections. It does not depend on a thread; reader.worker.ts serves it on one.
import { verifyAudit } from '../../audit/verify-chain.ts';
import type { DirectoryStats } from '../../contract/directory.ts';
import { EngineError } from '../../contract/errors.ts';
import type { BuiltIndex } from '../../directory/index/built-index.ts';
import { openIndex } from '../../directory/index/index-layout.ts';
import { createNameComparer } from '../../directory/match/compare-names.ts';
import { attachExistingDirectory, openDirectoryReadable } from '../../directory/open-directory.ts';
import { loadSaved } from '../../directory/saved-indexes.ts';
import { readStats } from '../../directory/stats.ts';
import { createJobReads, requireAccount } from '../../jobs/job-reads.ts';
import { completeSubject } from '../../person-data/directory-person.ts';
import { findByValue } from '../../person-data/read-value.ts';
import { previewPipeline } from '../../pipelines/preview-pipeline.ts';
import { migrationsDir } from '../../platform/paths.ts';
import { findDamage } from '../../platform/sqlite/find-damage.ts';
import { findSchemaFaults } from '../../platform/sqlite/find-schema-faults.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { openStoreReadable } from '../../platform/sqlite/open-store.ts';
import {
  type DirectoryProvider,
  openDirectoryProvider,
} from '../../providers/directory-provider.ts';
import { findDue } from '../../retention/rules-by-kind.ts';
import { writeRowsTable } from '../../spreadsheet/write-rows-table.ts';
import type { ReaderThreadCalls } from '../reader-calls.ts';

/** Null for an index that has to be built. An empty directory has both. */
export interface SavedIndexes {
  readonly match: BuiltIndex | null;
  readonly search: BuiltIndex | null;
}

export interface ReaderWorkerCalls extends ReaderThreadCalls {
  readIndexes(command: null): Promise<SavedIndexes>;
  takeIndex(command: { buffer: SharedArrayBuffer }): Promise<void>;
  stop(command: null): Promise<void>;
  readStats(command: null): Promise<Omit<DirectoryStats, 'index' | 'index_error'>>;
}

/** Attaches the directory to engine.db when it is first needed. */
function createJoin(store: ReadableDatabase, folder: string): () => ReadableDatabase {
  let isJoined = false;
  return () => {
    if (!isJoined) attachExistingDirectory(store, folder);
    isJoined = true;
    return store;
  };
}

/** @param folder data folder of the environment, absolute */
export function createReader({ folder }: { readonly folder: string }): ReaderWorkerCalls {
  const store = openStoreReadable(folder);
  const directory = openDirectoryReadable(folder);
  let provider: DirectoryProvider | null = null;
  let compareName: ReturnType<typeof createNameComparer> = () => null;
  /** Throws `not_ready` until the directory has been indexed. */
  const requireProvider = (remedy: string): DirectoryProvider => {
    if (provider) return provider;
    throw new EngineError('not_ready', `The directory is still being indexed. ${remedy}`);
  };
  const requireJoined = createJoin(store, folder);
  return {
    async writeRows({ headers, rows, targetDir }) {
      const { rowCount, sha256, ...table } = writeRowsTable({ headers, rows, targetDir });
      return { dir: targetDir, headers: table.headers, rowCount, sha256 };
    },
    ...createJobReads({
      store,
      directory,
      requireProvider,
      requireJoined,
      compareName: (pair) => compareName(pair),
    }),
    async previewPipeline(command) {
      const { matchThreshold: threshold } = requireAccount(store, command.accountId);
      const sources = {
        store,
        directory,
        provider: requireProvider('Try again in a few seconds.'),
      };
      return previewPipeline(sources, { ...command, threshold });
    },
    previewRetention: async ({ accountId, kinds, nowMs }) =>
      findDue(store, folder, { accountId, kinds, now: new Date(nowMs) }),
    async readIndexes() {
      const { people, companies } = readStats(directory);
      if (people + companies > 0)
        return {
          match: loadSaved('match', folder, directory),
          search: loadSaved('search', folder, directory),
        };
      // The start of a directory thread takes several times as long as the indexes of nobody.
      const { readOrBuild } = await import('../../directory/read-or-build.ts');
      return {
        match: readOrBuild('match', folder, directory),
        search: readOrBuild('search', folder, directory),
      };
    },
    async takeIndex({ buffer }) {
      provider?.close();
      provider = openDirectoryProvider(buffer, folder);
      compareName = createNameComparer(openIndex(buffer));
    },
    verifyAudit: ({ anchor }) => verifyAudit(store, anchor),
    readStats: async () => readStats(directory),
    async stop() {
      store.close();
      directory.close();
    },
    findPeople: async ({ value }) => findByValue(directory, value),
    completePerson: async ({ subject }) => completeSubject(directory, subject),
    findDamage: async ({ file }) => {
      const [database, kind] =
        file === 'engine.db' ? ([store, 'store'] as const) : ([directory, 'directory'] as const);
      const faults = findSchemaFaults(database, migrationsDir(kind));
      return faults.length > 0 ? faults : findDamage(database, 'quick_check');
    },
  };
}
