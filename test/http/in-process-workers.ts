// The real workers of an environment in the test's own process, with a gate before each batch.
import { setTimeout as wait } from 'node:timers/promises';
import { createReader } from '../../engine/app/workers/create-reader.ts';
import { createWriter } from '../../engine/app/workers/create-writer.ts';
import type { Workers } from '../../engine/app/workers/start-workers.ts';
import type { Provider } from '../../engine/contract/provider.ts';
import { createMatchWorker } from '../../engine/jobs/matching/create-match-worker.ts';
import type { MatchPool } from '../../engine/jobs/matching/match-pool.ts';
import { goDirectly } from '../../engine/platform/net/proxy-routes.ts';
import { setRealTimer } from '../../engine/platform/timers.ts';
import type { Wait } from '../../engine/providers/waterfall/paid-writes.ts';
import type { KeychainClient } from '../../engine/secrets/keychain-client.ts';
import type { MailDns } from '../../engine/validations/mail-dns.ts';
import { startPassingHere } from '../double/start-workers.ts';

/** Holds batches, and jobs before their first batch. */
export interface Gate {
  open(): void;
  /** Holds all further batches and jobs. */
  hold(): void;
  step(): void;
  /** Resolves when a job may start. */
  passJob(): Promise<void>;
  /** Resolves when a batch may be matched. Rejects after `end`. */
  passBatch(): Promise<void>;
  /** Resolves when a name server may answer, and after `end`. */
  passName(): Promise<void>;
  /** Rejects every waiting batch. */
  end(): void;
}

/** Admits one caller per permit, or all while it is open. */
function createLatch() {
  let isOpen = false;
  let permits = 0;
  let waiting: PromiseWithResolvers<void>[] = [];
  const release = () => {
    while (waiting.length > 0 && (isOpen || permits > 0)) {
      if (!isOpen) permits -= 1;
      waiting.shift()?.resolve();
    }
  };
  return {
    set(open: boolean) {
      isOpen = open;
      permits = 0;
      release();
    },
    permit() {
      permits += 1;
      release();
    },
    pass(): Promise<void> {
      const one = Promise.withResolvers<void>();
      waiting.push(one);
      release();
      return one.promise;
    },
    end() {
      for (const { reject } of waiting) reject(new Error('the environment of the test is closed'));
      waiting = [];
    },
  };
}

function createGate(): Gate {
  const jobs = createLatch();
  const batches = createLatch();
  const names = createLatch();
  const set = (isOpen: boolean) => {
    batches.set(isOpen);
    names.set(isOpen);
    jobs.set(isOpen);
  };
  return {
    open: () => set(true),
    hold: () => set(false),
    step() {
      batches.permit();
      jobs.permit();
    },
    passJob: jobs.pass,
    passBatch: batches.pass,
    passName: names.pass,
    end() {
      batches.end();
      names.set(true);
    },
  };
}

function createGatedPool(gate: Gate, folder: string): MatchPool {
  const first = Promise.withResolvers<void>();
  const worker = createMatchWorker();
  return {
    inFlightMax: 2,
    async whenGeneration(generation) {
      await first.promise;
      // The job loop accepts any index; a batch that is matched again needs a newer one.
      if (generation === 0) await gate.passJob();
    },
    async takeIndex(buffer) {
      await worker.takeIndex({ buffer, folder });
      first.resolve();
    },
    async match(bytes, mapping, threshold) {
      await gate.passBatch();
      return worker.match({ bytes, mapping, threshold });
    },
    matchNow: worker.match,
    async close() {
      gate.end();
    },
  };
}

/** Resolves no name. While the gate is held it does not answer. */
function openHeldNames(gate: Gate): MailDns {
  const answer = async () => {
    await gate.passName();
    return { kind: 'no_answer' } as const;
  };
  return { findMailHosts: answer, findAddresses: answer, stop: gate.end };
}

/** Posts no delivery: an attempt lasts until the writer stops. */
function openHeldPosts() {
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => undefined);
  return {
    post: () => stopped.promise,
    stop: async () => stopped.reject(new Error('the posting of the test is stopped')),
  };
}

const refuse = () => Promise.reject(new Error('no keychain'));
const noKeychain: KeychainClient = {
  readOrWrite: refuse,
  read: refuse,
  write: refuse,
  delete: refuse,
  stop: () => undefined,
};

export interface WorkerSetting {
  /** The provider behind the directory, or several in their order; null for none. */
  readonly provider: Provider | readonly Provider[] | null;
  /** The wall clock of the writer; the system's by default. */
  readonly now?: (() => Date) | undefined;
  /** Waits between two requests to a provider; really by default. */
  readonly wait?: Wait;
}

/** The workers, with what a test controls and observes. */
export interface InProcessWorkers {
  readonly workers: Workers;
  readonly gate: Gate;
  /** One-shot workers that have not ended. */
  readonly passing: ReadonlySet<unknown>;
}

/** Creates the workers. They use no name server, keychain or webhook receiver. */
export function createInProcessWorkers({
  provider,
  now = () => new Date(),
  wait: pause = (ms, signal) => wait(ms, undefined, { signal }),
}: WorkerSetting): InProcessWorkers {
  const gate = createGate();
  const passing = new Set<unknown>();
  const workers: Workers = {
    startWriter({ folder, environment, policy, onEvent }) {
      const writer = createWriter({
        folder,
        environment,
        policy,
        send: onEvent,
        pool: createGatedPool(gate, folder),
        providers: [provider ?? []].flat().map((one) => ({ provider: one, isOn: true })),
        dns: openHeldNames(gate),
        keychain: noKeychain,
        findRoutes: goDirectly,
        postWorker: openHeldPosts(),
        now,
        nowMs: () => performance.now(),
        setTimer: setRealTimer,
        wait: pause,
        random: Math.random,
      });
      const { calls, takeIndex, stop } = writer;
      return {
        calls: { ...calls, takeIndex, stop, whenOpen: async () => undefined },
        describeFault: () => null,
        stop,
      };
    },
    startReader({ folder }) {
      const calls = createReader({ folder });
      return { calls, describeFault: () => null, stop: () => calls.stop(null) };
    },
    startPassing: startPassingHere(passing),
  };
  return { workers, gate, passing };
}
