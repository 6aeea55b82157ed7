/**
 * The clock of monitors: one timer, for the next that is due.
 *
 *   idle ──a monitor is due later──> waiting ──its time, or the longest sleep──> look ──> waiting
 *
 * It looks at the wall clock at least every half minute: a sleeping machine stops timers, and a
 * clock that was set moves none. Where the clock went back, monitors that it had put off are set
 * anew.
 */
import { monitorClockMaxMs } from '../../contract/limits/monitors.ts';

/** What the clock drives. */
export interface MonitorWork {
  nextDueAt(): Date | null;
  runDue(at: Date): void;
  realign(at: Date): void;
}

/** A clock that runs. */
export interface MonitorClock {
  /** Looks anew: a next run has changed. */
  look(): void;
  stop(): void;
}

/** Sets a timer; the answer takes it back. */
export type SetTimer = (work: () => void, ms: number) => () => void;

/** The system's timers; one that waits keeps no process alive. */
export const setRealTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};

/**
 * Starts the clock, and at once what is due already.
 * @param now wall clock
 */
export function startMonitorClock(
  work: MonitorWork,
  now: () => Date,
  onError: (error: unknown) => void,
  setTimer: SetTimer = setRealTimer,
): MonitorClock {
  let cancelTimer: () => void = () => undefined;
  let lookedAt: Date | null = null;
  let isStopped = false;
  const look = () => {
    cancelTimer();
    if (isStopped) return;
    const at = now();
    let waitMs = monitorClockMaxMs;
    try {
      if (lookedAt === null || at < lookedAt) work.realign(at);
      lookedAt = at;
      work.runDue(at);
      const next = work.nextDueAt();
      // Nothing is scheduled: the next change of a monitor looks again.
      if (next === null) return;
      waitMs = Math.min(monitorClockMaxMs, Math.max(0, next.getTime() - at.getTime()));
    } catch (error) {
      // A full disk passes: it looks again, and loses no run.
      onError(error);
    }
    cancelTimer = setTimer(look, waitMs);
  };
  look();
  return {
    look,
    stop() {
      isStopped = true;
      cancelTimer();
    },
  };
}
