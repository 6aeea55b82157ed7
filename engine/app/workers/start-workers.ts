// Starts the workers of an environment, each on its own thread.
import type { EnvironmentName } from '../../contract/ids.ts';
import type { TeamConfig } from '../../contract/team/team-config.ts';
import type { BuiltIndex } from '../../directory/index/built-index.ts';
import { type StartPassing, startOneShotWorker } from '../../platform/workers/one-shot-worker.ts';
import { type SupervisedWorker, superviseWorker } from '../../platform/workers/supervise-worker.ts';

import type { ReaderWorkerCalls } from './create-reader.ts';
import type { WriterThreadCalls } from './writer.worker.ts';
import type { WriterEvent, WriterTrouble } from './writer-events.ts';

export type EnvironmentWorker<Table> = Pick<
  SupervisedWorker<Table>,
  'calls' | 'describeFault' | 'stop'
>;

interface WorkerOptions {
  readonly folder: string;
  readonly onStart: (calls: { takeIndex(index: BuiltIndex): Promise<void> }) => Promise<void>;
}

export interface Workers {
  startWriter(
    options: WorkerOptions & {
      readonly environment: EnvironmentName;
      readonly policy: TeamConfig;
      readonly onEvent: (event: WriterEvent | WriterTrouble) => void;
    },
  ): EnvironmentWorker<WriterThreadCalls>;
  startReader(options: WorkerOptions): EnvironmentWorker<ReaderWorkerCalls>;
  readonly startPassing: StartPassing;
}

/** Workers on threads. A thread that ends by itself is restarted. */
export const threadWorkers: Workers = {
  startWriter: ({ folder, environment, policy, onStart, onEvent }) =>
    superviseWorker<WriterThreadCalls>({
      name: 'writer-thread',
      workerData: { folder, environment, policy },
      onStart,
      onEvent,
    }),
  startReader: ({ folder, onStart }) =>
    superviseWorker<ReaderWorkerCalls>({ name: 'reader-thread', workerData: { folder }, onStart }),
  startPassing: startOneShotWorker,
};
