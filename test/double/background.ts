// Simulates the system around the window: the tray, images, and the power of the machine.
import { EventEmitter } from 'node:events';
import type { PowerEvents, TrayEvents } from './events.ts';
import type { Menu } from './menu.ts';
import { note } from './state.ts';

/** Electron's `nativeImage`: only the path of an image matters here. */
export const nativeImage = {
  createFromPath: (path: string) => ({ path, resize: () => ({ path }) }),
};

/** Electron's `Tray`. The last one is remembered for tests. */
export class Tray extends EventEmitter<TrayEvents> {
  static last: Tray | null = null;
  menu: Menu | null = null;
  toolTip = '';
  constructor(image: unknown) {
    super();
    note('tray.show', image);
    Tray.last = this;
  }
  setContextMenu(menu: Menu): void {
    this.menu = menu;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
}

/** Electron's `powerMonitor`. */
export const powerMonitor = new EventEmitter<PowerEvents>();
