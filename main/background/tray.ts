/** The icon in the tray, with which the engine and the tools run on without a window. */
import { join } from 'node:path';
import { app, Menu, Notification, nativeImage, Tray } from 'electron';
import type { EngineProcess, EngineState } from '../engine-process.ts';
import { queueRequest } from '../requests/open-requests.ts';
import { readShellState, writeShellState } from '../shell-state.ts';

const words: Readonly<Record<EngineState['name'], string>> = {
  starting: 'The engine is starting',
  ready: 'The engine is running',
  failed: 'The engine is not running',
  stopped: 'The engine is stopping',
};

const iconPath = join(import.meta.dirname, '../resources/icons/icon.png');
/** Side of the icon, in device-independent pixels. */
const traySize = process.platform === 'darwin' ? 18 : 16;

/** Whether the app runs on when its window is closed. */
export const keepsRunning = (): boolean => readShellState(app.getPath('userData')).keepsRunning;

/** Says once that the app runs on. */
export function announceBackground(): void {
  const folder = app.getPath('userData');
  const state = readShellState(folder);
  if (state.knowsBackground || !Notification.isSupported()) return;
  new Notification({
    title: 'Enrichment Desk is still running',
    body: 'Jobs and assistants keep working. Use the tray to open or quit the app.',
  }).show();
  writeShellState(folder, { ...state, knowsBackground: true });
}

/** Shows the icon. Returns null if the desktop has no tray. */
export function setupTray(engine: EngineProcess, show: () => void): Tray | null {
  let tray: Tray;
  try {
    const icon = nativeImage.createFromPath(iconPath);
    tray = new Tray(icon.resize({ width: traySize, height: traySize }));
  } catch (error) {
    console.error(`no icon in the tray: ${(error as Error).message}`);
    return null;
  }
  const update = ({ name }: EngineState) => {
    tray.setToolTip(`Enrichment Desk: ${words[name]}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words[name], enabled: false },
        { type: 'separator' },
        { id: 'tray-open', label: 'Open Enrichment Desk', click: show },
        {
          id: 'tray-open-file',
          label: 'Open spreadsheet…',
          click() {
            queueRequest({ dialog: true });
            show();
          },
        },
        { type: 'separator' },
        { id: 'tray-quit', label: 'Quit', click: () => app.quit() },
      ]),
    );
  };
  update(engine.state);
  engine.onChange(update);
  tray.on('click', show);
  return tray;
}
