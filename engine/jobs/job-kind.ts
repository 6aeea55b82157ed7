// Hooks of the job runner by kind of job: enrichments, and the jobs of Career Monitor.
import type { AppEvent } from '../contract/events.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { RowsFile } from '../spreadsheet/read-rows.ts';
import { noteEvent } from '../webhooks/outbox.table.ts';
import { getJobById, type JobKind, type JobRow } from './job.table.ts';
import { presentJob } from './present-job.ts';

export interface WrittenRows {
  readonly firstRow: number;
  readonly count: number;
}

/** The hooks of a kind. All except `presentProgress` run inside a transaction of the runner. */
export interface JobHooks {
  /** Called after the results of a batch are written. `input` is the open input of the job. */
  afterBatch(job: JobRow, rows: WrittenRows, input: RowsFile): void;
  atEnd(job: JobRow, at: string): void;
  /** Called before the results of a cancelled job's rows are deleted. `end` is exclusive. */
  clear(job: JobRow, first: number, end: number): void;
  presentProgress(job: JobRow, event: AppEvent): AppEvent | null;
}

export type JobKinds = Readonly<Record<JobKind, JobHooks>>;

export const createEnrichmentHooks = (database: WritableDatabase): JobHooks => ({
  afterBatch: () => undefined,
  atEnd(job, at) {
    const ended = getJobById(database, job.id);
    if (!ended) throw new Error(`job ${job.uuid} vanished`);
    const { accountId } = ended;
    noteEvent(database, { accountId, kind: 'job.completed', data: presentJob(ended), at });
  },
  clear: () => undefined,
  presentProgress: (_job, event) => event,
});
