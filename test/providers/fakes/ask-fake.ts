// Asks a fake service through its definition, with the address of the fake in place of its hosts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  type ProviderAnswer,
  ProviderError,
  type ProviderField,
  type ProviderRow,
  type RequestedRow,
} from '../../../engine/contract/provider.ts';
import type { ProviderDefinition } from '../../../engine/contract/provider-definition.ts';
import { goDirectly } from '../../../engine/platform/net/proxy-routes.ts';
import { checkAnswer } from '../../../engine/providers/definitions/check-answer.ts';
import { checkDefinition } from '../../../engine/providers/definitions/check-definition.ts';
import {
  type DeclaredProvider,
  type DeclaredProviderDeps,
  openDeclaredProvider,
} from '../../../engine/providers/definitions/declared-provider.ts';
import { readAnswer } from '../../../engine/providers/definitions/read-answer.ts';
import {
  type ProviderCheck,
  testProvider,
} from '../../../engine/providers/definitions/test-provider.ts';
import type { FakeApi } from './fake-api.ts';
import { type Fake, fakeKey, openFake } from './open-fake.ts';

const folder = join(import.meta.dirname, '../../../resources/providers');

export const readShipped = (id: string): string => readFileSync(join(folder, `${id}.json`), 'utf8');

/** Replaces the hosts of a definition by one on loopback. */
function redirect(text: string, host: string): ProviderDefinition {
  const { hosts, docs, ...rest } = JSON.parse(text) as ProviderDefinition;
  const moved = hosts.reduce(
    (all, one) => all.replaceAll(`https://${one}`, `http://${host}`),
    JSON.stringify(rest),
  );
  const changed = JSON.stringify({ ...JSON.parse(moved), docs, hosts: [host], dev: true });
  const { definition, faults } = checkDefinition(changed, null);
  if (!definition) throw new Error(JSON.stringify(faults));
  return definition;
}

export interface AskedFake extends AsyncDisposable {
  readonly fake: Fake;
  readonly provider: DeclaredProvider;
  /** The requests that were sent, as the port reports them. */
  sent(): number;
  /** Sends rows with their wanted fields; polls until there is an answer. */
  ask(rows: readonly RequestedRow[]): Promise<Extract<ProviderAnswer, { kind: 'answered' }>>;
  /** Runs the free checks of `desk providers test`. */
  test(): Promise<readonly ProviderCheck[]>;
  /** Moves the provider's clock. */
  waitMs(ms: number): void;
  /** Sends the rows once. */
  submit(rows: readonly RequestedRow[]): Promise<ProviderAnswer>;
}

const never = new AbortController().signal;

/** Opens a fake and its provider. Waits of the provider take no time. */
export async function openAsked(
  service: FakeApi,
  options: {
    readonly text?: string;
    readonly key?: string;
    readonly credits?: number;
    readonly listSends?: DeclaredProviderDeps['listSends'];
  } = {},
): Promise<AskedFake> {
  const fake = await openFake(service, options.credits);
  const text = options.text ?? readShipped(service.id);
  let now = Date.parse('2026-11-23T08:00:00Z');
  let sent = 0;
  let nextId = 0;
  const definition = redirect(text, fake.host);
  const deps: DeclaredProviderDeps = {
    clock: {
      now: () => now,
      wait(ms) {
        now += ms;
        return setImmediate();
      },
    },
    reader: {
      readAnswer: async (command) => readAnswer(command),
      checkAnswer: async (command) => checkAnswer(command),
    },
    readSecret: async () => options.key ?? fakeKey,
    findRoutes: goDirectly,
    ...(options.listSends && { listSends: options.listSends }),
  };
  const provider = openDeclaredProvider(definition, deps);
  const onSend = () => {
    sent += 1;
  };
  const requestOf = (rows: readonly RequestedRow[]) => {
    nextId += 1;
    return { id: `request-${nextId}`, rows };
  };
  return {
    fake,
    provider,
    sent: () => sent,
    test: async () => (await testProvider(definition, deps, never)).checks,
    waitMs(ms) {
      now += ms;
    },
    submit: (rows) => provider.answer(requestOf(rows), { signal: never, onSend }),
    async ask(rows) {
      const request = requestOf(rows);
      let answer = await provider.answer(request, { signal: never, onSend });
      while (answer.kind === 'pending') {
        now += answer.pollAfterMs;
        answer = (await provider.poll?.(answer.ticket, request, never)) ?? answer;
      }
      expect(fake.strays).toEqual([]);
      return answer;
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

/** A row with its wanted fields. */
export const want = (row: ProviderRow, ...fields: readonly ProviderField[]): RequestedRow => ({
  row,
  fields,
});

/** The failure of a request that fails as a whole. */
export async function failureOf(asked: Promise<unknown>): Promise<ProviderError> {
  const error = await asked.then(
    (answer) => new Error(`It was answered: ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}
