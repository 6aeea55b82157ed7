/** The entry of the thread that reads large JSON bodies, one at a time. It keeps nothing. */
import { parentPort } from 'node:worker_threads';
import { type ReadBody, type ReadBodyCommand, readLargeBody } from '../domain/read-large-body.ts';
import { answerCalls } from './call-thread.ts';

/** What the thread answers. */
export interface BodyThreadCalls {
  readBody(command: ReadBodyCommand): Promise<ReadBody>;
}

if (parentPort)
  answerCalls<BodyThreadCalls>(parentPort, { readBody: async (command) => readLargeBody(command) });
