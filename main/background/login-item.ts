/** Whether the app starts, without its window, when the user logs in to the system. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { hiddenFlag } from '../requests/open-request.ts';

const entryName = 'enrichment-desk.desktop';

/** The folder of Linux whose entries the desktop starts. */
const autostartFolder = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart');

/** The entry of a program, by the specification of freedesktop.org. */
export const writeEntry = (program: string): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Enrichment Desk',
    `Exec="${program.replace(/(["`$\\])/g, '\\$1').replaceAll('%', '%%')}" ${hiddenFlag}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');

/** Whether the app starts at login. */
export function opensAtLogin(): boolean {
  if (process.platform === 'linux') return existsSync(join(autostartFolder(), entryName));
  return app.getLoginItemSettings({ args: [hiddenFlag] }).openAtLogin;
}

/** Switches the start at login on or off. */
export function setOpenAtLogin(isOn: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isOn, args: [hiddenFlag] });
    return;
  }
  const path = join(autostartFolder(), entryName);
  rmSync(path, { force: true });
  if (!isOn) return;
  mkdirSync(autostartFolder(), { recursive: true });
  writeFileSync(path, writeEntry(process.env.APPIMAGE ?? process.execPath));
}
