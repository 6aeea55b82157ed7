// Delay before a failed part of the engine is retried.
import { restartDelayMaxMs, restartDelayMinMs } from '../../contract/limits/platform.ts';

/** Milliseconds before the next try. @param failures consecutive failures, at least 1 */
export const restartDelayMs = (failures: number): number =>
  Math.min(restartDelayMaxMs, restartDelayMinMs * 2 ** (failures - 1));
