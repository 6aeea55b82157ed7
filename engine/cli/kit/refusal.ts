// Exit codes, and the errors that carry them.

/** 0 done, 1 failed, 2 bad usage, 3 not enough credits (docs/command-line.md). */
export const exitCodes = { done: 0, failed: 1, badUsage: 2, notEnoughCredits: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export class CommandError extends Error {
  override name = 'CommandError';
  readonly code: string;
  readonly exitCode: ExitCode;
  /** @param code the `error` of the `--json` output */
  constructor(code: string, exitCode: ExitCode, message: string) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** The error for an invalid command line: exit code 2. Functions that read options throw it. */
export const badUsage = (message: string): CommandError =>
  new CommandError('bad_usage', exitCodes.badUsage, message);

/** @param command the command that lists the ids */
export const listIds = (command: string): string => `List the ids with "desk ${command}".`;

/**
 * @param typed the word, with its option
 * @param what what the id is of: "a job"
 * @param command the command that lists the ids
 */
export const notAnId = (typed: string, what: string, command: string): CommandError =>
  badUsage(`${typed} is not the id of ${what}. ${listIds(command)}`);
