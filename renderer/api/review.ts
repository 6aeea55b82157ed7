/** Requests of the review of a job, and the number of rows that wait for a decision. */
import { useQuery } from '@tanstack/react-query';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import {
  type Pick,
  PicksAppliedSchema,
  ReviewPageSchema,
} from '../../engine/contract/jobs/review.ts';
import { call } from './client.ts';
import { jobPath, queryOf } from './transport/first-requests.ts';

/** Rows of a review that are fetched at once. */
export const reviewPageRows = 50;

/** A page of the waiting or decided rows after a row. */
export function readReview(
  jobId: string,
  page: { status: 'waiting' | 'decided'; after: number | null; limit: number },
) {
  return call(ReviewPageSchema, `${jobPath(jobId)}/review?${queryOf(page)}`);
}

/** Applies decisions, all of them or none. */
export const sendPicks = (jobId: string, picks: readonly Pick[]) =>
  call(PicksAppliedSchema, `${jobPath(jobId)}/review`, { method: 'POST', body: { picks } });

/** The rows of a completed job that wait for a decision: their number, and the first of them. */
export function useWaitingRows(job: StatusData) {
  const { data } = useQuery({
    queryKey: ['review-count', job.job_id],
    queryFn: () => readReview(job.job_id, { status: 'waiting', after: null, limit: 1 }),
    enabled: job.status === 'completed' && job.skipped_rows > 0,
  });
  return { waiting: data?.waiting, firstRow: data?.results[0]?.row_index };
}
