/** What the screens ask of the authorization server: who waits, who was let in, the login. */
import { z } from 'zod';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import {
  type AllowSchema,
  type Authorization,
  AuthorizationSchema,
  ConnectionSchema,
  LoginSchema,
  type NewLoginSchema,
} from '../../engine/contract/oauth.ts';
import { call } from './client.ts';

// The staging environment has accounts of its own; here it is its first that acts.
const doorOf = (environment: EnvironmentName) => ({
  root: `${environmentPaths[environment]}/app/v1`,
  isForFirst: environment === 'staging',
});

/** Programs that wait for an answer, in every environment. */
export const readAuthorizations = (): Promise<Authorization[]> =>
  call(z.array(AuthorizationSchema), '/app/v1/authorizations');

/** Lets a program in. */
export function allowProgram(
  { environment, id }: Authorization,
  body: z.input<typeof AllowSchema>,
) {
  const { root, isForFirst } = doorOf(environment);
  const path = `${root}/authorizations/${id}/allow`;
  return call(z.unknown(), path, { method: 'POST', body, isForFirst });
}

/** Turns a program away. */
export function denyProgram({ environment, id }: Authorization) {
  const { root, isForFirst } = doorOf(environment);
  const path = `${root}/authorizations/${id}/deny`;
  return call(z.unknown(), path, { method: 'POST', body: {}, isForFirst });
}

/** Connected apps, newest first. */
export function readConnections(environment: EnvironmentName) {
  const { root, isForFirst } = doorOf(environment);
  return call(z.array(ConnectionSchema), `${root}/connections`, { isForFirst });
}

/** The login of the account; null where it has none. */
export function readLogin(environment: EnvironmentName) {
  const { root, isForFirst } = doorOf(environment);
  return call(LoginSchema, `${root}/login`, { isForFirst });
}

/** Sets email and password. */
export function setLogin(environment: EnvironmentName, body: z.input<typeof NewLoginSchema>) {
  const { root, isForFirst } = doorOf(environment);
  return call(LoginSchema, `${root}/login`, { method: 'PUT', body, isForFirst });
}

/** Takes email and password away. */
export function removeLogin(environment: EnvironmentName) {
  const { root, isForFirst } = doorOf(environment);
  return call(LoginSchema, `${root}/login`, { method: 'DELETE', isForFirst });
}
