// Requests that Ctrl+C cancels: the engine sees the closed connection and cleans up.
import type { Call } from './command.ts';
import { CommandError, exitCodes } from './refusal.ts';

/**
 * Does some work whose signal Ctrl+C aborts. Throws a CommandError if it was aborted, and what the
 * work throws otherwise.
 * @param said a sentence on what the stopped work leaves behind
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
