// Parses the words after `desk` with Commander, from the table of commands.
import { CommanderError, Help, Command as Parser, Option as ParserOption } from 'commander';
import { readVersion } from '../platform/version.ts';
import { commandModules, groupOf, loadCommands } from './commands.ts';
import type { Command, Options, OptionValues } from './kit/command.ts';
import { badUsage } from './kit/refusal.ts';

/** Options of every command. `--help` and `--version` are Commander's own. */
const globalOptions: Options = {
  'data-dir': { value: 'DIR', summary: "the data folder (default: the app's own)" },
  account: { value: 'ID', summary: 'the account to act for (default: the first one)' },
  staging: { summary: 'use staging: its own keys, wallet, directory and jobs' },
  json: { summary: 'print the result as one line of JSON' },
};

const generalNotes = `
The result is the last line on standard output; progress goes to standard error.
Exit codes: 0 done, 1 failed, 2 bad usage, 3 not enough credits.
"desk COMMAND --help" describes one command.`;

export interface CommandLine {
  readonly command: Command;
  readonly values: OptionValues;
  readonly positionals: readonly string[];
}

export interface InfoLine {
  readonly command: null;
  readonly topic: 'help' | 'version';
  readonly text: string;
}

/** The command of a parser as typed: "desk keys create". */
const pathOf = (parser: Parser): string =>
  parser.parent ? `${pathOf(parser.parent)} ${parser.name()}` : parser.name();

const listLeaves = (parser: Parser): Parser[] =>
  parser.commands.flatMap((one) => (one.commands.length > 0 ? listLeaves(one) : [one]));

function suggest(message: string, prefix: string): string {
  const words = /Did you mean (?:one of )?(.+)\?/.exec(message)?.[1]?.split(', ') ?? [];
  const quoted = words.map((word) => `"${prefix}${word}"`);
  return quoted.length > 0 ? ` Did you mean ${quoted.join(' or ')}?` : '';
}

const sentences: Readonly<Record<string, (parser: Parser, message: string) => string>> = {
  'commander.unknownCommand': (parser, message) => {
    const typed = `${pathOf(parser)} ${parser.args[0]}`.replace(/^desk /, '');
    const meant = suggest(message, `${pathOf(parser)} `);
    return `There is no command "${typed}".${meant} "desk --help" lists them all.`;
  },
  'commander.unknownOption': (parser, message) => {
    const typed = /'(.*)'/.exec(message)?.[1];
    const help = `See "${pathOf(parser)} --help".`;
    return `There is no option "${typed}" here.${suggest(message, '')} ${help}`;
  },
  'commander.missingArgument': (parser) =>
    `An argument is missing. Usage: ${pathOf(parser)} ${parser.usage()}`,
  'commander.excessArguments': (parser) => {
    const extra = parser.args[parser.registeredArguments.length];
    const usage = `${pathOf(parser)} ${parser.usage()}`.trimEnd();
    return `"${extra}" is one argument too many. Usage: ${usage}`;
  },
};

/** Throws bad usage for Commander's errors; the error itself if it shows help or the version. */
function endLine(parser: Parser, error: CommanderError): never {
  // If the line ends with a group's name, Commander shows the group's help as an error.
  const isUnfinished = error.code === 'commander.help' && error.exitCode !== 0;
  if (isUnfinished && parser.parent)
    throw badUsage(`"${pathOf(parser)}" needs one more word.\n\n${parser.helpInformation()}`);
  if (isUnfinished || error.exitCode === 0) throw error;
  throw badUsage(sentences[error.code]?.(parser, error.message) ?? error.message);
}

function addOptions(parser: Parser, options: Options): void {
  for (const [name, { value, summary, group }] of Object.entries(options)) {
    // Optional, so that Commander never reads the next option as a value. readValues refuses a
    // missing value.
    const option = new ParserOption(value ? `--${name} [value]` : `--${name}`, summary);
    option.flags = value ? `--${name} ${value}` : `--${name}`;
    if (group !== undefined) option.helpGroup(`${group}:`);
    parser.addOption(option.hideHelp(summary === undefined));
  }
}

