// The interface of an environment (live or staging): its databases, threads and calls.
import type { ReadOnly } from '../contract/engine.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { SearchCalls } from '../directory/search/search-directory.ts';
import type { Subscribe } from '../http/event-streams.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { ReaderCalls } from './reader-calls.ts';
import type { WriterCalls } from './writer-calls.ts';

export interface Environment {
  readonly name: EnvironmentName;
  /** Its data folder, absolute. */
  readonly folder: string;
  /** engine.db, read-only. */
  readonly database: ReadableDatabase;
  /** directory.db, read-only. */
  readonly directoryDatabase: ReadableDatabase;
  readonly writer: WriterCalls;
  readonly reader: ReaderCalls;
  /** Free of charge; runs on the calling thread. */
  readonly search: SearchCalls;
  readonly subscribe: Subscribe;
  /** Which thread is not running and what happens next, for the user; null if all are running. */
  describeFault(): string | null;
  /** Why it refuses writes; null if it does not. */
  describeReadOnly(): ReadOnly | null;
  /** Ends its threads after the current batch and closes its files. */
  close(): Promise<void>;
}

/** An environment that is opened on first use. Before that, only its name and folder are known. */
export interface LazyEnvironment extends Environment {
  readonly isOpen: boolean;
  readonly hasEnded: boolean;
  /** Opens the environment once. Throws if it cannot be opened; the next call tries again. */
  whenOpen(): Promise<void>;
}
