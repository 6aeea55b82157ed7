/** What a kind of job adds to the runner: an enrichment adds nothing, Career Monitor does. */
import type { AppEvent } from '../contract/events.ts';
import type { RowsFile } from '../spreadsheet/read-rows.ts';
import type { JobKind, JobRow } from './job.table.ts';

/** Rows of a job that one transaction writes. */
export interface WrittenRows {
  readonly firstRow: number;
  readonly count: number;
}

/** The hooks of a kind. All but `presentProgress` run inside a transaction of the runner. */
export interface JobHooks {
  /** After the results of a batch are written; `input` is the job's input, open. */
  afterBatch(job: JobRow, rows: WrittenRows, input: RowsFile): void;
  /** After the hold is resolved and the job has ended. */
  atEnd(job: JobRow, at: string): void;
  /** Before the results of a cancelled job's rows are removed; `end` is exclusive. */
  clear(job: JobRow, first: number, end: number): void;
  /** The event that tells of a job's progress; null for none. */
  presentProgress(job: JobRow, event: AppEvent): AppEvent | null;
}

/** The hooks of every kind. */
export type JobKinds = Readonly<Record<JobKind, JobHooks>>;

/** An enrichment job adds nothing to the runner. */
export const enrichmentHooks: JobHooks = {
  afterBatch: () => undefined,
  atEnd: () => undefined,
  clear: () => undefined,
  presentProgress: (_job, event) => event,
};
