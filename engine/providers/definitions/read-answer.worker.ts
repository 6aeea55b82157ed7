// Entry of the thread that reads the answers of data services. Expressions of definitions run only
// here. The thread has no state, so that it can be ended at any time.
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../platform/workers/worker-rpc.ts';
import { type CheckAnswer, checkAnswer } from './check-answer.ts';
import { type AnswerToRead, type Reading, readAnswer } from './read-answer.ts';

export interface AnswerThreadCalls {
  start(command: null): Promise<null>;
  readAnswer(command: AnswerToRead): Promise<Reading>;
  checkAnswer(command: CheckAnswer): Promise<ReturnType<typeof checkAnswer>>;
}

if (parentPort)
  serveCalls<AnswerThreadCalls>(parentPort, {
    start: async () => null,
    readAnswer: async (command) => readAnswer(command),
    checkAnswer: async (command) => checkAnswer(command),
  });
