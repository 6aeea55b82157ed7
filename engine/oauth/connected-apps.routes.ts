/**
 * Routes /app/v1/authorizations, /connections and /login: the app's side of the authorization
 * server.
 */
import { z } from 'zod';
import { getAccount } from '../accounts/account.table.ts';
import { readCap } from '../accounts/accounts.routes.ts';
import { getKey } from '../accounts/api-key.table.ts';
import { describeKey } from '../accounts/api-keys.ts';
import { getLogin } from '../accounts/login.table.ts';
import { hashPassword } from '../accounts/logins.ts';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import {
  AllowSchema,
  AuthorizationSchema,
  ConnectionSchema,
  LoginSchema,
  NewLoginSchema,
} from '../contract/oauth.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { describeRedirect } from '../platform/net/redirect-uri.ts';
import { allowConsent, denyConsent } from './consent-handler.ts';
import { describeConsent } from './consents.ts';
import { addIdentityProviderRoutes } from './identity-providers.routes.ts';
import { listConnections } from './oauth-connection.table.ts';
import type { OauthRouteDeps } from './route-deps.ts';

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

/** Claims an authorization request. Throws `not_found` if it is not pending. */
function claim({ consents, environment }: OauthRouteDeps, id: string) {
  const consent = consents.claim(environment.name, id);
  if (!consent)
    throw new EngineError(
      'not_found',
      'This request was already answered or has expired. Start again from the client.',
    );
  return consent;
}

function addAuthorizationRoutes(server: ApiServer, context: OauthRouteDeps): void {
  server.get(
    '/authorizations',
    { schema: { response: answersOf(z.array(AuthorizationSchema)) } },
    async () => success(context.consents.list().map(describeConsent)),
  );
  server.post(
    '/authorizations/:id/allow',
    {
      schema: { params: IdParamsSchema, body: AllowSchema, response: answersOf(z.object({})) },
    },
    async (request) => {
      const { account_id: uuid, cap_per_day: day, cap_per_month: month } = request.body;
      const { database } = context.environment;
      const account = uuid ? getAccount(database, uuid) : callerOf(request).account;
      if (!account) throw new EngineError('not_found', 'This account does not exist.');
      const capDayUnits = readCap(day, 'cap_per_day') ?? null;
      const capMonthUnits = readCap(month, 'cap_per_month') ?? null;
      const consent = claim(context, request.params.id);
      const allowance = { accountId: account.id, capDayUnits, capMonthUnits };
      context.consents.answer(consent, await allowConsent(context, consent, allowance));
      return success({});
    },
  );
  server.post(
    '/authorizations/:id/deny',
    { schema: { params: IdParamsSchema, response: answersOf(z.object({})) } },
    async (request) => {
      const consent = claim(context, request.params.id);
      context.consents.answer(consent, denyConsent(consent));
      return success({});
    },
  );
}

function addConnectionRoute(server: ApiServer, { now, environment }: OauthRouteDeps): void {
  server.get(
    '/connections',
    { schema: { response: answersOf(z.array(ConnectionSchema)) } },
    async (request) => {
      const { database } = environment;
      const accountId = callerOf(request).account.id;
      const at = new Date(now());
      const connections = listConnections(database, accountId).flatMap((connection) => {
        const key = getKey(database, accountId, connection.keyId);
        return key ? [{ connection, key }] : [];
      });
      return success(
        connections.map(({ connection, key }) => ({
          ...describeKey(database, key, at),
          client_id: connection.clientId,
          client_name: connection.clientName,
          redirect_host: describeRedirect(connection.redirectUri),
        })),
      );
    },
  );
}

function addLoginRoutes(server: ApiServer, { environment }: OauthRouteDeps): void {
  const schema = { response: answersOf(LoginSchema) };
  const read = (accountId: number) => {
    const login = getLogin(environment.database, accountId);
    return success(login && { email: login.email, set_at: login.setAt });
  };
  server.get('/login', { schema }, async (request) => read(callerOf(request).account.id));
  server.put('/login', { schema: { ...schema, body: NewLoginSchema } }, async (request) => {
    const accountId = callerOf(request).account.id;
    const { email, password } = request.body;
    const passwordHash = await hashPassword(password);
    await environment.writer.setLogin({ accountId, email, passwordHash });
    return read(accountId);
  });
  server.delete('/login', { schema }, async (request) => {
    const accountId = callerOf(request).account.id;
    await environment.writer.removeLogin({ accountId });
    return read(accountId);
  });
}

/** Adds the routes. The server must have the session hook. */
export function addOauthAppRoutes(server: ApiServer, context: OauthRouteDeps): void {
  addAuthorizationRoutes(server, context);
  addConnectionRoute(server, context);
  addLoginRoutes(server, context);
  addIdentityProviderRoutes(server, context);
}
