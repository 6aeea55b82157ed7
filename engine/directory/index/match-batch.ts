/** What matching found for a batch of rows, in columns: cheap to hand between threads. */

/** Up to three people that an ambiguous row may mean. */
export interface BatchCandidates {
  /** Position of the row in the batch. */
  readonly row: number;
  /** person.id of each candidate, best first. */
  readonly personIds: readonly number[];
  /** Their scores, 0 to 1. */
  readonly scores: readonly number[];
  /** What the batch would hold if the candidate were accepted: its columns of the same names. */
  readonly companyIds: readonly number[];
  readonly employmentStatuses: readonly number[];
  readonly matchedOn: readonly number[];
}

/** One entry per row in every column. */
export interface MatchBatch {
  readonly count: number;
  /** person.id of the directory; 0 where nobody was accepted. */
  readonly personIds: Int32Array;
  /**
   * company.id of the employer that the row names, where the person works or worked there; else 0.
   */
  readonly companyIds: Int32Array;
  /** Code of `employmentStatuses` in contract/jobs/job.ts. */
  readonly employmentStatuses: Uint8Array;
  /** Code of `reasons` in contract/jobs/job.ts; 0 where a person was accepted. */
  readonly reasons: Uint8Array;
  /** 0 to 1. */
  readonly confidences: Float32Array;
  /** Bits of `matchFields` in contract/jobs/job.ts. */
  readonly matchedOn: Uint16Array;
  readonly candidates: readonly BatchCandidates[];
}
