/** The calls of an environment that only read, or work on files. */

import type { DirectoryStats, ImportOptions, ImportReport } from '../contract/directory.ts';
import type { Preview } from '../contract/jobs/job.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { PipelinePreview } from '../contract/pipelines/app-pipelines.ts';
import type { ProviderRow } from '../contract/provider.ts';
import type { Upload } from '../contract/uploads.ts';
import type { ContactMatch } from '../jobs/matching/match-contact.ts';
import type { PipelinePreviewRequest } from '../pipelines/preview-pipeline.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import type { SparseRow } from '../spreadsheet/write-rows-table.ts';
import type { ExportCommand } from './export-command.ts';

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
