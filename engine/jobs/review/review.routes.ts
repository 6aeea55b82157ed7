/** The routes of reviews. The REST API and the app have the same ones under different paths. */
import {
  PicksAppliedSchema,
  PicksSchema,
  ReviewPageSchema,
  ReviewQuerySchema,
} from '../../contract/jobs/review.ts';
import { approvalKey, keyRefusals, resultRefusals } from '../../contract/operation-docs.ts';
import { spendingOf } from '../../http/approval-origin.ts';
import { callerOf } from '../../http/credentials.ts';
import { baseUrlOf } from '../../http/guards.ts';
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
        docs: {
          id: 'listReview',
          tag: 'Data enrichment',
          summary: 'List the rows that wait for a decision, with candidates and evidence',
          refusals: resultRefusals,
        },
        params: JobParamsSchema,
        querystring: ReviewQuerySchema,
        response: longAnswersOf(ReviewPageSchema),
      },
    },
    async (request) => {
      const { account, key } = callerOf(request);
      const accountId = account.id;
      const isOwner = key === null;
      const job = requireFinished(requireJob(environment, accountId, request.params.job_id));
      const linkTo = (after: number): string => {
        const url = new URL(request.url, baseUrlOf(request));
        url.searchParams.set('after', String(after));
        return url.href;
      };
      return success(await readReviewPage(environment, job, request.query, linkTo, { isOwner }));
    },
  );
  server.post(
    path,
    {
      schema: {
        docs: {
          id: 'decideReview',
          tag: 'Data enrichment',
          summary: 'Choose a candidate for each row, none of them, or undo',
          description:
            'All decisions are applied, or none. A chosen candidate enriches its row, which is ' +
            'charged; choosing none of them and undo return the charge.',
          refusals: [...resultRefusals, 'insufficient_credits', ...keyRefusals],
          headers: approvalKey,
        },
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
