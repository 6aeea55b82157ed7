// Keeps the match index and the search index of a directory up to date. Each old index is used
// until its successor is built.
//
//   building ──built──> ready | empty ──import, undo──> ready | empty
//      └──error──> failed ──its delay──> built, or failed again after a longer delay
import type { DirectoryStats } from '../contract/directory.ts';
import { EngineError } from '../contract/errors.ts';
import type { BuiltIndex } from '../directory/index/built-index.ts';
import { openIndex } from '../directory/index/index-layout.ts';
import type { SearchIndexHolder } from '../directory/search/search-index-holder.ts';
import { logFailure } from '../platform/log-failure.ts';
import { findShortage } from '../platform/sqlite/system-refusal.ts';
import { setRealTimer } from '../platform/timers.ts';
import { restartDelayMs } from '../platform/workers/restart-delay.ts';
import { WorkerEnded } from '../platform/workers/worker-rpc.ts';
import type { DirectoryWorkerCalls } from './workers/create-directory-worker.ts';
import type { SavedIndexes } from './workers/create-reader.ts';

interface IndexOptions {
  readonly search: SearchIndexHolder;
  readonly readGeneration: () => number;
  readonly enqueue: (work: () => Promise<void>) => Promise<void>;
  readonly readSaved: () => Promise<SavedIndexes>;
  readonly onDirectoryThread: (
    work: (calls: DirectoryWorkerCalls) => Promise<void>,
  ) => Promise<void>;
  readonly spread: (index: BuiltIndex) => Promise<void>;
  readonly onChange: () => Promise<void>;
  readonly isClosing: () => boolean;
}

interface IndexState {
  state: DirectoryStats['index'];
  error: string | null;
  latest: BuiltIndex | null;
}

export interface DirectoryIndexes {
  readonly now: Readonly<IndexState>;
  take(index: BuiltIndex): Promise<void>;
  /** Loads or builds outdated indexes. Resolves after the first try; failures are retried. */
  load(): Promise<void>;
  stop(): void;
}

/** The reason of a failure for the user: a lack of resources is described, a bug is only logged. */
function describeFailure(error: unknown): string {
  const cause = error instanceof WorkerEnded ? error.cause : error;
  const reason = cause instanceof EngineError ? cause : findShortage(cause);
  return [
    'The directory could not be indexed, so jobs wait.',
    ...(reason ? [reason.detail] : []),
    'The engine tries again automatically. If this persists, run doctor.',
  ].join(' ');
}

export function openIndexes(options: IndexOptions): DirectoryIndexes {
  const { search, readGeneration, isClosing } = options;
  const now: IndexState = { state: 'building', error: null, latest: null };
  let failures = 0;
  let cancelTimer: () => void = () => undefined;

  const take = async (index: BuiltIndex) => {
    const { peopleCount } = openIndex(index.buffer);
    const before = now.latest;
    // Set before the index is passed on: a thread that starts meanwhile takes it from here.
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
    // The previous index remains in use.
    if (now.latest) return;
    now.state = 'failed';
    now.error = describeFailure(error);
    await options.onChange();
  };
  const logUnlessClosing = (error: unknown) => {
    if (!isClosing()) logFailure('the saved indexes could not be read', error);
  };
  const takeAndTell = async (index: BuiltIndex) => {
    await take(index);
    await options.onChange();
  };
  /** At the start. The start of a directory thread would take a tenth of the engine's. */
  const takeSaved = async () => {
    const saved = await options.readSaved();
    if (saved.match) await takeAndTell(saved.match);
    const words = saved.search;
    if (words) await search.follow(async () => words);
  };
  const bring = async (calls: DirectoryWorkerCalls) => {
    if (now.latest?.generation !== readGeneration())
      try {
        await takeAndTell(await calls.readIndex(null));
      } catch (error) {
        await noteFailure(error);
      }
    if (search.generation() !== readGeneration())
      await search.follow(() => calls.readSearchIndex(null));
  };
  const load = async (): Promise<void> => {
    cancelTimer();
    if (isClosing() || isCurrent()) return;
    const update = async () => {
      // The directory thread reads what the reader could not.
      if (now.latest === null) await takeSaved().catch(logUnlessClosing);
      if (!isCurrent()) await options.onDirectoryThread(bring);
    };
    await options.enqueue(update).catch(noteFailure);
    if (isClosing()) return;
    failures = isCurrent() ? 0 : failures + 1;
    if (failures > 0) cancelTimer = setRealTimer(() => void load(), restartDelayMs(failures));
  };
  return { now, take, load, stop: () => cancelTimer() };
}
