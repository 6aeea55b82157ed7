// Entry of the writer thread: serves a writer (create-writer.ts) to the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import type { EnvironmentName } from '../../contract/ids.ts';
import type { TeamConfig } from '../../contract/team/team-config.ts';
import { startMatchPool } from '../../jobs/matching/match-pool.ts';
import { lowerThreadPriority } from '../../platform/lower-priority.ts';
import { createEventSender, serveCalls } from '../../platform/workers/worker-rpc.ts';
import type { WriterCalls } from '../writer-calls.ts';
import { createWriter, openSystem, type Writer } from './create-writer.ts';

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
  ...openSystem(environment),
});
if (parentPort)
  serveCalls<WriterThreadCalls>(parentPort, {
    ...writer.calls,
    whenOpen: async () => undefined,
    takeIndex: writer.takeIndex,
    stop: writer.stop,
  });
