/** How long a part of the engine that failed waits before it is tried again. */
import { restartDelayMaxMs, restartDelayMinMs } from '../../contract/limits/platform.ts';

/**
 * The wait in milliseconds before the next try.
 * @param failures failures in a row, at least 1
 */
export const restartDelayMs = (failures: number): number =>
  Math.min(restartDelayMaxMs, restartDelayMinMs * 2 ** (failures - 1));
