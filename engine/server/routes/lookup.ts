/** Direct lookup (specification, section B): a phone or an email for a profile URL. */
import type { FastifyRequest } from 'fastify';
import {
  EmailAnswerSchema,
  LookupBodySchema,
  LookupFailureSchema,
  LookupQuerySchema,
  PhoneAnswerSchema,
} from '../../contract/lookup.ts';
import { lookUp } from '../../domain/lookup.ts';
import { callerOf, requireToken } from '../credentials.ts';
import type { ApiServer, ServerContext } from '../server-context.ts';

const asking = { querystring: LookupQuerySchema, body: LookupBodySchema };
const refusals = { '4xx': LookupFailureSchema, '5xx': LookupFailureSchema };

/** Who pays: the account of the token. */
function payerOf(request: FastifyRequest) {
  const { account, key } = callerOf(request);
  return { accountId: account.id, keyId: key?.id ?? null };
}

/** Adds both routes; the token and the rate limit are a hook of theirs alone. */
export function addLookupRoutes(server: ApiServer, context: ServerContext): void {
  const { world } = context;
  server.register(async (scope: ApiServer) => {
    scope.addHook('onRequest', requireToken(context));
    scope.post(
      '/phone/enrichment',
      { schema: { ...asking, response: { 200: PhoneAnswerSchema, ...refusals } } },
      async (request) => {
        const results = await lookUp(world, 'phone', payerOf(request), request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
    scope.post(
      '/email/enrichment',
      { schema: { ...asking, response: { 200: EmailAnswerSchema, ...refusals } } },
      async (request) => {
        const results = await lookUp(world, 'email', payerOf(request), request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
  });
}
