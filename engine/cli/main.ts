/** `desk`: reads the command line, runs one command, prints its result last, and ends with its exit code. */
import { resolve } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { defaultDataDir } from '../folder.ts';
import {
  badUsage,
  type Call,
  CommandError,
  type ExitCode,
  exitCodes,
  type Outcome,
  readOption,
} from './command.ts';
import { type EngineClient, openEngine } from './engine-client.ts';
import { type ParsedLine, parseArguments } from './parse-arguments.ts';
import { describeHelp } from './show-help.ts';
import { openTerminal } from './terminal.ts';

/** npm runs scripts in the package's folder: the caller's is handed over. */
const callerDir = process.env.DESK_CWD ?? process.cwd();
const terminal = openTerminal();

/** What the shell answers for a process that Ctrl+C ended. */
const interruptedExitCode = 130;

function catchInterrupt(): AbortSignal {
  const interruption = new AbortController();
  const onSignal = () => {
    if (interruption.signal.aborted) process.exit(interruptedExitCode);
    interruption.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  return interruption.signal;
}

async function runCommand(line: ParsedLine): Promise<Outcome> {
  const { command, group, values, positionals } = line;
  if (values.version) {
    const { readVersion } = await import('../main.ts');
    return { json: { version: readVersion() }, lines: [readVersion()] };
  }
  if (!command || values.help) {
    const lines = describeHelp(command, group);
    if (!command && group !== null && !values.help)
      throw badUsage(`"desk ${group}" needs a second word.\n\n${lines.join('\n')}`);
    return { json: { help: lines }, lines };
  }
  if (values.staging)
    throw badUsage(
      'The staging world is not part of this version yet. Run the command without --staging.',
    );
  const clients: Promise<EngineClient>[] = [];
  const call: Call = {
    values,
    positionals,
    isJson: values.json === true,
    dataDir: '',
    terminal,
    resolvePath: (path) => resolve(callerDir, path),
    catchInterrupt,
    openEngine() {
      clients[0] ??= openEngine(dataDir, readOption(call, 'account'));
      return clients[0];
    },
  };
  const chosen = readOption(call, 'data-dir');
  const dataDir = chosen === undefined ? defaultDataDir() : resolve(callerDir, chosen);
  try {
    return await command.run({ ...call, dataDir });
  } finally {
    for (const client of await Promise.allSettled(clients))
      if (client.status === 'fulfilled') await client.value.close();
  }
}

interface Refusal {
  readonly exitCode: ExitCode;
  readonly error: string;
  readonly detail: string;
}

function describeRefusal(error: unknown): Refusal {
  if (error instanceof CommandError)
    return { exitCode: error.exitCode, error: error.code, detail: error.message };
  if (error instanceof EngineError) {
    const isShort = error.code === 'insufficient_credits';
    const exitCode = isShort ? exitCodes.notEnoughCredits : exitCodes.failed;
    return { exitCode, error: error.code, detail: error.detail };
  }
  // A bug: where it happened helps whoever mends it.
  terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const detail = 'Something went wrong in the command line itself. What is known is above.';
  return { exitCode: exitCodes.failed, error: 'internal_error', detail };
}

/** Writes to standard output and waits until all of it has gone. */
const print = (text: string): Promise<void> =>
  new Promise((done) => process.stdout.write(`${text}\n`, () => done()));

async function main(words: readonly string[]): Promise<ExitCode> {
  // Asked of the words themselves: also what cannot be parsed is answered in JSON.
  const isJson = words.includes('--json');
  try {
    const outcome = await runCommand(parseArguments(words));
    if (isJson && outcome.json !== undefined) await print(JSON.stringify(outcome.json));
    else if (!isJson && outcome.lines.length > 0) await print(outcome.lines.join('\n'));
    return outcome.exitCode ?? exitCodes.done;
  } catch (error) {
    const { exitCode, error: code, detail } = describeRefusal(error);
    terminal.note(detail);
    if (isJson) await print(JSON.stringify({ error: code, detail }));
    return exitCode;
  }
}

// A reader that went away (`desk … | head`) is no failure of the command.
process.stdout.on('error', () => {});
process.exit(await main(process.argv.slice(2)));
