// The identity provider (OpenID Connect) of the authorization page, as it is set and shown.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { TimestampSchema } from './ids.ts';
import {
  allowedPeopleMax,
  identityClientCharactersMax,
  subjectCharactersMax,
} from './limits/accounts.ts';
import { redirectCharactersMax } from './limits/oauth.ts';

const SecretSchema = z.string().min(1).max(identityClientCharactersMax);
const SubjectSchema = z.string().trim().min(1).max(subjectCharactersMax);

export const NewIdentityProviderSchema = z.object({
  issuer: z.string().trim().min(1).max(redirectCharactersMax),
  client_id: z.string().trim().min(1).max(identityClientCharactersMax),
  client_secret: SecretSchema.nullable()
    .optional()
    .describe('Null for none. If omitted, the secret of the same issuer and client is kept.'),
  emails: z.array(z.string().trim().pipe(z.email())).max(allowedPeopleMax).default([]),
  subjects: z.array(SubjectSchema).max(allowedPeopleMax).default([]),
});

/** The settings as they are shown; the secret is never shown. */
const ShownProviderSchema = z.object({
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  emails: z
    .array(z.string())
    .describe('Emails of the people who may authorize apps, in lower case.'),
  subjects: z.array(z.string()).describe('Their subjects at the provider (`sub`).'),
  set_at: TimestampSchema,
});

export const IdentityProviderSchema = z.object({
  provider: ShownProviderSchema.nullable(),
  redirect_uris: z
    .array(z.string())
    .describe('Register these at the provider: one for each name of this machine.'),
});
export type IdentityProvider = z.infer<typeof IdentityProviderSchema>;

export const IssuerCheckSchema = z.object({ ok: z.boolean(), detail: z.string() });

export const identityProvider = endpoints('identityProvider', {
  read: { app: 'GET /app/v1/identity-provider', answer: IdentityProviderSchema },
  set: {
    app: 'PUT /app/v1/identity-provider',
    body: NewIdentityProviderSchema,
    answer: IdentityProviderSchema,
  },
  remove: { app: 'DELETE /app/v1/identity-provider', answer: IdentityProviderSchema },
  check: { app: 'POST /app/v1/identity-provider/check', answer: IssuerCheckSchema },
});
