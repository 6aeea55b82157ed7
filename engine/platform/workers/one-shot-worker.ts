// Threads for one piece of work: started for it and ended after it.
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError } from '../../contract/errors.ts';
import type { TaskProgress } from '../../contract/events.ts';
import { threadStopMaxMs } from '../../contract/limits/platform.ts';
import { logFailure } from '../log-failure.ts';
import type { Stoppable } from './supervise-worker.ts';
import type { WorkerName } from './worker-entries.ts';
import { createWorkerClient, type ThreadCaller } from './worker-rpc.ts';
import { startWorker } from './worker-url.ts';

export interface WorkerHost {
  readonly folder: string;
  readonly onProgress: (progress: TaskProgress) => void;
  /** Starts a thread. Tests start a worker in their own process. */
  readonly startPassing: StartPassing;
  /**
   * Threads that have not ended. They are abandoned on close; SQLite rolls back uncommitted
   * changes. A thread that outlives the writer would leave the write-ahead log behind.
   */
  readonly working: Set<{ abandon(): Promise<void> }>;
  isClosing: boolean;
}

/** A thread whose work can be cancelled. `stop` cancels it and waits for its end. */
interface Cancellable extends Stoppable {
  /** Makes the current work reject soon. Committed changes are kept. */
  cancel(command: null): Promise<void>;
}

/** A started thread. `end` closes its files and frees its memory. */
export interface OneShotWorker<Table> {
  readonly calls: Table;
  end(): Promise<void>;
}

/** Starts a worker for one piece of work. Throws `unavailable` while the engine stops. */
export type StartPassing = <Table extends Stoppable>(
  workplace: WorkerHost,
  name: WorkerName,
) => OneShotWorker<Table>;

/** Asks a working thread to stop: terminating it inside a native call crashes the process. */
async function abandon(thread: ThreadCaller<Stoppable>): Promise<void> {
  const patience = new AbortController();
  const tooLong = wait(threadStopMaxMs, undefined, { signal: patience.signal });
  await Promise.race([thread.calls.stop(null), tooLong]).catch(() => undefined);
  patience.abort();
  await tooLong.catch(() => undefined);
  await thread.terminate();
}

/**
 * Starts a thread. Throws `unavailable` while the engine stops. If the thread ends by itself, its
 * pending calls are rejected, and SQLite rolls back uncommitted changes.
 */
export function startOneShotWorker<Table extends Stoppable>(
  workplace: WorkerHost,
  name: WorkerName,
): OneShotWorker<Table> {
  if (workplace.isClosing) throw new EngineError('unavailable', 'The engine is stopping.');
  const worker = startWorker(name, { folder: workplace.folder });
  const thread = createWorkerClient<Table>(worker);
  thread.onEvent(workplace.onProgress);
  let isEnding = false;
  const working = {
    abandon() {
      isEnding = true;
      return abandon(thread);
    },
  };
  workplace.working.add(working);
  void thread.ended.then((error) => {
    if (!isEnding) logFailure(`a ${name} ended before its work was done`, error);
  });
  return {
    calls: thread.calls,
    async end() {
      isEnding = true;
      await thread.calls.stop(null).catch(() => undefined);
      await thread.terminate();
      workplace.working.delete(working);
    },
  };
}

/**
 * Runs one piece of work on its own thread. Resolves or rejects after the thread has ended.
 * @param signal cancels the work, which then rejects with the signal's reason unless it is done
 */
export async function runOnWorker<Table extends Cancellable, Value>(
  workplace: WorkerHost,
  name: WorkerName,
  work: (calls: Table) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  signal?.throwIfAborted();
  const thread = workplace.startPassing<Table>(workplace, name);
  const cancel = () => void thread.calls.cancel(null).catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await work(thread.calls);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await thread.end();
  }
}
