/**
 * Routes /app/v1/providers, /provider-order, /provider-definitions, /provider-quote,
 * /provider-log and /provider-requests: the user's data services. No answer contains a key.
 */

import {
  DecidedRequestSchema,
  DefinitionImportSchema,
  ForgottenAnswersSchema,
  NewDefinitionSchema,
  ProviderChangeSchema,
  ProviderKeySchema,
  ProviderLogQuerySchema,
  ProviderLogSchema,
  ProviderOrderSchema,
  ProviderParamsSchema,
  ProviderQuoteRequestSchema,
  ProviderQuoteSchema,
  ProviderRequestParamsSchema,
  ProviderTestSchema,
  RequestDecisionSchema,
  UserProvidersSchema,
} from '../contract/providers.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { presentLog, presentLogged } from './installed/present-log.ts';
import type { ProviderRouteDeps } from './route-deps.ts';

/** Adds the routes that describe providers and change their settings. */
function addSettingRoutes(server: ApiServer, { environment }: ProviderRouteDeps): void {
  const described = async () => success(await environment.writer.describeProviders(null));
  const response = answersOf(UserProvidersSchema);
  const params = ProviderParamsSchema;
  server.get('/providers', { schema: { response } }, described);
  server.put(
    '/providers/:id/key',
    { schema: { params, body: ProviderKeySchema, response } },
    async (request) => {
      await environment.writer.setProviderKey({ id: request.params.id, ...request.body });
      return described();
    },
  );
  server.patch(
    '/providers/:id',
    { schema: { params, body: ProviderChangeSchema, response } },
    async (request) => {
      await environment.writer.changeProvider({ id: request.params.id, change: request.body });
      return described();
    },
  );
  server.delete('/providers/:id', { schema: { params, response } }, async (request) => {
    await environment.writer.removeProvider({ id: request.params.id });
    return described();
  });
  server.put(
    '/provider-order',
    { schema: { body: ProviderOrderSchema, response } },
    async (request) => {
      await environment.writer.orderProviders(request.body);
      return described();
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addProviderRoutes(server: ApiServer, context: ProviderRouteDeps): void {
  const { environment } = context;
  const params = ProviderParamsSchema;
  addSettingRoutes(server, context);
  server.post(
    '/providers/:id/test',
    { schema: { params, response: answersOf(ProviderTestSchema) } },
    async (request) => success(await environment.writer.testProvider({ id: request.params.id })),
  );
  server.post(
    '/providers/:id/forget',
    { schema: { params, response: answersOf(ForgottenAnswersSchema) } },
    async (request) => success(await environment.writer.forgetAnswers({ id: request.params.id })),
  );
  server.post(
    '/provider-definitions',
    { schema: { body: NewDefinitionSchema, response: answersOf(DefinitionImportSchema) } },
    async (request) => success(await environment.writer.importDefinition(request.body)),
  );
  server.post(
    '/provider-quote',
    { schema: { body: ProviderQuoteRequestSchema, response: answersOf(ProviderQuoteSchema) } },
    async ({ body: { rows, open_fields: openShares, selected_layers: codes } }) =>
      success(await environment.writer.quoteProviders({ rows, openShares, codes })),
  );
  server.get(
    '/provider-log',
    { schema: { querystring: ProviderLogQuerySchema, response: answersOf(ProviderLogSchema) } },
    async (request) =>
      success(
        presentLog(environment.database, {
          limit: request.query.limit,
          before: request.query.before,
          isUncertain: request.query.state === 'uncertain',
        }),
      ),
  );
  server.post(
    '/provider-requests/:id/decision',
    {
      schema: {
        params: ProviderRequestParamsSchema,
        body: RequestDecisionSchema,
        response: answersOf(DecidedRequestSchema),
      },
    },
    async ({ params: { id }, body: decision }) => {
      await environment.writer.decideRequest({ id, decision, author: 'app' });
      return success(presentLogged(environment.database, id));
    },
  );
}
