// Starts the engine's worker threads from their entry files, in the source tree and in the built
// output.
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The engine's worker threads; each has an entry file of its name. */
export type ThreadName =
  | 'writer-thread'
  | 'match-thread'
  | 'reader-thread'
  | 'file-thread'
  | 'directory-thread'
  | 'delivery-thread'
  | 'body-thread'
  | 'keychain-call';

/**
 * The address that `new Worker(…)` wants for a thread: the .ts source beside this file, or its
 * bundle, which the build puts beside every other bundle of the engine.
 */
export const workerUrl = (name: ThreadName): URL =>
  new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url);

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
export const startWorker = (name: ThreadName, workerData?: object, memoryMaxMb?: number): Worker =>
  new Worker(workerUrl(name), {
    name,
    workerData,
    resourceLimits: {
      ...threadMemory,
      ...(memoryMaxMb !== undefined && { maxOldGenerationSizeMb: memoryMaxMb }),
    },
  });
