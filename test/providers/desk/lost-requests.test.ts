// A request to another engine whose answer was lost, and results of several pages.
import { expect, onTestFinished, test } from 'vitest';
import { deskRepeatableMs } from '../../../engine/contract/limits/desk-provider.ts';
import { goDirectly } from '../../../engine/platform/net/proxy-routes.ts';
import { isAllowedAddress } from '../../../engine/providers/definitions/allowed-hosts.ts';
import { defineDesk } from '../../../engine/providers/desk/desk-definition.ts';
import { openDeskProvider } from '../../../engine/providers/desk/desk-provider.ts';
import { createWaterfalls } from '../../../engine/providers/waterfall/create-waterfalls.ts';
import {
  insertMissingSettings,
  readSettings,
  writeSetting,
} from '../../../engine/providers/waterfall/provider-setting.table.ts';
import { openTemporaryStore } from '../../migrations/temporary-store.ts';
import { type Answer, openUpstream } from '../definitions/open-upstream.ts';

const layer = (code: string) => ({ code, price: '1.0000' });
const prices: Answer = {
  status: 200,
  body: { success: true, data: { layers: ['L1', 'MPA'].map(layer) } },
};
const submitted: Answer = { status: 202, body: { success: true, data: { job_id: 'job-1' } } };
const lost: Answer = (response) => void response.socket?.resetAndDestroy();

/** A page of a result of `count` rows. */
const pageOf = (count: number, indexes: readonly number[]): Answer => ({
  status: 200,
  body: {
    success: true,
    data: {
      count,
      results: indexes.map((row_index) => ({
        row_index,
        status: 'enriched',
        credits_charged: '1.0000',
        enriched_fields: { Email: `row${row_index}@found.example`, 'Email status': 'valid' },
      })),
    },
  },
});

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    first_name: 'Ada',
    last_name: `Row${at}`,
    company_name: 'Analytical',
  }));

/** An engine that plays the other one, and runs of this engine, which ask it. */
async function openOther(...answers: Answer[]) {
  const other = await openUpstream(...answers);
  onTestFinished(() => other[Symbol.asyncDispose]());
  const database = openTemporaryStore();
  const startMs = Date.parse('2026-11-20T10:00:00.000Z');
  let passedMs = 0;
  const now = () => new Date(startMs + passedMs);
  const definition = defineDesk({
    id: 'desk',
    client: 'desk',
    address: `http://${other.host}`,
    prices: {},
  });
  if (!definition.desk) throw new Error('no engine');
  const { desk } = definition;
  const start = (wait: (ms: number, signal: AbortSignal) => Promise<unknown>) => {
    const clock = { now: () => now().getTime(), wait: async () => undefined };
    const provider = openDeskProvider(definition, desk, {
      clock,
      findRoutes: goDirectly,
      readSecret: async () => 'key',
    });
    insertMissingSettings(database, [{ provider, isOn: true }]);
    const waterfalls = createWaterfalls({
      database,
      now,
      wait,
      providers: new Map([['desk', provider]]),
    });
    onTestFinished(waterfalls.stop);
    return waterfalls;
  };
  return {
    other,
    database,
    start,
    pass(ms: number) {
      passedMs += ms;
    },
  };
}

const atOnce = async () => undefined;
/** A wait that ends with the engine. */
const forever = (_ms: number, signal: AbortSignal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const posts = (other: Awaited<ReturnType<typeof openOther>>['other']) =>
  other.arrived.filter(({ method }) => method === 'POST');

test('a result of several pages is read to its end', async () => {
  const { other, start } = await openOther(
    prices,
    submitted,
    pageOf(5, [0, 1]),
    pageOf(5, [2, 3]),
    pageOf(5, [4]),
  );
  const waterfall = start(atOnce).open({ jobId: null, wanted: ['work_email'] });
  const outcome = await waterfall?.ask(rows(5));
  expect(outcome).toMatchObject({
    kind: 'answered',
    answers: rows(5).map((_row, at) => ({
      contact: { values: { Email: { value: `row${at}@found.example` } } },
    })),
  });
  const offsets = other.arrived.flatMap(({ target }) => /offset=(\d+)/.exec(target)?.[1] ?? []);
  expect(offsets).toEqual(['0', '2', '4']);
});

/** The state of the only request after a restart, `ms` after its answer was lost. */
async function restart(ms: number, change: { readonly isOn?: boolean } = {}) {
  const engines = await openOther(prices, lost, submitted, pageOf(1, [0]));
  const { other, database, start, pass } = engines;
  const first = start(forever);
  void first.open({ jobId: null, wanted: ['work_email'] })?.ask(rows(1));
  await expect.poll(() => posts(other).length).toBe(1);
  const readRequest = () =>
    database.prepare('SELECT state, ticket, detail FROM provider_request').get();
  await expect.poll(readRequest).toMatchObject({ state: 'sent', ticket: '' });
  await first.stop();
  pass(ms);
  const setting = readSettings(database).get('desk');
  if (setting) writeSetting(database, { ...setting, ...change });
  start(atOnce);
  await expect
    .poll(readRequest)
    .toMatchObject({ state: expect.stringMatching(/answered|uncertain/) });
  return { request: readRequest(), posts: posts(other) };
}

test('a request whose answer was lost is repeated for 20 hours, with the same key', async () => {
  const { request, posts: sent } = await restart(deskRepeatableMs - 1);
  expect(request).toMatchObject({ state: 'answered' });
  const [one, again] = sent.map(({ headers }) => headers['idempotency-key']);
  expect([sent.length, again]).toEqual([2, one]);
});

test('after 20 hours it is uncertain and not repeated, because the other engine may have forgotten it', async () => {
  const { request, posts: sent } = await restart(deskRepeatableMs);
  expect(request).toMatchObject({
    state: 'uncertain',
    detail: expect.stringMatching(/too late to ask for it again/),
  });
  expect(sent).toHaveLength(1);
});

test('a request to an engine that was switched off meanwhile is uncertain, and not repeated', async () => {
  const { request, posts: sent } = await restart(1_000, { isOn: false });
  expect(request).toMatchObject({
    state: 'uncertain',
    detail: expect.stringMatching(/was switched off\.$/),
  });
  expect(sent).toHaveLength(1);
});

test('a private address is used if it was entered, or if its name is said to have one', () => {
  const define = (address: string, local = false) =>
    defineDesk({ id: 'desk', client: 'desk', address, prices: {}, ...(local && { local: true }) });
  const named = 'https://desk.team.example';
  const cases: [ReturnType<typeof define>, address: string, isAllowed: boolean][] = [
    [define(named), '10.0.0.5', false],
    [define(named), '127.0.0.1', false],
    [define(named, true), '10.0.0.5', true],
    [define(named, true), 'fd00::1', true],
    [define('https://10.0.0.5'), '10.0.0.5', true],
    [define('https://10.0.0.5'), '10.0.0.6', false],
    [define('http://127.0.0.1:4000'), '127.0.0.1', true],
    [define('http://127.0.0.1:4000'), '10.0.0.5', false],
  ];
  for (const [definition, address, isAllowed] of cases)
    expect([address, isAllowedAddress(definition, address)]).toEqual([address, isAllowed]);
});
