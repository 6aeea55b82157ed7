/** The help of `desk`, of a group and of one command, all from the table of commands. */

import { commands } from './commands.ts';
import type { Command, Option } from './kit/command.ts';
import { formatTable } from './kit/format-text.ts';
import { globalOptions } from './parse-arguments.ts';

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

const describeOptions = (options: Readonly<Record<string, Option>>): string[] =>
  indent(
    formatTable(
      Object.entries(options)
        .filter(([, { summary }]) => summary !== undefined)
        .map(([name, { value, summary }]) => [`--${name}${value ? ` ${value}` : ''}`, summary!]),
    ),
  );

function describeCommand(command: Command): string[] {
  const own = describeOptions(command.options ?? {});
  return [
    `desk ${command.name} ${command.usage}`.trimEnd(),
    '',
    `${command.summary}.`,
    ...(command.notes ?? []),
    '',
    ...(own.length === 0 ? [] : ['Options:', ...own, '']),
    'Options of every command:',
    ...describeOptions(globalOptions),
  ];
}

function listCommands(group: string | null): string[] {
  const shown = commands.filter(({ name }) => group === null || name.startsWith(`${group} `));
  return [
    'Enrichment Desk: batch contact enrichment from your own lists.',
    '',
    'Usage: desk COMMAND [options]',
    '',
    'Commands:',
    ...indent(formatTable(shown.map(({ name, summary }) => [name, summary]))),
    '',
    'Options of every command:',
    ...describeOptions(globalOptions),
    '',
    'The result is the last line on standard output; progress goes to standard error.',
    'Exit codes: 0 done, 1 failed, 2 bad usage, 3 not enough credits.',
    '"desk COMMAND --help" tells more about one of them.',
  ];
}

/** The lines of the help for a command, else for a group, else for everything. */
export const describeHelp = (command: Command | null, group: string | null): string[] =>
  command ? describeCommand(command) : listCommands(group);
