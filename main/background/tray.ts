// The icon in the tray, with which the engine and the tools run on without a window.
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

const icons = join(import.meta.dirname, '../resources/icons');
/** Side of the icon on Windows and Linux, in device-independent pixels. */
const traySize = 16;

/** macOS colours a template image as its menu bar, and takes the @2x file on sharp screens. */
const loadIcon = () =>
  process.platform === 'darwin'
    ? nativeImage.createFromPath(join(icons, 'trayTemplate.png'))
    : nativeImage
        .createFromPath(join(icons, 'icon.png'))
        .resize({ width: traySize, height: traySize });

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

export function setupTray(engine: EngineProcess, show: () => void): Tray {
  const tray = new Tray(loadIcon());
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
  // On macOS a click opens the menu.
  tray.on('click', show);
  return tray;
}
