/** The exports of an environment, each on a thread of its own, and recorded in the audit log. */
import type { OneShotWorker } from '../platform/workers/one-shot-worker.ts';
import { describeExport } from './describe-export.ts';
import type { ReaderCalls } from './reader-calls.ts';
import type { FileWorkerCalls } from './workers/create-file-worker.ts';
import type { WriterCalls } from './writer-calls.ts';

/** What the exports need of an environment. */
interface ExportDeps {
  /** Starts the thread of an export that is read piece by piece. */
  readonly start: () => OneShotWorker<FileWorkerCalls>;
  /** Runs other work on a thread. */
  readonly onFileThread: <Value>(
    work: (calls: FileWorkerCalls) => Promise<Value>,
    signal?: AbortSignal,
  ) => Promise<Value>;
  readonly writer: Pick<WriterCalls, 'noteAudit'>;
}

type Calls = Pick<
  ReaderCalls,
  'openExport' | 'readExport' | 'closeExport' | 'exportToFile' | 'previewExport'
>;

/** Creates the calls. */
export function createExportCalls({ start, onFileThread, writer }: ExportDeps): Calls {
  const exports = new Map<number, OneShotWorker<FileWorkerCalls>>();
  let lastExportId = 0;
  const closeExport = async ({ exportId }: { exportId: number }) => {
    const thread = exports.get(exportId);
    exports.delete(exportId);
    await thread?.end();
  };
  return {
    async openExport(command) {
      const thread = start();
      try {
        const opening = await thread.calls.openExport(command);
        // Before the first byte is sent, so that no export is missing in the log.
        await writer.noteAudit(describeExport(command, opening.rows));
        lastExportId += 1;
        exports.set(lastExportId, thread);
        return { exportId: lastExportId, ...opening };
      } catch (error) {
        await thread.end();
        throw error;
      }
    },
    async readExport({ exportId }) {
      const piece = (await exports.get(exportId)?.calls.readPiece(null)) ?? null;
      if (!piece) await closeExport({ exportId });
      return piece;
    },
    closeExport,
    async exportToFile({ path, ...command }) {
      const written = await onFileThread((thread) => thread.exportToFile({ ...command, path }));
      await writer.noteAudit(describeExport(command, written.rows));
      return written;
    },
    previewExport: (command, signal) =>
      onFileThread((thread) => thread.previewExport(command), signal),
  };
}
