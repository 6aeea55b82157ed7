// Progress of long work on files, limited to a few events a second.
import type { TaskProgress } from '../../contract/events.ts';
import { progressEventIntervalMs } from '../../contract/limits/jobs.ts';

/** Reports one piece of work: the result takes the amount done, and the total if known. */
export type ReportProgress = (
  task: TaskProgress['task'],
  label: string,
  unit: TaskProgress['unit'],
) => (done: number, total?: number | null) => void;

export const createProgressReporter =
  (send: (progress: TaskProgress) => void): ReportProgress =>
  (task, label, unit) => {
    let lastAt = 0;
    return (done, total = null) => {
      const now = performance.now();
      if (now - lastAt < progressEventIntervalMs && done !== total) return;
      lastAt = now;
      send({ task, label, done, total, unit });
    };
  };
