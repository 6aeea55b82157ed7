/**
 * Reads the answers of data services on a thread. The thread starts with the first answer and ends
 * when it is idle. It is ended, and its call fails, if an expression runs too long or uses too much
 * memory.
 */
import {
  readingMaxMs,
  readingThreadIdleMs,
  readingThreadMegabytes,
} from '../../contract/limits/provider-definitions.ts';
import {
  createWorkerClient,
  type ThreadCaller,
  WorkerEnded,
} from '../../platform/workers/worker-rpc.ts';
import { startWorker } from '../../platform/workers/worker-url.ts';
import type { AnswerThreadCalls } from './read-answer.worker.ts';

/** An answer that could not be read, because an expression exceeded its bounds. */
export class AnswerUnreadable extends Error {
  override name = 'AnswerUnreadable';
}

/** The client of the thread. Its calls throw AnswerUnreadable. */
export interface AnswerReader extends Omit<AnswerThreadCalls, 'start'> {
  /** Ends the thread. Pending calls fail. */
  stop(): Promise<void>;
}

const sentence = 'Its answer could not be read: an expression takes too long or too much memory.';

/** Creates the client of a thread that is started on demand, and again after it has ended. */
export function openAnswerReader(maxMs = readingMaxMs): AnswerReader {
  let thread: ThreadCaller<AnswerThreadCalls> | null = null;
  let idle: NodeJS.Timeout | undefined;
  /** Answers are read one at a time, so that a slow one is known and fails no other. */
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const start = () => {
    const worker = startWorker('answer-thread', undefined, readingThreadMegabytes);
    const started = createWorkerClient<AnswerThreadCalls>(worker);
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
  async function read<Value>(call: (calls: AnswerThreadCalls) => Promise<Value>): Promise<Value> {
    thread ??= start();
    const running = thread;
    let tooLong: NodeJS.Timeout | undefined;
    try {
      await running.calls.start(null);
      tooLong = setTimeout(() => void running.terminate(), maxMs);
      return await call(running.calls);
    } catch (cause) {
      if (!(cause instanceof WorkerEnded)) throw cause;
      if (thread === running) thread = null;
      throw new AnswerUnreadable(sentence, { cause });
    } finally {
      clearTimeout(tooLong);
      if (thread === running && waiting === 0)
        idle = setTimeout(() => void stop(), readingThreadIdleMs).unref();
    }
  }
  function queue<Value>(call: (calls: AnswerThreadCalls) => Promise<Value>): Promise<Value> {
    clearTimeout(idle);
    waiting += 1;
    const answer = last.then(() => {
      waiting -= 1;
      return read(call);
    });
    last = answer.catch(() => undefined);
    return answer;
  }
  return {
    readAnswer: (command) => queue((calls) => calls.readAnswer(command)),
    checkAnswer: (command) => queue((calls) => calls.checkAnswer(command)),
    stop,
  };
}
