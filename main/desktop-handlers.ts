// IPC handlers for the methods of the bridge.
import { basename, extname, isAbsolute, join } from 'node:path';
import { app, type BrowserWindow, dialog, Notification, shell } from 'electron';
import { z } from 'zod';
import { opensAtLogin, setOpenAtLogin } from './background/login-item.ts';
import { keepsRunning } from './background/tray.ts';
import { channels } from './desktop-channels.ts';
import {
  AddressSchema,
  type Background,
  BackgroundSchema,
  type ChosenFile,
  ChosenFileSchema,
  type Notice,
  NoticeSchema,
  OpenRequestSchema,
  PathSchema,
  type SavePlace,
  SavePlaceSchema,
  type SaveQuestion,
  SaveQuestionSchema,
  type Versions,
  VersionsSchema,
} from './desktop-contract.ts';
import { openExternal } from './external-links.ts';
import { answerIpc } from './ipc.ts';
import { takeRequest } from './requests/open-requests.ts';
import { readShellState, writeShellState } from './shell-state.ts';

const listExtensions =
  'csv tsv txt xlsx xlsm xls ods xml html htm vcf json jsonl ndjson parquet'.split(' ');

/** Shows the open dialog; null if the user cancels. */
async function askForSpreadsheet(window: BrowserWindow): Promise<ChosenFile | null> {
  const { filePaths } = await dialog.showOpenDialog(window, {
    title: 'Open spreadsheet',
    // Otherwise Electron opens every dialog in Downloads.
    defaultPath: app.getPath('documents'),
    properties: ['openFile'],
    filters: [
      {
        name: 'Lists',
        extensions: listExtensions,
      },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  const path = filePaths[0];
  if (path !== undefined) app.addRecentDocument(path);
  return path === undefined ? null : { path, name: basename(path) };
}

/** A file name that is valid on every system, with the extension of its kind. */
export function suggestFileName(name: string, kind: SaveQuestion['kind']): string {
  const illegal = new Set('<>:"/\\|?*');
  const safe = [...basename(name)]
    .map((character) => (illegal.has(character) || character < ' ' ? '-' : character))
    .join('');
  return extname(safe).toLowerCase() === `.${kind}` ? safe : `${safe}.${kind}`;
}

const kindNames: Readonly<Record<SaveQuestion['kind'], string>> = {
  csv: 'CSV',
  xlsx: 'Excel workbook',
  jsonl: 'JSON Lines',
  parquet: 'Parquet',
};

/** Shows the save dialog; null if the user cancels. */
async function askForSavePlace(
  window: BrowserWindow,
  { suggestedName, kind }: SaveQuestion,
): Promise<SavePlace | null> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: 'Save',
    defaultPath: join(app.getPath('documents'), suggestFileName(suggestedName, kind)),
    filters: [{ name: kindNames[kind], extensions: [kind] }],
  });
  return canceled || !filePath ? null : { path: filePath };
}

const readVersions = (): Versions => ({
  app: app.getVersion(),
  electron: process.versions.electron ?? null,
  chrome: process.versions.chrome ?? null,
  node: process.versions.node,
});

function showNotice(notice: Notice, window: BrowserWindow): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification(notice);
  notification.on('click', () => {
    if (window.isDestroyed()) return;
    window.show();
    window.focus();
  });
  notification.show();
}

const readBackground = (): Background => ({
  keepsRunning: keepsRunning(),
  opensAtLogin: opensAtLogin(),
});

function chooseBackground(choice: Background): Background {
  const folder = app.getPath('userData');
  writeShellState(folder, { ...readShellState(folder), keepsRunning: choice.keepsRunning });
  if (choice.opensAtLogin !== opensAtLogin()) setOpenAtLogin(choice.opensAtLogin);
  return readBackground();
}

function showInFolder(path: string): void {
  if (!isAbsolute(path)) throw new Error('The path of the file must be absolute.');
  shell.showItemInFolder(path);
}

export function setupDesktopHandlers(): void {
  answerIpc({
    channel: channels.versions,
    payload: z.undefined(),
    result: VersionsSchema,
    handle: readVersions,
  });
  answerIpc({
    channel: channels.openSpreadsheet,
    payload: z.undefined(),
    result: ChosenFileSchema.nullable(),
    handle: (_nothing, window) => askForSpreadsheet(window),
  });
  answerIpc({
    channel: channels.saveAs,
    payload: SaveQuestionSchema,
    result: SavePlaceSchema.nullable(),
    handle: (question, window) => askForSavePlace(window, question),
  });
  answerIpc({
    channel: channels.showInFolder,
    payload: PathSchema,
    result: z.void(),
    handle: showInFolder,
  });
  answerIpc({
    channel: channels.openExternal,
    payload: AddressSchema,
    result: z.boolean(),
    handle: openExternal,
  });
  answerIpc({
    channel: channels.takeRequest,
    payload: z.undefined(),
    result: OpenRequestSchema.nullable(),
    handle: takeRequest,
  });
  answerIpc({
    channel: channels.readBackground,
    payload: z.undefined(),
    result: BackgroundSchema,
    handle: readBackground,
  });
  answerIpc({
    channel: channels.chooseBackground,
    payload: BackgroundSchema,
    result: BackgroundSchema,
    handle: chooseBackground,
  });
  answerIpc({
    channel: channels.notify,
    payload: NoticeSchema,
    result: z.void(),
    handle: showNotice,
  });
}
