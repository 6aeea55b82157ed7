/** What a command of `desk` is: how it is called, what it is given, what it answers. */
import type { EnvironmentName } from '../../contract/ids.ts';
import type { EngineClient } from './engine-client.ts';
import { badUsage, type ExitCode } from './refusal.ts';
import type { Terminal } from './terminal.ts';

/** One option of a command. */
export interface Option {
  /** The placeholder of its value in the help, such as "FILE". Without one it is a switch. */
  readonly value?: string;
  /** Its line in the help. An option without one is hidden. */
  readonly summary?: string;
}

/** The options that a line gives, by name: the text of a value, or true for a switch. */
export type OptionValues = Readonly<Record<string, string | true | undefined>>;

/** What a command is run with. */
export interface Call {
  readonly values: OptionValues;
  readonly positionals: readonly string[];
  readonly isJson: boolean;
  /** The data folder, absolute. */
  readonly dataDir: string;
  /** The environment to act in: `staging` with --staging. */
  readonly environment: EnvironmentName;
  readonly terminal: Terminal;
  /** A path as the caller means it: relative ones are the caller's. */
  resolvePath(path: string): string;
  /** Writes to standard output what is said before the result. */
  print(text: string): Promise<void>;
  /** The engine that owns the folder: the running one, or one of our own. Never to be closed. */
  openEngine(): Promise<EngineClient>;
  /**
   * From now on, until `until` is aborted, Ctrl+C aborts this signal; a second one ends the
   * process.
   */
  catchInterrupt(until?: AbortSignal): AbortSignal;
}

/** What a command answers. */
export interface Outcome {
  /** 0 where left out. */
  readonly exitCode?: ExitCode;
  /** Shown as the one line of `--json`; undefined where everything has been said. */
  readonly json: unknown;
  /** Shown without `--json`; the result is the last line. */
  readonly lines: readonly string[];
}

/** A command of `desk`. To add one, write a file in commands/ and list it in commands.ts. */
export interface Command {
  /** One word, or more for a command of a group: "directory import", "login provider set". */
  readonly name: string;
  readonly summary: string;
  /** Its arguments as Commander declares them: "<ID> <NAME>", and "[IN]" for an optional one. */
  readonly args?: string;
  /** How the usage line of the help shows its options. */
  readonly usage?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** Whether an engine of its own lets go of the folder when the app wants it. */
  readonly yieldsFolder?: boolean;
  /** Sentences that the help adds to the summary. */
  readonly notes?: readonly string[];
  run(call: Call): Promise<Outcome>;
}

/** The text of an option, undefined where it was not given. */
export function readOption(call: Call, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The text of an option that must be given. Throws bad usage where it is not. */
export function requireOption(call: Call, name: string, what: string): string {
  const value = readOption(call, name);
  if (value === undefined) throw badUsage(`--${name} is missing: ${what}.`);
  return value;
}

/** A word as a shell takes it: quoted where it must be. */
export const quoteWord = (word: string): string =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/**
 * The options that chose folder, account and environment, to be repeated in a command that is
 * recommended.
 */
export const repeatOptions = (call: Call): string =>
  ['data-dir', 'account']
    .filter((name) => name in call.values)
    .map((name) => ` --${name} ${quoteWord(String(call.values[name]))}`)
    .join('') + (call.environment === 'staging' ? ' --staging' : '');
