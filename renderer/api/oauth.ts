/** Requests for the authorization server: pending consent, connected apps, the login. */
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

// The staging environment has its own accounts; the page uses its first one.
const apiOf = (environment: EnvironmentName) => ({
  root: `${environmentPaths[environment]}/app/v1`,
  isForFirst: environment === 'staging',
});

/** Clients that wait for consent, in all environments. */
export const readAuthorizations = (): Promise<Authorization[]> =>
  call(z.array(AuthorizationSchema), '/app/v1/authorizations');

/** Gives consent to a client. */
export function allowProgram(
  { environment, id }: Authorization,
  body: z.input<typeof AllowSchema>,
) {
  const { root, isForFirst } = apiOf(environment);
  const path = `${root}/authorizations/${id}/allow`;
  return call(z.unknown(), path, { method: 'POST', body, isForFirst });
}

/** Denies consent to a client. */
export function denyProgram({ environment, id }: Authorization) {
  const { root, isForFirst } = apiOf(environment);
  const path = `${root}/authorizations/${id}/deny`;
  return call(z.unknown(), path, { method: 'POST', body: {}, isForFirst });
}

/** Connected apps, newest first. */
export function readConnections(environment: EnvironmentName) {
  const { root, isForFirst } = apiOf(environment);
  return call(z.array(ConnectionSchema), `${root}/connections`, { isForFirst });
}

/** The account's login; null without one. */
export function readLogin(environment: EnvironmentName) {
  const { root, isForFirst } = apiOf(environment);
  return call(LoginSchema, `${root}/login`, { isForFirst });
}

/** Sets email and password. */
export function setLogin(environment: EnvironmentName, body: z.input<typeof NewLoginSchema>) {
  const { root, isForFirst } = apiOf(environment);
  return call(LoginSchema, `${root}/login`, { method: 'PUT', body, isForFirst });
}

/** Removes email and password. */
export function removeLogin(environment: EnvironmentName) {
  const { root, isForFirst } = apiOf(environment);
  return call(LoginSchema, `${root}/login`, { method: 'DELETE', isForFirst });
}
