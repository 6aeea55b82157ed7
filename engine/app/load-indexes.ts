/**
 * Keeps both indexes of a directory up to date: the one that rows are matched with, and the one
 * that searches read. Each serves until its successor is built.
 *
 *   building ──built──> ready | empty ──import, undo──> ready | empty
 *      └──error──> failed ──its delay──> built, or failed again after a longer wait
 */

import type { DirectoryStats } from '../contract/directory.ts';
import { EngineError } from '../contract/errors.ts';
import type { BuiltIndex } from '../directory/index/built-index.ts';
import { openIndex } from '../directory/index/index-layout.ts';
import type { SearchIndexHolder } from '../directory/search/search-index-holder.ts';
import { findShortage } from '../platform/sqlite/system-refusal.ts';
import { setRealTimer } from '../platform/timers.ts';
import { restartDelayMs } from '../platform/workers/restart-delay.ts';
import { WorkerEnded } from '../platform/workers/worker-rpc.ts';
import type { DirectoryWorkerCalls } from './workers/create-directory-worker.ts';

/** What loading needs of its environment. */
interface IndexOptions {
  readonly search: SearchIndexHolder;
  /** The directory's generation now. */
  readonly readGeneration: () => number;
  /** Does work on a directory thread, after the work on the directory that waits already. */
  readonly onDirectoryThread: (
    work: (calls: DirectoryWorkerCalls) => Promise<void>,
  ) => Promise<void>;
  /** Hands a new index to every thread that matches. */
  readonly spread: (index: BuiltIndex) => Promise<void>;
  /** The state has changed. */
  readonly onChange: () => Promise<void>;
  readonly isClosing: () => boolean;
}

/** How the index that rows are matched with is. */
interface IndexState {
  state: DirectoryStats['index'];
  /** Why there is none, for a person. */
  error: string | null;
  /** What rows are matched with; null until there is one. */
  latest: BuiltIndex | null;
}

/** The indexes of an environment. */
export interface DirectoryIndexes {
  /** How they are now. */
  readonly now: Readonly<IndexState>;
  /** Takes the index that a change of the directory came with. */
  take(index: BuiltIndex): Promise<void>;
  /**
   * Loads or builds what is out of date. Resolves after the first try and never rejects; what
   * fails is tried again until it succeeds.
   */
  load(): Promise<void>;
  /** Tries no longer. */
  stop(): void;
}

/** What is wrong, for a person: what the machine lacks is said, a bug is in the log alone. */
function describeFailure(error: unknown): string {
  const cause = error instanceof WorkerEnded ? error.cause : error;
  const reason = cause instanceof EngineError ? cause : findShortage(cause);
  return [
    'The directory could not be indexed, so jobs wait.',
    ...(reason ? [reason.detail] : []),
    'The engine tries again by itself; if this stays, run doctor.',
  ].join(' ');
}

/** Begins without an index. */
export function openIndexes(options: IndexOptions): DirectoryIndexes {
  const { search, readGeneration, isClosing } = options;
  const now: IndexState = { state: 'building', error: null, latest: null };
  let failures = 0;
  let cancelTimer: () => void = () => undefined;

  const take = async (index: BuiltIndex) => {
    const { peopleCount } = openIndex(index.buffer);
    const before = now.latest;
    // Before it is handed out: a thread that is started meanwhile takes it from here.
    now.latest = index;
    await options.spread(index).catch((error: unknown) => {
      now.latest = before;
      throw error;
    });
    now.state = peopleCount === 0 ? 'empty' : 'ready';
    now.error = null;
  };
  const isCurrent = () => {
    try {
      const generation = readGeneration();
      return now.latest?.generation === generation && search.generation() === generation;
    } catch {
      return false;
    }
  };
  const noteFailure = async (error: unknown) => {
    if (isClosing()) return;
    console.error('the index could not be built', error);
    // The one before goes on serving.
    if (now.latest) return;
    now.state = 'failed';
    now.error = describeFailure(error);
    await options.onChange();
  };
  const bring = async (calls: DirectoryWorkerCalls) => {
    if (now.latest?.generation !== readGeneration())
      try {
        await take(await calls.readIndex(null));
        await options.onChange();
      } catch (error) {
        await noteFailure(error);
      }
    if (search.generation() !== readGeneration())
      await search.follow(() => calls.readSearchIndex(null));
  };
  const load = async (): Promise<void> => {
    cancelTimer();
    if (isClosing() || isCurrent()) return;
    await options.onDirectoryThread(bring).catch(noteFailure);
    if (isClosing()) return;
    failures = isCurrent() ? 0 : failures + 1;
    if (failures > 0) cancelTimer = setRealTimer(() => void load(), restartDelayMs(failures));
  };
  return { now, take, load, stop: () => cancelTimer() };
}
