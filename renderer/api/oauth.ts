/** What the screens ask of the authorization server: who waits, who was let in, the login. */
import { z } from 'zod';
import { type WorldName, worldPaths } from '../../engine/contract/ids.ts';
import {
  type AllowSchema,
  type Authorization,
  AuthorizationSchema,
  ConnectionSchema,
  LoginSchema,
  type NewLoginSchema,
} from '../../engine/contract/oauth.ts';
import { call } from './client.ts';

// The staging world has accounts of its own; here it is its first that acts.
const doorOf = (world: WorldName) => ({
  root: `${worldPaths[world]}/app/v1`,
  isForFirst: world === 'test',
});

/** Programs that wait for an answer, in every world. */
export const readAuthorizations = (): Promise<Authorization[]> =>
  call(z.array(AuthorizationSchema), '/app/v1/authorizations');

/** Lets a program in. */
export function allowProgram({ world, id }: Authorization, body: z.input<typeof AllowSchema>) {
  const { root, isForFirst } = doorOf(world);
  const path = `${root}/authorizations/${id}/allow`;
  return call(z.unknown(), path, { method: 'POST', body, isForFirst });
}

/** Turns a program away. */
export function denyProgram({ world, id }: Authorization) {
  const { root, isForFirst } = doorOf(world);
  const path = `${root}/authorizations/${id}/deny`;
  return call(z.unknown(), path, { method: 'POST', body: {}, isForFirst });
}

/** Programs that were let in, newest first. */
export function readConnections(world: WorldName) {
  const { root, isForFirst } = doorOf(world);
  return call(z.array(ConnectionSchema), `${root}/connections`, { isForFirst });
}

/** The login of the account; null where it has none. */
export function readLogin(world: WorldName) {
  const { root, isForFirst } = doorOf(world);
  return call(LoginSchema, `${root}/login`, { isForFirst });
}

/** Sets email and password. */
export function setLogin(world: WorldName, body: z.input<typeof NewLoginSchema>) {
  const { root, isForFirst } = doorOf(world);
  return call(LoginSchema, `${root}/login`, { method: 'PUT', body, isForFirst });
}

/** Takes email and password away. */
export function removeLogin(world: WorldName) {
  const { root, isForFirst } = doorOf(world);
  return call(LoginSchema, `${root}/login`, { method: 'DELETE', isForFirst });
}
