// Whether the app starts, without its window, when the user logs in to the system.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { hiddenFlag } from '../requests/open-request.ts';

const entryName = 'enrichment-desk.desktop';

/** The folder of Linux whose entries the desktop starts. */
const autostartFolder = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'autostart');

/**
 * The entry of a program, by the specification of freedesktop.org. With `TryExec` it does nothing
 * once the program is removed, as no uninstaller reaches the files of every user.
 */
export const writeEntry = (program: string): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Enrichment Desk',
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec="${program.replace(/(["`$\\])/g, '\\$1').replaceAll('%', '%%')}" ${hiddenFlag}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');

const entryPath = (): string => join(autostartFolder(), entryName);

/** The program to start. An AppImage is another file after an update. */
const ownProgram = (): string => process.env.APPIMAGE ?? process.execPath;

export function opensAtLogin(): boolean {
  if (process.platform === 'linux') return existsSync(entryPath());
  return app.getLoginItemSettings({ args: [hiddenFlag] }).openAtLogin;
}

export function setOpenAtLogin(isOn: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isOn, args: [hiddenFlag] });
    return;
  }
  rmSync(entryPath(), { force: true });
  if (!isOn) return;
  mkdirSync(autostartFolder(), { recursive: true });
  writeFileSync(entryPath(), writeEntry(ownProgram()));
}

/** Names this program in the entry, which an update or a move has left with another one. */
export function renewLoginItem(): void {
  if (process.platform !== 'linux' || !opensAtLogin()) return;
  if (readFileSync(entryPath(), 'utf8') !== writeEntry(ownProgram())) setOpenAtLogin(true);
}
