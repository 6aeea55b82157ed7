// Simulates the operating system: dialogs, links, notifications, theme, screen.
import { EventEmitter } from 'node:events';
import type { NotificationEvents, ScreenEvents, ThemeEvents } from './events.ts';
import { host, note } from './state.ts';

/** Omits the window of a dialog, which cannot be recorded. */
const withoutWindow = (args: unknown[]): unknown[] =>
  args.filter((value) => !(value instanceof EventEmitter));

/**
 * Electron's `dialog`. A test replaces a method to answer. The default is cancelled, or a message
 * box's last button.
 */
export const dialog = {
  async showOpenDialog(...args: unknown[]) {
    note('dialog.showOpenDialog', ...withoutWindow(args));
    return { canceled: true, filePaths: [] as string[] };
  },
  async showSaveDialog(...args: unknown[]) {
    note('dialog.showSaveDialog', ...withoutWindow(args));
    return { canceled: true, filePath: '' };
  },
  async showMessageBox(...args: unknown[]) {
    note('dialog.showMessageBox', ...withoutWindow(args));
    return { response: 1, checkboxChecked: false };
  },
  showErrorBox(title: string, text: string) {
    note('dialog.showErrorBox', title, text);
    console.error(`${title}: ${text}`);
  },
};

/** Electron's `shell`. */
export const shell = {
  openExternal: async (url: string) => note('shell.openExternal', url),
  openPath: async (path: string) => {
    note('shell.openPath', path);
    return '';
  },
  showItemInFolder: (path: string) => note('shell.showItemInFolder', path),
};

/** Electron's `Notification`. */
export class Notification extends EventEmitter<NotificationEvents> {
  static readonly isSupported = () => true;
  readonly #options: unknown;
  constructor(options: unknown) {
    super();
    this.#options = options;
  }
  show(): void {
    note('notification.show', this.#options);
  }
}

class NativeTheme extends EventEmitter<ThemeEvents> {
  #source = 'system';
  get themeSource(): string {
    return this.#source;
  }
  set themeSource(source: string) {
    this.#source = source;
    const colorScheme = source === 'dark' || source === 'light' ? source : null;
    for (const { page } of host.windows) void page?.emulateMedia({ colorScheme });
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
}
/** Electron's `nativeTheme`. */
export const nativeTheme = new NativeTheme();

/** Electron's `screen`: one display. */
export const screen = Object.assign(new EventEmitter<ScreenEvents>(), {
  getAllDisplays: () => [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
});
