// Starts the engine's worker threads from their entry files.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bodyThreadMegabytes } from '../../contract/limits/http.ts';
import { matchThreadsMax } from '../../contract/limits/jobs.ts';
import { readingThreadMegabytes } from '../../contract/limits/provider-definitions.ts';
import { engineDir, isBuilt } from '../paths.ts';
import { type WorkerName, workerEntries } from './worker-entries.ts';

/** The URL for `new Worker(…)`: a .ts source, or its bundle in the built output. */
export const workerUrl = (name: WorkerName): URL =>
  pathToFileURL(
    isBuilt ? join(engineDir, `${name}.js`) : join(engineDir, '..', workerEntries[name]),
  );

/** Memory of a thread in MB, and how many of them run at one time. */
interface ThreadMemory {
  readonly maxYoungGenerationSizeMb: number;
  readonly maxOldGenerationSizeMb: number;
  readonly threadsMax: number;
}

/**
 * A young generation has room for the objects of a batch, which are then collected before they are
 * moved to the old one (measured with a job of a million rows).
 * @param oldMb limit of the old generation
 */
const limitMemory = (oldMb: number, threadsMax = 1, youngMb = 32): ThreadMemory => ({
  maxYoungGenerationSizeMb: youngMb,
  maxOldGenerationSizeMb: oldMb,
  threadsMax,
});

/**
 * The memory of each kind of thread: several times what it used for the largest work that was
 * measured, or what its own limits need. In Electron all threads share one heap of 4 GB, and a
 * thread that fills it ends the engine; one that reaches its own limit ends alone, and its work is
 * refused. V8 also lets a heap with a small limit hold less garbage.
 *
 * Two uploads or exports at one time may have 512 MB each.
 */
export const threadMemory: Readonly<Record<WorkerName, ThreadMemory>> = {
  'writer-thread': limitMemory(192),
  'reader-thread': limitMemory(256),
  'file-thread': limitMemory(512, 1, 16),
  'directory-thread': limitMemory(592),
  'match-thread': limitMemory(176, matchThreadsMax, 24),
  'delivery-thread': limitMemory(96),
  'body-thread': limitMemory(bodyThreadMegabytes),
  'read-list-thread': limitMemory(256),
  'answer-thread': limitMemory(readingThreadMegabytes),
  'keychain-call': limitMemory(32, 1, 8),
  'team-worker': limitMemory(176),
};

/**
 * Starts a thread, whose name is visible in the operating system. Throws if the system refuses
 * another thread.
 * @param workerData data for its entry file
 */
export const startWorker = (name: WorkerName, workerData?: object): Worker =>
  new Worker(workerUrl(name), {
    name,
    workerData,
    resourceLimits: threadMemory[name],
    // Electron only warns of an unhandled rejection. The thread would go on in an unknown state.
    ...(process.versions.electron !== undefined && {
      execArgv: [...process.execArgv, '--unhandled-rejections=throw'],
    }),
  });
