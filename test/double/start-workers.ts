// Stands in for the threads of one piece of work: they run in the process of the test. A start of
// such a thread takes 0.15 s of CPU time, and a test of a command starts dozens.
import { createDirectoryWorker } from '../../engine/app/workers/create-directory-worker.ts';
import { createFileWorker } from '../../engine/app/workers/create-file-worker.ts';
import {
  threadWorkers as onThreads,
  type Workers,
} from '../../engine/app/workers/start-workers.ts';
import type { StartPassing } from '../../engine/platform/workers/one-shot-worker.ts';

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

export const threadWorkers: Workers = {
  ...onThreads,
  startPassing: (host, name) => (passing.isHere ? startHere : onThreads.startPassing)(host, name),
};
