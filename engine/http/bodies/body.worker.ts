/** The entry of the thread that reads large JSON bodies, one at a time. It keeps nothing. */
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../platform/workers/worker-rpc.ts';
import { type ReadBody, type ReadBodyCommand, readLargeBody } from './read-large-body.ts';

/** What the thread answers. */
export interface BodyThreadCalls {
  readBody(command: ReadBodyCommand): Promise<ReadBody>;
}

if (parentPort)
  serveCalls<BodyThreadCalls>(parentPort, { readBody: async (command) => readLargeBody(command) });
