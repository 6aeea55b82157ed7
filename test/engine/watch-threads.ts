// Records the threads that this process starts, to end them during work.
import type { Worker } from 'node:worker_threads';
import { onTestFinished, vi } from 'vitest';
import type { WorkerName } from '../../engine/platform/workers/worker-entries.ts';
import { passing } from '../double/start-workers.ts';

/** The threads that are started from now on. */
export interface WatchedThreads {
  /** Those of one name, in the order of their starts. */
  list(name: WorkerName): Worker[];
  /** Ends the newest thread of a name with an uncaught error. */
  kill(name: WorkerName): void;
  /** Ends the newest and each later one, until the returned function is called or the test ends. */
  keepKilling(name: WorkerName): () => void;
  /** Calls back for each started thread of a name. */
  onStart(name: WorkerName, listener: (worker: Worker) => void): void;
}

/** A message that no thread knows: its handler throws. */
const end = (worker: Worker | undefined) => worker?.postMessage(null);

/**
 * Starts to watch, and silences the log of ends.
 * @param atEnd registers the cleanup; with the test by default
 */
export function watchThreads(atEnd: (end: () => void) => void = onTestFinished): WatchedThreads {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const started: { name: string | null; worker: Worker }[] = [];
  const listeners: { name: WorkerName; listener: (worker: Worker) => void }[] = [];
  const note = (worker: Worker) => {
    const name = worker.threadName;
    started.push({ name, worker });
    for (const one of listeners) if (one.name === name) one.listener(worker);
  };
  process.on('worker', note);
  passing.isHere = false;
  atEnd(() => {
    passing.isHere = true;
    process.off('worker', note);
    log.mockRestore();
  });
  const list = (name: WorkerName) =>
    started.filter((one) => one.name === name).map(({ worker }) => worker);
  const onStart: WatchedThreads['onStart'] = (name, listener) =>
    void listeners.push({ name, listener });
  const kill = (name: WorkerName) => end(list(name).at(-1));
  return {
    list,
    kill,
    onStart,
    keepKilling(name) {
      let isOn = true;
      const letLive = () => {
        isOn = false;
      };
      onTestFinished(letLive);
      onStart(name, (worker) => {
        if (isOn) end(worker);
      });
      kill(name);
      return letLive;
    },
  };
}
