// The result of matching a batch of rows, as columns, which are cheap to pass between threads.

export interface BatchCandidates {
  readonly row: number;
  /** person.id of each candidate, best first; 0 of a candidate that is a company. */
  readonly personIds: readonly number[];
  /** Their scores, 0 to 1. */
  readonly scores: readonly number[];
  /** The columns of the same names, with the values if the candidate were accepted. */
  readonly companyIds: readonly number[];
  readonly employmentStatuses: readonly number[];
  readonly matchedOn: readonly number[];
}

/** One entry per row in every column. */
export interface MatchBatch {
  readonly count: number;
  /** person.id of the directory; 0 if no person is accepted. */
  readonly personIds: Int32Array;
  /**
   * company.id of the employer that the row names, if the person works or worked there; of a row
   * about a company, the company that is accepted; otherwise 0.
   */
  readonly companyIds: Int32Array;
  /** Code of `employmentStatuses` in contract/jobs/job.ts. */
  readonly employmentStatuses: Uint8Array;
  /** Code of `reasons` in contract/jobs/job.ts; 0 if a person or a company is accepted. */
  readonly reasons: Uint8Array;
  /** 0 to 1. */
  readonly confidences: Float32Array;
  /** Bits of `matchFields` in contract/jobs/job.ts. */
  readonly matchedOn: Uint16Array;
  readonly candidates: readonly BatchCandidates[];
}
