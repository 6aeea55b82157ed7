/**
 * The doors of one world (live, or test): what the server and the command line can ask of its
 * threads and files.
 */
import type { Account, AppEvent, Key, Upload } from '../contract/app.ts';
import type { PipelinePreview } from '../contract/app-pipelines.ts';
import type { FindingStatus } from '../contract/career-monitor.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { DirectoryStats, ImportOptions, ImportReport } from '../contract/directory.ts';
import type { Validation } from '../contract/email-validation.ts';
import type { WorldName } from '../contract/ids.ts';
import type { EstimateData, Preview, RowStatus, SubmitData } from '../contract/job.ts';
import type { LayerCode } from '../contract/layers.ts';
import type { Provider, ProviderRow } from '../contract/provider.ts';
import type { ColumnMapping } from '../contract/row-input.ts';
import type { OmissionReason } from '../contract/tools/paying.ts';
import type { SparseRow } from '../csv/write-rows-table.ts';
import type { ReadableDatabase } from '../sqlite/open.ts';
import type { PersonValue } from '../store/owned.ts';
import type { ToolCallRow } from '../store/tool-call.ts';
import type { ApprovalCalls, Spending } from './approval-commands.ts';
import type { IdentityCalls } from './identity-commands.ts';
import type { ContactMatch } from './match-contact.ts';
import type { MonitorCalls } from './monitor-commands.ts';
import type { OauthCalls } from './oauth-commands.ts';
import type { PipelineCalls } from './pipeline-commands.ts';
import type { PipelinePreviewRequest } from './preview-pipeline.ts';
import type { SearchCalls } from './search.ts';
import type { ListFolderCalls } from './tools/list-folder-commands.ts';
import type { WebhookCalls } from './webhook-commands.ts';

/** A table that was decoded to a folder of its own (input.csv and its offset index). */
export interface PreparedInput {
  readonly dir: string;
  readonly headers: readonly string[];
  readonly rowCount: number;
  /** SHA-256 of the canonical rows, lower-case hex. */
  readonly sha256: string;
}

/** An idempotency key, and whose it is: "<API key id>" or "app:<account uuid>". */
export interface IdempotencyUse {
  readonly keyScope: string;
  readonly key: string;
}

/** What POST /submit/ comes down to, once parsed. */
export interface SubmitCommand extends Spending {
  readonly codes: readonly LayerCode[];
  readonly title: string;
  readonly fileName: string | null;
  readonly input: PreparedInput;
  readonly mapping: ColumnMapping;
  readonly idempotency: IdempotencyUse | null;
}
/** `replayed`: an earlier request with the same idempotency key made this job. */
export interface SubmitAnswer {
  readonly data: SubmitData;
  readonly replayed: boolean;
}

/** Limits of an API key that are set; what is left out stays, or is the usual. */
export interface KeyLimitChange {
  readonly requestsPerMinute?: number | undefined;
  /** null takes the cap away. */
  readonly capDayUnits?: CreditUnits | null | undefined;
  readonly capMonthUnits?: CreditUnits | null | undefined;
  /** The most that one request may cost. */
  readonly capCallUnits?: CreditUnits | null | undefined;
  /** A person is asked about a request that would cost more. */
  readonly askAboveUnits?: CreditUnits | null | undefined;
  /** Whether its client may ask the person itself. */
  readonly selfApproval?: boolean | undefined;
}

/** What validate_emails comes down to, once parsed. */
export interface ValidateCommand extends Spending {
  /** As they were sent, without spaces around them. */
  readonly emails: readonly string[];
  readonly idempotency: IdempotencyUse | null;
}
/** `replayed`: an earlier request with the same idempotency key started this validation. */
export interface ValidateAnswer {
  readonly validation: Validation;
  readonly replayed: boolean;
}

/** Values of people that an account wants to own. */
export interface UnlockOrder extends Spending {
  /** In the order in which the balance is spent. */
  readonly values: readonly PersonValue[];
}
/** Values of people that an account is to own. */
export interface UnlockCommand extends UnlockOrder {
  /** What the one ledger entry says that it was for. */
  readonly reference: string;
  /** Whether a wallet or a cap that is short refuses all, or leaves locked what it can't cover. */
  readonly whenShort: 'refuse' | 'leave_locked';
}
/** What became of a value: owned before, charged and owned now, or not paid for. */
export type UnlockState = 'owned' | 'charged' | 'locked';
/** What became of each value, in the order of the command, and what they cost together. */
export interface UnlockReport {
  readonly states: readonly UnlockState[];
  readonly chargedUnits: CreditUnits;
  /** What bounded the price where something stayed locked; null where nothing did. */
  readonly lockedBy: OmissionReason | null;
}
/** An unlocking that happens once: a repeat under the same key reads what the first one did. */
export interface UnlockOnceCommand extends UnlockCommand {
  readonly once: IdempotencyUse & {
    /** SHA-256 of all that a repeat must have in common with the first. */
    readonly fingerprint: string;
    /** JSON of what was found, kept for the repeat. */
    readonly material: string;
  };
}
/** What the first call under the key found and did. */
export interface UnlockOnceReport {
  readonly report: UnlockReport;
  readonly material: string;
  readonly replayed: boolean;
}

/**
 * Commands to the writer thread, the only writer of engine.db. Each may refuse with an EngineError.
 */
