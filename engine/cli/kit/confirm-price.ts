/** The question before anything is paid for, and what stands in its place without a terminal. */
import type { Call } from './command.ts';
import { badUsage, CommandError, exitCodes } from './refusal.ts';

/**
 * Asks whether a price is accepted; --yes has said so already. Throws bad usage where there is
 * nobody to ask, and a failure where the answer is no.
 */
export async function confirmPrice(call: Call, question: string): Promise<void> {
  if (call.values.yes === true) return;
  if (!call.terminal.isInteractive)
    throw badUsage(
      'There is no terminal to ask on, and nothing was submitted. Add --yes to accept the price.',
    );
  if (await call.terminal.ask(question)) return;
  throw new CommandError('declined', exitCodes.failed, 'Nothing was submitted or charged.');
}
