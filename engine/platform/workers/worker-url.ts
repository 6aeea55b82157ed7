/** Starts the engine's worker threads from their entry files. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { engineDir, isBuilt } from '../paths.ts';
import { type WorkerName, workerEntries } from './worker-entries.ts';

/** The URL for `new Worker(…)`: a .ts source, or its bundle in the built output. */
export const workerUrl = (name: WorkerName): URL =>
  pathToFileURL(
    isBuilt ? join(engineDir, `${name}.js`) : join(engineDir, '..', workerEntries[name]),
  );

/**
 * Size of a thread's young generation in MB: enough that a batch's objects are collected before
 * they are moved to the old generation. Measured with a job of a million rows.
 */
const threadMemory: ResourceLimits = { maxYoungGenerationSizeMb: 32 };

/**
 * The threads of a job and of its export. What they keep is bounded, and V8 lets a heap with a
 * small limit hold less garbage: a job of 200,000 rows takes 100 MB less than with the limits of
 * other threads, and as much CPU time.
 */
const memoryOf: Partial<Record<WorkerName, ResourceLimits>> = {
  'match-thread': { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 512 },
  'file-thread': { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 },
};

/**
 * Starts a thread, whose name is visible in the operating system. Throws if the system refuses
 * another thread.
 * @param workerData data for its entry file
 * @param memoryMaxMb limit of its old generation; defaults to Node's
 */
export const startWorker = (name: WorkerName, workerData?: object, memoryMaxMb?: number): Worker =>
  new Worker(workerUrl(name), {
    name,
    workerData,
    resourceLimits: {
      ...threadMemory,
      ...memoryOf[name],
      ...(memoryMaxMb !== undefined && { maxOldGenerationSizeMb: memoryMaxMb }),
    },
  });
