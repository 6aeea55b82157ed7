// Uploads: each is decoded in its own folder and kept for a day; a refused one leaves no files.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { notFound } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { uploadKeptMs } from '../contract/limits/uploads.ts';
import type { Corrections, LeaveOutKind, Reading } from '../contract/reading/reading.ts';
import { type Upload, UploadSchema } from '../contract/uploads.ts';
import type { UploadFacts } from '../spreadsheet/prepare-upload.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import type { SpreadsheetCalls } from '../spreadsheet/table-calls.ts';

export interface SourceFile {
  readonly path: string;
  readonly fileName: string;
  /** How the list is read; by default the first line is the header. */
  readonly reading?: Partial<Reading> | undefined;
}

export interface KeptUpload {
  readonly upload: Upload;
  /** Undefined of an upload that an earlier version kept. */
  readonly sampleRepeats?: UploadFacts['sampleRepeats'] | undefined;
  readonly input: PreparedInput;
}

type TableOfUpload = Parameters<SpreadsheetCalls['joinTables']>[0]['tables'][number];

export type RowsToWrite = Pick<Parameters<SpreadsheetCalls['writeRows']>[0], 'headers' | 'rows'>;

export interface Revision {
  readonly leave_out: readonly LeaveOutKind[];
  readonly corrections: Corrections;
}

export interface UploadStore {
  readonly folder: string;
  /** Keeps a decoded file for a day. Throws what decoding refuses, and the signal's reason. */
  keep(source: SourceFile, signal: AbortSignal): Promise<KeptUpload>;
  /**
   * Decodes a file, passes it to `use`, and removes it. Throws what decoding or `use` refuses, and
   * the signal's reason if it is aborted while the file is decoded.
   */
  withFile<Result>(
    source: SourceFile,
    signal: AbortSignal,
    use: (input: PreparedInput, facts: UploadFacts) => Promise<Result>,
  ): Promise<Result>;
  /** Passes a table of rows to `use`, and removes it, unless it is that of a request. */
  withRows<Result>(
    table: RowsToWrite | { readonly input: PreparedInput },
    use: (input: PreparedInput) => Promise<Result>,
  ): Promise<Result>;
  /**
   * The table of an upload with corrected cells and without some rows, written once per choice and
   * kept with the upload. Throws `bad_rows` if no row is left.
   */
  revise(kept: KeptUpload, mapping: ColumnMapping, choice: Revision): Promise<PreparedInput>;
  /** Keeps the rows of another table, such as that of a job, as an upload. */
  copy(table: TableOfUpload): Promise<KeptUpload>;
  /** Throws `not_found` if one has expired, and `validation_error` if their columns differ. */
  join(ids: readonly string[]): Promise<KeptUpload>;
  /** Throws `not_found` if the id is unknown or has expired. */
  find(id: string): Promise<KeptUpload>;
  remove(id: string): Promise<void>;
  /** Removes expired uploads; at startup also incomplete ones that a kill left behind. */
  sweep(atStart: boolean): Promise<void>;
  /** Resolves when every folder in use is kept or removed. Never rejects. */
  whenSettled(): Promise<void>;
}

