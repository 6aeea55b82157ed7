// `desk serve`: runs the engine with its HTTP server and interface, until Ctrl+C.
import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../app/main.ts';
import { environmentPaths } from '../../contract/ids.ts';
import { openFileKeptMs } from '../../contract/limits/http-server.ts';
import { portDefault } from '../../contract/limits/platform.ts';
import { parsePublicUrl } from '../../http/public-url.ts';
import { childEnvironment } from '../../platform/child-environment.ts';
import { interfaceDir } from '../../platform/paths.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import { badUsage, CommandError, exitCodes } from '../kit/refusal.ts';

// Opens the interface in the system's browser. Every user of the machine can read the arguments of
// a program, so the one-time link is written to a private file, and the opener gets its path.

interface BrowserLink {
  /** The one-time link. It has no characters that need an escape in HTML or scripts. */
  readonly url: string;
  /** The data folder, which holds the file until the link is used. */
  readonly dataDir: string;
  readonly done: AbortSignal;
  note(line: string): void;
}

/** The command of each system that opens a file in the browser, without a shell. */
const openers: Partial<Record<NodeJS.Platform, (path: string) => [string, string[]]>> = {
  darwin: (path) => ['open', [path]],
  win32: (path) => ['rundll32', ['url.dll,FileProtocolHandler', path]],
};

const writePage = (url: string): string =>
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Enrichment Desk</title>' +
  `<script>location.replace("${url}")</script><p><a href="${url}">Open Enrichment Desk</a></p>\n`;

/** Starts the system's opener on a file. Calls onFailed once if it cannot be started, or fails. */
function startOpener(path: string, onFailed: () => void): void {
  const [program, args] = openers[process.platform]?.(path) ?? ['xdg-open', [path]];
  const child = spawn(program, args, {
    stdio: 'ignore',
    detached: true,
    env: childEnvironment(),
  });
  child.on('error', onFailed).on('exit', (code) => code && onFailed());
  child.unref();
}

/**
 * Opens a link and returns at once. The file is removed when the link is used, when it is not used
 * in time, when no browser can be opened, and when the engine ends.
 */
export function openBrowser({ url, dataDir, done, note }: BrowserLink): void {
  if (done.aborted) return;
  const path = join(dataDir, 'open.html');
  let isOpen = true;
  const end = (problem: string | null) => {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(timer);
    rmSync(path, { force: true });
    if (problem !== null) note(`${problem} Open the link yourself: ${url}`);
  };
  const seconds = openFileKeptMs / 1_000;
  const late = `The browser did not open the interface within ${seconds} seconds.`;
  const timer = setTimeout(() => end(late), openFileKeptMs).unref();
  const refuse = () => end('No browser could be opened here.');
  done.addEventListener('abort', () => end(null), { once: true });
  try {
    // A file that a killed engine left would keep its mode.
    rmSync(path, { force: true });
    writeFileSync(path, writePage(url), { flag: 'wx', mode: 0o600 });
    startOpener(path, refuse);
  } catch {
    refuse();
  }
}

const portMax = 65_535;

function readPort(call: Call): number {
  const text = readOption(call, 'port');
  if (text === undefined) return portDefault;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= portMax))
    throw badUsage(`--port ${text} is not a port. Give 0 (a free one) or 1 to ${portMax}.`);
  return port;
}

/** The folder of the built interface; null, with a note, if it has not been built. */
function findInterface(call: Call): string | null {
  const chosen = readOption(call, 'ui');
  const dir = chosen === undefined ? interfaceDir() : call.resolvePath(chosen);
  if (existsSync(join(dir, 'index.html'))) return dir;
  if (chosen !== undefined)
    throw badUsage(`There is no built interface in ${dir}: it has no index.html.`);
  call.terminal.note(
    'The interface is not built yet, so only the API is served. ' +
      'Build it with "npm run build", then start serve again.',
  );
  return null;
}

