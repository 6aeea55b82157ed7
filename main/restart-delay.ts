/** Decides when the engine is restarted after it ended by itself. */
import {
  engineRestartDelayMinMs,
  engineRestartsMax,
  engineRestartsWindowMs,
} from '../engine/contract/limits/platform.ts';

/**
 * The delay before the next start, which doubles with every exit in the window.
 * @param exitTimesMs when the engine ended by itself before, without the current time
 * @returns milliseconds, or null if it has ended too often
 */
export function nextRestartDelayMs(exitTimesMs: readonly number[], nowMs: number): number | null {
  const recent = exitTimesMs.filter((atMs) => nowMs - atMs < engineRestartsWindowMs).length;
  return recent >= engineRestartsMax ? null : engineRestartDelayMinMs * 2 ** recent;
}
