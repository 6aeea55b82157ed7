// Simulates `ipcMain`: messages of a page's preload arrive as copies with their sender.
import { EventEmitter } from 'node:events';
import type { Frame, Page } from 'playwright-core';
import { toAppOrigin, toAppUrl } from './scheme-server.ts';
import { clone } from './state.ts';

export interface PreloadMessage {
  channel: string;
  args: unknown[];
}
export type PreloadAnswer = { ok: true; value: unknown } | { ok: false; error: string };

type Handler = (event: unknown, ...args: unknown[]) => unknown;
const handlers = new Map<string, Handler>();

class IpcMain extends EventEmitter {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  }
  removeHandler(channel: string): void {
    handlers.delete(channel);
  }
}

/** Electron's `ipcMain`. */
export const ipcMain = new IpcMain();

/** Handles one `ipcRenderer.invoke`. */
export async function answerInvoke(
  { channel, args }: PreloadMessage,
  sender: unknown,
  page: Page,
  frame: Frame,
): Promise<PreloadAnswer> {
  const handler = handlers.get(channel);
  if (!handler) return { ok: false, error: `No handler registered for '${channel}'` };
  const isTop = frame === page.mainFrame();
  const senderFrame = {
    url: toAppUrl(frame.url()),
    origin: toAppOrigin(frame.url()),
    parent: isTop ? null : { url: toAppUrl(page.url()) },
  };
  try {
    return { ok: true, value: clone(await handler({ sender, senderFrame }, ...args)) };
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}
