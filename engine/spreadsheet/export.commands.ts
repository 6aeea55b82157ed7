/** CSV exports, each written on a thread of its own. */

/** Calls for the exports that `Command` describes. Each may refuse with an EngineError. */
export interface ExportCalls<Command> {
  /** Writes the CSV to a path, whole, then renames it. */
  exportToFile(command: Command & { path: string }): Promise<{ rows: number }>;
  /** Opens a stream of the CSV; pull it with `readExport` until null. */
  openExport(command: Command): Promise<{ exportId: number; fileName: string; rows: number }>;
  readExport(command: { exportId: number }): Promise<Uint8Array | null>;
  closeExport(command: { exportId: number }): Promise<void>;
}
