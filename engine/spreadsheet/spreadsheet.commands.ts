/** Calls for uploaded tables, which run outside the HTTP thread. */
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { Reading } from '../contract/reading/reading.ts';
import type { Upload } from '../contract/uploads.ts';
import type { RowsInspection } from './inspect-rows.ts';
import type { PreparedInput } from './prepared-input.ts';
import type { ReviseCommand } from './reading/leave-out.ts';
import type { SparseRow } from './write-rows-table.ts';

/** The tables to join, in order, and an empty folder for the result. */
export interface JoinCommand {
  readonly tables: readonly { readonly dir: string; readonly upload: Upload }[];
  readonly targetDir: string;
}

/**
 * Each may reject with an EngineError. When the signal is aborted, the work stops soon and rejects
 * with its reason.
 */
export interface SpreadsheetCalls {
  /** Decodes a spooled file to `targetDir`, which is empty after a refusal. */
  prepareUpload(
    command: {
      sourcePath: string;
      fileName: string;
      targetDir: string;
      /** How the list is read; by default the first line is the header. */
      reading?: Partial<Reading> | undefined;
    },
    signal?: AbortSignal,
  ): Promise<Omit<Upload, 'upload_id' | 'expires_at'> & { sha256: string }>;
  /** Counts the rows of a table that could be left out, with the first of them. */
  checkRows(command: { dir: string; mapping: ColumnMapping }): Promise<RowsInspection>;
  /** Writes a table without some rows. Rejects with `bad_rows` if none is left. */
  reviseRows(command: ReviseCommand): Promise<PreparedInput>;
  /**
   * Writes the tables of several uploads as one. Rejects with `validation_error` if their columns
   * differ.
   */
  joinTables(
    command: JoinCommand,
  ): Promise<Omit<Upload, 'upload_id' | 'expires_at'> & { sha256: string }>;
  /** Writes JSON rows to a table with the header `headers`. */
  writeRows(command: {
    headers: readonly string[];
    rows: readonly SparseRow[];
    targetDir: string;
  }): Promise<PreparedInput>;
}
