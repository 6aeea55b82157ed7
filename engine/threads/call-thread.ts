/**
 * Typed calls between threads: one side answers a table of functions, the other calls them and
 * awaits the answers.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import { EngineError, type ErrorMessage, errorTable } from '../contract/errors.ts';

/** A table of functions that take one plain command each and answer plain data. */
type CallTable = object;

type Request = { call: number; name: string; command: unknown };
type Reply =
  | { reply: number; value: unknown }
  | { reply: number; refusal: ErrorMessage }
  | { reply: number; bug: string };
type Event = { event: unknown };

/** A value that is to be moved, not copied, across the thread. */
const transfersOf = (value: unknown): ArrayBuffer[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];

/**
 * Answers calls that arrive at `port` with the functions of `table`. An EngineError travels as a
 * refusal; anything else as a bug with its stack, for the log alone. Returns the way to send
 * events.
 */
export function answerCalls<Table extends CallTable>(
  port: MessagePort,
  table: Table,
): (event: unknown) => void {
  const functions = table as Record<string, (command: unknown) => unknown>;
  port.on('message', async ({ call, name, command }: Request) => {
    try {
      const answer = functions[name];
      if (!answer) throw new Error(`no such call: ${name}`);
      const value = await answer(command);
      port.postMessage({ reply: call, value } satisfies Reply, transfersOf(value));
    } catch (error) {
      port.postMessage(describeFailure(call, error));
    }
  });
  return (event) => port.postMessage({ event } satisfies Event);
}

function describeFailure(call: number, error: unknown): Reply {
  if (error instanceof EngineError)
    return { reply: call, refusal: { code: error.code, detail: error.detail } };
  if (isStorageRefusal(error)) {
    const { code, detail } = new EngineError('read_only', undefined, { cause: error });
    return { reply: call, refusal: { code, detail } };
  }
  return { reply: call, bug: error instanceof Error ? (error.stack ?? error.message) : `${error}` };
}

/** Whether an error means that the folder cannot be written now: a full or read-only disk. */
export function isStorageRefusal(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  return /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|ENOSPC|EROFS|EDQUOT)/.test(code);
}

/** What a thread threw before it could answer: a refusal crosses without its class. */
function readThrown(error: Error): Error {
  const { code, detail } = error as Partial<ErrorMessage>;
  const isRefusal = error.name === 'EngineError' && code !== undefined && code in errorTable;
  return isRefusal ? new EngineError(code, detail) : error;
}

/**
 * The calling side: `calls` has every function of the table, `onEvent` hears what the thread sends.
 */
export interface ThreadCaller<Table> {
  readonly calls: Table;
  onEvent(listener: (event: never) => void): void;
  /** Ends the thread at once; what was asked and not answered is refused. */
  terminate(): Promise<void>;
}

/** Calls the functions that a worker answers with `answerCalls`. */
export function callThread<Table extends CallTable>(worker: Worker): ThreadCaller<Table> {
  let next = 0;
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners: ((event: never) => void)[] = [];
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('message', (message: Reply | Event) => {
    if ('event' in message) {
      for (const listener of listeners) listener(message.event as never);
      return;
    }
    const call = waiting.get(message.reply);
    waiting.delete(message.reply);
    if ('value' in message) call?.resolve(message.value);
    else if ('refusal' in message)
      call?.reject(new EngineError(message.refusal.code, message.refusal.detail));
    else call?.reject(new Error(message.bug));
  });
  worker.on('error', (error: Error) => failAll(readThrown(error)));
  worker.on('exit', (code) => failAll(new Error(`the thread ended with ${code}`)));
  const call = (name: string) => (command: unknown) =>
    new Promise((resolve, reject) => {
      next += 1;
      waiting.set(next, { resolve, reject });
      worker.postMessage({ call: next, name, command } satisfies Request);
    });
  return {
    calls: new Proxy({}, { get: (_target, name) => call(String(name)) }) as Table,
    onEvent: (listener) => void listeners.push(listener),
    terminate: async () => void (await worker.terminate()),
  };
}
