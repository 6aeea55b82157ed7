// Restricts a data folder to its user: how files are created, and how a folder is handled that
// other users can read or write. On Windows, which has no such modes, the user's profile protects
// the folder and these functions do nothing.
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import {
  asidePrefix,
  automaticBackupsFolder,
  keptNames,
  ownerNames,
  passingNames,
  stagingFolder,
} from './data-files.ts';

const othersMask = 0o077;
const othersWriteMask = 0o022;
const hasModes = process.platform !== 'win32';

const quotePath = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/**
 * Creates an empty file with mode 0600 if there is none, and removes other users' access to an
 * existing one. SQLite gives the log and shared memory the mode of the database. An existing file
 * is not opened: closing it would release the locks that SQLite holds on it in this process. Throws
 * file system errors, and EISDIR for a folder.
 */
export function createPrivateFile(path: string): void {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isDirectory())
    throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: 'EISDIR' });
  if (!info) closeSync(openSync(path, 'a', 0o600));
  if (hasModes && (info?.mode ?? 0) % 0o1000 !== 0o600) chmodSync(path, 0o600);
}

/**
 * Creates a folder and its parents; false if there is one. With `recursive`, mkdirSync never ends
 * where a file system has no new folders, such as /proc.
 */
function makeFolders(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
    const parent = dirname(path);
    const isParentMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isParentMissing || existsSync(parent)) throw error;
    makeFolders(parent);
    return makeFolders(path);
  }
}

/** Creates a folder with mode 0700, and its parents, if there is none. */
export function createPrivateFolder(path: string): void {
  // A umask may have removed rights of the owner.
  if (makeFolders(path) && hasModes) chmodSync(path, 0o700);
}

export function findOtherUsers(folder: string): 'write' | 'read' | null {
  if (!hasModes) return null;
  const { mode, uid } = statSync(folder);
  if (uid !== process.geteuid?.() || (mode & othersWriteMask) !== 0) return 'write';
  return (mode & othersMask) !== 0 ? 'read' : null;
}

export function describeChmod(folder: string): string {
  const isOwn = statSync(folder).uid === process.geteuid?.();
  return isOwn
    ? `Run: chmod 700 ${quotePath(folder)}`
    : `Take ownership of it and run: chmod 700 ${quotePath(folder)}. ` +
        'Or choose another folder with --data-dir.';
}

/** Throws `folder_not_private` if another user owns a folder or can write to it. */
export function requirePrivateFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (findOtherUsers(folder) !== 'write') return;
  const isOwn = statSync(folder).uid === process.geteuid?.();
  const what = isOwn ? 'Other users can write to' : 'Another user owns';
  throw new EngineError(
    'folder_not_private',
    `${what} the data folder ${folder}, so its files cannot be trusted. ${describeChmod(folder)}`,
  );
}

/** Describes what `closeToOthers` did. */
export const describeClosed = (folder: string): string =>
  `Other users could read ${folder}. Only your user can access it and its files now (chmod 700).`;

const isOwnName = (name: string): boolean =>
  name === stagingFolder ||
  name === automaticBackupsFolder ||
  name.startsWith(asidePrefix) ||
  [keptNames, passingNames, ownerNames].some((names) => names.test(name));

/** Removes other users' access to a file or folder tree. Never follows a link. */
function closePath(path: string): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  // Files of other users are left: only the owner may change a mode.
  if (!info || info.isSymbolicLink() || info.uid !== process.geteuid?.()) return;
  if ((info.mode & othersMask) !== 0) chmodSync(path, info.mode & 0o700);
  if (info.isDirectory()) for (const name of readdirSync(path)) closePath(join(path, name));
}

/**
 * Removes other users' access to an own folder and the product's files in it. Other files keep
 * their modes. Returns whether the folder was accessible to others. Throws file system errors.
 */
export function closeToOthers(folder: string): boolean {
  if (findOtherUsers(folder) === null) return false;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) if (isOwnName(name)) closePath(join(folder, name));
  return true;
}
