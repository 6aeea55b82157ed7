// Runs one line of `desk`: prints the command's result last and returns the exit code.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from '../app/main.ts';
import { EngineError, errorTable } from '../contract/errors.ts';
import { crmNames } from '../contract/exports/crm-export.ts';
import {
  folderHandoverMaxMs,
  folderPollIntervalMs,
  quietWaitMs,
} from '../contract/limits/platform.ts';
import { answersAt, defaultDataDir } from '../platform/data-dir.ts';
import { isFolderLocked } from '../platform/data-dir-lock.ts';
import { watchForPrimary } from '../platform/folder-handover.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { loadCommands } from './commands.ts';
import {
  type Call,
  type Command,
  type Option,
  type Outcome,
  quoteWord,
  readOption,
} from './kit/command.ts';
import {
  type EngineClient,
  type FindEngine,
  type Findings,
  openEngine,
  probeIntervalMs,
} from './kit/engine-client.ts';
import { CommandError, type ExitCode, exitCodes, listIds } from './kit/refusal.ts';
import type { Terminal } from './kit/terminal.ts';
import { type CommandLine, type InfoLine, parseLine } from './parse-line.ts';

interface Folder {
  readonly dataDir: string;
  readonly socketPath: string;
  /** Until then the folder is left to the engine that requested it. */
  readonly leftUntilMs: number;
}

async function findOrOpen(
  { dataDir, socketPath, leftUntilMs }: Folder,
  onWait: Findings['onWait'],
): Promise<Engine | null> {
  const startedAtMs = Date.now();
  let isTold = false;
  for (;;) {
    if (await answersAt(socketPath)) return null;
    if (Date.now() < leftUntilMs) {
      await wait(probeIntervalMs);
      continue;
    }
    // Loaded here only, so that a command to a running engine starts fast.
    const { startEngine } = await import('../app/main.ts');
    try {
      return await startEngine({
        dataDir,
        port: null,
        socket: true,
        uiDir: null,
        role: 'secondary',
      });
    } catch (error) {
      // The owner may be another command that is starting or ending, or has ended by now.
      const waitedMs = Date.now() - startedAtMs;
      if (!isFolderLocked(error) || waitedMs > folderHandoverMaxMs) throw error;
      if (!isTold && waitedMs > quietWaitMs) {
        isTold = true;
        onWait(`Waiting for another engine on ${dataDir} to start or stop.`);
      }
      await wait(probeIntervalMs);
    }
  }
}

/** For how long the folder is left to the engine that requested it, which may fail to start. */
const takeOverMs = 10 * folderPollIntervalMs;

/** Resolves when other commands do not wait for an answer of the command's own engine. */
const serveOthers = (engine: Engine, onWait: Findings['onWait']): Promise<void> =>
  engine.whenAnswered(() =>
    onWait('This command is done. It ends when its engine has answered all open requests.'),
  );

/**
 * Finds the running engine, else starts one, which releases the folder to the app and to `desk
 * serve`. Throws EngineError if the folder cannot be opened.
 */
function createFindEngine(): FindEngine {
  let leftUntilMs = 0;
  return async (dataDir, socketPath, { onWait, onLeave }) => {
    const engine = await findOrOpen({ dataDir, socketPath, leftUntilMs }, onWait);
    if (!engine) return null;
    let close = () => engine.close();
    const stopWatching = watchForPrimary(dataDir, () => {
      const gone = engine.close().finally(() => {
        leftUntilMs = Date.now() + takeOverMs;
      });
      leftUntilMs = Number.POSITIVE_INFINITY;
      close = () => gone;
      onLeave(gone);
    });
    return async () => {
      await serveOthers(engine, onWait);
      stopWatching();
      await close();
    };
  };
}

export interface Host {
  readonly terminal: Terminal;
  readonly callerDir: string;
  print(text: string): Promise<void>;
  /** Returns a signal that Ctrl+C aborts, instead of ending the process, until `until`. */
  catchInterrupt(until?: AbortSignal): AbortSignal;
}

function showInfo({ topic, text }: InfoLine): Outcome {
  const lines = text.trimEnd().split('\n');
  return { json: topic === 'version' ? { version: lines[0] } : { help: lines }, lines };
}

/** Refusals of an id that do not say what it should be of. The second is of one id of several. */
const bareRefusals: readonly string[] = [
  errorTable.not_found.sentence,
  'job_ids[0]: Invalid UUID.',
];

/** Names the command that lists the ids, instead of a path that the user did not write. */
async function nameList(error: unknown, { name, args = '' }: Command): Promise<unknown> {
  if (!(error instanceof EngineError)) return error;
  const isBare = bareRefusals.includes(error.detail);
  const missing = /^.*\b([a-z]+) does not exist\.(?= List your |$)/.exec(error.detail);
  if (!isBare && !missing) return error;
  const group = name.split(' ').slice(0, -1).join(' ');
  const subject = missing?.[1] ?? (args.includes('JOB_ID') ? 'job' : '');
  const several = subject.replace(/y$/, 'ie');
  const lists = [`${several}s list`, `${subject} list`, `${group} ${several}s`, `${group} list`];
  const known = new Set((await loadCommands()).map((command) => command.name));
  const list = lists.find((one) => known.has(one));
  const code = isBare ? 'not_found' : error.code;
  const what = missing?.[0] ?? 'Nothing has this id.';
  return new EngineError(code, `${what} ${list ? listIds(list) : 'Check it.'}`, { cause: error });
}

