/** Requests of the review of a job, and the number of rows that wait for a decision. */
import { useQuery } from '@tanstack/react-query';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import {
  type Pick,
  PicksAppliedSchema,
  ReviewPageSchema,
} from '../../engine/contract/jobs/review.ts';
import { call } from './client.ts';
import { jobPath, reviewPath } from './transport/first-requests.ts';

/** A page of the waiting or decided rows after a row. */
export function readReview(
  jobId: string,
  page: { status: 'waiting' | 'decided'; after: number | null; limit: number },
) {
  return call(ReviewPageSchema, reviewPath(jobId, page));
}

/** Applies decisions, all of them or none. */
export const sendPicks = (jobId: string, picks: readonly Pick[]) =>
  call(PicksAppliedSchema, `${jobPath(jobId)}/review`, { method: 'POST', body: { picks } });

/** Number of rows of a completed job that wait for a decision; undefined while it is loading. */
export function useWaitingRows(job: StatusData): number | undefined {
  const query = useQuery({
    queryKey: ['review-count', job.job_id],
    queryFn: () => readReview(job.job_id, { status: 'waiting', after: null, limit: 1 }),
    enabled: job.status === 'completed' && job.skipped_rows > 0,
  });
  return query.data?.waiting;
}
