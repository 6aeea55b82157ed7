// Simulates `Menu`: entries as data, and the role that quits the app.
import { app } from './app.ts';

interface MenuItem {
  id?: string;
  label?: string;
  role?: string;
  click?: () => void;
  submenu?: MenuItem[] | Menu;
}

const roleClicks: Readonly<Record<string, () => void>> = { quit: () => app.quit() };

/** Electron's `Menu`. */
export class Menu {
  static #current: Menu | null = null;
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#current = menu;
  }
  static readonly getApplicationMenu = (): Menu | null => Menu.#current;
  static buildFromTemplate(template: readonly MenuItem[]): Menu {
    const menu = new Menu();
    menu.items = template.map((item) => {
      const { submenu } = item;
      const click = item.click ?? roleClicks[item.role ?? ''] ?? (() => {});
      return Array.isArray(submenu)
        ? { ...item, click, submenu: Menu.buildFromTemplate(submenu) }
        : { ...item, click };
    });
    return menu;
  }
  items: MenuItem[] = [];
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      if (item.id === id) return item;
      const inner = item.submenu instanceof Menu ? item.submenu.getMenuItemById(id) : null;
      if (inner) return inner;
    }
    return null;
  }
}
