// Shortens the arguments of a request for display.
import { toolArgumentsCharactersMax } from '../contract/limits/assistants.ts';

/** Arguments as stored: short, and without anything that could be a key. */
export function shortenArguments(args: unknown): string {
  const text = JSON.stringify(args).replaceAll(/\b(sk_(live|test)_|whsec_)[\w+/=-]*/g, '$1…');
  return text.length <= toolArgumentsCharactersMax
    ? text
    : `${text.slice(0, toolArgumentsCharactersMax - 1)}…`;
}
