/**
 * The entry of the directory thread: imports, undo and the match index; lives for one piece of work
 * and ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ImportReport } from '../contract/directory.ts';
import { EngineError } from '../contract/errors.ts';
import type { TaskProgress } from '../contract/events.ts';
import { progressEventIntervalMs } from '../contract/limits/jobs.ts';
import { importDirectory } from '../directory/import/import-directory.ts';
import { sampleSource, unpackSample } from '../directory/import/sample.ts';
import { undoImport } from '../directory/import/undo-import.ts';
import type { BuiltIndex } from '../directory/index/built-index.ts';
import { buildIndex } from '../directory/index/index-build.ts';
import { loadIndex, saveIndex } from '../directory/index/index-file.ts';
import { matchIndexFormat, openIndex } from '../directory/index/index-layout.ts';
import { matchCompanyList } from '../directory/match/match-company-list.ts';
import { openDirectory, readGeneration } from '../directory/open-directory.ts';
import { buildSearchIndex } from '../directory/search/search-build.ts';
import { openSearchIndex, searchIndexFormat } from '../directory/search/search-layout.ts';
import { lowerThreadPriority } from '../platform/lower-priority.ts';
import { createPassingWork } from '../platform/workers/one-shot-task.ts';
import { serveCalls } from '../platform/workers/worker-rpc.ts';
import { writeSandboxLists } from '../providers/sandbox-directory.ts';
import type { ReaderCalls } from './reader-calls.ts';

/** What an import or undo did, and the index after it; null where nothing changed. */
export interface DirectoryChange {
  readonly report: ImportReport;
  readonly index: BuiltIndex | null;
}

type ImportCommand = Parameters<ReaderCalls['importDirectory']>[0];

/** What the directory thread answers. */
export interface DirectoryThreadCalls {
  /**
   * The index of the directory as it is: from its file, or built anew where that is out of date.
   */
  readIndex(command: null): Promise<BuiltIndex>;
  /** The same of the index that searches read. */
  readSearchIndex(command: null): Promise<BuiltIndex>;
  importDirectory(command: ImportCommand): Promise<DirectoryChange>;
  importSample(command: null): Promise<DirectoryChange>;
  /** Imports the sandbox's lists; the index is left as it is. */
  importSandbox(command: null): Promise<void>;
  undoImport(command: { importId: number }): Promise<DirectoryChange>;
  matchCompanies: ReaderCalls['matchCompanies'];
  copyDirectory: ReaderCalls['copyDirectory'];
  /** An import rolls back, unless it is committed already. */
  cancel(command: null): Promise<void>;
  /** Cancels and closes the files, so that the thread can end. */
  stop(command: null): Promise<void>;
}

lowerThreadPriority();
const { folder } = workerData as { folder: string };
const database = openDirectory(folder);
const work = createPassingWork();
const indexPath = join(folder, 'directory.index');
const searchIndexPath = join(folder, 'directory.search');
let send: (event: TaskProgress) => void = () => undefined;

function reportProgress(task: TaskProgress['task'], label: string, unit: TaskProgress['unit']) {
  let lastAt = 0;
  return (done: number, total: number | null = null) => {
    const now = performance.now();
    if (now - lastAt < progressEventIntervalMs && done !== total) return;
    lastAt = now;
    send({ task, label, done, total, unit });
  };
}

function readOrBuildIndex(): BuiltIndex {
  const generation = readGeneration(database);
  const saved = loadIndex(matchIndexFormat, indexPath);
  if (saved && openIndex(saved).generation === generation) return { buffer: saved, generation };
  const index = buildIndex(database, reportProgress('index', 'Indexing the directory', 'people'));
  saveIndex(matchIndexFormat, index.buffer, indexPath);
  return { buffer: index.buffer, generation };
}

function readOrBuildSearchIndex(): BuiltIndex {
  const generation = readGeneration(database);
  const saved = loadIndex(searchIndexFormat, searchIndexPath);
  if (saved && openSearchIndex(saved).generation === generation)
    return { buffer: saved, generation };
  const report = reportProgress('index', 'Indexing the directory for searching', 'people');
  const { buffer } = buildSearchIndex(database, report);
  saveIndex(searchIndexFormat, buffer, searchIndexPath);
  return { buffer, generation };
}

/** Runs a change and brings the index to it, where it raised the generation. */
async function change(
  makeChange: () => Promise<ImportReport> | ImportReport,
): Promise<DirectoryChange> {
  const before = readGeneration(database);
  const report = await makeChange();
  return { report, index: readGeneration(database) === before ? null : readOrBuildIndex() };
}

const importFiles = ({ peoplePath, companiesPath, ...options }: ImportCommand, label: string) =>
  change(() => {
    if (!peoplePath && !companiesPath)
      throw new EngineError('validation_error', 'Name a file of people, of companies, or both.');
    return importDirectory(
      database,
      { ...options, ...(peoplePath && { peoplePath }), ...(companiesPath && { companiesPath }) },
      reportProgress('import', label, 'rows'),
      work.signal,
    );
  });

/** Gives work a folder of its own, which goes with it. */
async function withFolder<Value>(
  prefix: string,
  use: (dir: string) => Promise<Value>,
): Promise<Value> {
  const dir = mkdtempSync(join(folder, prefix));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const calls: DirectoryThreadCalls = {
  readIndex: async () => readOrBuildIndex(),
  readSearchIndex: async () => readOrBuildSearchIndex(),
  importDirectory: (command) =>
    work.run(importFiles(command, command.peopleName ?? command.companiesName ?? 'Import')),
  importSample: () => {
    const imported = withFolder('sample-', async (dir) => {
      const { people, companies } = await unpackSample(dir);
      const command = { peoplePath: people, companiesPath: companies, source: sampleSource };
      return importFiles(command, sampleSource);
    });
    return work.run(imported);
  },
  async importSandbox() {
    await withFolder('sandbox-', (dir) => importDirectory(database, writeSandboxLists(dir)));
  },
  undoImport: ({ importId }) => change(() => undoImport(database, importId)),
  matchCompanies: ({ path, outPath }) =>
    work.run(matchCompanyList(database, { folder, path, outPath, signal: work.signal })),
  async copyDirectory({ path }) {
    await database.backup(path);
  },
  cancel: work.cancel,
  async stop() {
    await work.end();
    database.close();
  },
};

if (parentPort) send = serveCalls<DirectoryThreadCalls>(parentPort, calls);