/** Notes where secrets are kept if not in the keychain, without waiting for the answer. */
function announceSecretKey(call: Call, engine: Engine): void {
  engine.describeSecretKey().then(
    ({ place, detail }) => {
      if (place !== 'keychain') call.terminal.note(`Keychain: ${detail.replace(/\.$/, '')}.`);
    },
    // The engine ended before the keychain answered.
    () => undefined,
  );
}

function describeReady(
  { isJson, dataDir, environment }: Call,
  { url }: Engine,
  openUrl: string,
  publicUrl: URL | null,
): string {
  const publicOrigin = publicUrl?.origin ?? null;
  if (isJson)
    return JSON.stringify({
      event: 'ready',
      url,
      open_url: openUrl,
      pid: process.pid,
      public_url: publicOrigin,
    });
  const shown = publicOrigin ?? url;
  const staging = `The staging environment answers at ${shown}${environmentPaths.staging}`;
  return [
    `Enrichment Desk answers at ${shown}${publicOrigin ? `, by a proxy to ${url}` : ''}`,
    `Open its interface with this link (once, within five minutes): ${openUrl}`,
    ...(environment === 'staging' ? [staging] : []),
    `Data folder: ${dataDir}. Stop it with Ctrl+C.`,
  ].join('\n');
}

function readPublicUrl(call: Call): URL | null {
  const text = readOption(call, 'public-url');
  return text === undefined ? null : parsePublicUrl(text);
}

async function runServe(call: Call): Promise<Outcome> {
  const port = readPort(call);
  const uiDir = findInterface(call);
  const { startEngine } = await import('../../app/main.ts');
  const interrupt = call.catchInterrupt();
  const { dataDir } = call;
  const openStaging = call.environment === 'staging';
  const publicUrl = readPublicUrl(call);
  const engine = await startEngine({
    dataDir,
    port,
    publicUrl,
    socket: true,
    uiDir,
    openStaging,
    role: 'primary',
    folderWait: {
      onWait: call.terminal.note,
      maxMs: Number.POSITIVE_INFINITY,
      signal: interrupt,
    },
    ...(call.values.new === true && { startEmpty: call.environment }),
  }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
    throw new CommandError('interrupted', exitCodes.failed, 'Stopped by Ctrl+C. Nothing runs.');
  });
  for (const remark of engine.remarks) call.terminal.note(remark);
  try {
    const opened = new AbortController();
    const openUrl = engine.openUrl(() => opened.abort());
    await call.print(describeReady(call, engine, openUrl, publicUrl));
    announceSecretKey(call, engine);
    const done = AbortSignal.any([opened.signal, interrupt]);
    if (call.values.open)
      openBrowser({ url: openUrl, dataDir, done, note: (line) => call.terminal.note(line) });
    if (!interrupt.aborted)
      await new Promise((stop) => interrupt.addEventListener('abort', stop, { once: true }));
    call.terminal.note(
      'Stopping after the current batch. A running job continues at the next start.',
    );
  } finally {
    await engine.close();
  }
  return { json: undefined, lines: [] };
}

export const serve: Command = {
  name: 'serve',
  summary: 'Start the engine and its interface in the browser',
  options: {
    port: { value: 'N', summary: `the port (default: ${portDefault}); 0 picks a free one` },
    'public-url': {
      value: 'URL',
      summary: 'the address of a proxy with TLS that passes requests on: https://HOST',
    },
    open: { summary: 'open the interface in the browser' },
    new: { summary: 'start empty; existing files are kept aside, never deleted' },
    ui: { value: 'DIR' },
  },
  notes: [
    'Serves live and staging; --staging starts staging now instead of on first use.',
    'It listens only on this machine, even with --public-url. The proxy keeps the Host header.',
    'With --json it prints {"event":"ready","url","open_url","pid","public_url"} when ready.',
    '--new is for a data folder that lost its database. It keeps the old files in the folder',
    'before-new-TIME of the data folder. With --staging it starts only that environment empty.',
    'Fails if the port is in use; never picks another. Ctrl+C ends it after the current batch.',
  ],
  run: runServe,
};
