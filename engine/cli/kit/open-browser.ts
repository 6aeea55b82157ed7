/**
 * Opens the interface in the system's browser. Every user of the machine can read the arguments of
 * a program, so the one-time link is written to a private file, and the opener gets its path.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFileKeptMs } from '../../contract/limits/http-server.ts';
import { childEnvironment } from '../../platform/child-environment.ts';

export interface BrowserLink {
  /** The one-time link. It has no characters that need an escape in HTML or scripts. */
  readonly url: string;
  /** The data folder, which holds the file until the link is used. */
  readonly dataDir: string;
  /** Aborted when the link was used, or the engine ends. */
  readonly done: AbortSignal;
  /** Writes a line to the terminal. */
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
