/** Calls for CSV exports, each of which is written on its own thread. */

/** Calls for the exports that `Command` describes. Each may reject with an EngineError. */
export interface ExportCalls<Command> {
  /** Writes the CSV next to a path, then renames it. */
  exportToFile(command: Command & { path: string }): Promise<{ rows: number }>;
  /** Opens a stream of the CSV. Call `readExport` until it returns null. */
  openExport(command: Command): Promise<{ exportId: number; fileName: string; rows: number }>;
  readExport(command: { exportId: number }): Promise<Uint8Array | null>;
  closeExport(command: { exportId: number }): Promise<void>;
}
