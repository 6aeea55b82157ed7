/**
 * Keeps a data folder to its user: how its files are created, and what is done about a folder that
 * other users may write to or read. Windows has no such modes: there the user's profile protects
 * the folder, and nothing here does anything.
 */
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { asidePrefix, keptNames, ownerNames, passingNames, stagingFolder } from './data-files.ts';

const othersMask = 0o077;
const othersWriteMask = 0o022;
const hasModes = process.platform !== 'win32';

/** A path as a shell takes it. */
const quotePath = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/**
 * Creates an empty file of mode 0600 where there is none, and takes an existing one from others.
 * SQLite gives a log and its shared memory the mode that the database has. An existing file is
 * never opened: closing it would drop the locks that SQLite holds on it in this process.
 * Throws what the file system throws, EISDIR where a folder has the name.
 */
export function createPrivateFile(path: string): void {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isDirectory())
    throw Object.assign(new Error(`EISDIR: ${path} is a folder`), { code: 'EISDIR' });
  if (!info) closeSync(openSync(path, 'a', 0o600));
  if (hasModes && (info?.mode ?? 0) % 0o1000 !== 0o600) chmodSync(path, 0o600);
}

/** Creates a folder of mode 0700, and those above it, where there is none. */
export function createPrivateFolder(path: string): void {
  const isNew = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
  // A umask may have taken rights of the owner.
  if (isNew && hasModes) chmodSync(path, 0o700);
}

/** Who but its owner may do what with a folder; null where nobody may do anything. */
export function findOtherUsers(folder: string): 'write' | 'read' | null {
  if (!hasModes) return null;
  const { mode, uid } = statSync(folder);
  if (uid !== process.geteuid?.() || (mode & othersWriteMask) !== 0) return 'write';
  return (mode & othersMask) !== 0 ? 'read' : null;
}

/** What to run so that a folder is its user's alone. */
export function describeChmod(folder: string): string {
  const isOwn = statSync(folder).uid === process.geteuid?.();
  return isOwn
    ? `Run: chmod 700 ${quotePath(folder)}`
    : `Make it yours and run: chmod 700 ${quotePath(folder)}. ` +
        'Or choose another folder with --data-dir.';
}

/** Throws `folder_not_private` where another user owns a folder or may write to it. */
export function requirePrivateFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (findOtherUsers(folder) !== 'write') return;
  const isOwn = statSync(folder).uid === process.geteuid?.();
  const what = isOwn ? 'Other users may write to' : 'Another user owns';
  throw new EngineError(
    'folder_not_private',
    `${what} the data folder ${folder}, so its files cannot be trusted. ${describeChmod(folder)}`,
  );
}

/** What `closeToOthers` did, for a person. */
export const describeClosed = (folder: string): string =>
  `Other users could read ${folder}. It and its files are now for your user alone (chmod 700).`;

const isOwnName = (name: string): boolean =>
  name === stagingFolder ||
  name.startsWith(asidePrefix) ||
  [keptNames, passingNames, ownerNames].some((names) => names.test(name));

/** Takes a file or a folder with all that is in it from other users; never follows a link. */
function closePath(path: string): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  // What another user owns stays: only the owner may change a mode.
  if (!info || info.isSymbolicLink() || info.uid !== process.geteuid?.()) return;
  if ((info.mode & othersMask) !== 0) chmodSync(path, info.mode & 0o700);
  if (info.isDirectory()) for (const name of readdirSync(path)) closePath(join(path, name));
}

/**
 * Takes a folder of ours, and what the product keeps in it, from others who may read it. Other
 * files in it keep their modes. Answers whether it was open.
 * Throws what the file system throws.
 */
export function closeToOthers(folder: string): boolean {
  if (findOtherUsers(folder) === null) return false;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) if (isOwnName(name)) closePath(join(folder, name));
  return true;
}
