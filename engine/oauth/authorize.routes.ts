/**
 * Routes /oauth/authorize, which checks an authorization request and shows the consent page, and
 * /oauth/wait, which tells that page when the request is answered in the app.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { consentWaitMs } from '../contract/limits/oauth.ts';
import { AuthorizeQuerySchema } from '../contract/oauth.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { matchesRedirect } from '../platform/net/redirect-uri.ts';
import { writeAnswerUrl } from './consent-handler.ts';
import { sendConsentPage } from './consent-page.ts';
import { type Issuer, issuers, issuerUrl, listResources } from './discovery.routes.ts';
import { type Client, createClientFinder } from './find-client.ts';
import { readFormsOnly } from './form-body.ts';
import { addCallbackRoutes } from './identity-callback.ts';
import type { OauthRouteDeps } from './route-deps.ts';
import { answerPage } from './send-page.ts';
import { sendFault, sendRefusalPage } from './write-page.ts';

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** The single value of a parameter; null if it is absent, empty or repeated. */
const readOne = (value: Query[string]): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** The redirect address: the requested one, or the only registered one. */
function findRedirect(client: Client, query: Query): string | null {
  const only = client.redirectUris.length === 1 ? client.redirectUris[0] : undefined;
  const requested = readOne(query.redirect_uri) ?? (query.redirect_uri === undefined ? only : null);
  if (!requested) return null;
  return client.redirectUris.some((one) => matchesRedirect(one, requested)) ? requested : null;
}

/** The error of a known client's request (RFC 6749, RFC 8707); null if it is valid. */
function findFault(
  query: Query,
  resources: readonly string[],
): Record<'error' | 'error_description', string> | null {
  const fault = (error: string, error_description: string) => ({ error, error_description });
  if (query.response_type !== 'code')
    return fault('unsupported_response_type', 'response_type must be code.');
  const parsed = AuthorizeQuerySchema.safeParse(query);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0] ?? '');
    return name.startsWith('code_challenge')
      ? fault('invalid_request', 'PKCE is required: code_challenge, code_challenge_method=S256.')
      : fault('invalid_request', `${name} is not valid.`);
  }
  const { resource } = parsed.data;
  if (resource !== undefined && !resources.includes(withoutSlash(resource)))
    return fault('invalid_target', 'resource is not a resource of this server.');
  return null;
}

/** Some clients add a slash to the address of a resource. */
export const withoutSlash = (resource: string): string => resource.replace(/\/$/, '');

/** GET: shows the consent page, or what is wrong with the request. */
function answerRequest(context: OauthRouteDeps, issuer: Issuer) {
  const findClient = createClientFinder(context);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // In a frame, another page could create an authorization request without sending a person here.
    if ((request.headers['sec-fetch-dest'] ?? 'document') !== 'document')
      return sendRefusalPage(
        reply,
        403,
        'This page cannot be shown in a frame. Open it in its own tab.',
      );
    const query = request.query as Query;
    const clientId = readOne(query.client_id);
    const client = clientId && (await findClient(clientId, request.log));
    if (!client)
      return sendRefusalPage(
        reply,
        400,
        'Unknown client. Start again from the app that sent you here; it registers by itself.',
      );
    const redirectUri = findRedirect(client, query);
    if (!redirectUri)
      return sendRefusalPage(
        reply,
        400,
        'The redirect address is not registered for this app. Start again from the app.',
      );
    const requested = {
      redirectUri,
      state: readOne(query.state),
      issuer: issuerUrl(request, context.basePath, issuer),
    };
    const fault = findFault(query, listResources(context));
    if (fault)
      return sendFault(
        reply,
        { name: client.name, redirectUri },
        { description: fault.error_description, location: writeAnswerUrl(requested, fault) },
      );
    const resource = readOne(query.resource);
    const begun = context.consents.begin({
      ...requested,
      environment: context.environment.name,
      clientId: client.id,
      clientName: client.name,
      challenge: readOne(query.code_challenge) ?? '',
      resource: resource === null ? null : withoutSlash(resource),
    });
    return sendConsentPage(reply, context, begun);
  };
}

/**
 * A signal that ends a held request: after its time limit, when its client disconnects, or when the
 * server closes.
 */
function endOfWait(context: OauthRouteDeps, reply: FastifyReply, waitMs: number): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([AbortSignal.timeout(waitMs), gone.signal, context.stopping]);
}

const WaitedSchema = z.object({
  state: z.enum(['waiting', 'answered', 'gone']),
  location: z.string().nullable(),
});

export function addAuthorizeRoutes(server: ApiServer, context: OauthRouteDeps): void {
  for (const issuer of issuers) server.get(issuer.authorizePath, answerRequest(context, issuer));
  server.register(async (scope: ApiServer) => {
    readFormsOnly(scope);
    scope.post('/oauth/authorize', answerPage(context));
    addCallbackRoutes(scope, context);
    scope.post(
      '/oauth/wait',
      { schema: { response: { 200: WaitedSchema } } },
      async (request, reply) => {
        const { transaction } = (request.body ?? {}) as { transaction?: string };
        const consent = context.consents.find(context.environment.name, transaction ?? '');
        if (!consent) return { state: 'gone' as const, location: null };
        const signal = endOfWait(context, reply, consentWaitMs);
        const location = await context.consents.whenAnswered(consent, signal);
        if (location !== null) return { state: 'answered' as const, location };
        const isThere = context.consents.find(context.environment.name, transaction ?? '') !== null;
        return { state: isThere ? ('waiting' as const) : ('gone' as const), location };
      },
    );
  });
}