export interface WriterCalls
  extends ApprovalCalls,
    IdentityCalls,
    ListFolderCalls,
    MonitorCalls,
    OauthCalls,
    PipelineCalls,
    WebhookCalls {
  submitJob(command: SubmitCommand): Promise<SubmitAnswer>;
  cancelJob(command: {
    accountId: number;
    jobId: string;
  }): Promise<{ job_id: string; status: 'cancelled'; credits_released: string }>;
  retryJob(command: Spending & { jobId: string }): Promise<SubmitData>;
  createAccount(command: { name: string }): Promise<Account>;
  changeAccount(command: {
    accountUuid: string;
    name?: string | undefined;
    chargePolicy?: 'row' | 'layers_found' | undefined;
    matchThreshold?: number | undefined;
  }): Promise<Account>;
  createKey(
    command: { accountId: number; label: string } & KeyLimitChange,
  ): Promise<{ id: string; key: string; label: string }>;
  changeKey(
    command: { accountId: number; id: string; label?: string | undefined } & KeyLimitChange,
  ): Promise<Key>;
  revokeKey(command: { accountId: number; id: string }): Promise<Key>;
  /** The key by which an assistant on the local socket acts. Throws `forbidden`. */
  admitStdioClient(command: { accountId: number; name: string }): Promise<{ keyId: string }>;
  /** Fire and forget: kept at most once a minute per key. */
  touchKey(command: { id: string }): Promise<void>;
  grant(command: { accountId: number; units: CreditUnits; reference: string }): Promise<void>;
  setRate(command: {
    accountId: number;
    code: LayerCode | 'email_validation';
    priceUnits?: CreditUnits | undefined;
    active?: boolean | undefined;
  }): Promise<void>;
  /** Charges what the account does not own yet, and makes it owned. */
  unlock(command: UnlockCommand): Promise<UnlockReport>;
  /** The same under an idempotency key. Throws `idempotency_conflict`. */
  unlockOnce(command: UnlockOnceCommand): Promise<UnlockOnceReport>;
  /** Notes a call of a tool. Fire and forget. */
  noteToolCall(command: ToolCallRow): Promise<void>;
  /** Holds the price of a list of addresses and starts to validate them. */
  validateEmails(command: ValidateCommand): Promise<ValidateAnswer>;
  /** A consistent copy of engine.db at `path`. */
  copyStore(command: { path: string }): Promise<void>;
}

/** What every CSV export is told. */
interface ExportOptions {
  readonly accountId: number;
  readonly forExcel: boolean;
  readonly protectAll: boolean;
}
/** What the CSV of a job's result is to hold. */
export interface ResultExport extends ExportOptions {
  readonly jobId: string;
  readonly status: RowStatus | null;
}
/** What the CSV of a Career Monitor job's findings is to hold. */
export interface FindingsExport extends ExportOptions {
  readonly monitorJobId: number;
  readonly status: FindingStatus | null;
}
/** What the CSV of a pipeline's contacts is to hold. */
export interface PipelineExport extends ExportOptions {
  readonly pipelineId: string;
}
/** What a CSV export is to hold. */
export type ExportCommand = ResultExport | FindingsExport | PipelineExport;

/**
 * Long work over files: uploads, previews, exports, the directory. Each may refuse with an
 * EngineError. Where there is a signal, the work stops soon after it and rejects with its reason.
 */
export interface ReaderCalls {
  /** Decodes a spooled file into `targetDir`; nothing is left there on refusal. */
  prepareUpload(
    command: { sourcePath: string; fileName: string; targetDir: string },
    signal?: AbortSignal,
  ): Promise<Omit<Upload, 'upload_id' | 'expires_at'> & { sha256: string }>;
  /** Writes JSON rows as a table; the header is `headers`. */
  writeRows(command: {
    headers: readonly string[];
    rows: readonly SparseRow[];
    targetDir: string;
  }): Promise<PreparedInput>;
  /** A dry run over up to 1,000 rows spread over the table. Stores nothing. */
  previewRows(command: {
    accountId: number;
    dir: string;
    mapping: ColumnMapping;
    codes: readonly LayerCode[];
  }): Promise<Preview>;
  /** The same over the contacts of a pipeline, by what a pipeline unlocks. Stores nothing. */
  previewPipeline(command: Omit<PipelinePreviewRequest, 'threshold'>): Promise<PipelinePreview>;
  /**
   * Whom one row means, by the matcher and the threshold of the account's jobs. Throws `not_ready`
   * until the directory has been indexed.
   */
  matchContact(command: { accountId: number; row: ProviderRow }): Promise<ContactMatch>;
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
    signal?: AbortSignal,
  ): Promise<ImportReport>;
  importSample(): Promise<ImportReport>;
  undoImport(command: { importId: number }): Promise<ImportReport>;
  directoryStats(): Promise<DirectoryStats>;
  matchCompanies(
    command: { path: string; outPath: string },
    signal?: AbortSignal,
  ): Promise<{ rows: number; matched: number }>;
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
  /** directory.db, for reading alone. */
  readonly directoryDatabase: ReadableDatabase;
  /** What is asked for whom the directory does not know; null where nothing is. */
  readonly provider: Provider | null;
  readonly writer: WriterCalls;
  readonly reader: ReaderCalls;
  /** Free, and answered by the calling thread. */
  readonly search: SearchCalls;
  readonly subscribe: Subscribe;
  /** Which of its threads does not run and what becomes of it, for a person; null where all do. */
  describeFault(): string | null;
  /** Ends its threads after the batch in hand and closes its files. */
  close(): Promise<void>;
}

/** A world that is opened at its first use; until then only its name and folder are known. */
export interface LateWorld extends World {
  readonly isOpen: boolean;
  /** Whether it was closed, for good. */
  readonly hasEnded: boolean;
  /**
   * Opens it, once however many ask at a time. Throws what opening it refuses; the next call tries
   * again.
   */
  whenOpen(): Promise<void>;
}

/** What an estimate needs to answer beside the preview. */
export type EstimateWithoutPreview = Omit<EstimateData, 'preview'>;
