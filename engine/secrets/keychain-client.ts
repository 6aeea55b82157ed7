// Calls the system's keychain outside the engine's threads, with a time-out: in a child process,
// which can be killed if the keychain hangs; or in the desktop app, whose program cannot start
// plain Node, in a thread that is then abandoned.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { keychainAnswerMaxMs } from '../contract/limits/secrets.ts';
import { childEnvironment } from '../platform/child-environment.ts';
import { startWorker, workerUrl } from '../platform/workers/worker-url.ts';
import type { KeychainQuestion } from './keychain.ts';
import type { KeychainReply } from './keychain.worker.ts';

const entry = workerUrl('keychain-call');

/** Starts the entry and sends it the call. `end` stops it. */
function startCall(question: KeychainQuestion) {
  if (process.versions.electron === undefined) {
    // The child does not inherit flags of a debugger or loader, and its output is discarded.
    const child: ChildProcess = fork(fileURLToPath(entry), {
      execArgv: [],
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.send(question);
    return { listenable: child, end: () => void child.kill('SIGKILL') };
  }
  const worker = startWorker('keychain-call');
  worker.unref();
  worker.postMessage(question);
  // A thread that hangs in a native call cannot be ended without ending the whole process.
  return { listenable: worker, end: () => undefined };
}

/** `late`: it may still take effect. `stopped`: the engine stops, and nothing is known. */
export class KeychainFailure extends Error {
  override name = 'KeychainFailure';
  readonly reason: 'refused' | 'late' | 'stopped';
  constructor(reason: KeychainFailure['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Keychain {
  /** Reads the text of a name, and writes `fallback` if there is none. */
  readOrWrite(name: string, fallback: string): Promise<string>;
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<void>;
  /** Also resolves if there is no entry of this name. */
  delete(name: string): Promise<void>;
}

export interface KeychainClient extends Keychain {
  stop(): void;
}

const stopped = () => new KeychainFailure('stopped', 'the engine is stopping');

/** @param pending receives the function that ends the call, until it is settled */
const call = (question: KeychainQuestion, pending: Set<() => void>) =>
  new Promise<string | null>((resolve, reject) => {
    const { listenable, end } = startCall(question);
    const settle = (act: () => void) => {
      clearTimeout(timer);
      pending.delete(stop);
      act();
    };
    const fail = (error: KeychainFailure) => settle(() => reject(error));
    const giveUp = (error: KeychainFailure) => {
      end();
      fail(error);
    };
    const stop = () => giveUp(stopped());
    const seconds = keychainAnswerMaxMs / 1_000;
    const late = new KeychainFailure('late', `it did not answer within ${seconds} s`);
    const timer = setTimeout(() => giveUp(late), keychainAnswerMaxMs);
    pending.add(stop);
    const refuse = (reason: string) => fail(new KeychainFailure('refused', reason));
    listenable.once('message', (reply: KeychainReply) => {
      if ('text' in reply) settle(() => resolve(reply.text));
      else refuse(reply.refusal);
    });
    listenable.once('error', (error: Error) => refuse(error.message));
    listenable.once('exit', () => refuse('it ended without an answer'));
  });

export function openKeychain(): KeychainClient {
  const pending = new Set<() => void>();
  let isStopped = false;
  const ask = async (question: KeychainQuestion) => {
    if (isStopped) throw stopped();
    // For machines whose keychain must not be used, and for tests.
    if (process.env.DESK_KEYCHAIN === 'off')
      throw new KeychainFailure('refused', 'DESK_KEYCHAIN is off');
    return call(question, pending);
  };
  return {
    readOrWrite: async (name, fallback) =>
      (await ask({ act: 'read_or_write', name, fallback })) ?? fallback,
    read: (name) => ask({ act: 'read', name }),
    async write(name, text) {
      await ask({ act: 'write', name, text });
    },
    async delete(name) {
      await ask({ act: 'delete', name });
    },
    stop() {
      isStopped = true;
      for (const end of pending) end();
    },
  };
}
