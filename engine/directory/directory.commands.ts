/** Calls for long work on the directory, which runs one piece at a time. */
import type { DirectoryStats, ImportOptions, ImportReport } from '../contract/directory.ts';
import type { MatchedCompanies } from '../contract/imports.ts';
import type { Reading } from '../contract/reading/reading.ts';

/**
 * Each may reject with an EngineError. When the signal is aborted, the work stops soon and rejects
 * with its reason.
 */
export interface DirectoryCalls {
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
  /** Applies the suppression list; resolves when every read honours it. */
  applySuppressions(): Promise<void>;
  directoryStats(): Promise<DirectoryStats>;
  matchCompanies(
    command: {
      path: string;
      outPath: string;
      mapping?: Readonly<Record<string, string>> | undefined;
      reading?: Partial<Reading> | undefined;
    },
    signal?: AbortSignal,
  ): Promise<MatchedCompanies>;
  /** Writes a consistent copy of directory.db to `path`. */
  copyDirectory(command: { path: string }): Promise<void>;
}
