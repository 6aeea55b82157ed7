// Locates the entry file of each worker thread, in the source tree and in the built output.
import { extname } from 'node:path';

/** The engine's worker threads; each has an entry file of its name. */
export type ThreadName = 'writer-thread' | 'match-thread' | 'reader-thread' | 'directory-thread';

/**
 * The address that `new Worker(…)` wants for a thread: the .ts source beside this file, or its
 * bundle, which the build puts beside every other bundle of the engine.
 */
export const threadEntry = (name: ThreadName): URL =>
  new URL(`./${name}${extname(import.meta.filename)}`, import.meta.url);
