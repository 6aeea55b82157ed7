// Timers as a dependency, so that a test can set the time.

/** Calls `work` once after `ms` milliseconds. Returns a function that cancels the timer. */
export type SetTimer = (work: () => void, ms: number) => () => void;

/** The timers of the system. A timer that waits does not keep the process alive. */
export const setRealTimer: SetTimer = (work, ms) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};
