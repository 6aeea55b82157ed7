// Makes new and renamed files in a folder durable after a power failure.
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Syncs a folder's entries to disk; on Windows that is neither possible nor needed. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
