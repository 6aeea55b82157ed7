// Queries that delete rows of the queue, which a login may do by key alone.

export const deleteAnswers = (condition: string): string =>
  `SELECT delete_answer(job_uuid, first_row, digest) FROM match_answer WHERE ${condition}`;

/** Deletes the batches that a condition names, but for those that a worker holds. */
export const deleteFreeBatches = (condition: string): string =>
  `SELECT delete_batch(job_uuid, first_row, digest) FROM (
     SELECT job_uuid, first_row, digest FROM match_batch WHERE ${condition}
     FOR UPDATE SKIP LOCKED) free`;
