/**
 * Reads large bodies on a thread that is started by the first of them, and ended once no other
 * comes for a while, so that what it needed of memory is given back.
 */
import { bodyThreadIdleMs, bodyThreadMegabytes } from '../../contract/limits/http.ts';
import { createWorkerClient, type ThreadCaller } from '../../platform/workers/worker-rpc.ts';
import { startWorker } from '../../platform/workers/worker-url.ts';
import type { BodyThreadCalls } from './body.worker.ts';
import type { ReadBody, ReadBodyCommand } from './read-large-body.ts';

/** The way to the thread. */
export interface BodyReader {
  /** Reads a body. Throws what `readLargeBody` throws. */
  read(command: ReadBodyCommand): Promise<ReadBody>;
  /** Ends the thread; what it reads is refused. */
  stop(): Promise<void>;
}

/** Describes a thread that is started when it is needed, and again where it died. */
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
