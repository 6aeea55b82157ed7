/**
 * Shortens the texts in an answer of a tool. A cell can have any length, and a long one has room
 * for instructions to the assistant that reads it.
 */
import { toolValueCharactersMax } from '../../contract/limits/assistants.ts';

/** The same data, in which every text has at most `toolValueCharactersMax` characters. */
export function shortenValues<Value>(value: Value): Value {
  if (typeof value === 'string')
    return (
      value.length > toolValueCharactersMax
        ? `${value.slice(0, toolValueCharactersMax - 1)}…`
        : value
    ) as Value;
  if (Array.isArray(value)) return value.map(shortenValues) as Value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, shortenValues(one)]),
  ) as Value;
}
