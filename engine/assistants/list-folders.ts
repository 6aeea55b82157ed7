/**
 * Folders that a person allows: from them alone, and from the folders in them, assistants may have
 * lists enriched by path.
 */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import type { ListFolder } from '../contract/assistants/assistants.ts';
import { EngineError } from '../contract/errors.ts';
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
import type { ListFolderCalls } from './list-folders.commands.ts';

const describeFolder = ({ id, path, realPath, addedAt }: ListFolderRow): ListFolder => ({
  ...{ id, path, real_path: realPath, added_at: addedAt },
});

/** The folders of an account as the app shows them. */
export const describeListFolders = (database: ReadableDatabase, accountId: number): ListFolder[] =>
  listListFolders(database, accountId).map(describeFolder);

/** An absolute path without `.` and `..`, `~` being the person's home; null for any other. */
export function readAbsolutePath(path: string): string | null {
  const whole = /^~(?=$|[/\\])/.test(path) ? join(homedir(), path.slice(1)) : path;
  return isAbsolute(whole) && !whole.includes('\0') ? resolve(whole) : null;
}

/** Whether a path is beneath a folder; both absolute. */
export function isBeneath(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The data folder of the installation, without any link. */
export const findDataFolder = ({ name, folder }: Pick<RouteEnvironment, 'name' | 'folder'>) =>
  realpath(name === 'staging' ? dirname(folder) : folder);

const refuse = (detail: string): never => {
  throw new EngineError('validation_error', detail);
};

/**
 * Where a folder is that a person names. Throws `validation_error` where it is none, is a whole
 * disk, or is where the engine keeps its own files.
 */
export async function findFolder(
  environment: Pick<RouteEnvironment, 'name' | 'folder'>,
  named: string,
): Promise<FolderPlace> {
  const path = readAbsolutePath(named);
  if (path === null)
    return refuse(`${named} is not an absolute path. Write the whole of it, or begin with ~/.`);
  const realPath = await realpath(path).catch(() => null);
  const isFolder = realPath !== null && (await stat(realPath)).isDirectory();
  if (!isFolder) return refuse(`There is no folder ${path}. Name one that is there.`);
  if (realPath === parse(realPath).root)
    return refuse(`${path} is a whole disk. Name the folder in which the lists are.`);
  const dataFolder = await findDataFolder(environment);
  if (realPath === dataFolder || isBeneath(dataFolder, realPath))
    return refuse(`${path} is where the engine keeps its own files. Name another folder.`);
  return { path, realPath };
}

/**
 * The commands, on the writing connection of an environment; `onChange` is told whose list changed.
 */
export function createListFolderCommands(
  database: WritableDatabase,
  now: () => Date,
  onChange: (accountId: number) => void,
): ListFolderCalls {
  return {
    async allowListFolder({ accountId, ...place }) {
      const all = inTransaction(database, () => {
        putListFolder(database, { accountId, ...place, addedAt: now().toISOString() });
        const folders = describeListFolders(database, accountId);
        if (folders.length > listFoldersMax)
          return refuse(`An account has at most ${listFoldersMax} folders. Remove one first.`);
        return folders;
      });
      onChange(accountId);
      const allowed = all.find(({ path }) => path === place.path);
      if (!allowed) throw new Error('a folder that was allowed is gone');
      return allowed;
    },
    async removeListFolder({ accountId, id }) {
      if (!deleteListFolder(database, accountId, id))
        throw new EngineError('not_found', 'This folder is not in the list. Look at it again.');
      onChange(accountId);
    },
  };
}
