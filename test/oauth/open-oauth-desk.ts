// A desk and a client: each step of the authorization code flow, as the client, the person's
// browser and the app take it.
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { ServerConfig } from '../../engine/app/server-context.ts';
import { type Desk, type Json, openApiDesk, shareApiDesk } from '../http/open-api-desk.ts';

/** The PKCE verifier of all clients of the tests, and its challenge. */
export const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
/** The redirect address of all clients of the tests. */
export const redirectUri = 'http://localhost:9/callback';

/** Parameters in addition to the default ones; null omits one. */
export type Change = Readonly<Record<string, string | null>>;

/** A response with its body. */
export interface OauthAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
  /** Query of the redirect; null without a redirect. */
  readonly sentTo: Readonly<Record<string, string>> | null;
  readonly location: string | null;
}

/** A desk with a registered program. */
export interface OauthDesk extends Desk {
  readonly clientId: string;
  readonly clock: { ms: number };
  /** One request, without following redirects. */
  ask(path: string, init?: RequestInit): Promise<OauthAnswer>;
  register(body: unknown): Promise<OauthAnswer>;
  authorize(change?: Change): Promise<OauthAnswer>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<OauthAnswer>;
  /** Opens the page and allows it in the app; returns the code. */
  obtainCode(change?: Change, caps?: Json): Promise<string>;
  redeem(code: string, change?: Change): Promise<OauthAnswer>;
  /** The whole flow; returns a key. */
  obtainKey(): Promise<string>;
  /** The status of a request with a key. */
  tryKey(key: string): Promise<number>;
}

const makeFields = (fields: Change): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null),
  );

export const secretOf = ({ text }: OauthAnswer): string =>
  /name="transaction" value="([^"]+)"/.exec(text)?.[1] ?? '';

async function ask(url: string, init: RequestInit = {}): Promise<OauthAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const location = response.headers.get('location');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: response.headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(text)
      : null,
    location,
    sentTo: location === null ? null : Object.fromEntries(new URL(location).searchParams),
  };
}

type Clock = OauthDesk['clock'];

/** Registers the program, and adds the steps of the flow to a desk. */
async function describeOauthDesk(desk: Desk, clock: Clock): Promise<OauthDesk> {
  const post: OauthDesk['post'] = (path, fields) =>
    ask(desk.url + path, { method: 'POST', body: new URLSearchParams(fields) });
  const register: OauthDesk['register'] = (body) =>
    ask(`${desk.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const registered = await register({ client_name: 'Test program', redirect_uris: [redirectUri] });
  const clientId: string = registered.body.client_id;
  const authorize: OauthDesk['authorize'] = (change = {}) => {
    const fields = makeFields({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      state: 'a state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...change,
    });
    return ask(`${desk.url}/oauth/authorize?${new URLSearchParams(fields)}`);
  };
  const obtainCode: OauthDesk['obtainCode'] = async (change, caps = {}) => {
    const page = await authorize(change);
    const waiting = post('/oauth/wait', { transaction: secretOf(page) });
    const { data } = await desk.app('GET', 'authorizations');
    const path = `authorizations/${data.at(-1).id}/allow`;
    const allowed = await desk.app('POST', path, { json: caps });
    expect(allowed.status).toBe(200);
    const { body } = await waiting;
    return new URL(body.location).searchParams.get('code') ?? '';
  };
  const redeem: OauthDesk['redeem'] = (code, change = {}) =>
    post(
      '/oauth/token',
      makeFields({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
        ...change,
      }),
    );
  return {
    ...desk,
    clientId,
    clock,
    ask: (path, init) => ask(desk.url + path, init),
    register,
    authorize,
    post,
    obtainCode,
    redeem,
    obtainKey: async () => (await redeem(await obtainCode())).body.access_token,
    tryKey: async (key) => (await desk.call('GET', 'layers/', { key })).status,
  };
}

/** Opens the desk with a clock that moves only on command. */
export async function openOauthDesk(config: Partial<ServerConfig> = {}): Promise<OauthDesk> {
  const clock = { ms: Date.now() };
  return describeOauthDesk(await openApiDesk({ now: () => clock.ms, ...config }), clock);
}

/**
 * Starts one server for a whole file; each call of the answer registers another program. Requests
 * for consent stay for later tests.
 */
export function shareOauthDesk(): () => Promise<OauthDesk> {
  const clock = { ms: Date.now() };
  const openDesk = shareApiDesk({ now: () => clock.ms });
  return async () => {
    // An address may register 60 programs a minute, and a test registers a second one.
    clock.ms += 3_000;
    return describeOauthDesk(await openDesk(), clock);
  };
}
