/**
 * Opens a file that an assistant names, where a person allowed its folder. What an assistant reads
 * may be hostile and make it name any path: of all others it learns nothing, not even whether they
 * are there.
 */
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { csvUploadBytesMax } from '../contract/limits/spreadsheet.ts';
import type { RouteEnvironment } from '../http/route-deps.ts';
import { listListFolders } from './list-folder.table.ts';
import { findDataFolder, isBeneath, readAbsolutePath } from './list-folders.ts';

/** A file that is open for reading. */
export interface OpenedFile {
  /** To be closed by whoever has it. */
  readonly handle: FileHandle;
  readonly fileName: string;
}

// What keeps the way to a file from leading through a link that was put there meanwhile: macOS has
// a flag for every name on it (O_NOFOLLOW_ANY), others for the last one, and Windows has none.
const withoutLinks: Partial<Record<NodeJS.Platform, number>> = { darwin: 0x2000_0000, win32: 0 };
// A pipe must not be waited for.
const flags =
  constants.O_RDONLY |
  (constants.O_NONBLOCK ?? 0) |
  (withoutLinks[process.platform] ?? constants.O_NOFOLLOW);

/** One sentence for all that is out of reach, whether it is there or not. */
const notAllowed = (named: string) =>
  new EngineError(
    'forbidden',
    `${named} is not in a folder that is allowed for lists. A person can allow folders in ` +
      'Connections, or start it with desk enrich.',
  );

function requireList(info: BigIntStats, fileName: string): void {
  if (!info.isFile())
    throw new EngineError(
      'validation_error',
      `${fileName} is a folder or a device. Name a CSV file.`,
    );
  if (info.size > csvUploadBytesMax)
    throw new EngineError(
      'validation_error',
      `${fileName} is larger than ${csvUploadBytesMax / 1024 ** 2} MB (${csvUploadBytesMax} ` +
        'bytes). Split it.',
    );
}

/** Where an open file is: the system's own word, or else where the path leads that opened it. */
const findOpened = ({ fd }: FileHandle, path: string): Promise<string> =>
  process.platform === 'linux' ? readlink(`/proc/self/fd/${fd}`) : realpath(path);

/** Letters that some disks take for the same are the same here: this decides nothing alone. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase();

/**
 * Opens the file. Throws `validation_error` for a path that is not absolute and, within an allowed
 * folder, for what is no file or too large; `forbidden` for everything else.
 * @param named as the assistant wrote it; `~/` is the person's home
 */
export async function openListFile(
  environment: Pick<RouteEnvironment, 'name' | 'folder' | 'database'>,
  accountId: number,
  named: string,
): Promise<OpenedFile> {
  const path = readAbsolutePath(named);
  if (path === null)
    throw new EngineError(
      'validation_error',
      'path: send an absolute path, or one that begins with ~/.',
    );
  const folders = listListFolders(environment.database, accountId);
  const places = folders.flatMap((folder) => [folder.path, folder.realPath]);
  // By its words alone first: the disk is asked nothing about a path that is elsewhere.
  if (!places.some((place) => isBeneath(fold(place), fold(path)))) throw notAllowed(named);
  const dataFolder = await findDataFolder(environment);
  const isAllowed = (real: string): boolean =>
    folders.some(({ realPath }) => isBeneath(realPath, real)) && !isBeneath(dataFolder, real);
  const unreachable = () => {
    throw notAllowed(named);
  };
  const real = await realpath(path).catch(unreachable);
  if (!isAllowed(real)) throw notAllowed(named);
  const fileName = basename(path);
  // Before it is opened: opening a device may do something.
  requireList(await lstat(real, { bigint: true }).catch(unreachable), fileName);
  const handle = await open(real, flags).catch(unreachable);
  try {
    // The names may have changed hands meanwhile: what counts is the file that is open.
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
