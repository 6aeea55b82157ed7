/** Requests of a command that Ctrl+C stops: the engine sees that nobody waits, and tidies up. */
import type { Call } from './command.ts';
import { CommandError, exitCodes } from './refusal.ts';

/**
 * Does some work whose signal Ctrl+C aborts. Throws a CommandError that says so; what the work
 * throws otherwise.
 * @param said what is left of the work once it is stopped, as a sentence
 */
export async function stopOnInterrupt<Result>(
  call: Call,
  said: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const interrupt = call.catchInterrupt(over.signal);
  try {
    return await work(interrupt);
  } catch (error) {
    if (!interrupt.aborted) throw error;
    throw new CommandError('interrupted', exitCodes.failed, `Stopped by Ctrl+C. ${said}`);
  } finally {
    over.abort();
  }
}
