/**
 * The batches that end every worker which matches them, as by more memory than there is. A worker
 * names a batch before it matches it, so its supervisor knows which one it held when it ended.
 * After a few ends the next worker refuses the batch, and the other batches of the queue go on.
 */
import { batchDeathsMax } from '../../contract/shared/limits.ts';
import type { WorkerReport } from './worker-messages.ts';

/** The ends of the workers of one supervisor. */
export interface Deaths {
  noteReport(report: WorkerReport): void;
  /** Notes that the worker ended by itself. */
  noteEnd(): void;
  /** Batches that the next worker refuses. */
  listRefused(): string[];
}

/** Starts to count. */
export function countDeaths(): Deaths {
  const counts = new Map<string, number>();
  let held: string | null = null;
  return {
    noteReport(report) {
      if (report.kind === 'taken') held = report.batch;
      else if (report.kind !== 'beat') {
        // A lost server, or a refused login, is not the fault of the batch.
        if (held !== null && report.kind !== 'lost' && report.kind !== 'failed')
          counts.delete(held);
        held = null;
      }
    },
    noteEnd() {
      if (held !== null) counts.set(held, (counts.get(held) ?? 0) + 1);
      held = null;
    },
    listRefused: () =>
      [...counts].flatMap(([batch, ends]) => (ends >= batchDeathsMax ? [batch] : [])),
  };
}
