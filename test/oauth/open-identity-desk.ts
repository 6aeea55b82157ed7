// A desk whose people log in at a real identity provider, and the steps of a login.
import { onTestFinished } from 'vitest';
import type { ServerConfig } from '../../engine/app/server-context.ts';
import {
  client,
  logInAtProvider,
  openIdentityProvider,
  type ProviderChange,
  type TestProvider,
} from './identity-provider.ts';
import { type OauthAnswer, type OauthDesk, openOauthDesk, secretOf } from './open-oauth-desk.ts';

/** A desk with its provider, which ends with the test. */
export interface IdentityDesk extends OauthDesk {
  readonly provider: TestProvider;
  /** Configures the provider of an account, with these changes. */
  setProvider(change?: object, headers?: Record<string, string>): ReturnType<OauthDesk['app']>;
  /** Opens the page of a client's request, identified by its state; returns its secret. */
  openPage(state?: string): Promise<string>;
  /** Presses "Continue with …" on a page. */
  proceed(transaction: string, fields?: Record<string, string>): Promise<OauthAnswer>;
  /** Forwards a provider's redirect, as the callback page does. */
  handOn(transaction: string, callback: URL): Promise<OauthAnswer>;
  /** From the page to the consent: a person logs in at the provider. */
  logIn(person: string, transaction?: string): Promise<OauthAnswer & { transaction: string }>;
}

/** The account on the provider's button of a page. */
export const buttonOf = (text: string): string =>
  /name="action" value="(provider [^"]+)"/.exec(text)?.[1] ?? '';

/** Opens desk and provider; ann may authorize clients. */
export async function openIdentityDesk(
  config: Partial<ServerConfig> = {},
  change: ProviderChange = {},
): Promise<IdentityDesk> {
  const desk = await openOauthDesk(config);
  const provider = await openIdentityProvider([`${desk.url}/oauth/callback`], change);
  onTestFinished(provider.close);
  const setProvider: IdentityDesk['setProvider'] = (more = {}, headers = {}) =>
    desk.app('PUT', 'identity-provider', {
      headers,
      json: {
        issuer: provider.issuer,
        client_id: client.id,
        ...(change.authMethod !== 'none' && { client_secret: client.secret }),
        emails: ['ann@example.test'],
        ...more,
      },
    });
  await setProvider();
  const openPage: IdentityDesk['openPage'] = async (state = 'a state') =>
    secretOf(await desk.authorize({ state }));
  const proceed: IdentityDesk['proceed'] = async (transaction, fields = {}) => {
    const page = await desk.post('/oauth/authorize', { transaction });
    const action = buttonOf(page.text);
    return desk.post('/oauth/authorize', { transaction, action, ...fields });
  };
  const handOn: IdentityDesk['handOn'] = (transaction, callback) =>
    desk.post('/oauth/callback', { transaction, answer: callback.search });
  return {
    ...desk,
    provider,
    setProvider,
    openPage,
    proceed,
    handOn,
    async logIn(person, opened) {
      const transaction = opened ?? (await openPage());
      const { location } = await proceed(transaction);
      const callback = await logInAtProvider(location ?? '', person);
      return { transaction, ...(await handOn(transaction, callback)) };
    },
  };
}
