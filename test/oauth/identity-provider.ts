// A real identity provider on loopback, its people, and a browser's steps through it.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Context, Provider } from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';

/** The people by name; `nobody` stops the login. */
const people: Readonly<Record<string, object>> = {
  ann: { email: 'Ann@Example.test', email_verified: true },
  bob: { email: 'bob@example.test', email_verified: true },
  unverified: { email: 'ann@example.test', email_verified: false },
  nameless: {},
};

export const client = { id: 'desk', secret: 'a secret of the tests' } as const;

export interface TestProvider {
  readonly issuer: string;
  /** Paths of its requests, without the login's own pages. */
  readonly asked: readonly string[];
  close(): void;
}

/** Differences from the default. */
export interface ProviderChange {
  /** Its host name; separate names keep cookies apart from other ports. */
  readonly host?: 'localhost' | '127.0.0.1';
  /** Whether an email's claims are in the ID token; otherwise only at the userinfo endpoint. */
  readonly hasEmailInToken?: boolean;
  /** Whether it publishes other keys than the signing one. */
  readonly hasForeignKeys?: boolean;
  /** The client's authentication method. */
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post' | 'none';
}

const makeJwk = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: 'tests',
  use: 'sig',
  alg: 'RS256',
});
const privateJwk = makeJwk();

function configure(redirectUris: readonly string[], change: ProviderChange) {
  const { authMethod = 'client_secret_basic' } = change;
  return {
    clients: [
      {
        client_id: client.id,
        ...(authMethod !== 'none' && { client_secret: client.secret }),
        token_endpoint_auth_method: authMethod,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    // Set explicitly, because the default logs a warning.
    adapter: class extends MemoryAdapter {},
    clientAuthMethods: [authMethod],
    jwks: { keys: [privateJwk] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !change.hasEmailInToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
  };
}

const page = `<!doctype html><title>Identity provider</title><h1>Who are you?</h1>
<form method="post">${[...Object.keys(people), 'nobody']
  .map((name) => `<button name="person" value="${name}">Log in as ${name}</button>`)
  .join('')}</form>`;

/** The provider's own login: a page of buttons, and the effect of each. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html');
    return response.end(page);
  }
  const person = new URLSearchParams(await text(request)).get('person') ?? 'nobody';
  const result = Object.hasOwn(people, person)
    ? { login: { accountId: person } }
    : { error: 'access_denied', error_description: 'The person left.' };
  return provider.interactionFinished(request, response, result);
}

function sendForeignKeys(response: ServerResponse) {
  const { kty, n, e, kid, use, alg } = makeJwk() as Record<string, string>;
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify({ keys: [{ kty, n, e, kid, use, alg }] }));
}

/** Starts a provider that knows the engine as a client. Close it after use. */
export async function openIdentityProvider(
  redirectUris: readonly string[],
  change: ProviderChange = {},
): Promise<TestProvider> {
  const asked: string[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://${change.host ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  const provider: Provider = new Provider(issuer, {
    ...configure(redirectUris, change),
    // The person has consented only to be named.
    async loadExistingGrant({ oidc }: Context) {
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  answer = (request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer);
    if (pathname.startsWith('/interaction/')) return interact(provider, request, response);
    asked.push(pathname);
    if (change.hasForeignKeys && pathname === '/jwks') return sendForeignKeys(response);
    return handle(request, response);
  };
  return {
    issuer,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Logs a person in as their browser would; returns the redirect address. */
export async function logInAtProvider(url: string, person: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let [next, init]: [URL, RequestInit] = [new URL(url), {}];
  const { origin } = next;
  while (next.origin === origin) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie };
    const response = await fetch(next, { redirect: 'manual', ...init, headers });
    await response.arrayBuffer();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${next.pathname} answered ${response.status}`);
    next = new URL(location, next);
    const isPage = next.pathname.startsWith('/interaction/');
    init = isPage ? { method: 'POST', body: new URLSearchParams({ person }) } : {};
  }
  return next;
}
