/**
 * Stores an index in a file: written completely, flushed, then renamed. A file that is damaged, or
 * of another kind or version, is rejected.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolder } from '../../platform/sync-folder.ts';
import { type AnyFormat, hasFormat } from './shared-sections.ts';

const magic = 0x58494445;
const headerBytes = 16;
const stepBytes = 64 * 1024 * 1024;

/**
 * Writes an index to a temporary file in the same folder, then renames it. Throws file-system
 * errors.
 */
export function saveIndex(format: AnyFormat, buffer: SharedArrayBuffer, path: string): void {
  const bytes = new Uint8Array(buffer);
  const header = new Uint32Array([magic, format.version, crc32(bytes), bytes.length]);
  const temporaryPath = `${path}.new`;
  const handle = openSync(temporaryPath, 'w', 0o600);
  try {
    writeSync(handle, new Uint8Array(header.buffer));
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(stepBytes, bytes.length - at);
      at += writeSync(handle, bytes, at, length, headerBytes + at);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporaryPath, path);
  syncFolder(dirname(path));
}

/**
 * Reads the content after the header into shared memory; null if the header or the checksum is
 * wrong.
 */
function readChecked(format: AnyFormat, handle: number): SharedArrayBuffer | null {
  const header = new Uint32Array(headerBytes / 4);
  readSync(handle, new Uint8Array(header.buffer), 0, headerBytes, 0);
  const length = fstatSync(handle).size - headerBytes;
  if (header[0] !== magic || header[1] !== format.version || header[3] !== length) return null;
  const buffer = new SharedArrayBuffer(length);
  const bytes = new Uint8Array(buffer);
  for (let at = 0; at < length; ) {
    const read = readSync(handle, bytes, at, Math.min(stepBytes, length - at), headerBytes + at);
    if (read === 0) return null;
    at += read;
  }
  return crc32(bytes) === header[2] && hasFormat(format, buffer) ? buffer : null;
}

/** The index in a file; null if the file is missing, damaged or of another format. */
export function loadIndex(format: AnyFormat, path: string): SharedArrayBuffer | null {
  let handle: number;
  try {
    handle = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return readChecked(format, handle);
  } finally {
    closeSync(handle);
  }
}
