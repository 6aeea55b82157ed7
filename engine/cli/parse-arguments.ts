/** Turns the words after `desk` into a command and what it is called with. */
import { parseArgs } from 'node:util';
import { commands } from './commands.ts';
import type { Command, Option } from './kit/command.ts';
import { badUsage } from './kit/refusal.ts';

/** Options of every command. */
export const globalOptions: Readonly<Record<string, Option>> = {
  'data-dir': { value: 'DIR', summary: 'the data folder; the one of the app where left out' },
  account: { value: 'ID', summary: 'the account to act for; the first one where left out' },
  staging: { summary: 'the staging world: its own keys, wallet, directory and jobs' },
  json: { summary: 'the result as one line of JSON' },
  help: { summary: 'this help' },
  version: { summary: 'the version' },
};

/** What the words come down to. A null command asks for help on `group`, or on everything. */
export interface ParsedLine {
  readonly command: Command | null;
  readonly group: string | null;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

const toParseOptions = (options: Readonly<Record<string, Option>>) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );

/** Fewest single-letter changes between two words (Levenshtein). */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [at, other] of [...to].entries())
      next.push(
        Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + +(letter !== other)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The name that a mistyped one most likely means, or null where none is near. */
function findNearest(typed: string, names: readonly string[]): string | null {
  const ranked = names
    .map((name) => ({ name, changes: countChanges(typed.toLowerCase(), name) }))
    .sort((a, b) => a.changes - b.changes);
  const best = ranked[0];
  return best && best.changes <= Math.max(2, typed.length / 3) ? best.name : null;
}

const listGroup = (group: string): Command[] =>
  commands.filter(({ name }) => name.startsWith(`${group} `));

function refuseUnknown(typed: string, names: readonly string[]): never {
  const nearest = findNearest(typed, names);
  const meant = nearest === null ? '' : ` Did you mean "desk ${nearest}"?`;
  throw badUsage(`There is no command "${typed}".${meant} "desk --help" lists them all.`);
}

/** Finds the command that the first plain words name; null for none. */
function findCommand(words: readonly string[]): Pick<ParsedLine, 'command' | 'group'> {
  const [first, second, third] = words;
  if (first === undefined || first === 'help') return { command: null, group: null };
  const names = commands.map(({ name }) => name);
  const single = commands.find(({ name }) => name === first);
  if (single) return { command: single, group: null };
  const group = listGroup(first);
  if (group.length === 0) refuseUnknown(first, [...names, ...names.map((n) => n.split(' ')[0]!)]);
  if (second === undefined) return { command: null, group: first };
  const found = group.find(({ name }) => name === `${first} ${second}`);
  if (found) return { command: found, group: first };
  const inner = `${first} ${second}`;
  if (listGroup(inner).length === 0) refuseUnknown(inner, names);
  if (third === undefined) return { command: null, group: inner };
  const deep = group.find(({ name }) => name === `${inner} ${third}`);
  return deep ? { command: deep, group: inner } : refuseUnknown(`${inner} ${third}`, names);
}

function explainParseError(error: unknown, command: Command | null): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
  const unknown = /^Unknown option '--?([^']+)'/.exec(message)?.[1];
  const bare = /^Option '(--[^ ']+)[^']*' argument (?:missing|is ambiguous)/.exec(message)?.[1];
  const help = `See "desk ${command ? `${command.name} ` : ''}--help".`;
  if (bare !== undefined) throw badUsage(`${bare} needs a value. ${help}`);
  if (unknown === undefined) throw badUsage(`${message.split('\n')[0]} ${help}`);
  const nearest = findNearest(unknown, Object.keys({ ...globalOptions, ...command?.options }));
  const meant = nearest === null ? '' : ` Did you mean "--${nearest}"?`;
  throw badUsage(`There is no option "--${unknown}" here.${meant} ${help}`);
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const [min, max] = command.positionals;
  const usage = `Usage: desk ${command.name} ${command.usage}`.trimEnd();
  if (positionals.length < min) throw badUsage(`An argument is missing. ${usage}`);
  if (positionals.length > max)
    throw badUsage(`"${positionals[max]}" is one argument too many. ${usage}`);
}

/** Reads the words after `desk`. Throws bad usage for an unknown command, option or count. */
export function parseArguments(words: readonly string[]): ParsedLine {
  const loose = parseArgs({
    args: [...words],
    options: toParseOptions(globalOptions),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const plain = loose.tokens.filter((token) => token.kind === 'positional');
  const { command, group } = findCommand(plain.map(({ value }) => value));
  const nameWords = command ? command.name.split(' ').length : plain.length;
  const named = new Set(plain.slice(0, nameWords).map(({ index }) => index));
  try {
    const { values, positionals } = parseArgs({
      args: words.filter((_, at) => !named.has(at)),
      options: toParseOptions({ ...globalOptions, ...command?.options }),
      allowPositionals: true,
    });
    if (command && !values.help && !values.version) checkPositionals(command, positionals);
    return { command, group, values, positionals };
  } catch (error) {
    return explainParseError(error, command);
  }
}
