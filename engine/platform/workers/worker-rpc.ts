// Typed calls between threads: one side serves a table of functions, the other side calls them.
// Every call is settled.
//
//   open ──error, terminate──> ending ──exit──> ended
//
// While the thread is ending, and after, new calls are rejected at once; pending calls are rejected
// at the exit.
import { inspect } from 'node:util';
import type { MessagePort, Worker } from 'node:worker_threads';
import {
  EngineError,
  type ErrorMessage,
  errorTable,
  findEngineError,
} from '../../contract/errors.ts';
import { findSystemRefusal } from '../sqlite/system-refusal.ts';
import { type CallOrigin, currentOrigin, runWithOrigin } from './call-origin.ts';

/** A table of functions with one plain argument each, which return plain data. */
type CallTable = object;

type Request = { call: number; name: string; command: unknown; origin: CallOrigin | null };
type Reply =
  | { reply: number; value: unknown }
  | { reply: number; refusal: ErrorMessage }
  | { reply: number; bug: string };
/** A request that could not be deserialized, so that its number is unknown. */
type Lost = { lost: string };
type Event = { event: unknown };

const transfersOf = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];

export const createEventSender =
  (port: MessagePort) =>
  (event: unknown): void =>
    port.postMessage({ event } satisfies Event);

/**
 * Serves calls that arrive at `port` with the functions of `table`. An EngineError is sent as a
 * refusal; any other error as a bug with its stack, for the log. Returns the function that sends
 * events.
 */
export function serveCalls<Table extends CallTable>(
  port: MessagePort,
  table: Table,
): (event: unknown) => void {
  const functions = table as Record<string, (command: unknown) => unknown>;
  port.on('message', async ({ call, name, command, origin }: Request) => {
    try {
      const answer = functions[name];
      if (!answer) throw new Error(`no such call: ${name}`);
      const value = await runWithOrigin(origin, () => answer(command));
      port.postMessage({ reply: call, value } satisfies Reply, transfersOf(value));
    } catch (error) {
      port.postMessage(describeFailure(call, error));
    }
  });
  port.on('messageerror', (error) =>
    port.postMessage({ lost: `a call could not be read: ${describeBug(error)}` } satisfies Lost),
  );
  return createEventSender(port);
}

const describeBug = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : inspect(error);

/** Whether the thread, or a thread that worked for it, ran out of memory. */
const lackedMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';

function describeFailure(call: number, error: unknown): Reply {
  if (lackedMemory(error))
    return { reply: call, refusal: { code: 'unavailable', detail: neededMemory } };
  const refusal = findEngineError(error) ?? findSystemRefusal(error);
  if (!refusal) return { reply: call, bug: describeBug(error) };
  const { code, detail, approval } = refusal;
  return { reply: call, refusal: { code, detail, approval } };
}

export const workStopped = 'This work was stopped. Try again.';
const wasAsked =
  'The part of the engine that worked on this ended before it answered. Finished work is ' +
  'kept. Check whether it was done, then try again, with the same Idempotency-Key if you sent one.';
const wasNotAsked =
  'The part of the engine that does this is restarting. Nothing was done. ' +
  'Wait a few seconds, then try again.';
const neededMemory =
  'The engine stopped this work because it ran out of memory. Finished work ' +
  'is kept. Try again with less data at a time.';

/** The error that a thread threw. A refusal crosses without its class. */
function readThrown(error: Error): Error {
  const { code, detail } = error as Partial<ErrorMessage>;
  const isRefusal = error.name === 'EngineError' && code !== undefined && code in errorTable;
  return isRefusal ? new EngineError(code, detail, { cause: error.cause }) : error;
}

function describeEnd(error: Error, isAsked: boolean): ErrorMessage {
  if (error instanceof EngineError) return { code: error.code, detail: error.detail };
  const shortage = findSystemRefusal(error);
  if (shortage) return { code: shortage.code, detail: shortage.detail };
  if (!isAsked) return { code: 'unavailable', detail: wasNotAsked };
  return { code: 'unavailable', detail: lackedMemory(error) ? neededMemory : wasAsked };
}

/** A call to a thread that had ended, or that ended before it answered; `cause` says why. */
export class WorkerEnded extends EngineError {
  readonly wasRunning: boolean;
  constructor(cause: Error, isAsked: boolean, wasRunning: boolean) {
    const { code, detail } = describeEnd(cause, isAsked);
    super(code, detail, { cause });
    this.wasRunning = wasRunning;
  }
}

/** Ignores the end of a thread if the next thread receives the same data at its start. */
export function ignoreEnd(error: unknown): void {
  if (!(error instanceof WorkerEnded)) throw error;
}

/**
 * The calling side. `calls` has every function of the table; listeners of `onEvent` receive the
 * thread's events. A call rejects with the thread's refusal, with WorkerEnded, or with a bug.
 */
export interface ThreadCaller<Table> {
  readonly calls: Table;
  /** Resolves with why the thread ended, after it has exited and closed its files. */
  readonly ended: Promise<Error>;
  onEvent(listener: (event: never) => void): void;
  /** Ends the thread at once. Pending calls are rejected. */
  terminate(): Promise<void>;
}

function openWaiting() {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  return {
    waiting,
    settle(reply: Reply) {
      const call = waiting.get(reply.reply);
      waiting.delete(reply.reply);
      if ('value' in reply) call?.resolve(reply.value);
      else if ('refusal' in reply) {
        const { code, detail, approval } = reply.refusal;
        call?.reject(new EngineError(code, detail, { approval }));
      } else call?.reject(new Error(reply.bug));
    },
    failAll(describe: (isOldest: boolean) => Error) {
      let isOldest = true;
      for (const { reject } of waiting.values()) {
        reject(describe(isOldest));
        isOldest = false;
      }
      waiting.clear();
    },
  };
}

/** Creates the caller of the functions that a worker serves with `serveCalls`. */
export function createWorkerClient<Table extends CallTable>(worker: Worker): ThreadCaller<Table> {
  let next = 0;
  /** Why the thread ends, once that is known. */
  let cause: Error | null = null;
  const gone = Promise.withResolvers<Error>();
  const listeners: ((event: never) => void)[] = [];
  const { waiting, settle, failAll } = openWaiting();
  worker.on('message', (message: Reply | Lost | Event) => {
    if ('event' in message) for (const listener of listeners) listener(message.event as never);
    else if ('lost' in message) failAll(() => new Error(message.lost));
    else settle(message);
  });
  worker.on('messageerror', (error) =>
    failAll(() => new Error('an answer could not be read', { cause: error })),
  );
  worker.on('error', (error: Error) => {
    cause ??= readThrown(error);
  });
  // The last answers of the thread have arrived by now, and its files are closed.
  worker.on('exit', (code) => {
    const why = cause ?? new Error(`the thread ended with ${code}`);
    cause = why;
    failAll((isOldest) => new WorkerEnded(why, true, isOldest));
    gone.resolve(why);
  });
  const call = (name: string) => (command: unknown) =>
    new Promise((resolve, reject) => {
      if (cause) return reject(new WorkerEnded(cause, false, false));
      next += 1;
      // Throws for data that cannot be cloned; such a call is not pending.
      const origin = currentOrigin();
      worker.postMessage({ call: next, name, command, origin } satisfies Request);
      waiting.set(next, { resolve, reject });
    });
  return {
    calls: new Proxy({}, { get: (_target, name) => call(String(name)) }) as Table,
    ended: gone.promise,
    onEvent: (listener) => void listeners.push(listener),
    async terminate() {
      cause ??= new EngineError('unavailable', workStopped);
      await worker.terminate();
    },
  };
}
