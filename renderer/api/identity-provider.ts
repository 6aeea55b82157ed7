/** Requests for the identity provider of people who may authorize assistants. */
import type { z } from 'zod';
import {
  IdentityProviderSchema,
  IssuerCheckSchema,
  type NewIdentityProviderSchema,
} from '../../engine/contract/identity-provider.ts';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import { call } from './client.ts';

// The staging environment has its own accounts; the page uses its first one.
const apiOf = (environment: EnvironmentName) => ({
  path: `${environmentPaths[environment]}/app/v1/identity-provider`,
  isForFirst: environment === 'staging',
});

/** The account's settings without the secret, and the redirect URIs to register. */
export function readIdentityProvider(environment: EnvironmentName) {
  const { path, isForFirst } = apiOf(environment);
  return call(IdentityProviderSchema, path, { isForFirst });
}

export function setIdentityProvider(
  environment: EnvironmentName,
  body: z.input<typeof NewIdentityProviderSchema>,
) {
  const { path, isForFirst } = apiOf(environment);
  return call(IdentityProviderSchema, path, { method: 'PUT', body, isForFirst });
}

export function removeIdentityProvider(environment: EnvironmentName) {
  const { path, isForFirst } = apiOf(environment);
  return call(IdentityProviderSchema, path, { method: 'DELETE', isForFirst });
}

/** Checks whether the issuer answers. */
export function checkIdentityProvider(environment: EnvironmentName) {
  const { path, isForFirst } = apiOf(environment);
  return call(IssuerCheckSchema, `${path}/check`, { method: 'POST', body: {}, isForFirst });
}
