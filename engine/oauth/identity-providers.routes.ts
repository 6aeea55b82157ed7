/** Routes /app/v1/identity-provider: set, check and remove the identity provider of an account. */

import { getIdentityProvider } from '../accounts/identity-provider.table.ts';
import { requireIdentityProvider } from '../accounts/identity-providers.ts';
import {
  type IdentityProvider,
  IdentityProviderSchema,
  IssuerCheckSchema,
  NewIdentityProviderSchema,
} from '../contract/identity-provider.ts';
import { portDefault } from '../contract/limits/platform.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { IssuerProblem } from './issuer-fault.ts';
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

/** Adds the routes. The server must have the session hook. */
export function addIdentityProviderRoutes(server: ApiServer, context: OauthRouteDeps): void {
  const { identityDeadline, environment } = context;
  const path = '/identity-provider';
  const schema = { response: answersOf(IdentityProviderSchema) };
  server.get(path, { schema }, async (request) =>
    success(describeProvider(context, callerOf(request).account.id)),
  );
  server.put(path, { schema: { ...schema, body: NewIdentityProviderSchema } }, async (request) => {
    const accountId = callerOf(request).account.id;
    const {
      issuer,
      client_id: clientId,
      client_secret: clientSecret,
      emails,
      subjects,
    } = request.body;
    const order = { accountId, issuer, clientId, clientSecret, emails, subjects };
    await environment.writer.setIdentityProvider(order);
    return success(describeProvider(context, accountId));
  });
  server.delete(path, { schema }, async (request) => {
    const accountId = callerOf(request).account.id;
    await environment.writer.removeIdentityProvider({ accountId });
    return success(describeProvider(context, accountId));
  });
  server.post(
    `${path}/check`,
    { schema: { response: answersOf(IssuerCheckSchema) } },
    async (request) => {
      const { accountId, issuer, clientId } = requireIdentityProvider(
        environment.database,
        callerOf(request).account.id,
      );
      const clientSecret = await environment.writer.openClientSecret({ accountId });
      try {
        await checkIssuer({ issuer, clientId, clientSecret }, identityDeadline());
      } catch (error) {
        if (!(error instanceof IssuerProblem)) throw error;
        return success({ ok: false, detail: error.message });
      }
      return success({ ok: true, detail: `${new URL(issuer).host} responds as expected.` });
    },
  );
}
