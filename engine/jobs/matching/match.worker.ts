// Entry of a match thread, which matches bytes of a job's input with the shared index.
import { parentPort } from 'node:worker_threads';
import type { Stoppable } from '../../platform/workers/supervise-worker.ts';
import { serveCalls } from '../../platform/workers/worker-rpc.ts';
import { createMatchWorker, type MatchWorker } from './create-match-worker.ts';

export interface MatchCalls extends MatchWorker, Stoppable {}

if (parentPort)
  serveCalls<MatchCalls>(parentPort, { ...createMatchWorker(), stop: async () => undefined });
