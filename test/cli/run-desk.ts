// Runs the real `desk` as a separate process, as a script would, with its own data folder.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLine } from '../../engine/cli/run-line.ts';
import { deskCommand } from '../desk-program.ts';
import { noteWait } from '../waiting.ts';

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line on standard output, which is the result. */
  readonly last: string;
  /** The last line as JSON; throws if it is not JSON. */
  readonly json: Record<string, unknown>;
}

export interface Started {
  readonly done: Promise<Run>;
  /** Resolves when standard error contains the text. */
  said(words: string): Promise<void>;
  interrupt(): void;
}

/** The folder of one test: the caller's folder, which contains a data folder. */
export interface Place {
  readonly dir: string;
  readonly dataDir: string;
  write(name: string, text: string | Uint8Array): string;
  /** Starts `desk` in the folder with the data folder. */
  start(...args: string[]): Started;
  /** Runs `desk` to its end. */
  run(...args: string[]): Promise<Run>;
  /** Runs a command in this process, which is faster with a running engine. */
  here(...args: string[]): Promise<Run>;
  remove(): void;
}

function readRun(code: number | null, stdout: string, stderr: string): Run {
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  return {
    code,
    stdout,
    stderr,
    last,
    get json() {
      return JSON.parse(last) as Record<string, unknown>;
    },
  };
}

function startDesk(dir: string, args: readonly string[]): Started {
  const child = spawn(process.execPath, [...deskCommand, ...args], {
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DESK_CWD: dir },
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
    for (const listener of listeners) listener();
  });
  const ended = new Promise<Run>((resolve) => {
    child.on('close', (code) => resolve(readRun(code, stdout, stderr)));
  });
  const done = noteWait(() => `desk ${args.join(' ')}: ${stderr}`, ended);
  return {
    done,
    said: (words) =>
      new Promise((resolve, reject) => {
        const listener = () => stderr.includes(words) && resolve();
        listeners.add(listener);
        listener();
        void done.then(() => reject(new Error(`"${words}" was never said: ${stderr}`)));
      }),
    interrupt: () => void child.kill('SIGINT'),
  };
}

export function makePlace(): Place {
  const dir = mkdtempSync(join(tmpdir(), 'desk-cli-'));
  const dataDir = join(dir, 'data');
  mkdirSync(join(dir, 'lists'));
  const start = (...args: string[]) => startDesk(dir, [...args, '--data-dir', dataDir]);
  return {
    dir,
    dataDir,
    write(name, text) {
      const path = join(dir, name);
      writeFileSync(path, text);
      return path;
    },
    start,
    run: (...args) => start(...args).done,
    here: (...args) => runHere({ dir, dataDir }, args),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export interface Person {
  answer(question: string): boolean | Promise<boolean>;
  readonly secret?: string;
  /** Receives all output so far; may press Ctrl+C with the controller. */
  hear?(said: string, interrupt: AbortController): void;
}

/** Runs a command in this process, without a terminal or with a simulated one. */
export async function runHere(
  place: Pick<Place, 'dir' | 'dataDir'>,
  args: readonly string[],
  person?: Person,
): Promise<Run> {
  let stdout = '';
  let stderr = '';
  const interrupt = new AbortController();
  const output = {
    write(text: string) {
      stderr += text;
      person?.hear?.(stderr, interrupt);
    },
  };
  const ended = runLine([...args, '--data-dir', place.dataDir], {
    terminal: {
      output,
      isInteractive: person !== undefined,
      note: (line: string) => output.write(`${line}\n`),
      ask: async (question) => person?.answer(question) ?? false,
      readSecret: async () => person?.secret ?? '',
    },
    callerDir: place.dir,
    catchInterrupt: () => interrupt.signal,
    async print(text) {
      stdout += `${text}\n`;
    },
  });
  const code = await noteWait(() => `desk ${args.join(' ')}: ${stderr}`, ended);
  return readRun(code, stdout, stderr);
}
