/** The application menu and its actions. */
import { app, Menu, type MenuItemConstructorOptions, nativeTheme, shell } from 'electron';
import { channels } from './desktop-channels.ts';
import type { DesktopCommand } from './desktop-contract.ts';
import { readShellState, type ShellState, themes, writeShellState } from './shell-state.ts';
import { findWindow } from './window.ts';

const sendCommand = (command: DesktopCommand): void =>
  findWindow()?.webContents.send(channels.command, command);

const themeLabels = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;

function applyTheme(theme: ShellState['theme']): void {
  const folder = app.getPath('userData');
  nativeTheme.themeSource = theme;
  writeShellState(folder, { ...readShellState(folder), theme });
}

function listMenus(theme: ShellState['theme']): MenuItemConstructorOptions[] {
  const isMac = process.platform === 'darwin';
  const open = {
    id: 'open-file',
    label: 'Open spreadsheet…',
    accelerator: 'CmdOrCtrl+O',
    click: () => sendCommand('open-file'),
  };
  const themeItems = themes.map((name) => ({
    id: `theme-${name}`,
    label: themeLabels[name],
    type: 'radio' as const,
    checked: name === theme,
    click: () => applyTheme(name),
  }));
  const dataFolder = {
    id: 'data-folder',
    label: 'Show data folder',
    click: () => void shell.openPath(app.getPath('userData')),
  };
  return [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        open,
        { type: 'separator' },
        isMac ? { role: 'close' } : { id: 'quit', role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        { type: 'separator' },
        { label: 'Theme', submenu: themeItems },
        // Problems of the page are debugged with the browser's tools.
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'help', submenu: [dataFolder, ...(isMac ? [] : [{ role: 'about' as const }])] },
  ];
}

/** Sets the menu and the stored theme. */
export function setupMenu(): void {
  const { theme } = readShellState(app.getPath('userData'));
  nativeTheme.themeSource = theme;
  Menu.setApplicationMenu(Menu.buildFromTemplate(listMenus(theme)));
}
