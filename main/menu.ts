// The application menu and its actions.
import { app, Menu, type MenuItemConstructorOptions, nativeTheme, shell } from 'electron';
import { menuKeys } from '../engine/contract/desktop/menu-keys.ts';
import { reportFolder } from './crashes/crashes.ts';
import { channels } from './desktop-channels.ts';
import type { DesktopCommand } from './desktop-contract.ts';
import { engineLogPath } from './engine-log.ts';
import { queueRequest } from './requests/open-requests.ts';
import { readShellState, type ShellState, themes, writeShellState } from './shell-state.ts';
import type { Updates } from './updates/updates.ts';
import { findWindow } from './window.ts';

const sendCommand = (command: DesktopCommand): void =>
  findWindow()?.webContents.send(channels.command, command);

const themeLabels = { system: 'As the system', light: 'Light', dark: 'Dark' } as const;
const separator = { type: 'separator' } as const;

function applyTheme(theme: ShellState['theme']): void {
  const folder = app.getPath('userData');
  nativeTheme.themeSource = theme;
  writeShellState(folder, { ...readShellState(folder), theme });
}

const screenItem = (
  id: 'settings' | 'enrich' | 'jobs' | 'directory' | 'wallet' | 'connections',
  label: string,
  screen: string,
): MenuItemConstructorOptions => ({
  id,
  label,
  accelerator: menuKeys[id].accelerator,
  click: () => queueRequest({ screen }),
});

function listFileMenu(isMac: boolean): MenuItemConstructorOptions {
  const recent: MenuItemConstructorOptions = {
    role: 'recentDocuments',
    submenu: [{ role: 'clearRecentDocuments' }],
  };
  return {
    label: '&File',
    submenu: [
      {
        id: 'open-file',
        label: 'Open spreadsheet…',
        accelerator: menuKeys.open.accelerator,
        click: () => sendCommand('open-file'),
      },
      // Windows lists recent files in the jump list.
      ...(isMac ? [recent] : []),
      separator,
      ...(isMac ? [] : [screenItem('settings', 'Settings', '/settings'), separator]),
      { role: 'close', accelerator: menuKeys.close.accelerator },
      ...(isMac
        ? []
        : [{ id: 'quit', role: 'quit' as const, accelerator: menuKeys.quit.accelerator }]),
    ],
  };
}

const listAppMenu = (): MenuItemConstructorOptions => ({
  label: app.name,
  submenu: [
    { role: 'about' },
    separator,
    screenItem('settings', 'Settings…', '/settings'),
    separator,
    { role: 'services' as const },
    separator,
    { role: 'hide' as const },
    { role: 'hideOthers' as const },
    { role: 'unhide' as const },
    separator,
    { id: 'quit', role: 'quit', accelerator: menuKeys.quit.accelerator },
  ],
});

function listViewMenu(theme: ShellState['theme']): MenuItemConstructorOptions {
  const themeItems = themes.map((name) => ({
    id: `theme-${name}`,
    label: themeLabels[name],
    type: 'radio' as const,
    checked: name === theme,
    click: () => applyTheme(name),
  }));
  return {
    label: '&View',
    submenu: [
      screenItem('enrich', 'Enrich', '/'),
      screenItem('jobs', 'Jobs', '/jobs'),
      screenItem('directory', 'Directory', '/directory'),
      screenItem('wallet', 'Wallet', '/wallet'),
      screenItem('connections', 'Connections', '/connections'),
      separator,
      { role: 'resetZoom', accelerator: menuKeys.zoomReset.accelerator },
      { role: 'zoomIn', accelerator: menuKeys.zoomIn.accelerator },
      { role: 'zoomOut', accelerator: menuKeys.zoomOut.accelerator },
      { role: 'togglefullscreen' },
      separator,
      { label: 'Theme', submenu: themeItems },
      // Problems of the page are debugged with the browser's tools.
      ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
    ],
  };
}

export interface MenuDeps {
  readonly updates: Pick<Updates, 'check'>;
  /** The folder of the engine's data; null before the engine has said it. */
  dataDir(): string | null;
}

const listHelpMenu = (
  isMac: boolean,
  { updates, dataDir }: MenuDeps,
): MenuItemConstructorOptions => ({
  role: 'help',
  submenu: [
    {
      id: 'help',
      label: 'Why rows are not enriched',
      click: () => queueRequest({ screen: '/help' }),
    },
    { id: 'shortcuts', label: 'Keyboard shortcuts', click: () => sendCommand('shortcuts') },
    separator,
    {
      id: 'check-updates',
      label: 'Check for updates',
      click() {
        queueRequest({ screen: '/settings' });
        void updates.check();
      },
    },
    separator,
    {
      id: 'data-folder',
      label: 'Show data folder',
      click: () => void shell.openPath(dataDir() ?? app.getPath('userData')),
    },
    {
      id: 'engine-log',
      label: 'Show engine log',
      click: () => void shell.openPath(engineLogPath(app.getPath('userData'))),
    },
    {
      id: 'crash-reports',
      label: 'Show crash reports',
      click: () => void shell.openPath(reportFolder()),
    },
    ...(isMac ? [] : [separator, { role: 'about' as const }]),
  ],
});

export function listMenus(
  platform: NodeJS.Platform,
  theme: ShellState['theme'],
  deps: MenuDeps,
): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  return [
    ...(isMac ? [listAppMenu()] : []),
    listFileMenu(isMac),
    { role: 'editMenu' },
    listViewMenu(theme),
    { role: 'windowMenu' },
    listHelpMenu(isMac, deps),
  ];
}

export function setupMenu(deps: MenuDeps): void {
  const { theme } = readShellState(app.getPath('userData'));
  nativeTheme.themeSource = theme;
  Menu.setApplicationMenu(Menu.buildFromTemplate(listMenus(process.platform, theme, deps)));
}
