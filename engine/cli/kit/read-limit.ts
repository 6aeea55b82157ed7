// Reads the page of a list: --limit, the number of entries, and --before, where it begins.
import { pageLimitDefault, pageLimitMax } from '../../contract/limits/platform.ts';
import { type Call, type Option, readOption } from './command.ts';
import { badUsage } from './refusal.ts';

/** The option --limit of a list. `entries` is the plural of what it lists. */
export const limitOption = (entries: string): Option => ({
  value: 'N',
  summary: `how many ${entries} (${pageLimitDefault})`,
});

/** The value of --limit. Throws bad usage outside 1 to 1,000. */
export function readLimit(call: Call): number {
  const text = readOption(call, 'limit');
  if (text === undefined) return pageLimitDefault;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > pageLimitMax)
    throw badUsage(`--limit ${text} is out of range. Give 1 to ${pageLimitMax}.`);
  return limit;
}

/** The value of --before. Throws bad usage. */
export function readBefore(call: Call): number | undefined {
  const text = readOption(call, 'before');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw badUsage(`--before is ${text}, but must be the number that the last page printed.`);
  return Number(text);
}
