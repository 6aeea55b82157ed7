/** Tells a machine that has run short (disk, open files, threads) from a bug of the engine. */
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { EngineError } from '../contract/errors.ts';

const diskCodes = /^(SQLITE_(FULL|READONLY|CANTOPEN|IOERR)|ENOSPC|EDQUOT|EROFS)/;
/** What SQLite says as well where it is a descriptor that is missing: it keeps the cause back. */
const vagueCodes = /^SQLITE_(CANTOPEN|IOERR)/;
const openFilesWords = /\b(EMFILE|ENFILE)\b|too many open files/i;

/** Whether this process can open no further file now. */
function hasNoDescriptor(): boolean {
  try {
    closeSync(openSync(devNull, 'r'));
    return false;
  } catch (error) {
    return openFilesWords.test(String((error as NodeJS.ErrnoException).code));
  }
}

/**
 * The refusal for an error that passes by itself once the machine has room again: `read_only` for
 * a full or read-only disk, `unavailable` for too many open files or threads. Null for any other
 * error. Ask at once: SQLite does not say what it lacked, so that a file is opened to find out.
 */
export function findShortage(error: unknown): EngineError | null {
  const { code, message } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const name = String(code ?? '');
  const isVague = vagueCodes.test(name);
  if (openFilesWords.test(`${name} ${message ?? ''}`) || (isVague && hasNoDescriptor()))
    return new EngineError(
      'unavailable',
      'The engine has as many files open as the system allows it. Wait a few seconds, then try ' +
        'again; if it stays, raise the limit of open files (ulimit -n) and restart the engine.',
      { cause: error },
    );
  if (name === 'ERR_WORKER_INIT_FAILED')
    return new EngineError(
      'unavailable',
      'The system gives the engine no further thread now. Wait a few seconds, then try again.',
      { cause: error },
    );
  return diskCodes.test(name) ? new EngineError('read_only', undefined, { cause: error }) : null;
}
