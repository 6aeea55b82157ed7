// Restores a backup into the folder of a running engine: the engine closes, the folders are
// exchanged, and the engine opens what is there now, on the same port.
//
//   none ──start──> running ──> done, or failed (nothing was changed) ──start──> running
import { invalid } from '../contract/errors.ts';
import type { RestoreState } from '../contract/maintenance.ts';
import type { RestoreCommand } from '../maintenance/restore.ts';
import { explainFailure } from '../platform/scheduler/explain-failure.ts';

export type RunningRestoreCommand = Pick<RestoreCommand, 'archivePath' | 'environment'>;

export interface RunningRestores {
  read(): RestoreState;
  /** Throws `validation_error` if one is running, or the engine is stopping. */
  begin(): void;
  /** Does what `begin` has announced. Call it when its answer is sent: the server closes. */
  run(command: RunningRestoreCommand): void;
}

/** @param exchange closes the engine, restores, and opens it again, also after a failure */
export function createRunningRestores(
  exchange: (command: RunningRestoreCommand) => Promise<Extract<RestoreState, { state: 'done' }>>,
) {
  let state: RestoreState = { state: 'none' };
  let ended: Promise<void> = Promise.resolve();
  let isClosed = false;
  const restore = async (command: RunningRestoreCommand): Promise<void> => {
    try {
      state = await exchange(command);
    } catch (error) {
      const { code, detail } = explainFailure('a restore', error);
      state = { state: 'failed', error: code, detail };
    }
  };
  return {
    read: () => state,
    begin() {
      if (state.state === 'running' || isClosed)
        throw invalid('Another restore is running. Wait until it ends.');
      state = { state: 'running', pid: process.pid };
    },
    run(command: RunningRestoreCommand) {
      ended = restore(command);
    },
    /** Resolves when no restore is running. None starts after the call. */
    async close() {
      isClosed = true;
      await ended;
    },
  } satisfies RunningRestores & { close(): Promise<void> };
}
