/** Calls about enrichment jobs to the reader thread. */

import type { AppPreview } from '../contract/jobs/app-jobs.ts';
import type { RerunRows } from '../contract/jobs/job-list.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { RowView } from '../contract/jobs/row-view.ts';
import type { ProviderRow } from '../contract/provider.ts';
import type { NamePair, NameVerdicts } from '../directory/match/compare-names.ts';
import type { ContactMatch } from './matching/match-contact.ts';
import type { TriedRows } from './preview/try-rows.ts';

/** Calls to the reader thread. Each may reject with an EngineError. */
export interface JobReads {
  /** A dry run over up to 1,000 rows spread over the table. Stores nothing. */
  previewRows(command: {
    accountId: number;
    dir: string;
    mapping: ColumnMapping;
    codes: readonly LayerCode[];
    /** Rows with the same text as an earlier row; counted in the list if omitted. */
    duplicateRows?: number | undefined;
    /** UUID of a completed job of the account; rows about its people are skipped. */
    newSince?: string | undefined;
    /** The time, ISO 8601: the end of the window within which earlier jobs have paid. */
    at: string;
  }): Promise<AppPreview>;
  /** Up to ten rows spread over a table, as a job would answer them. Stores nothing. */
  tryRows(command: {
    accountId: number;
    dir: string;
    mapping: ColumnMapping;
    codes: readonly LayerCode[];
  }): Promise<TriedRows>;
  /**
   * Row numbers of a view of a completed job, in its order. When the signal is aborted, the work
   * stops soon and rejects with its reason. Throws `not_found`, `not_ready`, `job_cancelled`, the
   * job's own error, and `validation_error` for a column that the job does not have.
   */
  listRows(
    command: { accountId: number; jobId: string; view: RowView },
    signal?: AbortSignal,
  ): Promise<Uint32Array>;
  /**
   * Identifies the person of one row, with the matcher and threshold of the account's jobs. Throws
   * `not_ready` until the directory has been indexed.
   */
  matchContact(command: { accountId: number; row: ProviderRow }): Promise<ContactMatch>;
  /** Counts the rows that an ended job can process again. Throws `not_found` and `not_ready`. */
  countRerun(command: {
    accountId: number;
    jobId: string;
  }): Promise<Readonly<Record<RerunRows, number>>>;
  /**
   * Compares names as the matcher does, in the order of the pairs. Null for a person that the index
   * does not have, and for all while there is no index.
   */
  compareNames(command: { pairs: readonly NamePair[] }): Promise<(NameVerdicts | null)[]>;
}
