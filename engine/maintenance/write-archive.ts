// Writes the archive of a backup: copies and checks both databases, packs them with every job's
// input and the user's own definitions, and reads the finished archive back.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline as connect, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { EngineError, invalid } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { BackupReport } from '../contract/maintenance.ts';
import { createPrivateFolder } from '../platform/private-files.ts';
import { openReadable } from '../platform/sqlite/open-database.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { ownDefinitionsDir } from '../providers/definitions/list-definitions.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import { type ArchiveEntry, packArchive, unpackArchive } from './archive.ts';
import {
  backupFormat,
  hashFile,
  inputFiles,
  isDefinitionFile,
  type Manifest,
  manifestName,
} from './backup-manifest.ts';
import type { CopiesReport, DatabasePaths } from './check-copies.ts';
import { listInputs } from './list-inputs.ts';

/** Compares the files with the manifest. Throws `read_only`: the disk did not keep one. */
async function verifyArchive(
  path: string,
  manifest: Manifest,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const unzipped = createGunzip();
  // The reader of the unzipped bytes receives the error.
  connect(createReadStream(path), unzipped, () => {});
  const missing = new Map(manifest.files.map((file) => [file.name, file]));
  for await (const { name, content } of unpackArchive(unzipped)) {
    const hash = createHash('sha256');
    for await (const piece of content) {
      hash.update(piece);
      if (name !== manifestName) onBytes(piece.length);
    }
    if (missing.get(name)?.sha256 === hash.digest('hex')) missing.delete(name);
  }
  const [lost] = missing.keys();
  if (lost !== undefined)
    throw new EngineError(
      'read_only',
      `The backup was written, but ${lost} in it differs when it is read again. Check the disk, ` +
        'then make the backup on another one.',
    );
}

export interface BackupSource {
  readonly name: EnvironmentName;
  readonly folder: string;
  /** Copies both databases to a folder, unless no one writes to them. Returns their paths. */
  copyDatabases(copies: string): Promise<DatabasePaths>;
  checkCopies(paths: DatabasePaths): Promise<CopiesReport>;
}

/** Receives the bytes that are done, of those that are hashed, packed and read back. */
export type OnBackupProgress = (doneBytes: number, totalBytes: number) => void;

interface Source {
  readonly name: string;
  readonly path: string;
}

// A low level, so that a backup is fast.
const gzipLevel = 3;
const copiesFolder = 'backup-copies';

/**
 * The inputs of every job and monitor in a copied engine.db. Later inputs are not in this backup.
 * If it is damaged, the inputs of every folder.
 */
function listInputFiles(storePath: string, folder: string, isDamaged: boolean): Source[] {
  const ids = isDamaged ? readdirSync(join(folder, 'jobs')) : readInputs(storePath);
  return ids.flatMap((uuid) =>
    inputFiles.flatMap((name) => {
      const path = join(jobDir(folder, uuid), name);
      return existsSync(path) ? [{ name: `jobs/${uuid}/${name}`, path }] : [];
    }),
  );
}

function readInputs(storePath: string): string[] {
  const store = openReadable(storePath);
  try {
    return [...listInputs(store)].map(({ uuid }) => uuid);
  } finally {
    store.close();
  }
}

/** Copies the user's own definitions of data services, which may be edited meanwhile. */
async function copyDefinitions(folder: string, copies: string): Promise<Source[]> {
  const own = ownDefinitionsDir(folder);
  const names = existsSync(own) ? readdirSync(own).filter(isDefinitionFile) : [];
  const sources = names.map((name) => ({ name: `providers/${name}`, path: join(copies, name) }));
  for (const name of names) await copyFile(join(own, name), join(copies, name));
  return sources;
}

function* listEntries(
  manifest: Manifest,
  sources: readonly Source[],
  onBytes: (bytes: number) => void,
): Generator<ArchiveEntry> {
  const text = Buffer.from(JSON.stringify(manifest, null, 1));
  yield { name: manifestName, sizeBytes: text.length, content: Readable.from([text]) };
  const watch = async function* (path: string) {
    for await (const piece of createReadStream(path)) {
      onBytes((piece as Buffer).length);
      yield piece as Uint8Array;
    }
  };
  for (const [at, { name, bytes }] of manifest.files.entries())
    yield { name, sizeBytes: bytes, content: watch(sources[at]!.path) };
}

