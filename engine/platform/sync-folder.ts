/** Makes renames and new names in a folder survive a power loss. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes a folder's entries to disk; a no-op on Windows, which cannot and need not. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