/** The options of a line for a parser and its parents. Throws bad usage. */
function readValues(parser: Parser): OptionValues {
  const values: Record<string, string | true> = {};
  for (let at: Parser | null = parser; at; at = at.parent)
    for (const option of at.options) {
      const key = option.attributeName();
      if (at.getOptionValueSource(key) !== 'cli') continue;
      const value: unknown = at.getOptionValue(key);
      if (option.optional && typeof value !== 'string')
        throw badUsage(`${option.long} needs a value. See "${pathOf(parser)} --help".`);
      if (value === '')
        throw badUsage(`${option.long} is empty. Give it a value, or leave the option out.`);
      values[option.name()] = typeof value === 'string' ? value : true;
    }
  return values;
}

function findGroup(root: Parser, names: readonly string[], heading: string): Parser {
  return names.reduce((parser, name) => {
    const found = parser.commands.find((one) => one.name() === name);
    if (found) return found;
    // The help orders headings by these.
    const group = parser.command(name).usage('COMMAND [options]').helpGroup(heading);
    return group.exitOverride((error) => endLine(group, error));
  }, root);
}

/** The arguments and options of a command in one line: "ID --out OUT.csv [--yes]". */
function describeUsage({ args = '', options = {} }: Command): string {
  const shown = Object.entries(options)
    .filter(([, { summary }]) => summary !== undefined)
    .map(([name, { value, isRequired }]) => {
      const flag = value ? `--${name} ${value}` : `--${name}`;
      return isRequired ? flag : `[${flag}]`;
    });
  return [args.replace(/[<>]/g, ''), ...shown].join(' ').trim();
}

function addCommand(root: Parser, command: Command, onFound: (line: CommandLine) => void): void {
  const names = command.name.split(' ');
  const heading = `${groupOf(command)}:`;
  const parser = findGroup(root, names.slice(0, -1), heading).command(names.at(-1) ?? '');
  addOptions(parser, command.options ?? {});
  if (command.args !== undefined) parser.arguments(command.args);
  parser
    .summary(command.summary)
    .description([`${command.summary}.`, ...(command.notes ?? [])].join(' '))
    .helpGroup(heading)
    .usage(describeUsage(command))
    .exitOverride((error) => endLine(parser, error))
    .action(() => {
      if (parser.args.includes(''))
        throw badUsage(`An argument is empty. Usage: ${pathOf(parser)} ${parser.usage()}`);
      onFound({ command, values: readValues(parser), positionals: parser.args });
    });
}

function createParser(
  commands: readonly Command[],
  write: (text: string) => void,
  onFound: (line: CommandLine) => void,
): Parser {
  const root = new Parser('desk');
  root
    .description('Enrichment Desk: batch contact enrichment from your own lists.')
    .usage('COMMAND [options]')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', generalNotes)
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: (parser) => pathOf(parser).replace(/^desk /, ''),
      // Help also lists the commands of groups; Commander's suggestions use the groups' names.
      formatHelp: (parser, helper) =>
        Help.prototype.formatHelp.call(
          helper,
          parser,
          Object.assign(helper, { visibleCommands: listLeaves }),
        ),
    })
    .exitOverride((error) => endLine(root, error));
  addOptions(root, globalOptions);
  for (const command of commands) addCommand(root, command, onFound);
  return root;
}

function parseWords(words: readonly string[], commands: readonly Command[]) {
  let text = '';
  const found: CommandLine[] = [];
  const root = createParser(
    commands,
    (piece) => {
      text += piece;
    },
    (line) => found.push(line),
  );
  try {
    root.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const topic = error.code === 'commander.version' ? 'version' : 'help';
    return { command: null, topic, text } as const;
  }
  const [line] = found;
  if (!line) throw new Error('Commander neither found a command nor refused the line');
  return line;
}

/** The command of a line if the modules of one of its words are enough to parse it. */
async function findCommand(words: readonly string[]): Promise<CommandLine | null> {
  const first = words.find((word) => commandModules.some((module) => module.word === word));
  if (first === undefined) return null;
  const commands = await loadCommands(first);
  try {
    const line = parseWords(words, commands);
    return line.command ? line : null;
  } catch {
    // Help and refusals also name other commands.
    return null;
  }
}

/** Reads the words after `desk`. Throws bad usage for an unknown command, option or count. */
export async function parseLine(words: readonly string[]): Promise<CommandLine | InfoLine> {
  return (await findCommand(words)) ?? parseWords(words, await loadCommands());
}