/** A longer value is not repeated: its beginning is no help. */
const shownValueCharactersMax = 80;

/** Names arguments and options as typed, instead of the members of a request they became. */
function nameOptions(error: unknown, { command, values }: CommandLine): unknown {
  const { options = {}, args = '' } = command;
  if (!(error instanceof EngineError)) return error;
  const typed = (word: string): string | null => {
    const option = word.replaceAll('_', '-');
    if (option in options) return `--${option}`;
    const isNamed = ([name, { value }]: [string, Option]) =>
      word.includes('_') && value === word.toUpperCase() && name in values;
    const [named] = Object.entries(options).find(isNamed) ?? [];
    return named === undefined ? null : `--${named}`;
  };
  const start = /^([a-z_]+)((?:\.[^\s.:[]+|\[[^\]]*\])*): /;
  const detail = error.detail
    .replace(start, (words, word: string, place: string) => {
      const option = typed(word);
      const argument = word.toUpperCase();
      if (option === null) return args.includes(argument) ? words.replace(word, argument) : words;
      const { [option.slice(2)]: value } = values;
      const isShown =
        typeof value === 'string' &&
        value.length <= shownValueCharactersMax &&
        !error.detail.includes(JSON.stringify(value));
      const shown = isShown ? `${option} ${quoteWord(value)}` : option;
      return `${shown}${place.replace(/^\.?(?=.)/, ', ')}: `;
    })
    .replace(/(?<![\w"'-])[a-z]+(?:_[a-z]+)+(?![\w"'])/g, (word) => {
      const isPreset = crmNames.some((name) => name === word);
      return typed(word) ?? (isPreset ? word.replaceAll('_', '-') : word);
    });
  return detail === error.detail ? error : new EngineError(error.code, detail, { cause: error });
}

async function runCommand(line: CommandLine, host: Host): Promise<Outcome> {
  const { command, values, positionals } = line;
  const { terminal, callerDir } = host;
  const dataDirGiven = values['data-dir'];
  const dataDir =
    typeof dataDirGiven === 'string' ? resolve(callerDir, dataDirGiven) : defaultDataDir();
  const environment = values.staging ? 'staging' : 'live';
  const engines: Promise<EngineClient>[] = [];
  const call: Call = {
    values,
    positionals,
    dataDir,
    terminal,
    environment,
    isJson: values.json === true,
    resolvePath: (path) => resolve(callerDir, path),
    print: host.print,
    catchInterrupt: host.catchInterrupt,
    openEngine() {
      const accountId = readOption(call, 'account');
      const find = createFindEngine();
      engines[0] ??= openEngine({ dataDir, environment, accountId }, find, terminal.note);
      return engines[0];
    },
  };
  try {
    return await command.run(call);
  } catch (error) {
    throw nameOptions(await nameList(error, command), line);
  } finally {
    // A failure to open it has been reported already.
    const opened = await engines[0]?.catch(() => null);
    await opened?.close();
  }
}

interface Refusal {
  readonly exitCode: ExitCode;
  readonly error: string;
  readonly detail: string;
}

function describeRefusal(error: unknown, terminal: Terminal): Refusal {
  if (error instanceof CommandError)
    return { exitCode: error.exitCode, error: error.code, detail: error.message };
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  if (refusal) {
    const isShort = refusal.code === 'insufficient_credits';
    const exitCode = isShort ? exitCodes.notEnoughCredits : exitCodes.failed;
    return { exitCode, error: refusal.code, detail: refusal.detail };
  }
  // A bug. The stack goes to standard error; the answer names it by its id.
  const id = randomUUID();
  terminal.note(`bug ${id} in the command line`);
  terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const detail = `Internal error in the command line (${id}). The log above has the details.`;
  return { exitCode: exitCodes.failed, error: 'internal_error', detail };
}

/**
 * Runs the words after `desk` and returns the exit code. The result is the last line printed. With
 * --json it is one line of JSON, for a refusal too. Never throws.
 */
export async function runLine(words: readonly string[], host: Host): Promise<ExitCode> {
  // Read from the words: a line that cannot be parsed is answered in JSON as well.
  const isJson = words.includes('--json');
  try {
    const line = await parseLine(words);
    const outcome = line.command ? await runCommand(line, host) : showInfo(line);
    if (isJson && outcome.json !== undefined) await host.print(JSON.stringify(outcome.json));
    else if (!isJson && outcome.lines.length > 0) await host.print(outcome.lines.join('\n'));
    return outcome.exitCode ?? exitCodes.done;
  } catch (error) {
    const { exitCode, error: code, detail } = describeRefusal(error, host.terminal);
    host.terminal.note(detail);
    if (isJson) await host.print(JSON.stringify({ error: code, detail }));
    return exitCode;
  }
}
