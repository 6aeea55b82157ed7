// Reads the answers of data services on a thread. It is ended, and its call fails, if an expression
// runs too long or uses too much memory.
import { readingMaxMs, readingThreadIdleMs } from '../../contract/limits/provider-definitions.ts';
import { queueWork } from '../../platform/queue-work.ts';
import { openOnDemandThread } from '../../platform/workers/on-demand-thread.ts';
import { type ThreadCaller, WorkerEnded } from '../../platform/workers/worker-rpc.ts';
import type { AnswerThreadCalls } from './read-answer.worker.ts';

/** An answer that could not be read, because an expression exceeded its bounds. */
export class AnswerUnreadable extends Error {
  override name = 'AnswerUnreadable';
}

/** The client of the thread. Its calls throw AnswerUnreadable. */
export interface AnswerReader extends Omit<AnswerThreadCalls, 'start'> {
  stop(): Promise<void>;
}

const sentence = 'Its answer could not be read: an expression takes too long or too much memory.';

type Thread = ThreadCaller<AnswerThreadCalls>;

/** Creates the client of a thread that is started on demand, and again after it has ended. */
export function openAnswerReader(maxMs = readingMaxMs): AnswerReader {
  const thread = openOnDemandThread<AnswerThreadCalls>('answer-thread', {
    idleMs: readingThreadIdleMs,
  });
  /** Answers are read one at a time, so that a slow one is known and fails no other. */
  const inTurn = queueWork();
  async function readInTime<Value>(
    running: Thread,
    read: (calls: AnswerThreadCalls) => Promise<Value>,
  ): Promise<Value> {
    await running.calls.start(null);
    const tooLong = setTimeout(() => void running.terminate(), maxMs);
    try {
      return await read(running.calls);
    } finally {
      clearTimeout(tooLong);
    }
  }
  const queue = <Value>(read: (calls: AnswerThreadCalls) => Promise<Value>): Promise<Value> =>
    inTurn(() => thread.use((running) => readInTime(running, read))).catch((cause: unknown) => {
      throw cause instanceof WorkerEnded ? new AnswerUnreadable(sentence, { cause }) : cause;
    });
  return {
    readAnswer: (command) => queue((calls) => calls.readAnswer(command)),
    checkAnswer: (command) => queue((calls) => calls.checkAnswer(command)),
    stop: thread.stop,
  };
}
