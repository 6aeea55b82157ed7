/** The routes of direct lookup: a phone or an email for a profile URL. */

import {
  EmailAnswerSchema,
  LookupBodySchema,
  LookupFailureSchema,
  LookupQuerySchema,
  PhoneAnswerSchema,
} from '../contract/lookup.ts';
import { approvalKey, keyRefusals } from '../contract/operation-docs.ts';
import { spendingOf } from '../http/approval-origin.ts';
import { requireToken } from '../http/credentials.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { lookUp } from './lookup.ts';
import type { LookupRouteDeps } from './route-deps.ts';

const asking = { querystring: LookupQuerySchema, body: LookupBodySchema };
const lookupDocs = {
  tag: 'Direct lookup',
  refusals: [...keyRefusals, 'upstream_insufficient_credits', 'upstream_error'],
  headers: approvalKey,
} as const;
const refusals = { '4xx': LookupFailureSchema, '5xx': LookupFailureSchema };

/** Adds both routes, with their own hook for the token and the rate limit. */
export function addLookupRoutes(server: ApiServer, context: LookupRouteDeps): void {
  const { environment } = context;
  server.register(async (scope: ApiServer) => {
    scope.addHook('onRequest', requireToken(context));
    scope.post(
      '/phone/enrichment',
      {
        schema: {
          docs: {
            ...lookupDocs,
            id: 'lookUpPhone',
            summary: 'Get the phone number of the person with a profile URL',
            description: 'Costs 5 credits if it is found; free if the account owns it.',
          },
          ...asking,
          response: { 200: PhoneAnswerSchema, ...refusals },
        },
      },
      async (request) => {
        const spending = spendingOf(request, 'POST /phone/enrichment/', request.body);
        const results = await lookUp(environment, 'phone', spending, request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
    scope.post(
      '/email/enrichment',
      {
        schema: {
          docs: {
            ...lookupDocs,
            id: 'lookUpEmail',
            summary: 'Get the email of the person with a profile URL',
            description: 'Costs 1 credit if it is found; free if the account owns it.',
          },
          ...asking,
          response: { 200: EmailAnswerSchema, ...refusals },
        },
      },
      async (request) => {
        const spending = spendingOf(request, 'POST /email/enrichment/', request.body);
        const results = await lookUp(environment, 'email', spending, request.body.profile_url);
        return { status: 'success' as const, results };
      },
    );
  });
}
