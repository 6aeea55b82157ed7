// Parses large bodies on a thread.
import { bodyThreadIdleMs } from '../../contract/limits/http.ts';
import { openOnDemandThread } from '../../platform/workers/on-demand-thread.ts';
import type { BodyThreadCalls } from './body.worker.ts';
import type { ReadBody, ReadBodyCommand } from './read-large-body.ts';

export interface BodyReader {
  /** Parses a body. Throws what `readLargeBody` throws. */
  read(command: ReadBodyCommand): Promise<ReadBody>;
  /** Ends the thread. Pending reads are rejected. */
  stop(): Promise<void>;
}

/** Creates the client of a thread that is started on demand, and again after it has ended. */
export function openBodyReader(): BodyReader {
  const thread = openOnDemandThread<BodyThreadCalls>('body-thread', {
    idleMs: bodyThreadIdleMs,
  });
  return {
    read: (command) => thread.use(({ calls }) => calls.readBody(command)),
    stop: thread.stop,
  };
}
