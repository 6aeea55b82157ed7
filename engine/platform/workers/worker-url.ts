/** Starts the engine's worker threads from their entry files. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { engineDir, isBuilt } from '../paths.ts';
import { type WorkerName, workerEntries } from './worker-entries.ts';

/** The address that `new Worker(…)` wants: a .ts source, or its bundle in the built output. */
export const workerUrl = (name: WorkerName): URL =>
  pathToFileURL(
    isBuilt ? join(engineDir, `${name}.js`) : join(engineDir, '..', workerEntries[name]),
  );

/**
 * Room for the young objects of a thread, in MB: enough that a batch's are garbage before they are
 * moved among the old ones, where they would pile up. Measured with a job of a million rows.
 */
const threadMemory = { maxYoungGenerationSizeMb: 32 } as const;

/**
 * Starts a thread; the system knows it by its name. Throws where the system refuses another thread.
 * @param workerData what its entry file reads
 * @param memoryMaxMb the most that its long-lived objects may take; if left out, the default
 */
export const startWorker = (name: WorkerName, workerData?: object, memoryMaxMb?: number): Worker =>
  new Worker(workerUrl(name), {
    name,
    workerData,
    resourceLimits: {
      ...threadMemory,
      ...(memoryMaxMb !== undefined && { maxOldGenerationSizeMb: memoryMaxMb }),
    },
  });
