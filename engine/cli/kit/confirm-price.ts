// Asks for consent before anything is charged.
import type { Call } from './command.ts';
import { badUsage, CommandError, exitCodes } from './refusal.ts';

/** Throws bad usage without a terminal and --yes, and a CommandError if the answer is no. */
export async function confirmPrice(call: Call, question: string): Promise<void> {
  if (call.values.yes === true) return;
  if (!call.terminal.isInteractive)
    throw badUsage(
      `${question} Nothing was submitted, because there is no terminal to answer on. Add --yes ` +
        'to accept the price.',
    );
  if (await call.terminal.ask(question)) return;
  throw new CommandError('declined', exitCodes.failed, 'Nothing was submitted or charged.');
}
