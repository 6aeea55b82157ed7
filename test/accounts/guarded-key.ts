// A key with limits in an account of its own, with functions that spend with it and answer its
// questions.
import { expect } from 'vitest';
import type { Answer, CallOptions, Json } from '../http/open-api-desk.ts';
import type { EnvironmentClient } from '../http/open-environments.ts';

export interface GuardedKey {
  readonly id: string;
  readonly key: string;
  readonly account: Readonly<Record<string, string>>;
  /** A request with the key. */
  rest(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A request of the app for the key's account. */
  app(method: string, path: string, json?: unknown): Promise<Answer>;
  /** The account's open questions. */
  questions(): Promise<Json[]>;
  answer(id: string, allow: boolean): Promise<Answer>;
  /** Available, held and spent credits: "90.0000 10.0000 0.0000". */
  wallet(): Promise<string>;
}

/** Creates the account with the given credits, and the key. */
export async function openGuardedKey(
  { call }: EnvironmentClient,
  credits: number,
  limits: Json,
): Promise<GuardedKey> {
  const { id: accountId } = (await call('POST', 'app/v1/accounts', { json: { name: 'Acme' } }))
    .data;
  const account = { 'x-desk-account': accountId };
  const app: GuardedKey['app'] = (method, path, json) =>
    call(method, `app/v1/${path}`, { headers: account, ...(json !== undefined && { json }) });
  await call('PATCH', `app/v1/accounts/${accountId}`, { json: { has_budget: true } });
  if (credits > 0) await app('POST', 'wallet/grants', { credits });
  const json = { label: 'nightly', requests_per_minute: 6_000, ...limits };
  const made = await app('POST', 'keys', json);
  expect(made.status).toBe(201);
  const { id, key } = made.data;
  return {
    id,
    key,
    account,
    app,
    rest(method, path, options = {}) {
      const isLookup = /^(phone|email)\//.test(path);
      return call(method, isLookup ? `${path}?token=${key}` : path, {
        key: isLookup ? null : key,
        ...options,
      });
    },
    questions: async () => (await app('GET', 'assistants')).data.approvals,
    answer: (approvalId, allow) => app('POST', `assistants/approvals/${approvalId}`, { allow }),
    async wallet() {
      const { available, held, spent } = (await app('GET', 'wallet')).data;
      return `${available} ${held} ${spent}`;
    },
  };
}
