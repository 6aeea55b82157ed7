// The interface of a command of `desk`: its declaration, its input and its result.
import type { AnswerOf, AppEndpoint, Arguments, InputOf } from '../../contract/endpoints.ts';
import { type EnvironmentName, UuidSchema } from '../../contract/ids.ts';
import type { EngineClient } from './engine-client.ts';
import { badUsage, type ExitCode, notAnId } from './refusal.ts';
import type { Terminal } from './terminal.ts';

export interface Option {
  /** The placeholder of its value in the help, such as "FILE". Without one it is a switch. */
  readonly value?: string;
  /** Its line in the help. An option without one is hidden. */
  readonly summary?: string;
  /** Shown without brackets in the usage line. The command itself refuses a missing one. */
  readonly isRequired?: true;
  /** Its heading in the help; without one, "Options". */
  readonly group?: string;
}

export type Options = Readonly<Record<string, Option>>;

/** Options under a heading of their own in the help. */
export const groupOptions = (group: string, options: Options): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, Object.assign({ group }, option)]),
  );

export type OptionValues = Readonly<Record<string, string | true | undefined>>;

export interface Call {
  readonly values: OptionValues;
  readonly positionals: readonly string[];
  readonly isJson: boolean;
  /** The data folder, absolute. */
  readonly dataDir: string;
  /** The environment to act in: `staging` with --staging. */
  readonly environment: EnvironmentName;
  readonly terminal: Terminal;
  resolvePath(path: string): string;
  print(text: string): Promise<void>;
  /** The engine that owns the folder: the running one, or the command's own. Do not close it. */
  openEngine(): Promise<EngineClient>;
  /** A signal that Ctrl+C aborts, until `until` is aborted. A second Ctrl+C ends the process. */
  catchInterrupt(until?: AbortSignal): AbortSignal;
}

export interface Outcome {
  /** Default: 0. */
  readonly exitCode?: ExitCode;
  /** The one line of `--json`. Undefined if the command has printed everything. */
  readonly json: unknown;
  /** The lines without `--json`. The last one is the result. */
  readonly lines: readonly string[];
}

/** A command of `desk`. To add one, write a file in commands/ and list it in commands.ts. */
export interface Command {
  /** One word, or more for a command of a group: "directory import", "login provider set". */
  readonly name: string;
  readonly summary: string;
  /** Its arguments as Commander declares them: "<ID> <NAME>", and "[IN]" for an optional one. */
  readonly args?: string;
  readonly options?: Options;
  /** Sentences that the help adds to the summary. */
  readonly notes?: readonly string[];
  run(call: Call): Promise<Outcome>;
}

export async function answerOf<Asked extends AppEndpoint>(
  call: Call,
  endpoint: Asked,
  input: InputOf<Asked>,
  present: (answer: AnswerOf<Asked>) => readonly string[],
): Promise<Outcome> {
  const engine = await call.openEngine();
  const asked = [input] as Arguments<Asked, never>;
  const answer = await engine.ask(endpoint, ...asked);
  return { json: answer, lines: present(answer) };
}

export function readOption(call: Call, name: string): string | undefined {
  const value = call.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** The job of an option, undefined without it. Throws bad usage for anything but an id. */
export function readJobId(call: Call, option: string): string | undefined {
  const jobId = readOption(call, option);
  if (jobId === undefined || UuidSchema.safeParse(jobId).success) return jobId?.toLowerCase();
  throw notAnId(`--${option} ${jobId}`, 'a job', 'jobs list');
}

/** The text of a required option. Throws bad usage if it is not given. */
export function requireOption(call: Call, name: string, what: string): string {
  const value = readOption(call, name);
  if (value === undefined) throw badUsage(`--${name} is missing: ${what}.`);
  return value;
}

/** An option that is on or off: undefined if it is not given. Throws bad usage. */
export function readSwitch(call: Call, name: string): boolean | undefined {
  const text = readOption(call, name)?.toLowerCase();
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw badUsage(`--${name} ${text} is neither on nor off.`);
  return text === 'on';
}

export const quoteWord = (word: string): string =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export const repeatOptions = (call: Call): string =>
  ['data-dir', 'account']
    .filter((name) => name in call.values)
    .map((name) => ` --${name} ${quoteWord(String(call.values[name]))}`)
    .join('') + (call.environment === 'staging' ? ' --staging' : '');
