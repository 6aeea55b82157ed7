/** Commands about enrichment jobs to the writer thread, and calls to the reader thread. */

import type { AppPreview, ChosenOptions } from '../contract/jobs/app-jobs.ts';
import type { SubmitData } from '../contract/jobs/job.ts';
import type { JobsDeleted, RerunRows } from '../contract/jobs/job-list.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { WhenOffline } from '../contract/jobs/offline.ts';
import type { Pick, PicksApplied } from '../contract/jobs/review.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { RowView } from '../contract/jobs/row-view.ts';
import type { ProviderRow } from '../contract/provider.ts';
import type { NamePair, NameVerdicts } from '../directory/match/compare-names.ts';
import type { Spending } from '../ledger/approvals.commands.ts';
import type { IdempotencyUse } from '../ledger/idempotency-use.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import type { ContactMatch } from './matching/match-contact.ts';
import type { TriedRows } from './preview/try-rows.ts';
import type { TeamEvidence, TeamPair } from './review/team-candidates.ts';

/** A parsed POST /submit/. */
export interface SubmitCommand extends Spending {
  /** Codes, or `full`; the writer reads the account's rates for it, and nothing else does. */
  readonly selection: readonly string[];
  /** Whether `asking` shows the list with the layers that it means, not arguments of its own. */
  readonly showsLayers?: boolean;
  readonly title: string;
  readonly fileName: string | null;
  readonly input: PreparedInput;
  readonly mapping: ColumnMapping;
  readonly idempotency: IdempotencyUse | null;
  readonly options?: ChosenOptions;
  /** Ids of the requests by which other engines passed the rows on, oldest first. */
  readonly via?: readonly string[] | undefined;
}

/** Decisions about rows of a completed job. */
export interface PicksCommand extends Spending {
  readonly jobId: string;
  readonly picks: readonly Pick[];
}

/** `replayed`: an earlier request with the same idempotency key created this job. */
export interface SubmitAnswer {
  readonly data: SubmitData;
  readonly replayed: boolean;
}

/** Commands to the writer thread. Each may reject with an EngineError. */
export interface JobCalls {
  /** Throws `validation_error` first, if a layer is switched off for the account. */
  submitJob(command: SubmitCommand): Promise<SubmitAnswer>;
  cancelJob(command: {
    accountId: number;
    jobId: string;
  }): Promise<{ job_id: string; status: 'cancelled'; credits_released: string }>;
  /** Changes what a job does without a network. Throws `not_found` and `already_finished`. */
  setWhenOffline(command: {
    accountId: number;
    jobId: string;
    whenOffline: WhenOffline;
  }): Promise<void>;
  /** Makes waiting jobs look for the network now. */
  checkNetwork(command: null): Promise<void>;
  retryJob(command: Spending & { jobId: string }): Promise<SubmitData>;
  /** Creates a job of rows of an ended job, with its mapping and layers. */
  rerunJob(command: Spending & { jobId: string; rows: RerunRows }): Promise<SubmitData>;
  /** Throws `not_found`. */
  renameJob(command: { accountId: number; jobId: string; title: string }): Promise<void>;
  /** Hides jobs, and deletes their rows once an undo is no longer possible. */
  removeJobs(command: OwnJobs & { readonly cancel: boolean }): Promise<JobsDeleted>;
  /** Undoes deletions. Returns the number of jobs. */
  restoreJobs(command: OwnJobs): Promise<number>;
  /** Moves a queued job to a place among those of its account, from 1. */
  moveJob(command: { accountId: number; jobId: string; place: number }): Promise<void>;
  /** Applies decisions of a review, all of them or none. */
  applyPicks(command: PicksCommand): Promise<PicksApplied>;
  /** Reads candidates of the team's directory. Rejects with `unavailable`. */
  readTeamEvidence(command: { pairs: readonly TeamPair[] }): Promise<(TeamEvidence | null)[]>;
}

/** Jobs of an account, by UUID. */
interface OwnJobs {
  readonly accountId: number;
  readonly jobIds: readonly string[];
}

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
