/**
 * Calls the system's keychain outside the engine's threads, with a time-out: in a child process,
 * which can be killed if the keychain hangs; or in the desktop app, whose program cannot start
 * plain Node, in a thread that is then abandoned.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { keychainAnswerMaxMs } from '../contract/limits/secrets.ts';
import { workerUrl } from '../platform/workers/worker-url.ts';
import type { AskKeychain } from './encryption-key.ts';
import type { KeychainReply } from './keychain.worker.ts';

const entry = workerUrl('keychain-call');

/** Starts the entry and sends it the call. `end` stops it. */
function startCall(question: Parameters<AskKeychain>[0]) {
  if (process.versions.electron === undefined) {
    // The child does not inherit flags of a debugger or loader, and its output is discarded.
    const child: ChildProcess = fork(fileURLToPath(entry), {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.send(question);
    return { listenable: child, end: () => void child.kill('SIGKILL') };
  }
  const worker = new Worker(entry);
  worker.unref();
  worker.postMessage(question);
  // A thread that hangs in a native call cannot be ended without ending the whole process.
  return { listenable: worker, end: () => undefined };
}

/** A client of the system's keychain. */
export interface KeychainClient {
  /** Rejects with the reason if the keychain does not respond in time. */
  readonly ask: AskKeychain;
  /** Stops all pending calls. Nothing is left running. */
  stop(): void;
}

/** Creates the client. No process is started before the first call. */
export function openKeychain(): KeychainClient {
  const pending = new Set<() => void>();
  return {
    ask: (question) => ask(question, pending),
    stop() {
      for (const end of pending) end();
    },
  };
}

const ask = (question: Parameters<AskKeychain>[0], pending: Set<() => void>) =>
  new Promise<string>((resolve, reject) => {
    // For machines whose keychain must not be used, and for tests.
    if (process.env.DESK_KEYCHAIN === 'off') return reject(new Error('DESK_KEYCHAIN is off'));
    const { listenable, end } = startCall(question);
    pending.add(end);
    const timer = setTimeout(() => {
      end();
      reject(new Error(`it did not answer within ${keychainAnswerMaxMs / 1_000} s`));
    }, keychainAnswerMaxMs);
    const settle = (act: () => void) => {
      clearTimeout(timer);
      pending.delete(end);
      act();
    };
    listenable.once('message', (reply: KeychainReply) =>
      settle(() => ('text' in reply ? resolve(reply.text) : reject(new Error(reply.refusal)))),
    );
    listenable.once('error', (error: Error) => settle(() => reject(error)));
    listenable.once('exit', () => settle(() => reject(new Error('it ended without an answer'))));
  });
