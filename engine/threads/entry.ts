// Locates the entry file of each worker thread, in the source tree and in the built output.
import { extname } from 'node:path';

/** The engine's worker threads; each has an entry file of its name. */
export type ThreadName =
  | 'writer-thread'
  | 'match-thread'
  | 'reader-thread'
  | 'file-thread'
  | 'directory-thread'
  | 'delivery-thread'
  | 'keychain-call';

/**
 * The address that `new Worker(…)` wants for a thread: the .ts source beside this file, or its
 * bundle, which the build puts beside every other bundle of the engine.
 */
export const threadEntry = (name: ThreadName): URL =>
  new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url);

/**
 * Room for the young objects of a thread, in MB: enough that a batch's are garbage before they are
 * moved among the old ones, where they would pile up. Measured with a job of a million rows.
 */
export const threadMemory = { maxYoungGenerationSizeMb: 32 } as const;
