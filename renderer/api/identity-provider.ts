/** What the screens ask about the identity provider by which people let assistants in. */
import type { z } from 'zod';
import {
  IdentityProviderSchema,
  IssuerCheckSchema,
  type NewIdentityProviderSchema,
} from '../../engine/contract/identity-provider.ts';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import { call } from './client.ts';

// The staging environment has accounts of its own; here it is its first that acts.
const doorOf = (environment: EnvironmentName) => ({
  path: `${environmentPaths[environment]}/app/v1/identity-provider`,
  isForFirst: environment === 'staging',
});

/** The settings of the account, without their secret, and what is to be registered. */
export function readIdentityProvider(environment: EnvironmentName) {
  const { path, isForFirst } = doorOf(environment);
  return call(IdentityProviderSchema, path, { isForFirst });
}

/** Sets them. */
export function setIdentityProvider(
  environment: EnvironmentName,
  body: z.input<typeof NewIdentityProviderSchema>,
) {
  const { path, isForFirst } = doorOf(environment);
  return call(IdentityProviderSchema, path, { method: 'PUT', body, isForFirst });
}

/** Takes them away. */
export function removeIdentityProvider(environment: EnvironmentName) {
  const { path, isForFirst } = doorOf(environment);
  return call(IdentityProviderSchema, path, { method: 'DELETE', isForFirst });
}

/** Asks the issuer whether it answers. */
export function checkIdentityProvider(environment: EnvironmentName) {
  const { path, isForFirst } = doorOf(environment);
  return call(IssuerCheckSchema, `${path}/check`, { method: 'POST', body: {}, isForFirst });
}
