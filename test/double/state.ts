// Shared state of the stand-in for Electron: browser, windows, recorded calls.
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { BrowserContext, Page } from 'playwright-core';

/** A window as the other modules see it. */
export interface HostWindow {
  page: Page | undefined;
  close(): void;
  destroy(): void;
}

/** The browser once it runs, whether `ready` was emitted, and the open windows. */
export const host: { context: BrowserContext | null; isReady: boolean; windows: Set<HostWindow> } =
  { context: null, isReady: false, windows: new Set() };

/** All calls to the operating system: opened addresses, dialogs, notifications. */
export const seen: { api: string; args: unknown[] }[] = [];

export const note = (api: string, ...args: unknown[]): void => {
  seen.push({ api, args });
};

/** The environment as the fuses of a release leave it: without the options of Node. */
export function withoutNodeOptions(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_EXTRA_CA_CERTS: _authorities, ...left } = environment;
  return left;
}

/** A copy as made between processes; throws on functions, as Electron does. */
export const clone = <T>(value: T): T => deserialize(serialize(value)) as T;

/** The value of an argument `--name=value` of this run. */
export const findFlag = (name: string): string | undefined =>
  process.argv.find((given) => given.startsWith(`--${name}=`))?.slice(name.length + 3);

/** Whether the app is installed: its folder is then used in place of the archive. */
export const isPackaged = basename(process.cwd()) === 'app.asar';
// Electron has it in every process of an installed app.
if (isPackaged)
  Object.assign(process, {
    resourcesPath: dirname(process.cwd()),
    env: withoutNodeOptions(process.env),
  });

/** The user data folder of this run: of `--user-data-dir=`, or the one of Electron on Linux. */
export const home =
  findFlag('user-data-dir') ??
  (isPackaged
    ? join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'Enrichment Desk')
    : join(process.cwd(), '.double'));
