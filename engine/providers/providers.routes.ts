// Answers the calls about the log of requests to data services. The writer answers the others.
import { notFound } from '../contract/errors.ts';
import { type ProviderLog, providerCalls } from '../contract/providers.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { ProviderCalls } from './installed/change-providers.ts';
import {
  findRequest,
  type LoggedRequest,
  listRequests,
} from './installed/provider-report.table.ts';
import { findRequestBalances } from './spend/provider-balance.table.ts';
import { listDecisions } from './spend/provider-decision.table.ts';
import { toCredits, toUnits } from './waterfall/provider-units.ts';

type PresentedRequest = ProviderLog['requests'][number];
type Uncertain = NonNullable<PresentedRequest['uncertain']>;

function presentBalance(database: ReadableDatabase, request: LoggedRequest): Uncertain['balance'] {
  const found = findRequestBalances(database, request);
  if (!found) return null;
  const { before, after, others } = found;
  return {
    before: before && { credits: before.credits, read_at: before.at },
    after: { credits: after.credits, read_at: after.at },
    fell_by: before && toCredits(toUnits(before.credits) - toUnits(after.credits)),
    other_requests: others,
  };
}

function presentRequest(database: ReadableDatabase, request: LoggedRequest): PresentedRequest {
  const { jobUuid, costMaxUnits, costUnits, uncertainUnits, isReported, ...shown } = request;
  return {
    ...shown,
    fields: [...shown.fields],
    job_id: jobUuid,
    cost_max: toCredits(costMaxUnits),
    cost: costUnits === null ? null : toCredits(costUnits),
    is_cost_reported: isReported,
    uncertain:
      uncertainUnits === null
        ? null
        : {
            cost_max: toCredits(uncertainUnits),
            balance: presentBalance(database, request),
            decisions: listDecisions(database, request.id).map((one) => ({
              outcome: one.outcome,
              credits: toCredits(one.costUnits),
              decided_by: one.decidedBy,
              decided_at: one.decidedAt,
            })),
          },
  };
}

/** A page of the log of requests: those with ids below `before`. */
function presentLog(
  database: ReadableDatabase,
  page: {
    readonly limit: number;
    readonly before: number | undefined;
    /** Only requests with an unknown outcome that no person has decided about. */
    readonly isUncertain: boolean;
  },
): ProviderLog {
  const { limit } = page;
  const found = listRequests(database, { ...page, limit: limit + 1 });
  const requests = found.slice(0, limit);
  return {
    requests: requests.map((request) => presentRequest(database, request)),
    next: found.length > limit ? (requests.at(-1)?.id ?? null) : null,
  };
}

/** One request of the log. Throws `not_found`. */
function presentLogged(database: ReadableDatabase, id: number): PresentedRequest {
  const found = findRequest(database, id);
  if (!found) throw notFound(`There is no request ${id} in the log.`);
  return presentRequest(database, found);
}

type ProviderRouteDeps = RouteDepsWith<ProviderCalls>;

export function addProviderRoutes(server: ApiServer, context: ProviderRouteDeps): void {
  const { environment } = context;
  serve(server, context, providerCalls, {
    log: ({ limit, before, state }) =>
      presentLog(environment.database, { limit, before, isUncertain: state === 'uncertain' }),
    async decide({ id, ...decision }) {
      await environment.writer.decideRequest({ id, decision, author: 'app' });
      return presentLogged(environment.database, id);
    },
  });
}
