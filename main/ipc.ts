/** The only door of ipcMain: who may ask, and that questions and answers have their shape. */
import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import { appOrigin } from './app-origin.ts';

/** One question that the page may ask. */
export interface IpcHandler<Payload, Result> {
  channel: string;
  payload: z.ZodType<Payload>;
  result: z.ZodType<Result>;
  handle(payload: Payload, window: BrowserWindow): Promise<Result> | Result;
}

/** What of a sender's frame decides; it can be null when the frame has gone. */
type SenderFrame = { origin: string; parent: unknown } | null;

/** Whether the page itself asks: the top frame of our own origin. */
export const isTrustedSender = (frame: SenderFrame): boolean =>
  frame !== null && frame.parent === null && frame.origin === appOrigin;

/**
 * Answers a channel.
 * The page sees an Error where the sender is foreign or the payload malformed; the payload itself
 * is in no message, since it may hold paths.
 */
export function answerIpc<Payload, Result>(handler: IpcHandler<Payload, Result>): void {
  const { channel } = handler;
  ipcMain.handle(channel, async (event: IpcMainInvokeEvent, payload: unknown) => {
    const window = BrowserWindow.fromWebContents(event.sender);
    if (!isTrustedSender(event.senderFrame) || window === null)
      throw new Error(`${channel} answers only the app's own page.`);
    const parsed = handler.payload.safeParse(payload);
    if (!parsed.success)
      throw new Error(`${channel} was asked wrongly: ${z.prettifyError(parsed.error)}`);
    return handler.result.parse(await handler.handle(parsed.data, window));
  });
}
