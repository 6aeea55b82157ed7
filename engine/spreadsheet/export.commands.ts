/** Calls for exports, each of which is written on its own thread. */
import type { OverwriteDiff } from '../contract/exports/overwrite.ts';

/** What is known of an export at its end. */
export interface ExportEnd {
  /** Rows that were written. */
  readonly rows: number;
  /** What overwrite rules changed; null without rules. */
  readonly diff: OverwriteDiff | null;
}

/** Calls for the exports that `Command` describes. Each may reject with an EngineError. */
export interface ExportCalls<Command> {
  /** Writes the file next to a path, then renames it. */
  exportToFile(command: Command & { path: string }): Promise<ExportEnd>;
  /**
   * Makes the file without keeping it. Rejects with whatever the file would be refused for, or when
   * the signal is aborted.
   */
  previewExport(command: Command, signal?: AbortSignal): Promise<ExportEnd>;
  /** Opens a stream of the file. Call `readExport` until it returns null. */
  openExport(
    command: Command,
  ): Promise<{ exportId: number; fileName: string; mediaType: string; rows: number }>;
  readExport(command: { exportId: number }): Promise<Uint8Array | null>;
  closeExport(command: { exportId: number }): Promise<void>;
}
