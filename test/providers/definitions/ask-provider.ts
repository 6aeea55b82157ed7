// Opens and asks providers by declaration in tests, over an upstream on loopback.
import { expect } from 'vitest';
import {
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderField,
  type ProviderRow,
  type SendOptions,
} from '../../../engine/contract/provider.ts';
import type { ProviderDefinition } from '../../../engine/contract/provider-definition.ts';
import { goDirectly } from '../../../engine/platform/net/proxy-routes.ts';
import { openAnswerReader } from '../../../engine/providers/definitions/answer-reader.ts';
import { openDeclaredProvider } from '../../../engine/providers/definitions/declared-provider.ts';
import { finderOperation, makeDefinition } from './make-definition.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const reader = openAnswerReader();

export const key = 'key-0123456789';
export const ann = { first_name: 'Ann', last_name: 'Lee', company_domain: 'acme.example' };

/** Moves the addresses of an operation to a service on loopback. */
const onHost = (host: string, value: unknown): never =>
  JSON.parse(
    JSON.stringify(value).replaceAll('https://api.finder.example', `http://${host}`),
  ) as never;

export const verifyOperation = {
  ...finderOperation,
  id: 'verify',
  gives: ['email_status'],
  needs: [['email']],
  request: { method: 'GET', url: 'https://api.finder.example/v1/verify/{{row.email}}' },
  map: {},
  status: 'verdict',
  statuses: { ok: 'valid' },
};

export function openProvider(host: string, changes: object = {}, secret: string | null = key) {
  const clock = createVirtualClock();
  const definition = makeDefinition({ dev: true, ops: [finderOperation], ...changes });
  const moved: ProviderDefinition = onHost(host, { ...definition, hosts: [host] });
  const readSecret = async () => secret;
  const provider = openDeclaredProvider(moved, {
    clock,
    reader,
    readSecret,
    findRoutes: goDirectly,
  });
  return { clock, provider, definition: moved };
}

export const options = (changes: Partial<SendOptions> = {}): SendOptions => ({
  signal: new AbortController().signal,
  onSend() {},
  ...changes,
});

export const ask = (
  provider: Provider,
  fields: readonly ProviderField[] = ['work_email'],
  row: ProviderRow = ann,
  sending: Partial<SendOptions> = {},
): Promise<ProviderAnswer> =>
  provider.answer({ id: 'r-1', rows: [{ row, fields }] }, options(sending));

/** The failure of a request, which must be a ProviderError without the key. */
export async function failureOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    (answer) => new Error(`answered ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw error;
  expect(`${error.message} ${error.stack}`).not.toContain(key);
  return error;
}
