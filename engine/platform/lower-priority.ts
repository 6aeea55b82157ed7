/** Lets whoever answers a person go before what works in the background. */
import { constants, getPriority, setPriority } from 'node:os';

/** By how much a thread steps back: to two thirds of its share of a processor that others want. */
const steps = 2;

/**
 * Puts the calling thread, and those that it will start, behind others that want the processor at
 * the same time: the HTTP door and the person's other programs. On Linux, where a priority is the
 * thread's own; elsewhere it would be the whole engine's, and nothing is done.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + steps));
}
