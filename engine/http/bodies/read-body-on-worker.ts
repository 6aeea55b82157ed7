/**
 * Parses large bodies on a thread. The thread starts with the first body and ends when it is idle,
 * so that its memory is freed.
 */
import { bodyThreadIdleMs, bodyThreadMegabytes } from '../../contract/limits/http.ts';
import { createWorkerClient, type ThreadCaller } from '../../platform/workers/worker-rpc.ts';
import { startWorker } from '../../platform/workers/worker-url.ts';
import type { BodyThreadCalls } from './body.worker.ts';
import type { ReadBody, ReadBodyCommand } from './read-large-body.ts';

/** Client of the body thread. */
export interface BodyReader {
  /** Parses a body. Throws what `readLargeBody` throws. */
  read(command: ReadBodyCommand): Promise<ReadBody>;
  /** Ends the thread. Pending reads are rejected. */
  stop(): Promise<void>;
}

/** Creates the client of a thread that is started on demand, and again after it has died. */
export function openBodyReader(): BodyReader {
  let thread: ThreadCaller<BodyThreadCalls> | null = null;
  let idle: NodeJS.Timeout | undefined;
  let reading = 0;
  const start = () => {
    const worker = startWorker('body-thread', undefined, bodyThreadMegabytes);
    const started = createWorkerClient<BodyThreadCalls>(worker);
    void started.ended.then(() => {
      if (thread === started) thread = null;
    });
    return started;
  };
  const stop = async () => {
    clearTimeout(idle);
    const started = thread;
    thread = null;
    await started?.terminate();
  };
  return {
    async read(command) {
      clearTimeout(idle);
      reading += 1;
      try {
        thread ??= start();
        return await thread.calls.readBody(command);
      } finally {
        reading -= 1;
        if (reading === 0) idle = setTimeout(() => void stop(), bodyThreadIdleMs).unref();
      }
    },
    stop,
  };
}
