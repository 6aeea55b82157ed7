// Answers the app's calls about the authorization server.
import { getAccount, noSuchAccount } from '../accounts/account.table.ts';
import { readCap } from '../accounts/accounts.routes.ts';
import { getKey } from '../accounts/api-key.table.ts';
import { describeKey } from '../accounts/api-keys.ts';
import { getIdentityProvider } from '../accounts/identity-provider.table.ts';
import { requireIdentityProvider } from '../accounts/identity-providers.ts';
import { getLogin } from '../accounts/login.table.ts';
import { hashPassword } from '../accounts/logins.ts';
import { notFound } from '../contract/errors.ts';
import { type IdentityProvider, identityProvider } from '../contract/identity-provider.ts';
import { portDefault } from '../contract/limits/platform.ts';
import { authorizations, login } from '../contract/oauth.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { describeRedirect } from '../platform/net/redirect-uri.ts';
import { allowConsent, denyConsent } from './consent-handler.ts';
import { describeConsent } from './consents.ts';
import { IssuerProblem } from './issuer-fault.ts';
import { listConnections } from './oauth-connection.table.ts';
import { checkIssuer } from './oidc-client.ts';
import type { OauthRouteDeps } from './route-deps.ts';
import { callbackPath } from './start-identity-login.ts';

/** Redirect URIs to register. An engine without a port shows the default port. */
const listRedirects = ({ address, basePath }: OauthRouteDeps): string[] => {
  const own = ['127.0.0.1', 'localhost'].map(
    (name) => `http://${name}:${address.port ?? portDefault}`,
  );
  const bases = address.publicUrl ? [address.publicUrl.origin, ...own] : own;
  return bases.map((base) => base + basePath + callbackPath);
};

function describeProvider(context: OauthRouteDeps, accountId: number): IdentityProvider {
  const provider = getIdentityProvider(context.environment.database, accountId);
  return {
    provider: provider && {
      issuer: provider.issuer,
      client_id: provider.clientId,
      has_secret: provider.clientSecret !== null,
      emails: [...provider.emails],
      subjects: [...provider.subjects],
      set_at: provider.setAt,
    },
    redirect_uris: listRedirects(context),
  };
}

function addIdentityProviderRoutes(server: ApiServer, context: OauthRouteDeps): void {
  const { identityDeadline, environment } = context;
  serve(server, context, identityProvider, {
    read: (_input, { accountId }) => describeProvider(context, accountId),
    async set({ client_id: clientId, client_secret: clientSecret, ...given }, { accountId }) {
      await environment.writer.setIdentityProvider({ accountId, clientId, clientSecret, ...given });
      return describeProvider(context, accountId);
    },
    async remove(_input, { accountId }) {
      await environment.writer.removeIdentityProvider({ accountId });
      return describeProvider(context, accountId);
    },
    async check(_input, { accountId }) {
      const { issuer, clientId } = requireIdentityProvider(environment.database, accountId);
      const clientSecret = await environment.writer.openClientSecret({ accountId });
      try {
        await checkIssuer({ issuer, clientId, clientSecret }, identityDeadline());
      } catch (error) {
        if (!(error instanceof IssuerProblem)) throw error;
        return { ok: false, detail: error.message };
      }
      return { ok: true, detail: `${new URL(issuer).host} responds as expected.` };
    },
  });
}

/** Claims an authorization request. Throws `not_found` if it is not pending. */
function claim({ consents, environment }: OauthRouteDeps, id: string) {
  const consent = consents.claim(environment.name, id);
  if (!consent)
    throw notFound(
      'This request was already answered or has expired. Start again from the client.',
    );
  return consent;
}

function addAuthorizationCalls(server: ApiServer, context: OauthRouteDeps): void {
  serve(server, context, authorizations, {
    list: () => context.consents.list().map(describeConsent),
    async allow({ id, account_id: uuid, cap_per_day: day, cap_per_month: month }, { caller }) {
      const { database } = context.environment;
      const account = uuid ? getAccount(database, uuid) : caller.account;
      if (!account) throw noSuchAccount();
      const capDayUnits = readCap(day, 'cap_per_day') ?? null;
      const capMonthUnits = readCap(month, 'cap_per_month') ?? null;
      const consent = claim(context, id);
      const allowance = { accountId: account.id, capDayUnits, capMonthUnits };
      context.consents.answer(consent, await allowConsent(context, consent, allowance));
      return {};
    },
    deny({ id }) {
      const consent = claim(context, id);
      context.consents.answer(consent, denyConsent(consent));
      return {};
    },
    connections(_input, { accountId }) {
      const { database } = context.environment;
      const at = new Date(context.now());
      return listConnections(database, accountId).flatMap((connection) => {
        const key = getKey(database, accountId, connection.keyId);
        if (!key) return [];
        return {
          ...describeKey(database, key, at),
          client_id: connection.clientId,
          client_name: connection.clientName,
          redirect_host: describeRedirect(connection.redirectUri),
        };
      });
    },
  });
}

function addLoginCalls(server: ApiServer, context: OauthRouteDeps): void {
  const { environment } = context;
  const read = (accountId: number) => {
    const found = getLogin(environment.database, accountId);
    return found && { email: found.email, set_at: found.setAt };
  };
  serve(server, context, login, {
    read: (_input, { accountId }) => read(accountId),
    async set({ email, password }, { accountId }) {
      const passwordHash = await hashPassword(password);
      await environment.writer.setLogin({ accountId, email, passwordHash });
      return read(accountId);
    },
    async remove(_input, { accountId }) {
      await environment.writer.removeLogin({ accountId });
      return read(accountId);
    },
  });
}

export function addOauthAppRoutes(server: ApiServer, context: OauthRouteDeps): void {
  addAuthorizationCalls(server, context);
  addLoginCalls(server, context);
  addIdentityProviderRoutes(server, context);
}
