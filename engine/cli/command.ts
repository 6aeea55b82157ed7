/** What a command of `desk` is: how it is called, what it is given, what it answers, how it refuses. */
import type { EngineClient } from './engine-client.ts';
import type { Terminal } from './terminal.ts';

/** 0 done, 1 failed, 2 bad usage, 3 not enough credits (decisions.md, "Command line"). */
export const exitCodes = { done: 0, failed: 1, badUsage: 2, notEnoughCredits: 3 } as const;
/** An exit code. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A refusal by the command line itself: what happened, and what to do next. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly code: string;
  readonly exitCode: ExitCode;
  /** @param code the word for it that `--json` shows as `error` */
  constructor(code: string, exitCode: ExitCode, message: string) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** The refusal of a command line that cannot be meant: exit code 2. */
export const badUsage = (message: string): CommandError =>
  new CommandError('bad_usage', exitCodes.badUsage, message);

/** One option of a command. */
export interface Option {
  /** What stands for its value in the help; an option without one is a switch. */
  readonly value?: string;
  /** Left out of the help where absent. */
  readonly summary?: string;
}

/** What a command is run with. */
export interface Call {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
  readonly isJson: boolean;
  /** The data folder, absolute. */
  readonly dataDir: string;
  readonly terminal: Terminal;
  /** A path as the caller means it: relative ones are the caller's. */
  resolvePath(path: string): string;
  /** Writes to standard output what is said before the result. */
  print(text: string): Promise<void>;
  /** The engine that owns the folder: the running one, or one of our own. The caller never closes it. */
  openEngine(): Promise<EngineClient>;
  /** From now on Ctrl+C aborts this signal instead of the process; a second one ends the process. */
  catchInterrupt(): AbortSignal;
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

/** A command of `desk`. */
export interface Command {
  /** One word, or two for a command of a group: "directory import". */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, as the help shows it. */
  readonly usage: string;
  /** How many arguments it takes beside its options. */
  readonly positionals: readonly [min: number, max: number];
  readonly options?: Readonly<Record<string, Option>>;
  /** What the help says beneath the options. */
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
