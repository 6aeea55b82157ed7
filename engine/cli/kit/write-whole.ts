// Writes a file under a temporary name and renames it when it is complete.
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../../platform/sync-folder.ts';

/**
 * Creates or replaces a file with everything that `fill` writes. If `fill` fails, an existing file
 * stays as it is and nothing else is left.
 * @param outPath absolute
 */
export async function writeWhole(
  outPath: string,
  fill: (write: (text: string) => void) => Promise<void>,
): Promise<void> {
  const partial = `${outPath}.${randomUUID().slice(0, 8)}.partial`;
  const handle = openSync(partial, 'wx');
  let isOpen = true;
  try {
    await fill((text) => void writeSync(handle, text));
    fsyncSync(handle);
    closeSync(handle);
    isOpen = false;
    renameSync(partial, outPath);
    syncFolder(dirname(outPath));
  } catch (error) {
    if (isOpen) closeSync(handle);
    rmSync(partial, { force: true });
    throw error;
  }
}
