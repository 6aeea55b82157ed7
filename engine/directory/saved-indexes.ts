// The files of a data folder that keep the indexes of its directory.
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import type { BuiltIndex } from './index/built-index.ts';
import { matchIndexFormat, openIndex } from './index/index-layout.ts';
import { type AnyFormat, hasFormat } from './index/shared-sections.ts';
import { readGeneration } from './open-directory.ts';
import { openSearchIndex, searchIndexFormat } from './search/search-layout.ts';

// Stores an index in a file: written completely, flushed, then renamed. A file that is damaged, or
// of another kind or version, is rejected.

const magic = 0x58494445;
const headerBytes = 16;
const stepBytes = 64 * 1024 * 1024;

/** Writes to a temporary file, then renames it. Throws file-system errors. */
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

/** Reads the content into shared memory; null if the header or the checksum is wrong. */
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

const savedIndexes = {
  match: { name: 'directory.index', format: matchIndexFormat, open: openIndex },
  search: { name: 'directory.search', format: searchIndexFormat, open: openSearchIndex },
} as const;

export type IndexKind = keyof typeof savedIndexes;

/** The saved index of the current directory; null if the file is missing, damaged or outdated. */
export function loadSaved(
  kind: IndexKind,
  folder: string,
  directory: ReadableDatabase,
): BuiltIndex | null {
  const { name, format, open } = savedIndexes[kind];
  const generation = readGeneration(directory);
  const buffer = loadIndex(format, join(folder, name));
  return buffer && open(buffer).generation === generation ? { buffer, generation } : null;
}

/** Saves an index. Throws file-system errors. */
export const saveBuilt = (kind: IndexKind, folder: string, buffer: SharedArrayBuffer): void =>
  saveIndex(savedIndexes[kind].format, buffer, join(folder, savedIndexes[kind].name));

export const hasSaved = (folder: string): boolean =>
  Object.values(savedIndexes).some(({ name }) => existsSync(join(folder, name)));

/** The names of damaged files, and of those from another version. */
export const listDamaged = (folder: string): string[] =>
  Object.values(savedIndexes).flatMap(({ name, format }) => {
    const path = join(folder, name);
    return existsSync(path) && loadIndex(format, path) === null ? [name] : [];
  });
