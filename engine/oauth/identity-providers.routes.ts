/** Answers the calls about the identity provider of an account. */

import { getIdentityProvider } from '../accounts/identity-provider.table.ts';
import { requireIdentityProvider } from '../accounts/identity-providers.ts';
import { type IdentityProvider, identityProvider } from '../contract/identity-provider.ts';
import { portDefault } from '../contract/limits/platform.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
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

export function addIdentityProviderRoutes(server: ApiServer, context: OauthRouteDeps): void {
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
