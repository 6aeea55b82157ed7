// Lowers the CPU priority of background threads so that requests are served first.
import { constants, getPriority, setPriority } from 'node:os';

/** Increment of the nice value: about two thirds of the CPU share of a competing thread. */
const steps = 2;

/**
 * Lowers the priority of the calling thread and of threads that it starts later, compared with the
 * HTTP thread and other programs. Only on Linux, where priorities are per thread; elsewhere the
 * change would apply to the whole engine, so nothing is done.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + steps));
}
