/** Runs the real `desk` as a process of its own, as a script would, on its own data folder. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../engine/cli/main.ts');

/** What a run left. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The last line on standard output, where the result is. */
  readonly last: string;
  /** The last line as JSON; throws where it is none. */
  readonly json: Record<string, unknown>;
}

/** A command that is running. */
export interface Started {
  readonly done: Promise<Run>;
  /** Resolves when the words were said on standard error. */
  said(words: string): Promise<void>;
  interrupt(): void;
}

/** A folder of one test: the caller's folder, with a data folder in it. */
export interface Place {
  readonly dir: string;
  readonly dataDir: string;
  /** Writes a file and returns its path. */
  write(name: string, text: string): string;
  /** Begins `desk` in the folder on the data folder. */
  start(...args: string[]): Started;
  /** Runs `desk` to its end. */
  run(...args: string[]): Promise<Run>;
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
  const child = spawn(process.execPath, [program, ...args], {
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
  const done = new Promise<Run>((resolve) => {
    child.on('close', (code) => resolve(readRun(code, stdout, stderr)));
  });
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

/** Makes a place for a test. */
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
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
