// The only module that uses ipcMain: checks the sender and validates messages.
import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import { z } from 'zod';
import { appOrigin } from './app-origin.ts';

export interface IpcHandler<Payload, Result> {
  channel: string;
  payload: z.ZodType<Payload>;
  result: z.ZodType<Result>;
  handle(payload: Payload, window: BrowserWindow): Promise<Result> | Result;
}

/** The parts of a sender's frame that are checked. The frame is null if it no longer exists. */
type SenderFrame = { origin: string; parent: unknown } | null;

/** Whether the sender is the page: the top frame of the app's origin. */
export const isTrustedSender = (frame: SenderFrame): boolean =>
  frame !== null && frame.parent === null && frame.origin === appOrigin;

/**
 * Registers the handler of a channel. The page receives an Error if the sender is not the page or
 * the payload is invalid. The message does not contain the payload, which may have paths.
 */
export function answerIpc<Payload, Result>(handler: IpcHandler<Payload, Result>): void {
  const { channel } = handler;
  ipcMain.handle(channel, async (event: IpcMainInvokeEvent, payload: unknown) => {
    const window = BrowserWindow.fromWebContents(event.sender);
    if (!isTrustedSender(event.senderFrame) || window === null)
      throw new Error(`${channel} accepts messages only from the app's page.`);
    const parsed = handler.payload.safeParse(payload);
    if (!parsed.success)
      throw new Error(`${channel} received an invalid payload: ${z.prettifyError(parsed.error)}`);
    return handler.result.parse(await handler.handle(parsed.data, window));
  });
}
