/** Calls for exports, each of which is written on its own thread. */
import type { OverwriteDiff } from '../contract/exports/overwrite.ts';

/** Calls for the exports that `Command` describes. Each may reject with an EngineError. */
export interface ExportCalls<Command> {
  /**
   * Writes the file next to a path, then renames it. `diff`: what overwrite rules changed; null
   * without rules.
   */
  exportToFile(
    command: Command & { path: string },
  ): Promise<{ rows: number; diff: OverwriteDiff | null }>;
  /**
   * Makes the file without keeping it: what its overwrite rules change, null without rules. Rejects
   * with whatever the file would be refused for, or when the signal is aborted.
   */
  previewExport(command: Command, signal?: AbortSignal): Promise<OverwriteDiff | null>;
  /** Opens a stream of the file. Call `readExport` until it returns null. */
  openExport(
    command: Command,
  ): Promise<{ exportId: number; fileName: string; mediaType: string; rows: number }>;
  readExport(command: { exportId: number }): Promise<Uint8Array | null>;
  closeExport(command: { exportId: number }): Promise<void>;
}
