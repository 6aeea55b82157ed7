/**
 * Opens the interface in the system's browser. Every user of the machine can read the arguments of
 * a program: the one-time link goes into a file of this user, and the file's path to the opener.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFileKeptMs } from '../../contract/limits/http-server.ts';

/** A link to open. */
export interface BrowserLink {
  /** The one-time link; only characters that need no escape in HTML and scripts. */
  readonly url: string;
  /** The data folder, where the file is until the link is used. */
  readonly dataDir: string;
  /** Aborted when the link was used, or the engine ends. */
  readonly done: AbortSignal;
  /** Tells the person at the terminal. */
  note(line: string): void;
}

/** How each system opens a file in its browser; never through a shell. */
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
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', onFailed).on('exit', (code) => code && onFailed());
  child.unref();
}

/**
 * Opens a link. Returns at once. The file is removed once the link was used, and also if it was not
 * used in time, no browser could be opened, or the engine ends.
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
    // What a killed engine left is removed first: an existing file would keep its mode.
    rmSync(path, { force: true });
    writeFileSync(path, writePage(url), { flag: 'wx', mode: 0o600 });
    startOpener(path, refuse);
  } catch {
    refuse();
  }
}
