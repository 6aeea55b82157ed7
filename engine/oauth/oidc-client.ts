// OpenID Connect: the code flow with PKCE, state and nonce. Tokens are discarded.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { isIssuerAddress, type Person } from '../accounts/identity-providers.ts';
import { identityAnswerBytesMax, identityAnswerMaxMs } from '../contract/limits/accounts.ts';
import { type FindRoutes, ProxyUnusable } from '../platform/net/proxy-routes.ts';
import { isLoopback } from '../platform/net/redirect-uri.ts';
import { AnswerTooLarge, sendOutside } from '../platform/net/send-outside.ts';
import { findOwnRoutes } from '../platform/net/system-proxy.ts';
import { explainIssuerFault, IssuerFault } from './issuer-fault.ts';

export interface IssuerClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

export interface IssuerLogin {
  readonly config: Configuration;
  readonly issuer: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

const statusesWithoutBody = new Set([204, 205, 304]);

function faultOf(error: unknown, signal: AbortSignal): IssuerFault {
  if (error instanceof IssuerFault) return error;
  if (signal.aborted) return new IssuerFault('slow', undefined, { cause: error });
  if (error instanceof ProxyUnusable) return new IssuerFault('proxy', error.message);
  if (error instanceof AnswerTooLarge) return new IssuerFault('tooLarge');
  const { code } = error as NodeJS.ErrnoException;
  return new IssuerFault('down', code, { cause: error });
}

/** https only (http on this machine); a response is read completely before the deadline. */
function createFetch(issuer: string, deadline: AbortSignal, findRoutes: FindRoutes): CustomFetch {
  const isAllowed = isLoopback(issuer)
    ? isIssuerAddress
    : (url: string) => isIssuerAddress(url) && !isLoopback(url);
  return async (url, { body, signal, method, headers }) => {
    if (!isAllowed(url)) throw new IssuerFault('insecure');
    const ended = AbortSignal.any([deadline, ...(signal ? [signal] : [])]);
    try {
      const answer = await sendOutside(
        {
          url: new URL(url),
          method,
          headers,
          body: body ? await new Response(body as string | URLSearchParams).text() : null,
        },
        {
          isAllowed: () => true,
          findRoutes,
          signal: ended,
          timeoutMs: identityAnswerMaxMs,
          answerBytesMax: identityAnswerBytesMax,
        },
      );
      if (answer.fault) throw answer.fault;
      const fields = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      );
      return new Response(
        statusesWithoutBody.has(answer.status) ? null : new Uint8Array(answer.body),
        {
          status: answer.status,
          headers: fields,
        },
      );
    } catch (error) {
      throw faultOf(error, ended);
    }
  };
}

/** HTTP Basic, which every provider must support, unless its metadata requires another method. */
function authenticate(secret: string | null): ClientAuth {
  if (secret === null) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const usesPost = !ways.includes('client_secret_basic') && ways.includes('client_secret_post');
    return (usesPost ? post : basic)(server, ...rest);
  };
}

async function discover(
  client: IssuerClient,
  deadline: AbortSignal,
  findRoutes: FindRoutes,
): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = client;
  const options = {
    [customFetch]: createFetch(issuer, deadline, findRoutes),
    timeout: identityAnswerMaxMs / 1_000,
    execute: [enableNonRepudiationChecks, ...(isLoopback(issuer) ? [allowInsecureRequests] : [])],
  };
  const auth = authenticate(clientSecret);
  const config = await discovery(new URL(issuer), clientId, undefined, auth, options);
  // Some issuers serve many tenants under one name, where any tenant could claim any email.
  const { issuer: own } = config.serverMetadata();
  if (!URL.canParse(own) || new URL(own).href !== new URL(issuer).href)
    throw new IssuerFault('otherIssuer', own);
  return config;
}

function writeLoginUrl(config: Configuration, parameters: Record<string, string>): string {
  const { href } = buildAuthorizationUrl(config, parameters);
  if (!isIssuerAddress(href)) throw new IssuerFault('insecure');
  return href;
}

const explained = async <Value>(issuer: string, requested: Promise<Value>): Promise<Value> =>
  requested.catch((error: unknown) => {
    throw explainIssuerFault(error, new URL(issuer).host);
  });

/** Throws IssuerProblem. @param findRoutes the proxies to the issuer; by default the process's */
export async function checkIssuer(
  client: IssuerClient,
  deadline: AbortSignal,
  findRoutes: FindRoutes = findOwnRoutes,
): Promise<void> {
  await explained(
    client.issuer,
    discover(client, deadline, findRoutes).then((config) => writeLoginUrl(config, {})),
  );
}

async function begin(
  client: IssuerClient,
  { redirectUri, scope }: { redirectUri: string; scope: string },
  deadline: AbortSignal,
) {
  const config = await discover(client, deadline, findOwnRoutes);
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
  const url = writeLoginUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const login = { config, issuer: client.issuer, redirectUri, state, nonce, verifier };
  return { url, login };
}

/** The URL for the browser, and the state to validate the answer. Throws IssuerProblem. */
export const beginLogin = (
  client: IssuerClient,
  requested: { redirectUri: string; scope: string },
  deadline: AbortSignal,
): Promise<{ url: string; login: IssuerLogin }> =>
  explained(client.issuer, begin(client, requested, deadline));

async function finish(login: IssuerLogin, answer: URLSearchParams, deadline: AbortSignal) {
  const { config, issuer, redirectUri, state, nonce, verifier } = login;
  config[customFetch] = createFetch(issuer, deadline, findOwnRoutes);
  const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new IssuerFault('odd');
  // Providers differ in where they return the email.
  const isTold = claims.email !== undefined || !config.serverMetadata().userinfo_endpoint;
  const told = isTold ? claims : await fetchUserInfo(config, tokens.access_token, claims.sub);
  const { email, email_verified: verified } = told as { email?: unknown; email_verified?: unknown };
  return {
    subject: claims.sub,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: verified !== false && verified !== 'false',
  };
}

/** The person in a provider's answer. Throws IssuerProblem. */
export const finishLogin = (
  login: IssuerLogin,
  answer: URLSearchParams,
  deadline: AbortSignal,
): Promise<Person> => explained(login.issuer, finish(login, answer, deadline));
