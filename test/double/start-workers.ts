// Stands in for the engine's threads: their work runs in the process of the test. A start of the
// writer and the reader takes 0.25 s of CPU time, and the threads of an upload 0.15 s. A writer or
// reader is called by messages, as a thread is.
import { EventEmitter } from 'node:events';
import { MessageChannel, type Worker } from 'node:worker_threads';
import { createDirectoryWorker } from '../../engine/app/workers/create-directory-worker.ts';
import { createFileWorker } from '../../engine/app/workers/create-file-worker.ts';
import { createReader } from '../../engine/app/workers/create-reader.ts';
import { createWriter, openSystem } from '../../engine/app/workers/create-writer.ts';
import {
  threadWorkers as onThreads,
  type Workers,
} from '../../engine/app/workers/start-workers.ts';
import { createMatchWorker } from '../../engine/jobs/matching/create-match-worker.ts';
import type { MatchPool } from '../../engine/jobs/matching/match-pool.ts';
import type { StartPassing } from '../../engine/platform/workers/one-shot-worker.ts';
import type { Stoppable } from '../../engine/platform/workers/supervise-worker.ts';
import {
  createEventSender,
  createWorkerClient,
  serveCalls,
} from '../../engine/platform/workers/worker-rpc.ts';

const create = { 'file-thread': createFileWorker, 'directory-thread': createDirectoryWorker };

/** @param passing receives the workers that have not ended */
export const startPassingHere = (passing = new Set<unknown>()) =>
  ((workplace, name: keyof typeof create) => {
    const calls = create[name](workplace);
    const end = async () => {
      passing.delete(working);
      await calls.stop(null);
      workplace.working.delete(working);
    };
    const working = { abandon: end };
    workplace.working.add(working);
    passing.add(working);
    return { calls, end };
  }) as StartPassing;

const startHere = startPassingHere();

/** Whether they run in the process of the test. Tests that watch threads need the threads. */
export const passing = { isHere: true };

/** Matches batches in the process of the test, with the newest index. */
function openPoolHere(folder: string): MatchPool {
  const worker = createMatchWorker();
  let newest = -1;
  let waiting: { generation: number; resolve(): void }[] = [];
  return {
    inFlightMax: 2,
    whenGeneration: (generation) =>
      new Promise((resolve) => {
        if (newest >= generation) resolve();
        else waiting.push({ generation, resolve });
      }),
    async takeIndex(buffer, generation) {
      await worker.takeIndex({ buffer, folder });
      newest = generation;
      for (const one of waiting) if (one.generation <= generation) one.resolve();
      waiting = waiting.filter((one) => one.generation > generation);
    },
    match: async (bytes, mapping, threshold) => worker.match({ bytes, mapping, threshold }),
    matchNow: async (order) => (newest < 0 ? null : worker.match(order)),
    close: async () => undefined,
  };
}

/** Serves a table of calls until it is stopped. */
function serveHere<Table extends Stoppable>(
  open: (send: (event: unknown) => void) => Table,
  onEvent: (event: never) => void = () => undefined,
) {
  const { port1, port2 } = new MessageChannel();
  serveCalls(port2, open(createEventSender(port2)));
  const worker = Object.assign(new EventEmitter(), {
    postMessage: port1.postMessage.bind(port1),
    async terminate() {
      port1.close();
      worker.emit('exit', 0);
    },
  });
  port1.on('message', (message) => worker.emit('message', message));
  const thread = createWorkerClient<Table>(worker as unknown as Worker);
  thread.onEvent(onEvent);
  return {
    calls: thread.calls,
    describeFault: () => null,
    async stop() {
      await thread.calls.stop(null).catch(() => undefined);
      await thread.terminate();
    },
  };
}

export const threadWorkers: Workers = {
  startWriter(options) {
    if (!passing.isHere) return onThreads.startWriter(options);
    const { folder, environment, policy, onStart, onEvent } = options;
    try {
      const writer = serveHere((send) => {
        const { calls, takeIndex, stop } = createWriter({
          folder,
          environment,
          policy,
          send,
          pool: openPoolHere(folder),
          ...openSystem(environment),
        });
        return { ...calls, takeIndex, stop, whenOpen: async () => undefined };
      }, onEvent);
      void onStart(writer.calls);
      return writer;
    } catch {
      // A thread reports why it ended, and is started again.
      return onThreads.startWriter(options);
    }
  },
  startReader(options) {
    if (!passing.isHere) return onThreads.startReader(options);
    const { folder, onStart } = options;
    const reader = serveHere(() => createReader({ folder }));
    void onStart(reader.calls);
    return reader;
  },
  startPassing: (host, name) => (passing.isHere ? startHere : onThreads.startPassing)(host, name),
};
