/**
 * Writes a backup: consistent copies of both databases, every job's input, and the user's own
 * definitions of data services in one .tar.gz.
 */
import { createReadStream, createWriteStream, existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { EngineError } from '../contract/errors.ts';
import { checkFileTarget } from '../platform/check-file-target.ts';
import { createPrivateFile, createPrivateFolder } from '../platform/private-files.ts';
import { openReadable, type ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { ownDefinitionsDir } from '../providers/definitions/list-definitions.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import { type ArchiveEntry, packArchive } from './archive.ts';
import {
  backupFormat,
  definitionFile,
  hashFile,
  type Manifest,
  manifestName,
} from './backup-manifest.ts';
import { listInputs } from './list-inputs.ts';
import type { MaintainedEnvironment } from './maintenance.commands.ts';

/** Report of a backup. */
export interface BackupReport {
  readonly path: string;
  readonly bytes: number;
  /** Number of files in the archive besides the manifest. */
  readonly files: number;
  readonly created_at: string;
}

/** A file to add to the archive. */
interface Source {
  readonly name: string;
  readonly path: string;
}

// A low level, so that a backup is fast.
const gzipLevel = 3;
const copiesFolder = 'backup-copies';
const inputFiles = [...['input.csv', 'input.idx'], ...['left-out/input.csv', 'left-out/input.idx']];

function checkTarget(environment: MaintainedEnvironment, path: string): void {
  if (!isAbsolute(path))
    throw new EngineError('validation_error', `path must be absolute, but is ${path}.`);
  checkFileTarget(path, 'backup');
  const within = relative(resolve(environment.folder), path);
  if (!within.startsWith('..') && !isAbsolute(within))
    throw new EngineError(
      'validation_error',
      `${path} is inside the data folder that is backed up. Choose a path outside of it.`,
    );
}

/**
 * The inputs of every job and monitor in a copied engine.db. Later inputs are not in this backup.
 */
function listInputFiles(store: ReadableDatabase, folder: string): Source[] {
  const sources: Source[] = [];
  for (const { uuid } of listInputs(store))
    for (const name of inputFiles) {
      const path = join(jobDir(folder, uuid), name);
      if (existsSync(path)) sources.push({ name: `jobs/${uuid}/${name}`, path });
    }
  return sources;
}

/** Copies the user's own definitions of data services, which may be edited meanwhile. */
async function copyDefinitions(folder: string, copies: string): Promise<Source[]> {
  const own = ownDefinitionsDir(folder);
  const names = existsSync(own) ? readdirSync(own).filter((name) => definitionFile.test(name)) : [];
  const sources = names.map((name) => ({ name: `providers/${name}`, path: join(copies, name) }));
  for (const name of names) await copyFile(join(own, name), join(copies, name));
  return sources;
}

/** Opens a copied database, reads from it, and closes it. */
function readCopy<T>(path: string, read: (database: ReadableDatabase) => T): T {
  const database = openReadable(path);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

const readSchema = (database: ReadableDatabase): number =>
  database.pragma('user_version', { simple: true }) as number;

async function copyDatabases(
  environment: MaintainedEnvironment,
  copies: string,
): Promise<Source[]> {
  await rm(copies, { recursive: true, force: true });
  createPrivateFolder(copies);
  const store = join(copies, 'engine.db');
  const directory = join(copies, 'directory.db');
  for (const path of [store, directory]) createPrivateFile(path);
  await environment.writer.copyStore({ path: store });
  await environment.reader.copyDirectory({ path: directory });
  return [
    { name: 'engine.db', path: store },
    { name: 'directory.db', path: directory },
    ...readCopy(store, (database) => listInputFiles(database, environment.folder)),
    ...(await copyDefinitions(environment.folder, copies)),
  ];
}

async function describeSources(
  environment: MaintainedEnvironment,
  copies: string,
  sources: readonly Source[],
): Promise<Manifest> {
  const files: Manifest['files'] = [];
  for (const { name, path } of sources) files.push({ name, ...(await hashFile(path)) });
  return {
    product: 'Enrichment Desk',
    format: backupFormat,
    environment: environment.name,
    created_at: new Date().toISOString(),
    store_schema: readCopy(join(copies, 'engine.db'), readSchema),
    directory_schema: readCopy(join(copies, 'directory.db'), readSchema),
    files,
  };
}

function* listEntries(manifest: Manifest, sources: readonly Source[]): Generator<ArchiveEntry> {
  const text = Buffer.from(JSON.stringify(manifest, null, 1));
  yield { name: manifestName, sizeBytes: text.length, content: Readable.from([text]) };
  for (const [at, { name, bytes }] of manifest.files.entries())
    yield { name, sizeBytes: bytes, content: createReadStream(sources[at]!.path) };
}

/** Converts file system errors to refusals. Other errors are returned as they are. */
function explainDisk(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC')
    return new EngineError(
      'read_only',
      `There is not enough space for the backup ${path}. Free some space, or choose another disk.`,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new EngineError(
      'validation_error',
      `${path} cannot be written (${code}). Choose a path for the backup that you can write to.`,
    );
  return error;
}

const writing = new Set<string>();

/**
 * Writes a backup of an environment to an absolute path: complete and synced to disk, then renamed
 * over an existing file. Memory does not grow with its size. It never contains engine.key or
 * uploads. Throws `validation_error` for an invalid path, `read_only` for a full disk.
 */
export async function writeBackup(
  environment: MaintainedEnvironment,
  path: string,
): Promise<BackupReport> {
  checkTarget(environment, path);
  if (writing.has(environment.folder))
    throw new EngineError(
      'validation_error',
      'A backup is already being written. Wait until it has finished.',
    );
  writing.add(environment.folder);
  const copies = join(environment.folder, copiesFolder);
  const partial = `${path}.partial`;
  try {
    const sources = await copyDatabases(environment, copies);
    const manifest = await describeSources(environment, copies, sources);
    await pipeline(
      Readable.from(packArchive(listEntries(manifest, sources))),
      createGzip({ level: gzipLevel }),
      createWriteStream(partial, { mode: 0o600, flush: true }),
    );
    const bytes = statSync(partial).size;
    await rename(partial, path);
    syncFolder(dirname(path));
    const at = manifest.created_at;
    await environment.writer.recordBackup({ path, bytes, at });
    return { path, bytes, files: sources.length, created_at: at };
  } catch (error) {
    await rm(partial, { force: true });
    throw explainDisk(error, path);
  } finally {
    await rm(copies, { recursive: true, force: true });
    writing.delete(environment.folder);
  }
}
