// Hands what the app is asked to open to the page, once the page asks for it.
import { existsSync } from 'node:fs';
import { app } from 'electron';
import { channels } from '../desktop-channels.ts';
import type { OpenRequest } from '../desktop-contract.ts';
import { findWindow } from '../window.ts';
import {
  linkScheme,
  readArguments,
  readFileRequest,
  readLink,
  taskbarTasks,
} from './open-request.ts';

const waiting: OpenRequest[] = [];

/** The oldest request that the page has not taken. */
export const takeRequest = (): OpenRequest | null => waiting.shift() ?? null;

/** Queues a request. The page takes it when it is there; only files that exist are opened. */
export function queueRequest(request: OpenRequest): void {
  if (request.file && !existsSync(request.file.path)) return;
  if (request.file) app.addRecentDocument(request.file.path);
  waiting.push(request);
  findWindow()?.webContents.send(channels.command, 'open-request');
}

/**
 * Follows the system's requests. Must run before Electron is ready: a Mac sends the file that
 * started the app early.
 * @param show opens the window, or brings it to the front
 */
export function setupOpenRequests(show: () => void): void {
  const take = (requests: readonly OpenRequest[]) => {
    for (const request of requests) queueRequest(request);
    if (app.isReady()) show();
  };
  app.on('open-file', (event, path) => {
    event.preventDefault();
    const request = readFileRequest(path, '/');
    take(request ? [request] : []);
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const screen = readLink(url);
    take(screen === null ? [] : [{ screen }]);
  });
  app.on('second-instance', (_event, argv, folder) => take(readArguments(argv, folder)));
  for (const request of readArguments(process.argv, process.cwd())) waiting.push(request);
  // The installer for Windows registers the scheme, and its uninstaller removes it.
  if (app.isPackaged && process.platform !== 'win32') app.setAsDefaultProtocolClient(linkScheme);
}

/** Sets the tasks of the app's icon in the taskbar of Windows. Call when Electron is ready. */
export function setupJumpList(): void {
  if (process.platform !== 'win32') return;
  const items = taskbarTasks.map(([title, args]) => ({
    type: 'task' as const,
    program: process.execPath,
    args,
    title,
    description: title,
    iconPath: process.execPath,
    iconIndex: 0,
  }));
  app.setJumpList([{ type: 'tasks', items }, { type: 'recent' }]);
}
