// Entry of the writer thread: serves a writer (create-writer.ts) to the main thread.
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { EnvironmentName } from '../../contract/ids.ts';
import type { TeamConfig } from '../../contract/team/team-config.ts';
import { startMatchPool } from '../../jobs/matching/match-pool.ts';
import { lowerThreadPriority } from '../../platform/lower-priority.ts';
import { findOwnRoutes } from '../../platform/net/system-proxy.ts';
import { setRealTimer } from '../../platform/timers.ts';
import { createEventSender, serveCalls } from '../../platform/workers/worker-rpc.ts';
import { createProviders } from '../../providers/create-providers.ts';
import { openKeychain } from '../../secrets/keychain-client.ts';
import { openMailDns } from '../../validations/mail-dns.ts';
import { openPostWorker } from '../../webhooks/post-on-worker.ts';
import type { WriterCalls } from '../writer-calls.ts';
import { createWriter, type Writer } from './create-writer.ts';

export interface WriterThreadCalls extends WriterCalls {
  /** Resolves when engine.db is open. Rejects if it cannot be used. */
  whenOpen(command: null): Promise<void>;
  takeIndex(command: Parameters<Writer['takeIndex']>[0]): Promise<void>;
  stop(command: null): Promise<void>;
}

lowerThreadPriority();
const { folder, environment, policy } = workerData as {
  folder: string;
  environment: EnvironmentName;
  policy: TeamConfig;
};
const writer = createWriter({
  folder,
  environment,
  policy,
  send: parentPort ? createEventSender(parentPort) : () => undefined,
  pool: startMatchPool(folder),
  providers: createProviders(environment),
  dns: openMailDns({ servers: process.env.DESK_DNS_SERVERS ?? '' }),
  keychain: openKeychain(),
  findRoutes: findOwnRoutes,
  postWorker: openPostWorker(),
  now: () => new Date(),
  nowMs: () => performance.now(),
  setTimer: setRealTimer,
  wait: (ms, signal) => wait(ms, undefined, { signal }),
  random: Math.random,
});
if (parentPort)
  serveCalls<WriterThreadCalls>(parentPort, {
    ...writer.calls,
    whenOpen: async () => undefined,
    takeIndex: writer.takeIndex,
    stop: writer.stop,
  });
