// Supervises a thread that lives as long as its environment: restarts it when it ends by itself,
// and rejects calls meanwhile.
//
//   running ──ends──> waiting ──its delay──> running
//      └────────stop────┴──> stopped
//
// The delay doubles with each consecutive end, so that a thread that ends at once does not loop.
import { EngineError } from '../../contract/errors.ts';
import { callEndsMax, threadEndsFault, threadStableMs } from '../../contract/limits/platform.ts';
import { logFailure } from '../log-failure.ts';
import { findShortage } from '../sqlite/system-refusal.ts';
import { type SetTimer, setRealTimer } from '../timers.ts';
import { restartDelayMs } from './restart-delay.ts';
import type { WorkerName } from './worker-entries.ts';
import { createWorkerClient, type ThreadCaller, WorkerEnded } from './worker-rpc.ts';
import { startWorker } from './worker-url.ts';

export interface Stoppable {
  stop(command: null): Promise<void>;
}

export interface SupervisedOptions<Table> {
  readonly name: WorkerName;
  readonly workerData?: object;
  readonly onStart?: (calls: Table) => Promise<void>;
  readonly onEvent?: (event: never) => void;
  readonly setTimer?: SetTimer;
  /** A monotonic clock in milliseconds; defaults to the system's. */
  readonly nowMs?: () => number;
}

export interface SupervisedWorker<Table> {
  /** Its calls. They reject with WorkerEnded at once while there is no thread. */
  readonly calls: Table;
  /**
   * Runs work that may be repeated: if the thread ends, again on the next thread. Waits for a
   * thread. Rejects with WorkerEnded after the work has ended `callEndsMax` threads, and after
   * `stop`.
   */
  run<Value>(work: (calls: Table) => Promise<Value>): Promise<Value>;
  /** What is wrong, for the user; null while the thread runs. */
  describeFault(): string | null;
  /** Stops the thread. Never rejects. */
  stop(): Promise<void>;
}

interface EndRecord {
  count: number;
  /** Why the last thread ended: the error, a refusal that it threw, or a lack of resources. */
  last: Error;
}

const isShortage = (error: Error): error is EngineError =>
  error instanceof EngineError && (error.code === 'unavailable' || error.code === 'read_only');

function describeEnds(name: WorkerName, { count, last }: EndRecord): string {
  if (isShortage(last)) return last.detail;
  const times = count === 1 ? 'once' : `${count} times in a row`;
  const why = last instanceof EngineError ? ` (${last.detail})` : '';
  return (
    `The engine's ${name} ended ${times}${why} and is being restarted, with a longer delay each ` +
    'time. Finished work is kept. Wait, then try again. If this persists, restart the app and ' +
    "check the engine's log."
  );
}

function refuseCall(name: WorkerName, ends: EndRecord): WorkerEnded {
  const isTold = ends.count >= threadEndsFault || ends.last instanceof EngineError;
  const cause =
    isTold && !isShortage(ends.last)
      ? new EngineError('unavailable', describeEnds(name, ends), { cause: ends.last })
      : ends.last;
  return new WorkerEnded(cause, false, false);
}

/** Starts a thread, and another whenever it ends, until it is stopped. */
function startAgain<Table extends Stoppable>(options: SupervisedOptions<Table>) {
  const { name, setTimer = setRealTimer, nowMs = () => performance.now() } = options;
  const ends: EndRecord = { count: 0, last: new Error(`no ${name} yet`) };
  let thread: ThreadCaller<Table> | null = null;
  let startedAtMs = 0;
  let cancelTimer: () => void = () => undefined;
  let isStopped = false;
  let up = Promise.withResolvers<void>();
  const hasRunLong = () => nowMs() - startedAtMs >= threadStableMs;

  const handleEnd = (error: Error) => {
    thread = null;
    if (isStopped) return;
    ends.count = hasRunLong() ? 1 : ends.count + 1;
    ends.last = findShortage(error) ?? error;
    up.resolve();
    up = Promise.withResolvers();
    const delayMs = restartDelayMs(ends.count);
    // The caller of a refused start receives the error; only repeated refusals are logged.
    if (ends.count > 1 || !(error instanceof EngineError))
      logFailure(`the ${name} ended (${ends.count} in a row); restart in ${delayMs} ms`, error);
    cancelTimer = setTimer(start, delayMs);
  };
  const start = () => {
    startedAtMs = nowMs();
    try {
      thread = createWorkerClient<Table>(startWorker(name, options.workerData));
    } catch (error) {
      return handleEnd(error as Error);
    }
    if (options.onEvent) thread.onEvent(options.onEvent);
    void thread.ended.then(handleEnd);
    options.onStart?.(thread.calls).catch((error: unknown) => {
      if (!(error instanceof WorkerEnded)) logFailure(`the ${name} did not start correctly`, error);
    });
    up.resolve();
  };
  start();
  return {
    ends,
    hasRunLong,
    find: () => thread,
    isStopped: () => isStopped,
    /** Resolves when there is a thread, or after the stop. The thread may have ended by then. */
    whenUp: () => up.promise,
    async stop() {
      const last = thread;
      isStopped = true;
      cancelTimer();
      up.resolve();
      await last?.calls.stop(null).catch(() => undefined);
      await last?.terminate();
    },
  };
}

export function superviseWorker<Table extends Stoppable>(
  options: SupervisedOptions<Table>,
): SupervisedWorker<Table> {
  const { name } = options;
  const { ends, hasRunLong, find, isStopped, whenUp, stop } = startAgain(options);
  const forward = (call: string) => async (command: unknown) => {
    const calls = find()?.calls as { [call: string]: (command: unknown) => unknown } | undefined;
    const answer = calls?.[call];
    if (!answer) throw refuseCall(name, ends);
    return answer(command);
  };
  return {
    calls: new Proxy({}, { get: (_target, call) => forward(String(call)) }) as Table,
    stop,
    async run(work) {
      for (let endsHere = 0; ; ) {
        await whenUp();
        const thread = find();
        if (isStopped()) throw refuseCall(name, ends);
        if (!thread) continue;
        try {
          return await work(thread.calls);
        } catch (error) {
          if (!(error instanceof WorkerEnded) || isStopped()) throw error;
          if (error.wasRunning) endsHere += 1;
          if (endsHere >= callEndsMax) throw error;
          await thread.ended;
        }
      }
    },
    describeFault() {
      const isUp = find() !== null && (ends.count < threadEndsFault || hasRunLong());
      return isUp || isStopped() ? null : describeEnds(name, ends);
    },
  };
}
