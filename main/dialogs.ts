/** The system's dialogs to open a spreadsheet and to save a result. */
import { basename, extname, join } from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { ChosenFile, SavePlace, SaveQuestion } from './desktop-contract.ts';

const listExtensions =
  'csv tsv txt xlsx xlsm xls ods xml html htm vcf json jsonl ndjson parquet'.split(' ');

/** Shows the open dialog; null if the user cancels. */
export async function askForSpreadsheet(window: BrowserWindow): Promise<ChosenFile | null> {
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
export async function askForSavePlace(
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
