/** Long work on the directory, one piece at a time. */
import type { DirectoryStats, ImportOptions, ImportReport } from '../contract/directory.ts';

/**
 * Each may refuse with an EngineError. With a signal, the work stops soon after it and rejects with
 * its reason.
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
  directoryStats(): Promise<DirectoryStats>;
  matchCompanies(
    command: { path: string; outPath: string },
    signal?: AbortSignal,
  ): Promise<{ rows: number; matched: number }>;
  /** A consistent copy of directory.db at `path`. */
  copyDirectory(command: { path: string }): Promise<void>;
}
