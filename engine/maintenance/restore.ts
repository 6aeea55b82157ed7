// Replaces a data folder with a backup: unpacks and checks next to it, then exchanges both.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import { copyFile, mkdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { continueLog } from '../audit/continue-log.ts';
import { EngineError, invalid } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { backupManifestBytesMax } from '../contract/limits/maintenance.ts';
import type { RestoreReport } from '../contract/maintenance.ts';
import { openDirectory } from '../directory/open-directory.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import { mergeReceipts } from '../person-data/merge-receipts.ts';
import {
  automaticBackupsFolder,
  type DatabaseFile,
  restoredSuffix,
  stagingFolder,
} from '../platform/data-files.ts';
import { migrationsDir } from '../platform/paths.ts';
import { createPrivateFile, createPrivateFolder } from '../platform/private-files.ts';
import { findDamage } from '../platform/sqlite/find-damage.ts';
import { findSchemaFaults } from '../platform/sqlite/find-schema-faults.ts';
import { newestVersion } from '../platform/sqlite/migrate.ts';
import { openReadable, type WritableDatabase } from '../platform/sqlite/open-database.ts';
import { openStore, openStoreReadable } from '../platform/sqlite/open-store.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import {
  insertEntry,
  listNewEntries,
  raiseVersion,
  readVersion,
} from '../suppression/suppression.table.ts';
import { type ArchiveEntry, unpackArchive } from './archive.ts';
import { backupFormat, type Manifest, ManifestSchema, manifestName } from './backup-manifest.ts';
import { countRows } from './check-copies.ts';

/** A backup whose files match its manifest, but that no engine can open. */
class DamagedBackup extends Error {}

const shownMax = 3;

/** Finds damaged pages, indexes and lost rows before anything is written to the file. */
function checkPages(folder: string, file: DatabaseFile, manifest: Manifest): void {
  const path = join(folder, file);
  const schema = file === 'engine.db' ? manifest.store_schema : manifest.directory_schema;
  const database = openReadable(path);
  try {
    const version = database.pragma('user_version', { simple: true });
    if (version !== schema || schema === 0)
      throw new Error(`its schema is ${version} instead of the ${schema} in the manifest`);
    // Before anything is read from its tables: a planted view may never end.
    const faults = findSchemaFaults(
      database,
      migrationsDir(file === 'engine.db' ? 'store' : 'directory'),
    );
    if (faults.length > 0) throw new Error(faults.join('; '));
    const found = findDamage(database, 'integrity_check');
    if (found.length > 0) throw new Error(found.join('; '));
    for (const [table, rows] of Object.entries(countRows(database, file)))
      if (rows !== manifest.counts[table])
        throw new Error(`${table} has ${rows} rows instead of ${manifest.counts[table]}`);
  } finally {
    database.close();
  }
}

/** Migrates a database like the next start would, and checks its rules. */
function openAsEngine(
  open: () => WritableDatabase,
  findViolations: (database: WritableDatabase) => string[],
): void {
  const database = open();
  try {
    const found = findViolations(database);
    if (found.length > 0) throw new Error(found.slice(0, shownMax).join('; '));
  } finally {
    database.close();
  }
}

function check(file: DatabaseFile, work: () => void): void {
  try {
    work();
  } catch (error) {
    const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
    // A full disk is not a problem of the backup.
    if (refusal && refusal.code !== 'database_damaged') throw refusal;
    const why = (error as Error).message;
    throw new DamagedBackup(`${file} is damaged in this backup (${why}).`, { cause: error });
  }
}

/**
 * Throws DamagedBackup if a database of an unpacked backup is damaged, does not have the schema of
 * the manifest or of the product, cannot be migrated, or has an inconsistent ledger; EngineError
 * if the file system prevents the check.
 */
function checkRestored(folder: string, manifest: Manifest): void {
  check('engine.db', () => {
    checkPages(folder, 'engine.db', manifest);
    openAsEngine(() => openStore(folder), verifyLedger);
  });
  check('directory.db', () => {
    checkPages(folder, 'directory.db', manifest);
    openAsEngine(
      () => openDirectory(folder),
      () => [],
    );
  });
}

function readList(folder: string) {
  const store = openStoreReadable(folder);
  try {
    return { version: readVersion(store), entries: listNewEntries(store) };
  } finally {
    store.close();
  }
}

/**
 * Adds the entries of a folder to the list of another. No entry is lost, also one that was removed
 * since the backup. Returns the number of added entries; null if the former list cannot be read.
 * @param former the folder that is replaced; it may have no databases
 * @param next the folder that replaces it
 */
