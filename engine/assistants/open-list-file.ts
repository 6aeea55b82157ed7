// Opens a file by an assistant's path, or finds the place of a new one, if the user allowed its
// folder. An assistant can be manipulated by what it reads and send any path. For other paths it
// learns nothing, not even whether they exist.
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EngineError, invalid } from '../contract/errors.ts';
import { csvUploadBytesMax } from '../contract/limits/spreadsheet.ts';
import type { RouteEnvironment } from '../http/route-deps.ts';
import { listListFolders } from './list-folder.table.ts';
import { findDataFolder, isBeneath, readAbsolutePath } from './list-folders.ts';

type ListEnvironment = Pick<RouteEnvironment, 'name' | 'folder' | 'database'>;

export interface OpenedFile {
  /** The caller must close it. */
  readonly handle: FileHandle;
  readonly fileName: string;
}

// Flags that prevent following a link that was created meanwhile: macOS has one for every component
// of the path (O_NOFOLLOW_ANY), other systems for the last one, and Windows has none.
const withoutLinks: Partial<Record<NodeJS.Platform, number>> = { darwin: 0x2000_0000, win32: 0 };
// Opening a pipe must not block.
const flags =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (withoutLinks[process.platform] ?? constants.O_NOFOLLOW);

/** One message for all paths out of reach, whether they exist or not. */
const notAllowed = (named: string) =>
  new EngineError(
    'forbidden',
    `${named} is not in an allowed folder, or cannot be read. Check the path. The user can ` +
      'allow its folder in Connections, or open the file in the app.',
  );

function requireList(info: BigIntStats, fileName: string): void {
  if (!info.isFile())
    throw invalid(`${fileName} is a folder or a device. Send the path of a CSV file.`);
  if (info.size > csvUploadBytesMax)
    throw invalid(
      `${fileName} is larger than ${csvUploadBytesMax / 1024 ** 2} MB (${csvUploadBytesMax} ` +
        'bytes). Split it.',
    );
}

/** The path of an open file: reported by the system if possible, otherwise resolved again. */
const findOpened = ({ fd }: FileHandle, path: string): Promise<string> =>
  process.platform === 'linux' ? readlink(`/proc/self/fd/${fd}`) : realpath(path);

/** Folds differences that some file systems ignore. Never decides alone. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase();

/**
 * An absolute path that the text of an allowed folder begins, and a test of real paths. Throws
 * `validation_error` for a path that is not absolute, `forbidden` for one elsewhere.
 */
async function readAllowed(environment: ListEnvironment, accountId: number, named: string) {
  const path = readAbsolutePath(named);
  if (path === null) throw invalid('path: send an absolute path, or one that starts with ~/.');
  const folders = listListFolders(environment.database, accountId);
  const places = folders.flatMap((folder) => [folder.path, folder.realPath]);
  // By the text of the path first: no file system access for paths elsewhere.
  if (!places.some((place) => isBeneath(fold(place), fold(path)))) throw notAllowed(named);
  const dataFolder = await findDataFolder(environment);
  const isAllowed = (real: string): boolean =>
    folders.some(({ realPath }) => isBeneath(realPath, real)) &&
    real !== dataFolder &&
    !isBeneath(dataFolder, real);
  return { path, isAllowed };
}

/**
 * The real path of a new file. Throws `forbidden` outside of the allowed folders, and
 * `validation_error` if the file exists.
 * @param named the path as the assistant sent it; `~/` is the user's home folder
 */
export async function findNewFile(
  environment: ListEnvironment,
  accountId: number,
  named: string,
): Promise<string> {
  const { path, isAllowed } = await readAllowed(environment, accountId, named);
  const folder = await realpath(dirname(path)).catch(() => {
    throw notAllowed(named);
  });
  const real = join(folder, basename(path));
  if (!isAllowed(real)) throw notAllowed(named);
  const isFree = await lstat(real).then(
    () => false,
    () => true,
  );
  if (isFree) return real;
  throw invalid(`${basename(path)} already exists. Send the path of a new file.`);
}

/**
 * Opens the file. Throws `validation_error` for a path that is not absolute and, inside an allowed
 * folder, for anything that is not a file or is too large; `forbidden` for everything else.
 * @param named the path as the assistant sent it; `~/` is the user's home folder
 */
export async function openListFile(
  environment: ListEnvironment,
  accountId: number,
  named: string,
): Promise<OpenedFile> {
  const { path, isAllowed } = await readAllowed(environment, accountId, named);
  const unreachable = () => {
    throw notAllowed(named);
  };
  const real = await realpath(path).catch(unreachable);
  if (!isAllowed(real)) throw notAllowed(named);
  const fileName = basename(path);
  // Before opening, because opening a device can have side effects.
  requireList(await lstat(real, { bigint: true }).catch(unreachable), fileName);
  const handle = await open(real, flags).catch(unreachable);
  try {
    // The path may have changed meanwhile, so the open file is checked.
    const info = await handle.stat({ bigint: true });
    const opened = await findOpened(handle, real).catch(unreachable);
    const there = await lstat(opened, { bigint: true }).catch(unreachable);
    const isSame = there.dev === info.dev && there.ino === info.ino;
    if (!isSame || !isAllowed(opened)) throw notAllowed(named);
    requireList(info, fileName);
    return { handle, fileName };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
