// Requests to the authorization server (RFC 6749, 7009, 7591, 7636, 8707), and what the app shows.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { environmentNames, TimestampSchema, UuidSchema } from './ids.ts';
import { KeySchema, NewKeySchema } from './keys.ts';
import { passwordCharactersMax, passwordCharactersMin } from './limits/accounts.ts';
import { redirectCharactersMax, redirectUrisMax } from './limits/oauth.ts';

const UriSchema = z.string().min(1).max(redirectCharactersMax);

/** Body of POST /oauth/register (RFC 7591). Other fields are ignored. */
export const RegistrationSchema = z.object({
  redirect_uris: z.array(UriSchema).min(1).max(redirectUrisMax),
  client_name: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  application_type: z.string().max(40).optional(),
});

export const ClientDocumentSchema = z.object({
  client_id: z.string(),
  client_name: z.string().min(1),
  redirect_uris: z.array(UriSchema).min(1).max(redirectUrisMax),
  client_secret: z.undefined().optional(),
  token_endpoint_auth_method: z.literal('none').optional(),
});

export const AuthorizeQuerySchema = z.object({
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  code_challenge_method: z.literal('S256'),
  state: z.string().max(redirectCharactersMax).optional(),
  resource: z.string().max(redirectCharactersMax).optional(),
});

export const TokenRequestSchema = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string().min(1).max(200),
  client_id: z.string().min(1).max(redirectCharactersMax),
  redirect_uri: UriSchema,
  code_verifier: z.string().max(200).default(''),
  resource: z.string().max(redirectCharactersMax).optional(),
});

export const RevocationSchema = z.object({
  token: z.string().min(1).max(500),
  client_id: z.string().min(1).max(redirectCharactersMax),
});

export const OauthFailureSchema = z.object({ error: z.string(), error_description: z.string() });
export type OauthFailure = z.infer<typeof OauthFailureSchema>;

export const AuthorizationSchema = z.object({
  id: UuidSchema,
  environment: z.enum(environmentNames),
  client_name: z.string().describe('The name that the client registered. It is not verified.'),
  redirect_host: z.string().describe('Host that receives the answer.'),
  is_local: z.boolean().describe('Whether the client runs on this machine.'),
  number: z.string().describe('Also shown on the waiting page, for comparison.'),
  expires_at: TimestampSchema,
});
export type Authorization = z.infer<typeof AuthorizationSchema>;

export const AllowSchema = NewKeySchema.pick({ cap_per_day: true, cap_per_month: true }).extend({
  account_id: UuidSchema.optional().describe(
    'The account that the client acts for; defaults to the account of the request.',
  ),
});

export const ConnectionSchema = KeySchema.extend({
  client_id: z.string(),
  client_name: z.string(),
  redirect_host: z.string(),
});
export type Connection = z.infer<typeof ConnectionSchema>;

export const NewLoginSchema = z.object({
  email: z.string().trim().pipe(z.email()),
  password: z.string().min(passwordCharactersMin).max(passwordCharactersMax),
});
export const LoginSchema = z.object({ email: z.string(), set_at: TimestampSchema }).nullable();

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

export const authorizations = endpoints('authorizations', {
  list: { app: 'GET /app/v1/authorizations', answer: z.array(AuthorizationSchema) },
  allow: {
    app: 'POST /app/v1/authorizations/:id/allow',
    params: IdParamsSchema,
    body: AllowSchema,
    answer: z.object({}),
  },
  deny: {
    app: 'POST /app/v1/authorizations/:id/deny',
    params: IdParamsSchema,
    answer: z.object({}),
  },
  connections: { app: 'GET /app/v1/connections', answer: z.array(ConnectionSchema) },
});

export const login = endpoints('login', {
  read: { app: 'GET /app/v1/login', answer: LoginSchema },
  set: { app: 'PUT /app/v1/login', body: NewLoginSchema, answer: LoginSchema },
  remove: { app: 'DELETE /app/v1/login', answer: LoginSchema },
});
