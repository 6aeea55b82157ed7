/** One environment (live or staging): its databases, threads and calls. */

import type { EnvironmentName } from '../contract/ids.ts';
import type { Provider } from '../contract/provider.ts';
import type { SearchCalls } from '../directory/search/search-directory.ts';
import type { Subscribe } from '../http/event-streams.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { ReaderCalls } from './reader-calls.ts';
import type { WriterCalls } from './writer-calls.ts';

/** One environment, opened. */
export interface Environment {
  readonly name: EnvironmentName;
  /** Its data folder, absolute. */
  readonly folder: string;
  /** engine.db, for reading alone. */
  readonly database: ReadableDatabase;
  /** directory.db, for reading alone. */
  readonly directoryDatabase: ReadableDatabase;
  /** The provider for contacts that the directory does not know; null for none. */
  readonly provider: Provider | null;
  readonly writer: WriterCalls;
  readonly reader: ReaderCalls;
  /** Free, and answered by the calling thread. */
  readonly search: SearchCalls;
  readonly subscribe: Subscribe;
  /** Which of its threads does not run and what becomes of it, for a person; null where all do. */
  describeFault(): string | null;
  /** Ends its threads after the batch in hand and closes its files. */
  close(): Promise<void>;
}

/**
 * An environment that is opened at its first use; until then only its name and folder are known.
 */
export interface LazyEnvironment extends Environment {
  readonly isOpen: boolean;
  /** Whether it was closed, for good. */
  readonly hasEnded: boolean;
  /**
   * Opens it, once however many ask at a time. Throws what opening it refuses; the next call tries
   * again.
   */
  whenOpen(): Promise<void>;
}
