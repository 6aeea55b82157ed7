// Entry of the thread that parses large JSON bodies, one at a time. The thread has no state.
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../platform/workers/worker-rpc.ts';
import { type ReadBody, type ReadBodyCommand, readLargeBody } from './read-large-body.ts';

export interface BodyThreadCalls {
  readBody(command: ReadBodyCommand): Promise<ReadBody>;
}

if (parentPort)
  serveCalls<BodyThreadCalls>(parentPort, { readBody: async (command) => readLargeBody(command) });
