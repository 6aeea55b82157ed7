// Starts a login at an account's identity provider: returns where to redirect, or the problem.
import type { FastifyRequest } from 'fastify';
import { getAccount } from '../accounts/account.table.ts';
import {
  getIdentityProvider,
  type IdentityProviderRow,
} from '../accounts/identity-provider.table.ts';
import { EngineError } from '../contract/errors.ts';
import { baseUrlOf } from '../http/guards.ts';
import type { WaitingLogin } from './identity-logins.ts';
import { IssuerProblem } from './issuer-fault.ts';
import { beginLogin } from './oidc-client.ts';
import type { OauthRouteDeps } from './route-deps.ts';

export const callbackPath = '/oauth/callback';

/** Requested scope: the email only if people are allowed by email. */
const scopeOf = ({ emails }: IdentityProviderRow): string =>
  emails.length > 0 ? 'openid email' : 'openid';

/** Starts a login for a page. The sentence of a problem says what to do. */
export async function startIdentityLogin(
  context: OauthRouteDeps,
  request: FastifyRequest,
  requested: Pick<WaitingLogin, 'consent' | 'secret' | 'caps'> & { readonly account: string },
): Promise<{ url: string } | { problem: string }> {
  const { environment, identityLogins, identityDeadline, basePath } = context;
  const { account: uuid, ...page } = requested;
  const account = getAccount(environment.database, uuid);
  const provider = account && getIdentityProvider(environment.database, account.id);
  if (!provider)
    return { problem: 'This identity provider was removed in Connections. Answer in the app.' };
  const { accountId, issuer, clientId, setAt } = provider;
  try {
    const clientSecret = await environment.writer.openClientSecret({ accountId });
    const { url, login } = await beginLogin(
      { issuer, clientId, clientSecret },
      { redirectUri: baseUrlOf(request) + basePath + callbackPath, scope: scopeOf(provider) },
      identityDeadline(),
    );
    identityLogins.begin({ ...page, login, accountId, setAt });
    return { url };
  } catch (error) {
    if (error instanceof EngineError) return { problem: error.detail };
    if (!(error instanceof IssuerProblem)) throw error;
    request.log.info({ fault: error.cause, issuer }, 'no login at an identity provider');
    return { problem: error.message };
  }
}
