/**
 * The doors of one world (live, or test): what the server and the command line can ask of its
 * threads and files.
 */
import type { Account, AppEvent, Key, Upload } from '../contract/app.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { DirectoryStats, ImportOptions, ImportReport } from '../contract/directory.ts';
import type { WorldName } from '../contract/ids.ts';
import type { EstimateData, Preview, RowStatus, SubmitData } from '../contract/job.ts';
import type { LayerCode } from '../contract/layers.ts';
import type { ColumnMapping } from '../contract/row-input.ts';
import type { ReadableDatabase } from '../sqlite/open.ts';

/** A table that was decoded to a folder of its own (input.csv and its offset index). */
export interface PreparedInput {
  readonly dir: string;
  readonly headers: readonly string[];
  readonly rowCount: number;
  /** SHA-256 of the canonical rows, lower-case hex. */
  readonly sha256: string;
}

/** What POST /submit/ comes down to, once parsed. */
export interface SubmitCommand {
  readonly accountId: number;
  readonly codes: readonly LayerCode[];
  readonly title: string;
  readonly fileName: string | null;
  readonly input: PreparedInput;
  readonly mapping: ColumnMapping;
  /** Whose key it is ("<key id>" or "app:<account uuid>") and the key; null without one. */
  readonly idempotency: { readonly keyScope: string; readonly key: string } | null;
}
/** `replayed`: an earlier request with the same idempotency key made this job. */
export interface SubmitAnswer {
  readonly data: SubmitData;
  readonly replayed: boolean;
}

/**
 * Commands to the writer thread, the only writer of engine.db. Each may refuse with an EngineError.
 */
export interface WriterCalls {
  submitJob(command: SubmitCommand): Promise<SubmitAnswer>;
  cancelJob(command: {
    accountId: number;
    jobId: string;
  }): Promise<{ job_id: string; status: 'cancelled'; credits_released: string }>;
  retryJob(command: { accountId: number; jobId: string }): Promise<SubmitData>;
  createAccount(command: { name: string }): Promise<Account>;
  changeAccount(command: {
    accountUuid: string;
    chargePolicy?: 'row' | 'layers_found' | undefined;
    matchThreshold?: number | undefined;
  }): Promise<Account>;
  createKey(command: {
    accountId: number;
    label: string;
  }): Promise<{ id: string; key: string; label: string }>;
  revokeKey(command: { accountId: number; id: string }): Promise<Key>;
  /** Fire and forget: kept at most once a minute per key. */
  touchKey(command: { id: string }): Promise<void>;
  grant(command: { accountId: number; units: CreditUnits; reference: string }): Promise<void>;
  setRate(command: {
    accountId: number;
    code: LayerCode | 'email_validation';
    priceUnits?: CreditUnits | undefined;
    active?: boolean | undefined;
  }): Promise<void>;
  /** A consistent copy of engine.db at `path`. */
  copyStore(command: { path: string }): Promise<void>;
}

/** What a CSV export is to hold. */
export interface ExportCommand {
  readonly accountId: number;
  readonly jobId: string;
  readonly status: RowStatus | null;
  readonly forExcel: boolean;
  readonly protectAll: boolean;
}

/**
 * Long work over files: uploads, previews, exports, the directory. Each may refuse with an
 * EngineError.
 */
export interface ReaderCalls {
  /** Decodes a spooled file into `targetDir`; nothing is left there on refusal. */
  prepareUpload(command: {
    sourcePath: string;
    fileName: string;
    targetDir: string;
  }): Promise<Omit<Upload, 'upload_id' | 'expires_at'> & { sha256: string }>;
  /** Writes JSON rows as a table; the header is `headers`. */
  writeRows(command: {
    headers: readonly string[];
    rows: readonly (readonly string[])[];
    targetDir: string;
  }): Promise<PreparedInput>;
  /** A dry run over up to 1,000 rows spread over the table. Stores nothing. */
  previewRows(command: {
    accountId: number;
    dir: string;
    mapping: ColumnMapping;
    codes: readonly LayerCode[];
  }): Promise<Preview>;
  /** Writes the result CSV to a path, whole, then renames it. */
  exportToFile(command: ExportCommand & { path: string }): Promise<{ rows: number }>;
  /** Opens a stream of the result CSV; pull it with `readExport` until null. */
  openExport(command: ExportCommand): Promise<{ exportId: number; fileName: string; rows: number }>;
  readExport(command: { exportId: number }): Promise<Uint8Array | null>;
  closeExport(command: { exportId: number }): Promise<void>;
  importDirectory(
    command: ImportOptions & {
      peoplePath?: string | undefined;
      companiesPath?: string | undefined;
      peopleName?: string | undefined;
      companiesName?: string | undefined;
    },
  ): Promise<ImportReport>;
  importSample(): Promise<ImportReport>;
  undoImport(command: { importId: number }): Promise<ImportReport>;
  directoryStats(): Promise<DirectoryStats>;
  matchCompanies(command: {
    path: string;
    outPath: string;
  }): Promise<{ rows: number; matched: number }>;
  /** A consistent copy of directory.db at `path`. */
  copyDirectory(command: { path: string }): Promise<void>;
  /** What SQLite finds wrong with a file: nothing where it is whole. */
  findDamage(command: { file: 'engine.db' | 'directory.db' }): Promise<string[]>;
}

/**
 * A subscription: called for every event until the returned function is called. `accountId` is the
 * account that the event is about, null for the world's own (directory, tasks).
 */
export type Subscribe = (
  listener: (event: AppEvent, accountId: number | null) => void,
) => () => void;

/** One world, opened. */
export interface World {
  readonly name: WorldName;
  /** Its data folder, absolute. */
  readonly folder: string;
  /** engine.db, for reading alone. */
  readonly database: ReadableDatabase;
  readonly writer: WriterCalls;
  readonly reader: ReaderCalls;
  readonly subscribe: Subscribe;
  /** Ends its threads after the batch in hand and closes its files. */
  close(): Promise<void>;
}

/** What an estimate needs to answer beside the preview. */
export type EstimateWithoutPreview = Omit<EstimateData, 'preview'>;
