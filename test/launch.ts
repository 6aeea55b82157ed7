// Starts the built app: on Electron if its binary exists, otherwise on the stand-in. Same tests.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, chromium, type Page } from 'playwright-core';
import { electronFlags, findElectron } from '../scripts/electron-binary.mjs';
import type { AppEvents, PowerEvents, ScreenEvents } from './double/events.ts';

const root = resolve(import.meta.dirname, '..');
/** Electron's module; `seen` contains the recorded calls to the operating system. */
type Electron = Omit<typeof import('electron'), 'app' | 'powerMonitor' | 'screen'> & {
  seen?: { api: string; args: unknown[] }[];
  app: Emitting<Electron.App, AppEvents>;
  powerMonitor: Emitting<Electron.PowerMonitor, PowerEvents>;
  screen: Emitting<Electron.Screen, ScreenEvents>;
};
/** A part of Electron whose events the tests emit with the documented arguments alone. */
type Emitting<Part, Events extends Record<keyof Events, unknown[]>> = Omit<Part, 'emit'> & {
  emit<Name extends keyof Events>(name: Name, ...args: Events[Name]): boolean;
};

export interface Desk {
  /** The running shell: results on the double prove wiring only. */
  host: 'electron' | 'double';
  window: Page;
  /** Runs a function in the main process; it is sent as text and has no access to its scope. */
  evaluate<Result, Argument>(
    run: (electron: Electron, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>;
  exited: Promise<number | null>;
  close(): Promise<void>;
}

/**
 * How long an action in a page may take on a busy machine, in milliseconds. After a failure each of
 * the next tests of its file may wait as long.
 */
export const patienceMs = 60_000;
/** How long the first start and large lists may take. */
export const longWork = { timeout: 150_000 } as const;

/** A folder that is removed with its test. */
export function scratch(): { dir: string } & Disposable {
  const dir = mkdtempSync(join(tmpdir(), 'desk-'));
  return {
    dir,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const waitForExit = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

interface LaunchOptions {
  /** Environment variables in addition to this process's; the engine's port is free by default. */
  env?: Record<string, string>;
  /** The folder of the built app; the project's own by default. */
  appDir?: string;
}
type Deps = Required<LaunchOptions>;

async function launchElectron(
  executablePath: string,
  userData: string,
  { env, appDir }: Deps,
): Promise<Desk> {
  const flags = electronFlags();
  // Machines of workflows have no graphics; Chromium would report the end of that process.
  const args = [...flags, '--disable-gpu', `--user-data-dir=${userData}`, '.'];
  // The library disables the sandbox, unless it is told not to.
  const chromiumSandbox = !flags.includes('--no-sandbox');
  const electron = await _electron.launch({
    executablePath,
    cwd: appDir,
    args,
    env,
    chromiumSandbox,
  });
  electron.context().setDefaultTimeout(patienceMs);
  return {
    host: 'electron',
    window: await electron.firstWindow(),
    evaluate: (run, argument) => electron.evaluate(run as never, argument as never) as never,
    exited: waitForExit(electron.process()),
    close: () => electron.close(),
  };
}

interface Reply {
  id: number;
  value?: unknown;
  error?: string;
}
function createEvaluate(child: ChildProcess): Desk['evaluate'] {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  child.on('message', ({ id, value, error }: Reply) => {
    if (error === undefined) waiting.get(id)?.resolve(value);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the app has ended'));
  });
  let lastId = 0;
  return (run, argument) => {
    const id = ++lastId;
    const outcome = Promise.withResolvers<unknown>();
    waiting.set(id, outcome);
    child.send({ id, code: run.toString(), argument });
    return outcome.promise as never;
  };
}

async function launchDouble(userData: string, { env, appDir }: Deps): Promise<Desk> {
  const program = join(root, 'test/double/run.ts');
  const child = fork(program, [`--user-data-dir=${userData}`], {
    cwd: appDir,
    env,
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const exited = waitForExit(child);
  const evaluate = createEvaluate(child);
  const browserUrl = await new Promise<string>((ready, reject) => {
    child.once('exit', (code) => reject(new Error(`the double exited with ${code}`)));
    child.on('message', (message: { browserUrl?: string }) => {
      if (message.browserUrl) ready(message.browserUrl);
    });
  });
  const browser = await chromium.connectOverCDP(browserUrl, { isLocal: true });
  const context = browser.contexts()[0];
  context?.setDefaultTimeout(patienceMs);
  const window = context?.pages()[0] ?? (await context?.waitForEvent('page'));
  if (!window) throw new Error('no window opened');
  await window.waitForURL((url) => url.protocol === 'http:');
  return {
    host: 'double',
    window,
    evaluate,
    exited,
    async close() {
      // As a user would: the engine finishes its batch, and unfinished work shows.
      if (child.connected) await evaluate(({ app }) => void setImmediate(() => app.quit()));
      await exited;
      await browser.close();
    },
  };
}

/**
 * Starts the app once more with the same data, as a person would who opens a file.
 * @returns its exit code
 */
export async function startAgain(userData: string, argv: readonly string[]): Promise<number> {
  const electron = process.env.DESK_HOST === 'double' ? null : findElectron();
  const own = [`--user-data-dir=${userData}`];
  const args =
    electron === null
      ? [join(root, 'test/double/run.ts'), ...own, ...argv]
      : [...electronFlags(), ...own, '.', ...argv];
  const child = spawn(electron ?? process.execPath, args, { cwd: root, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  return code;
}

/** The engine's data folder of an app with this `userData`. */
export const engineDataDir = (userData: string): string => join(userData, 'engine');

/**
 * Starts the app and waits for its window.
 * @param userData folder of this run's data; a second start with the same one finds it again
 */
export function launch(userData: string, options: LaunchOptions = {}): Promise<Desk> {
  const own = Object.entries(process.env).filter((entry) => entry[1] !== undefined);
  const inherited = Object.fromEntries(own as [string, string][]);
  const env = {
    ...inherited,
    DESK_PORT: '0',
    DESK_DATA_DIR: engineDataDir(userData),
    ...options.env,
  };
  const launchOptions = { env, appDir: options.appDir ?? root };
  const program = process.env.DESK_HOST === 'double' ? null : findElectron();
  const { DESK_EXPECT_HOST: expected = 'any' } = process.env;
  if (program === null && expected === 'electron')
    throw new Error('The stand-in proves no more than wiring: Electron is expected here.');
  return program === null
    ? launchDouble(userData, launchOptions)
    : launchElectron(program, userData, launchOptions);
}