const KeptSchema = z.object({
  upload: UploadSchema,
  sha256: z.string(),
  sampleRepeats: z.array(z.int()).optional(),
});
const factsFile = 'upload.json';

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(`${path}.partial`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.partial`, path);
}

async function readKept(dir: string): Promise<KeptUpload | null> {
  const text = await readFile(join(dir, factsFile), 'utf8').catch(() => null);
  if (text === null) return null;
  const { upload, sha256, sampleRepeats } = KeptSchema.parse(JSON.parse(text));
  return {
    upload,
    sampleRepeats,
    input: { dir, headers: upload.headers, rowCount: upload.row_count, sha256 },
  };
}

interface Choice {
  readonly name: string;
  readonly table: Promise<PreparedInput>;
}

/** Revised tables that are kept of one upload: each is a copy of it. */
const choicesKept = 4;

const removeAll = (path: string) => rm(path, { recursive: true, force: true });

/** Creates a folder for one table and removes it if `fill` fails. */
async function fillFolder<Result>(
  dir: string,
  fill: (dir: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    return await fill(dir);
  } catch (error) {
    await removeAll(dir);
    throw error;
  }
}

function createTracker() {
  const unsettled = new Set<Promise<unknown>>();
  return {
    track<Result>(work: Promise<Result>): Promise<Result> {
      const settled: Promise<unknown> = work.catch(() => undefined);
      unsettled.add(settled);
      void settled.then(() => unsettled.delete(settled));
      return work;
    },
    async whenSettled() {
      await Promise.all(unsettled);
    },
  };
}

function createChoices(
  reader: Pick<SpreadsheetCalls, 'reviseRows'>,
  track: <Result>(work: Promise<Result>) => Promise<Result>,
) {
  /** The tables that were written last, by the folder of their upload. */
  const choices = new Map<string, readonly Choice[]>();
  const write: UploadStore['revise'] = async (
    { input: { dir }, input },
    mapping,
    { leave_out: kinds, corrections },
  ) => {
    if (kinds.length === 0 && corrections.length === 0) return input;
    const choice = [Object.entries(mapping).sort(), [...new Set(kinds)].sort(), corrections];
    const name = createHash('sha256').update(JSON.stringify(choice)).digest('hex').slice(0, 16);
    const written = choices.get(dir) ?? [];
    const known = written.find((one) => one.name === name);
    if (known) return known.table;
    const targetDir = join(dir, `kept-${name}`);
    const table = track(reader.reviseRows({ dir, targetDir, mapping, kinds, corrections }));
    const others = [...written, { name, table }];
    choices.set(dir, others.slice(-choicesKept));
    const forgetFailed = () => {
      const now = choices.get(dir) ?? [];
      choices.set(
        dir,
        now.filter((one) => one.table !== table),
      );
    };
    void table.catch(forgetFailed);
    for (const { name: old } of others.slice(0, -choicesKept))
      await removeAll(join(dir, `kept-${old}`));
    return table;
  };
  return { write, forget: (dir: string) => void choices.delete(dir) };
}

/** Creates the function that keeps what `fill` writes to a new folder. */
const createKeeper =
  (folder: string, track: <Result>(work: Promise<Result>) => Promise<Result>, now: () => number) =>
  (fill: (dir: string) => Promise<UploadFacts>): Promise<KeptUpload> => {
    const id = randomUUID();
    const kept = fillFolder(join(folder, id), async (dir) => {
      const { sha256, sampleRepeats, ...facts } = await fill(dir);
      const expires_at = new Date(now() + uploadKeptMs).toISOString();
      const upload = { ...facts, upload_id: id, expires_at };
      await writeWhole(join(dir, factsFile), JSON.stringify({ upload, sha256, sampleRepeats }));
      const { headers, row_count: rowCount } = upload;
      return { upload, sampleRepeats, input: { dir, headers, rowCount, sha256 } };
    });
    return track(kept);
  };

/** Opens the folder of uploads. @param now milliseconds since 1970 */
export function createUploadStore(
  folder: string,
  reader: Pick<SpreadsheetCalls, 'prepareUpload' | 'writeRows' | 'reviseRows' | 'joinTables'>,
  now: () => number,
): UploadStore {
  const read = ({ path, fileName, reading }: SourceFile, targetDir: string, signal: AbortSignal) =>
    reader.prepareUpload({ sourcePath: path, fileName, targetDir, reading }, signal);
  const { track, whenSettled } = createTracker();
  const choices = createChoices(reader, track);
  const once = <Result>(work: (dir: string) => Promise<Result>) => {
    const dir = join(folder, randomUUID());
    return track(fillFolder(dir, work).finally(() => removeAll(dir)));
  };
  const keepNew = createKeeper(folder, track, now);
  const find: UploadStore['find'] = async (id) => {
    const kept = await readKept(join(folder, id));
    if (kept && Date.parse(kept.upload.expires_at) > now()) return kept;
    throw notFound(
      'This upload has expired; uploads are kept for 24 hours. Choose the file again.',
    );
  };
  const remove: UploadStore['remove'] = (id) => {
    choices.forget(join(folder, id));
    return removeAll(join(folder, id));
  };
  return {
    folder,
    keep: (source, signal) =>
      keepNew(async (dir) => {
        const facts = await read(source, dir, signal);
        // No client would know its id.
        signal.throwIfAborted();
        return facts;
      }),
    copy: (table) =>
      keepNew(async (targetDir) => {
        const facts = await reader.joinTables({ tables: [table], targetDir });
        return { ...facts, file_name: table.upload.file_name };
      }),
    async join(ids) {
      const parts = await Promise.all([...new Set(ids)].map(find));
      const tables = parts.map(({ upload, input }) => ({ dir: input.dir, upload }));
      const joined = await keepNew((targetDir) => reader.joinTables({ tables, targetDir }));
      for (const { upload } of parts) await remove(upload.upload_id);
      return joined;
    },
    withFile: (source, signal, use) =>
      once(async (dir) => {
        const facts = await read(source, dir, signal);
        const { headers, row_count: rowCount, sha256 } = facts;
        return use({ dir, headers, rowCount, sha256 }, facts);
      }),
    withRows: (table, use) =>
      'input' in table
        ? use(table.input)
        : once(async (targetDir) => use(await reader.writeRows({ ...table, targetDir }))),
    revise: choices.write,
    find,
    remove,
    async sweep(atStart) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of await readdir(folder)) {
        const isFolder = UuidSchema.safeParse(name).success;
        const kept = isFolder ? await readKept(join(folder, name)).catch(() => null) : null;
        const isOver = kept ? Date.parse(kept.upload.expires_at) <= now() : atStart;
        if (!isOver) continue;
        choices.forget(join(folder, name));
        await removeAll(join(folder, name));
      }
    },
    whenSettled,
  };
}
