/**
 * The entry of the directory thread: imports, undo and the match index; lives for one piece of work
 * and ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { TaskProgress } from '../contract/app.ts';
import type { ImportReport } from '../contract/directory.ts';
import { EngineError } from '../contract/errors.ts';
import { progressEventIntervalMs } from '../contract/limits.ts';
import { importDirectory } from '../directory/import-directory.ts';
import { buildIndex } from '../directory/index-build.ts';
import { loadIndex, openIndex, saveIndex } from '../directory/index-file.ts';
import { openDirectory, readGeneration } from '../directory/open-directory.ts';
import { sampleSource, unpackSample } from '../directory/sample.ts';
import { undoImport } from '../directory/undo-import.ts';
import { matchCompanyList } from '../domain/match-company-list.ts';
import type { ReaderCalls } from '../domain/world.ts';
import { answerCalls } from './call-thread.ts';

/** An index of the directory and the generation that it was built from. */
export interface BuiltIndex {
  readonly buffer: SharedArrayBuffer;
  readonly generation: number;
}
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
  importDirectory(command: ImportCommand): Promise<DirectoryChange>;
  importSample(command: null): Promise<DirectoryChange>;
  undoImport(command: { importId: number }): Promise<DirectoryChange>;
  matchCompanies: ReaderCalls['matchCompanies'];
  copyDirectory: ReaderCalls['copyDirectory'];
  /** Closes the files, so that the thread can end. */
  stop(command: null): Promise<void>;
}

const { folder } = workerData as { folder: string };
const database = openDirectory(folder);
const indexPath = join(folder, 'directory.index');
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
  const saved = loadIndex(indexPath);
  if (saved && openIndex(saved).generation === generation) return { buffer: saved, generation };
  const index = buildIndex(database, reportProgress('index', 'Indexing the directory', 'people'));
  saveIndex(index, indexPath);
  return { buffer: index.buffer, generation };
}

/** Runs a change and brings the index to it, where it raised the generation. */
async function change(work: () => Promise<ImportReport> | ImportReport): Promise<DirectoryChange> {
  const before = readGeneration(database);
  const report = await work();
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
    );
  });

const calls: DirectoryThreadCalls = {
  readIndex: async () => readOrBuildIndex(),
  importDirectory: (command) =>
    importFiles(command, command.peopleName ?? command.companiesName ?? 'Import'),
  async importSample() {
    const dir = mkdtempSync(join(folder, 'sample-'));
    try {
      const { people, companies } = await unpackSample(dir);
      const command = { peoplePath: people, companiesPath: companies, source: sampleSource };
      return await importFiles(command, sampleSource);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
  undoImport: ({ importId }) => change(() => undoImport(database, importId)),
  matchCompanies: ({ path, outPath }) => matchCompanyList(database, folder, path, outPath),
  async copyDirectory({ path }) {
    await database.backup(path);
  },
  async stop() {
    database.close();
  },
};

if (parentPort) send = answerCalls<DirectoryThreadCalls>(parentPort, calls);
