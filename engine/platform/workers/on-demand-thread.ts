// A thread that starts with the first use and ends when it is idle, so that its memory is freed.
// The next use starts it again, as it does after the thread has ended by itself.
import type { WorkerName } from './worker-entries.ts';
import { createWorkerClient, type ThreadCaller, WorkerEnded } from './worker-rpc.ts';
import { startWorker } from './worker-url.ts';

export interface OnDemandThread<Table> {
  /** Calls the thread. Throws what `work` throws, such as WorkerEnded. */
  use<Value>(work: (thread: ThreadCaller<Table>) => Promise<Value>): Promise<Value>;
  stop(): Promise<void>;
}

export function openOnDemandThread<Table extends object>(
  name: WorkerName,
  { idleMs }: { readonly idleMs: number },
): OnDemandThread<Table> {
  let thread: ThreadCaller<Table> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let uses = 0;
  const forget = (ended: ThreadCaller<Table>) => {
    if (thread === ended) thread = null;
  };
  const start = () => {
    const started = createWorkerClient<Table>(startWorker(name));
    void started.ended.then(() => forget(started));
    return started;
  };
  const stop = async () => {
    clearTimeout(idle);
    const started = thread;
    thread = null;
    await started?.terminate();
  };
  return {
    async use(work) {
      clearTimeout(idle);
      uses += 1;
      try {
        thread ??= start();
        const running = thread;
        try {
          return await work(running);
        } catch (error) {
          // The thread may be ending still: the next use starts another one.
          if (error instanceof WorkerEnded) forget(running);
          throw error;
        }
      } finally {
        uses -= 1;
        if (uses === 0) idle = setTimeout(() => void stop(), idleMs).unref();
      }
    },
    stop,
  };
}
