/** Direct lookup (specification, section B): a phone or an email for a profile URL. */
import {
  EmailAnswerSchema,
  LookupBodySchema,
  LookupFailureSchema,
  LookupQuerySchema,
  PhoneAnswerSchema,
} from '../../contract/lookup.ts';
import { lookUp } from '../../domain/lookup.ts';
import { spendingOf } from '../asking-of.ts';
import { requireToken } from '../credentials.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';

const asking = { querystring: LookupQuerySchema, body: LookupBodySchema };
const refusals = { '4xx': LookupFailureSchema, '5xx': LookupFailureSchema };

/** Adds both routes; the token and the rate limit are a hook of theirs alone. */
export function addLookupRoutes(server: ApiServer, context: ServerContext): void {
  const { world } = context;
  server.register(async (scope: ApiServer) => {
    scope.addHook('onRequest', requireToken(context));
    scope.post(
      '/phone/enrichment',
      { schema: { ...asking, response: { 200: PhoneAnswerSchema, ...refusals } } },
      async (request) => {
        const spending = spendingOf(request, 'POST /phone/enrichment/', request.body);
        const results = await lookUp(world, 'phone', spending, request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
    scope.post(
      '/email/enrichment',
      { schema: { ...asking, response: { 200: EmailAnswerSchema, ...refusals } } },
      async (request) => {
        const spending = spendingOf(request, 'POST /email/enrichment/', request.body);
        const results = await lookUp(world, 'email', spending, request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
  });
}
