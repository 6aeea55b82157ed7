/** The routes of reviews, which callers and the app share, each under a path of its own. */
import {
  PicksAppliedSchema,
  PicksSchema,
  ReviewPageSchema,
  ReviewQuerySchema,
} from '../../contract/jobs/review.ts';
import { spendingOf } from '../../http/approval-origin.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, longAnswersOf, success } from '../../http/responses.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { JobParamsSchema } from '../jobs.routes.ts';
import { requireFinished } from '../results/export-result.ts';
import { requireJob } from '../results/read-result.ts';
import type { JobRouteDeps } from '../route-deps.ts';
import { readReviewPage } from './read-review.ts';

/**
 * Adds the routes.
 * @param path with `:job_id`
 */
export function addReviewRoutes(
  server: ApiServer,
  { environment }: JobRouteDeps,
  path: string,
): void {
  server.get(
    path,
    {
      schema: {
        params: JobParamsSchema,
        querystring: ReviewQuerySchema,
        response: longAnswersOf(ReviewPageSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const job = requireFinished(requireJob(environment, accountId, request.params.job_id));
      const linkTo = (after: number): string => {
        const url = new URL(request.url, `http://${request.headers.host ?? 'localhost'}`);
        url.searchParams.set('after', String(after));
        return url.href;
      };
      return success(readReviewPage(environment, job, request.query, linkTo));
    },
  );
  server.post(
    path,
    {
      schema: {
        params: JobParamsSchema,
        body: PicksSchema,
        response: answersOf(PicksAppliedSchema),
      },
    },
    async (request) => {
      const jobId = request.params.job_id;
      const { picks } = request.body;
      const operation = `POST /api/v1/data-enrichment/review/${jobId}/`;
      const spending = spendingOf(request, operation, { picks: picks.length });
      return success(await environment.writer.applyPicks({ ...spending, jobId, picks }));
    },
  );
}
