/** What the screens ask about the identity provider by which people let assistants in. */
import type { z } from 'zod';
import {
  IdentityProviderSchema,
  IssuerCheckSchema,
  type NewIdentityProviderSchema,
} from '../../engine/contract/identity-provider.ts';
import { type WorldName, worldPaths } from '../../engine/contract/ids.ts';
import { call } from './client.ts';

// The staging world has accounts of its own; here it is its first that acts.
const doorOf = (world: WorldName) => ({
  path: `${worldPaths[world]}/app/v1/identity-provider`,
  isForFirst: world === 'test',
});

/** The settings of the account, without their secret, and what is to be registered. */
export function readIdentityProvider(world: WorldName) {
  const { path, isForFirst } = doorOf(world);
  return call(IdentityProviderSchema, path, { isForFirst });
}

/** Sets them. */
export function setIdentityProvider(
  world: WorldName,
  body: z.input<typeof NewIdentityProviderSchema>,
) {
  const { path, isForFirst } = doorOf(world);
  return call(IdentityProviderSchema, path, { method: 'PUT', body, isForFirst });
}

/** Takes them away. */
export function removeIdentityProvider(world: WorldName) {
  const { path, isForFirst } = doorOf(world);
  return call(IdentityProviderSchema, path, { method: 'DELETE', isForFirst });
}

/** Asks the issuer whether it answers. */
export function checkIdentityProvider(world: WorldName) {
  const { path, isForFirst } = doorOf(world);
  return call(IssuerCheckSchema, `${path}/check`, { method: 'POST', body: {}, isForFirst });
}