/** Each byte is hashed, packed and read back. */
const passes = 3;

function createMeter(sources: readonly Source[], onProgress: OnBackupProgress | undefined) {
  const total = passes * sources.reduce((sum, { path }) => sum + statSync(path).size, 0);
  let done = 0;
  return (bytes: number) => {
    done += bytes;
    onProgress?.(done, total);
  };
}

async function describeSources(
  { name: environment }: BackupSource,
  { schemas, counts }: CopiesReport,
  sources: readonly Source[],
  onBytes: (bytes: number) => void,
): Promise<Manifest> {
  const files: Manifest['files'] = [];
  for (const { name, path } of sources) {
    const file = await hashFile(path);
    onBytes(file.bytes);
    files.push({ name, ...file });
  }
  return {
    product: 'Enrichment Desk' as const,
    format: backupFormat,
    environment,
    created_at: new Date().toISOString(),
    store_schema: schemas['engine.db'],
    directory_schema: schemas['directory.db'],
    counts,
    files,
  };
}

/** Converts file system errors to refusals. Other errors are returned as they are. */
function explainDisk(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return new EngineError(
      'read_only',
      `There is not enough space for the backup ${path}. Free some space, or choose another disk.`,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return invalid(
      `${path} cannot be written (${code}). Choose a path for the backup that you can write to.`,
    );
  return error;
}

/**
 * The folder for the copies of the databases: in the data folder, or next to the archive if the
 * disk of the data folder has no space for them.
 */
async function chooseCopiesFolder(folder: string, path: string): Promise<string> {
  const needed = ['engine.db', 'engine.db-wal', 'directory.db', 'directory.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > needed ? join(folder, copiesFolder) : `${path}.copies`;
}

const writing = new Set<string>();

/** Runs one backup of a folder at a time. Throws `validation_error` for a second one. */
async function alone<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  if (writing.has(folder))
    throw invalid('A backup is already being written. Wait until it has finished.');
  writing.add(folder);
  try {
    return await work();
  } finally {
    writing.delete(folder);
  }
}

async function pack(
  source: BackupSource,
  copies: string,
  partial: string,
  onProgress: OnBackupProgress | undefined,
): Promise<Omit<BackupReport, 'path'>> {
  const { folder } = source;
  const paths = await source.copyDatabases(copies);
  const checked = await source.checkCopies(paths);
  const isDamaged = checked.damage.length > 0;
  const sources: Source[] = [
    { name: 'engine.db', path: paths['engine.db'] },
    { name: 'directory.db', path: paths['directory.db'] },
    ...listInputFiles(paths['engine.db'], folder, isDamaged),
    ...(await copyDefinitions(folder, copies)),
  ];
  const onBytes = createMeter(sources, onProgress);
  const manifest = await describeSources(source, checked, sources, onBytes);
  await pipeline(
    Readable.from(packArchive(listEntries(manifest, sources, onBytes))),
    createGzip({ level: gzipLevel }),
    createWriteStream(partial, { mode: 0o600, flush: true }),
  );
  await verifyArchive(partial, manifest, onBytes);
  return {
    bytes: statSync(partial).size,
    files: sources.length,
    created_at: manifest.created_at,
    counts: checked.counts,
    damage: checked.damage,
  };
}

/**
 * Writes the archive to an absolute path: complete, synced to disk and read back, then renamed over
 * an existing file. Memory does not grow with its size. Damage of a database does not prevent the
 * archive, and is in the report. Throws `read_only` for a full disk.
 */
export const writeArchive = (
  source: BackupSource,
  path: string,
  onProgress?: OnBackupProgress,
): Promise<BackupReport> =>
  alone(source.folder, async () => {
    const copies = await chooseCopiesFolder(source.folder, path);
    const partial = `${path}.partial`;
    try {
      await rm(copies, { recursive: true, force: true });
      createPrivateFolder(copies);
      const report = await pack(source, copies, partial, onProgress);
      await rename(partial, path);
      syncFolder(dirname(path));
      return { path, ...report };
    } catch (error) {
      await rm(partial, { force: true });
      throw explainDisk(error, path);
    } finally {
      await rm(copies, { recursive: true, force: true });
    }
  });
