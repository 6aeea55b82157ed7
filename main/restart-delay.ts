/** When the engine may be started again after it ended by itself. */
import {
  engineRestartDelayMinMs,
  engineRestartsMax,
  engineRestartsWindowMs,
} from '../engine/contract/limits/platform.ts';

/**
 * How long to wait before the next start: twice as long for every exit in the window.
 * @param exitTimesMs when the engine ended by itself before, not counting now
 * @returns milliseconds, or null where it has ended too often
 */
export function nextRestartDelayMs(exitTimesMs: readonly number[], nowMs: number): number | null {
  const recent = exitTimesMs.filter((atMs) => nowMs - atMs < engineRestartsWindowMs).length;
  return recent >= engineRestartsMax ? null : engineRestartDelayMinMs * 2 ** recent;
}
