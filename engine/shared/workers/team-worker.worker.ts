// Entry of a worker of the shared directory: a process, or a thread in the desktop app. It ends
// after a request to stop, after a refusal, and when the program that started it is gone.
import { setTimeout as waitFor } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { EngineError } from '../../contract/errors.ts';
import { openSharedConnection } from '../connection/open-connection.ts';
import { parseSharedAddress } from '../connection/shared-address.ts';
import { openSharedMatcher } from '../match-shared.ts';
import { runQueueWorker, type WorkerEvent } from '../queue/queue-worker.ts';
import type { WorkerLogin, WorkerReport, WorkerRequest } from './worker-messages.ts';

const stopping = new AbortController();

const report = (message: WorkerReport): void => {
  if (parentPort) parentPort.postMessage(message);
  else if (process.connected) process.send?.(message, () => undefined);
};

function reportEvent(event: WorkerEvent): void {
  if (event.kind === 'lost') report({ kind: 'lost' });
  else if (event.kind === 'refused') report({ kind: 'not_matched', detail: String(event.error) });
  else report(event);
}

async function work({ address, password, secret, name, refused }: WorkerLogin): Promise<void> {
  const login = { address: parseSharedAddress(address), password };
  // Statements of the queue are short; the companies of a large directory take minutes to read.
  const connection = openSharedConnection(login);
  const directory = openSharedConnection(login, { statementMs: 0 });
  const matcher = openSharedMatcher(directory, { secret: Buffer.from(secret, 'hex') });
  try {
    await runQueueWorker({
      connection,
      match: matcher.match,
      name,
      signal: stopping.signal,
      refused: new Set(refused),
      wait: (ms, signal) => waitFor(ms, undefined, { signal }),
      onEvent: reportEvent,
    });
  } finally {
    await matcher.close();
    await Promise.all([directory.close(), connection.close()]);
  }
}

/** Ends the process or the thread once its reports are sent. */
function leave(): void {
  if (parentPort) parentPort.close();
  else if (process.connected) process.disconnect();
}

function take(request: WorkerRequest): void {
  if ('stop' in request) {
    stopping.abort();
    return;
  }
  work(request.start).then(leave, (error: unknown) => {
    // A bug ends it with its stack.
    if (!(error instanceof EngineError)) throw error;
    report({ kind: 'failed', code: error.code, detail: error.detail });
    leave();
  });
}

if (parentPort) parentPort.on('message', take);
else {
  process.on('message', (request) => take(request as WorkerRequest));
  process.once('disconnect', () => stopping.abort());
  // Ctrl+C reaches every process of a terminal. The one that supervises says when to stop.
  process.on('SIGINT', () => undefined);
  process.once('SIGTERM', () => stopping.abort());
}
