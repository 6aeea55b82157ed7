// Gets hold of the threads that this process starts, to end them while they work.
import type { Worker } from 'node:worker_threads';
import { onTestFinished, vi } from 'vitest';
import type { WorkerName } from '../../engine/platform/workers/worker-entries.ts';

/** The threads that are started from now on. */
export interface WatchedThreads {
  /** Those of one name, in the order of their starts. */
  list(name: WorkerName): Worker[];
  /** Ends the newest of one name by an error that nothing catches. */
  kill(name: WorkerName): void;
  /** Ends the newest and each after it, until the answer is called or the test ends. */
  keepKilling(name: WorkerName): () => void;
  /** Calls back for each thread of one name that is started. */
  onStart(name: WorkerName, listener: (worker: Worker) => void): void;
}

/** A message that no thread knows: its handler throws. */
const end = (worker: Worker | undefined) => worker?.postMessage(null);

/**
 * Begins to watch, and keeps what is logged of ends quiet.
 * @param atEnd registers the end of it: that of the test where left out
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
  atEnd(() => {
    process.off('worker', note);
    log.mockRestore();
  });
  const list = (name: WorkerName) =>
    started.filter((one) => one.name === name).map(({ worker }) => worker);
  const onStart: WatchedThreads['onStart'] = (name, listener) =>
    void listeners.push({ name, listener });
  const kill = (name: WorkerName) => end(list(name).at(-1));
  return {
    ...{ list, kill, onStart },
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
