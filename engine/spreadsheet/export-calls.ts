// Calls for exports, each of which is written on its own thread.
import type { AuditAction } from '../contract/audit/actions.ts';
import type { AuditDetails } from '../contract/audit/audit.ts';
import type { RecordCounts } from '../contract/exports/crm-presets.ts';
import type { OverwriteDiff } from '../contract/exports/overwrite.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { OneShotWorker } from '../platform/workers/one-shot-worker.ts';
import type { ExportPiece } from './export/write-table.ts';

export interface ExportEnd {
  readonly rows: number;
  /** What overwrite rules changed; null without rules. */
  readonly diff: OverwriteDiff | null;
  /** What the rows became; null without a preset. */
  readonly records: RecordCounts | null;
  /** Rows of suppressed people, whose cells are empty. */
  readonly suppressed: number;
}

/** The end of an export that no choice has changed. */
export const endWhole = (rows: number): ExportEnd => ({
  rows,
  diff: null,
  records: null,
  suppressed: 0,
});

export interface ExportSources {
  readonly database: ReadableDatabase;
  readonly folder: string;
}

export interface ExportNote {
  readonly action: AuditAction;
  readonly accountId: number | null;
  readonly subject?: string;
  readonly details: AuditDetails;
}

/** An open export: chunks of bounded size, however long it is. */
export interface OpenedExport {
  readonly fileName: string;
  readonly rows: number;
  readonly pieces: Generator<ExportPiece>;
  readonly note: ExportNote;
  /** What is known once all chunks were read; by default all rows, and no rules. */
  readonly readEnd?: () => ExportEnd;
}

export interface ExportWorkerCalls<Command> {
  exportToFile(command: Command & { path: string }): Promise<ExportEnd & { note: ExportNote }>;
  /** Makes the file without keeping it. Rejects with whatever the file would be refused for. */
  previewExport(command: Command): Promise<ExportEnd>;
  /** Opens the export that `readPiece` then returns in chunks. */
  openExport(
    command: Command,
  ): Promise<{ fileName: string; mediaType: string; rows: number; note: ExportNote }>;
  /** The next bytes; null at the end. */
  readPiece(command: null): Promise<Uint8Array | null>;
}

interface ExportDeps<Command> {
  readonly start: () => OneShotWorker<ExportWorkerCalls<Command>>;
  readonly onFileThread: <Value>(
    work: (calls: ExportWorkerCalls<Command>) => Promise<Value>,
    signal?: AbortSignal,
  ) => Promise<Value>;
  readonly writer: {
    noteAudit(note: ExportNote & { readonly rows: number }): Promise<void>;
  };
}

export function createExportCalls<Command>({ start, onFileThread, writer }: ExportDeps<Command>) {
  const exports = new Map<number, OneShotWorker<ExportWorkerCalls<Command>>>();
  let lastExportId = 0;
  const closeExport = async ({ exportId }: { exportId: number }): Promise<void> => {
    const thread = exports.get(exportId);
    exports.delete(exportId);
    await thread?.end();
  };
  return {
    /** Opens a stream of the file. Call `readExport` until it returns null. */
    async openExport(command: Command) {
      const thread = start();
      try {
        const { note, ...opening } = await thread.calls.openExport(command);
        // Before the first byte is sent, so that no export is missing in the log.
        await writer.noteAudit({ ...note, rows: opening.rows });
        lastExportId += 1;
        exports.set(lastExportId, thread);
        return { exportId: lastExportId, ...opening };
      } catch (error) {
        await thread.end();
        throw error;
      }
    },
    async readExport({ exportId }: { exportId: number }): Promise<Uint8Array | null> {
      const piece = (await exports.get(exportId)?.calls.readPiece(null)) ?? null;
      if (!piece) await closeExport({ exportId });
      return piece;
    },
    closeExport,
    async exportToFile(command: Command & { path: string }): Promise<ExportEnd> {
      const { note, ...end } = await onFileThread((thread) => thread.exportToFile(command));
      await writer.noteAudit({ ...note, rows: end.rows });
      return end;
    },
    previewExport: (command: Command, signal?: AbortSignal): Promise<ExportEnd> =>
      onFileThread((thread) => thread.previewExport(command), signal),
  };
}

export type ExportCalls<Command> = ReturnType<typeof createExportCalls<Command>>;
