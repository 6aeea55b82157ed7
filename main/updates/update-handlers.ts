// IPC handlers of updates, and the messages about them to the page.
import { z } from 'zod';
import { channels } from '../desktop-channels.ts';
import { UpdateChoiceSchema, UpdateStateSchema } from '../desktop-contract.ts';
import { answerIpc } from '../ipc.ts';
import { findWindow } from '../window.ts';
import type { AppUpdates } from './setup-updates.ts';

export function setupUpdateHandlers(appUpdates: AppUpdates): void {
  const { updates } = appUpdates;
  const nothing = { payload: z.undefined(), result: z.void() };
  answerIpc({
    channel: channels.readUpdates,
    payload: z.undefined(),
    result: z.object({ state: UpdateStateSchema, choice: UpdateChoiceSchema }),
    handle: () => ({ state: updates.state, choice: appUpdates.choice }),
  });
  answerIpc({ channel: channels.checkUpdates, ...nothing, handle: () => updates.check() });
  answerIpc({
    channel: channels.chooseUpdates,
    payload: UpdateChoiceSchema,
    result: z.void(),
    handle: (choice) => appUpdates.choose(choice),
  });
  answerIpc({ channel: channels.restartToUpdate, ...nothing, handle: () => updates.restart() });
  updates.onChange((state) => findWindow()?.webContents.send(channels.updates, state));
}