function mergeLists(former: string, next: string): number | null {
  if (!existsSync(join(former, 'engine.db'))) return 0;
  let list: ReturnType<typeof readList>;
  try {
    list = readList(former);
  } catch {
    return null;
  }
  const store = openStore(next);
  try {
    return inTransaction(store, () => {
      const added = list.entries.filter((entry) => insertEntry(store, entry)).length;
      // What was derived from either list is outdated.
      raiseVersion(store, list.version);
      return added;
    });
  } finally {
    store.close();
  }
}

export interface RestoreCommand {
  readonly archivePath: string;
  readonly dataDir: string;
  /** The environment of the folder. A backup of the other environment is refused. */
  readonly environment: EnvironmentName;
  /** Called after all checks, right before the folders are exchanged. A rejection prevents it. */
  readonly beforeChange?: () => Promise<void> | void;
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

const refuse = (what: string): EngineError => invalid(`${what} The data folder was not changed.`);

const isDamage = (error: unknown): boolean =>
  /^Z_|ERR_BUFFER|ERR_STREAM_PREMATURE/.test(String((error as NodeJS.ErrnoException)?.code));

function parseManifest(text: string): Manifest | null {
  try {
    return ManifestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function readManifest(
  entry: ArchiveEntry,
  { archivePath, environment }: RestoreCommand,
): Promise<Manifest> {
  if (entry.name !== manifestName || entry.sizeBytes > backupManifestBytesMax)
    throw refuse(`${archivePath} is not a backup of Enrichment Desk.`);
  const pieces: Uint8Array[] = [];
  for await (const piece of entry.content) pieces.push(Buffer.from(piece));
  const data = parseManifest(Buffer.concat(pieces).toString('utf8'));
  if (!data) throw refuse(`${archivePath} is not a backup that this version can read.`);
  const isNewer =
    data.format > backupFormat ||
    data.store_schema > newestVersion(migrationsDir('store')) ||
    data.directory_schema > newestVersion(migrationsDir('directory'));
  if (isNewer)
    throw refuse(
      `${archivePath} was written by a newer version of Enrichment Desk. ` +
        'Install that version and restore with it.',
    );
  if (data.environment !== environment)
    throw refuse(
      data.environment === 'staging'
        ? `${archivePath} is a backup of the staging environment. Restore it with --staging.`
        : `${archivePath} is a backup of the live environment. Restore it without --staging.`,
    );
  for (const name of ['engine.db', 'directory.db'])
    if (!data.files.some((file) => file.name === name))
      throw refuse(`${archivePath} is not a complete backup: ${name} is missing.`);
  return data;
}

async function checkFreeSpace(parent: string, manifest: Manifest): Promise<number> {
  const totalBytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const { bavail, bsize } = await statfs(parent);
  const missingBytes = totalBytes - bavail * bsize;
  if (missingBytes > 0)
    throw refuse(
      `The backup needs ${Math.ceil(missingBytes / 1024 ** 2)} MB more on the disk of ${parent}. ` +
        'Free some space, then try again.',
    );
  return totalBytes;
}

async function extractFile(
  entry: ArchiveEntry,
  file: Manifest['files'][number],
  target: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const { name, bytes, sha256 } = file;
  const damaged = refuse(`${name} is damaged in this backup. Use another one.`);
  if (entry.sizeBytes !== bytes) throw damaged;
  const path = join(target, name);
  createPrivateFolder(dirname(path));
  const hash = createHash('sha256');
  const watch = async function* (content: AsyncIterable<Uint8Array>) {
    for await (const piece of content) {
      hash.update(piece);
      onBytes(piece.length);
      yield piece;
    }
  };
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(watch(entry.content), output);
  if (hash.digest('hex') !== sha256) throw damaged;
}

async function extractAll(command: RestoreCommand, target: string): Promise<Manifest> {
  const { archivePath, onProgress } = command;
  const unzipped = createGunzip();
  // The reader of the unzipped bytes receives the error.
  connect(createReadStream(archivePath), unzipped, () => {});
  const entries = unpackArchive(unzipped);
  try {
    const first = await entries.next();
    if (first.done) throw refuse(`${archivePath} is empty.`);
    const manifest = await readManifest(first.value, command);
    const totalBytes = await checkFreeSpace(dirname(target), manifest);
    const missing = new Map(manifest.files.map((file) => [file.name, file]));
    let doneBytes = 0;
    for await (const entry of entries) {
      const file = missing.get(entry.name);
      if (!file)
        throw refuse(`${entry.name} is not in the manifest of this backup, or occurs twice.`);
      await extractFile(entry, file, target, (bytes) => {
        doneBytes += bytes;
        onProgress?.(doneBytes, totalBytes);
      });
      missing.delete(entry.name);
      syncFolder(dirname(join(target, entry.name)));
    }
    const [lost] = missing.keys();
    if (lost !== undefined) throw refuse(`The backup is incomplete: ${lost} is missing.`);
    return manifest;
  } finally {
    await entries.return();
  }
}

/** Whether a folder has nothing to keep: at most the lock that the caller holds. */
const isBare = (path: string): boolean =>
  readdirSync(path).every((name) => name.startsWith('engine.lock'));

/** A path that begins with `prefix` and the time, and does not exist. */
function findFreeName(prefix: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  let path = `${prefix}${stamp}`;
  for (let copy = 2; existsSync(path); copy += 1) path = `${prefix}${stamp}-${copy}`;
  return path;
}

/** Moves `staged` to `dataDir`. The former folder is kept aside, or moved back if that fails. */
async function changePlaces(staged: string, dataDir: string): Promise<string | null> {
  const parent = dirname(dataDir);
  let keptAs: string | null = null;
  if (existsSync(dataDir) && isBare(dataDir)) await rm(dataDir, { recursive: true });
  else if (existsSync(dataDir)) {
    keptAs = findFreeName(join(parent, basename(dataDir) + restoredSuffix));
    await rename(dataDir, keptAs);
  }
  try {
    await rename(staged, dataDir);
  } catch (error) {
    if (keptAs !== null) await rename(keptAs, dataDir);
    throw error;
  }
  // What is inside the folder and not part of its backup is kept.
  for (const name of [stagingFolder, automaticBackupsFolder])
    if (keptAs !== null && existsSync(join(keptAs, name)))
      await rename(join(keptAs, name), join(dataDir, name));
  syncFolder(parent);
  return keptAs;
}

/** What is unpacked next to a data folder, and checked. */
interface Checked {
  /** Without symbolic links. */
  readonly dataDir: string;
  readonly staged: string;
  readonly manifest: Manifest;
}

/** Unpacks and checks a backup, and removes what is left of it when `use` has ended. */
async function withChecked<Value>(
  command: RestoreCommand,
  use: (checked: Checked) => Promise<Value>,
): Promise<Value> {
  if (!existsSync(command.archivePath))
    throw refuse(`The file ${command.archivePath} does not exist. Choose a backup.`);
  await mkdir(dirname(command.dataDir), { recursive: true });
  const dataDir = existsSync(command.dataDir) ? realpathSync(command.dataDir) : command.dataDir;
  const staged = `${dataDir}.restoring`;
  await rm(staged, { recursive: true, force: true });
  createPrivateFolder(staged);
  try {
    const manifest = await extractAll(command, staged);
    checkRestored(staged, manifest);
    return await use({ dataDir, staged, manifest });
  } catch (error) {
    if (isDamage(error))
      throw refuse(`${command.archivePath} is damaged or not a backup. Use another one.`);
    if (error instanceof DamagedBackup) throw refuse(`${error.message} Use another backup.`);
    throw error;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Throws `validation_error` for anything that is not a complete backup. Changes nothing. */
export const checkBackup = (command: RestoreCommand): Promise<void> =>
  withChecked(command, async () => undefined);

/**
 * Restores a backup over a data folder; the caller guarantees that no engine owns it. The archive
 * is unpacked next to the folder, all hashes, versions and both databases are checked, and only
 * then are the two exchanged: a failure before that leaves the folder unchanged. The key file of
 * this installation is kept. Throws `validation_error` for anything that is not a complete backup.
 */
export function restoreBackup(command: RestoreCommand): Promise<RestoreReport> {
  return withChecked(command, async ({ dataDir, staged, manifest }) => {
    const { environment } = command;
    const suppressions = environment === 'live' ? mergeLists(dataDir, staged) : 0;
    const backupAt = manifest.created_at;
    const receipts = mergeReceipts(dataDir, staged, { environment, backupAt });
    const at = new Date().toISOString();
    const log = continueLog(dataDir, staged, { environment, backupAt, at });
    const keyFile = join(dataDir, 'engine.key');
    if (existsSync(keyFile)) {
      await copyFile(keyFile, join(staged, 'engine.key'));
      createPrivateFile(join(staged, 'engine.key'));
    }
    syncFolder(staged);
    await command.beforeChange?.();
    const keptAs = await changePlaces(staged, dataDir);
    return {
      data_dir: dataDir,
      kept_as: keptAs,
      files: manifest.files.length,
      created_at: manifest.created_at,
      suppressions_kept: suppressions,
      receipts_kept: receipts.kept,
      deletions_since: [...receipts.since],
      people_to_delete: [...receipts.people],
      audit_entries_kept: log.kept,
      audit_entries_lost: log.lost,
    };
  });
}
