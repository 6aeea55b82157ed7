/** The arguments of a request as a person is shown them. */

import { toolArgumentsCharactersMax } from '../contract/limits/assistants.ts';

/** Arguments as they are remembered: short, and without anything that looks like a key. */
export function shortenArguments(args: unknown): string {
  const text = JSON.stringify(args).replaceAll(/\b(sk_(live|test)_|whsec_)[\w+/=-]*/g, '$1…');
  return text.length <= toolArgumentsCharactersMax
    ? text
    : `${text.slice(0, toolArgumentsCharactersMax - 1)}…`;
}
