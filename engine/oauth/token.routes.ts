// Routes /oauth/register, /oauth/token and /oauth/revoke, which clients call without a person.
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import { oauthBodyBytesMax } from '../contract/limits/oauth.ts';
import {
  OauthFailureSchema,
  RegistrationSchema,
  RevocationSchema,
  TokenRequestSchema,
} from '../contract/oauth.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { isRedirectAllowed } from '../platform/net/redirect-uri.ts';
import { withoutSlash } from './authorize.routes.ts';
import { cleanName } from './find-client.ts';
import { readFormsOnly } from './form-body.ts';
import type { OauthRouteDeps } from './route-deps.ts';

const refusals = { '4xx': OauthFailureSchema, '5xx': OauthFailureSchema };

const refuse = (reply: FastifyReply, error: string, error_description: string) =>
  reply.code(400).send({ error, error_description } as never);

const RegisteredSchema = z.object({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.literal('none'),
  application_type: z.string().optional(),
});

/** Why a client description is refused (RFC 7591); null if it is accepted. */
function findDescriptionFault(body: unknown): [error: string, sentence: string] | null {
  const parsed = RegistrationSchema.safeParse(body);
  if (!parsed.success)
    return parsed.error.issues[0]?.path[0] === 'redirect_uris'
      ? ['invalid_redirect_uri', 'redirect_uris must have 1 to 10 URIs.']
      : ['invalid_client_metadata', 'The description of the client is not valid.'];
  const { redirect_uris, grant_types, response_types } = parsed.data;
  const wrong = redirect_uris.find((uri) => !isRedirectAllowed(uri));
  if (wrong !== undefined)
    return [
      'invalid_redirect_uri',
      'redirect_uris may be https, http on loopback, a scheme with a dot in it such as ' +
        'com.example.app:, or the scheme of a known editor (cursor:, vscode:, vscode-insiders:).',
    ];
  if (grant_types && !grant_types.includes('authorization_code'))
    return ['invalid_client_metadata', 'grant_types must have authorization_code.'];
  if (response_types && !response_types.includes('code'))
    return ['invalid_client_metadata', 'response_types must have code.'];
  return null;
}

function addRegistrationRoute(server: ApiServer, context: OauthRouteDeps): void {
  server.post(
    '/oauth/register',
    {
      bodyLimit: oauthBodyBytesMax,
      schema: { response: { 201: RegisteredSchema, ...refusals } },
    },
    async (request, reply) => {
      const { allowed, resetSeconds } = context.registrationWindow.take('clients');
      if (!allowed) {
        reply.header('retry-after', resetSeconds);
        throw new EngineError('rate_limited', `Too many clients register. Wait ${resetSeconds} s.`);
      }
      const fault = findDescriptionFault(request.body);
      if (fault) return refuse(reply, ...fault);
      const input = RegistrationSchema.parse(request.body);
      const client = await context.environment.writer.registerClient({
        name: cleanName(input.client_name),
        redirectUris: input.redirect_uris,
        at: new Date(context.now()).toISOString(),
      });
      return reply.code(201).send({
        client_id: client.id,
        client_id_issued_at: Math.floor(Date.parse(client.createdAt) / 1000),
        client_name: client.name,
        redirect_uris: [...client.redirectUris],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none' as const,
        ...(input.application_type ? { application_type: input.application_type } : {}),
      });
    },
  );
}

const TokenSchema = z.object({ access_token: z.string(), token_type: z.literal('Bearer') });

function addTokenRoute(scope: ApiServer, { now, environment }: OauthRouteDeps): void {
  scope.post(
    '/oauth/token',
    { schema: { response: { 200: TokenSchema, ...refusals } } },
    async (request, reply) => {
      const { grant_type } = (request.body ?? {}) as { grant_type?: string };
      if (grant_type !== undefined && grant_type !== 'authorization_code')
        return refuse(reply, 'unsupported_grant_type', 'grant_type must be authorization_code.');
      const input = parseWith(TokenRequestSchema, request.body ?? {});
      const answer = await environment.writer.redeemCode({
        code: input.code,
        clientId: input.client_id,
        redirectUri: input.redirect_uri,
        verifier: input.code_verifier,
        resource: input.resource ? withoutSlash(input.resource) : null,
        at: new Date(now()).toISOString(),
      });
      if ('error' in answer) return refuse(reply, answer.error, answer.detail);
      reply.header('pragma', 'no-cache');
      return { access_token: answer.key, token_type: 'Bearer' as const };
    },
  );
}

function addRevocationRoute(scope: ApiServer, { now, environment }: OauthRouteDeps): void {
  scope.post(
    '/oauth/revoke',
    { schema: { response: { 200: z.object({}), ...refusals } } },
    async (request, reply) => {
      const { token, client_id: clientId } = parseWith(RevocationSchema, request.body ?? {});
      const at = new Date(now()).toISOString();
      const refused = await environment.writer.revokeToken({ token, clientId, at });
      return refused ? refuse(reply, refused.error, refused.detail) : {};
    },
  );
}

export function addTokenRoutes(server: ApiServer, context: OauthRouteDeps): void {
  addRegistrationRoute(server, context);
  server.register(async (scope: ApiServer) => {
    readFormsOnly(scope);
    addTokenRoute(scope, context);
    addRevocationRoute(scope, context);
  });
}
