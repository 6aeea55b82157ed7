/** Explains why an environment cannot be opened. */
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { describeEmptyStart } from '../maintenance/check-databases.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { WorkerEnded } from '../platform/workers/worker-rpc.ts';

/** Why an environment cannot be opened: the error of its thread, not the end of the thread. */
function findClosedBy(error: unknown): unknown {
  const isEnd = error instanceof WorkerEnded && error.code === 'unavailable';
  const cause = isEnd ? error.cause : error;
  return cause instanceof EngineError ? cause : (findSystemRefusal(cause) ?? cause);
}

/**
 * Why an environment cannot be opened. For a damaged database, the message says how to keep it
 * aside.
 */
export function explainClosed(error: unknown, name: EnvironmentName): unknown {
  const reason = findClosedBy(error);
  return reason instanceof EngineError && reason.code === 'database_damaged'
    ? new EngineError(reason.code, `${reason.detail} ${describeEmptyStart(name)}`)
    : reason;
}
