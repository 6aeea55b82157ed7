// Maps errors of the operating system and of SQLite to refusals with a remedy.
import { closeSync, openSync, statfsSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { EngineError, type ErrorCode } from '../../contract/errors.ts';

interface Place {
  readonly file: string;
  readonly folder: string;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly describe: (place: Place | null, why: string) => string | undefined;
}

const nameFile = ({ file, folder }: Place): string => `${file} in ${folder}`;

const openFiles: Refusal = {
  code: 'unavailable',
  describe: () =>
    'The engine has reached the system limit of open files. Wait a few seconds, then try ' +
    'again. If the error persists, raise the limit (ulimit -n) and restart the engine.',
};
const threads: Refusal = {
  code: 'unavailable',
  describe: () =>
    'The system cannot start another thread for the engine. Wait a few seconds, then try again.',
};
const damaged: Refusal = {
  code: 'database_damaged',
  describe: (place, why) =>
    place === null
      ? undefined
      : `${nameFile(place)} is damaged (${why}). Restore a backup: desk restore FILE.`,
};
const readOnly: Refusal = {
  code: 'read_only',
  describe: (place) =>
    `${place?.folder ?? 'The data folder'} is read-only. Make it writable (its file system may ` +
    'be mounted read-only), or choose another folder with --data-dir.',
};
const moved: Refusal = { code: 'database_missing', describe: () => undefined };
const full: Refusal = { code: 'read_only', describe: () => undefined };
const noRight: Refusal = {
  code: 'folder_unusable',
  describe: (place, why) =>
    `${place === null ? 'A file of the data folder' : nameFile(place)} cannot be used (${why}). ` +
    'Give your user permission to read and write it, or choose another folder.',
};

const longName: Refusal = {
  code: 'validation_error',
  describe: () => 'The name of a file is longer than the system allows. Choose a shorter one.',
};

/** Codes of the operating system and of SQLite, with their refusals. All other codes are bugs. */
const refusals: readonly (readonly [codes: RegExp, refusal: Refusal])[] = [
  [/^ERR_WORKER_INIT_FAILED$/, threads],
  [/^SQLITE_(CORRUPT|NOTADB)/, damaged],
  [/^SQLITE_READONLY_DBMOVED/, moved],
  [/^(SQLITE_READONLY|EROFS$)/, readOnly],
  [/^(SQLITE_(FULL|IOERR|CANTOPEN)|ENOSPC$|EDQUOT$)/, full],
  [/^(EACCES|EPERM)$/, noRight],
  [/^ENAMETOOLONG$/, longName],
];

/** Codes that SQLite also reports if no file descriptor is free, without the cause. */
const vagueCodes = /^SQLITE_(CANTOPEN|IOERR)/;
const openFilesWords = /\b(EMFILE|ENFILE)\b|too many open files/i;

/** Whether this process cannot open another file now. */
function hasNoDescriptor(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return openFilesWords.test(String((error as NodeJS.ErrnoException).code));
  }
}

/**
 * The refusal for an error of the operating system or of SQLite; null for any other error. Call it
 * right after the error: SQLite does not report a lack of file descriptors, so this function tests
 * it by opening a file.
 * @param path the file that was used; defaults to the error's path
 */
export function findSystemRefusal(error: unknown, path?: string): EngineError | null {
  const { code, message = '', path: own } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const name = String(code ?? '');
  const lacksDescriptor =
    openFilesWords.test(`${name} ${message}`) || (vagueCodes.test(name) && hasNoDescriptor());
  const found = lacksDescriptor ? openFiles : refusals.find(([codes]) => codes.test(name))?.[1];
  if (!found) return null;
  const about = path ?? own;
  const place = about === undefined ? null : { file: basename(about), folder: dirname(about) };
  return new EngineError(found.code, found.describe(place, message), { cause: error });
}

/**
 * The refusal for a temporary lack of resources: `read_only` for a full or read-only disk,
 * `unavailable` for too many open files or threads. Null for any other error.
 */
export function findShortage(error: unknown): EngineError | null {
  const refusal = findSystemRefusal(error);
  return refusal?.code === 'read_only' || refusal?.code === 'unavailable' ? refusal : null;
}

/** Free bytes from which the folder of a database is not what was full. */
const spareBytes = 16 * 1024 * 1024;

function hasSpace(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= spareBytes;
}

/**
 * The refusal of work that writes large temporary files, if their folder was full and that of the
 * database was not; otherwise the error itself. SQLite does not report which file it could not
 * write.
 * @param path of the database; '' if it is a temporary file itself
 */
export function explainFullFolder(error: unknown, path: string): unknown {
  const { code = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (!/^SQLITE_(FULL|IOERR_WRITE)$/.test(code)) return error;
  if (path !== '' && !hasSpace(dirname(path))) return error;
  const { SQLITE_TMPDIR: chosen, TMPDIR: usual = '/var/tmp' } = process.env;
  const folder = process.platform === 'win32' ? tmpdir() : (chosen ?? usual);
  return new EngineError(
    'unavailable',
    `The folder of temporary files, ${folder}, was full. Free space on its disk, or start the ` +
      'engine with the variable TMPDIR (TEMP on Windows) set to another folder. Then try again.',
    { cause: error },
  );
}
