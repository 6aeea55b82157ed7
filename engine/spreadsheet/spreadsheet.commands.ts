/** Work on uploaded tables, away from the HTTP thread. */
import type { Upload } from '../contract/uploads.ts';
import type { PreparedInput } from './prepared-input.ts';
import type { SparseRow } from './write-rows-table.ts';

/**
 * Each may refuse with an EngineError. With a signal, the work stops soon after it and rejects with
 * its reason.
 */
export interface SpreadsheetCalls {
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
}
