// Folders that the user allows: assistants enrich lists by path only in and below these.
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import type { ListFolder } from '../contract/assistants/assistants.ts';
import { invalid, notFound } from '../contract/errors.ts';
import { listFoldersMax } from '../contract/limits/assistants.ts';
import type { RouteEnvironment } from '../http/route-deps.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import {
  deleteListFolder,
  type FolderPlace,
  type ListFolderRow,
  listListFolders,
  putListFolder,
} from './list-folder.table.ts';

const describeFolder = ({ id, path, realPath, addedAt }: ListFolderRow): ListFolder => ({
  id,
  path,
  real_path: realPath,
  added_at: addedAt,
});

export const describeListFolders = (database: ReadableDatabase, accountId: number): ListFolder[] =>
  listListFolders(database, accountId).map(describeFolder);

/** An absolute path without `.` and `..`, with `~` as the home folder; null for any other. */
export function readAbsolutePath(path: string): string | null {
  const whole = /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path;
  return isAbsolute(whole) && !whole.includes('\0') ? resolve(whole) : null;
}

/** Whether a path is inside a folder. Both are absolute. */
export function isBeneath(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export const findDataFolder = ({ name, folder }: Pick<RouteEnvironment, 'name' | 'folder'>) =>
  realpath(name === 'staging' ? dirname(folder) : folder);

/** Throws `validation_error` for a file, the root of a disk, and the engine's own folders. */
export async function findFolder(
  environment: Pick<RouteEnvironment, 'name' | 'folder'>,
  named: string,
): Promise<FolderPlace> {
  const path = readAbsolutePath(named);
  if (path === null)
    throw invalid(`${named} is not an absolute path. Enter the full path, or start with ~/.`);
  const realPath = await realpath(path).catch(() => null);
  const isFolder = realPath !== null && (await stat(realPath)).isDirectory();
  if (!isFolder) throw invalid(`The folder ${path} does not exist. Enter an existing folder.`);
  if (realPath === parse(realPath).root)
    throw invalid(`${path} is the root of a disk. Enter the folder that contains the lists.`);
  const dataFolder = await findDataFolder(environment);
  if (realPath === dataFolder || isBeneath(dataFolder, realPath))
    throw invalid(`${path} contains the engine's own files. Enter another folder.`);
  return { path, realPath };
}

/** `onChange` is called with the account whose list changed. */
export function createListFolderCommands(
  database: WritableDatabase,
  now: () => Date,
  onChange: (accountId: number) => void,
) {
  return {
    /** Throws `validation_error` if the account has too many. */
    async allowListFolder({ accountId, ...place }: FolderPlace & { accountId: number }) {
      const all = inTransaction(database, () => {
        putListFolder(database, { accountId, ...place, addedAt: now().toISOString() });
        const folders = describeListFolders(database, accountId);
        if (folders.length > listFoldersMax)
          throw invalid(`An account has at most ${listFoldersMax} folders. Remove one first.`);
        return folders;
      });
      onChange(accountId);
      const allowed = all.find(({ path }) => path === place.path);
      if (!allowed) throw new Error('the folder that was just allowed does not exist');
      return allowed;
    },
    async 'assistants.removeFolder'({ accountId, id }: { accountId: number; id: number }) {
      if (!deleteListFolder(database, accountId, id))
        throw notFound('This folder is not in the list. Reload the list.');
      onChange(accountId);
      return describeListFolders(database, accountId);
    },
  };
}

export type ListFolderCalls = ReturnType<typeof createListFolderCommands>;
