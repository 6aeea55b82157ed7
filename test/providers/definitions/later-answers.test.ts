// A service that answers later: tickets, polls, restarts and the deadline.
import { afterAll, expect, test } from 'vitest';
import { ann, failureOf, openProvider, options, reader } from './ask-provider.ts';
import { finderOperation } from './make-definition.ts';
import { openUpstream, type Upstream } from './open-upstream.ts';

afterAll(() => reader.stop());

const later = {
  ...finderOperation,
  batch: { max: 10, wrap: 'people', rowKey: 'ref' },
  request: {
    method: 'POST',
    url: 'https://api.finder.example/v1/bulk',
    each: { ref: '{{row_key}}', first: '{{row.first_name}}' },
  },
  async: {
    ticket: 'id',
    poll: { method: 'GET', url: 'https://api.finder.example/v1/bulk/{{ticket}}' },
    everySec: 5,
    deadlineSec: 60,
  },
  rules: [{ status: 202, on: 'poll', means: 'pending' }],
  records: 'people',
  cost: { max: { row: 1 }, reported: { body: 'used' } },
};
const request = {
  id: 'r-1',
  rows: [
    { row: { first_name: 'Zoe' }, fields: ['work_email'] },
    { row: ann, fields: ['work_email'] },
    { row: { ...ann, first_name: 'Bob' }, fields: ['work_email'] },
  ],
} as const;
const done = { people: [{ ref: '1', email: 'bob@acme.example' }], used: 1 };
const { signal } = new AbortController();
const submit = async (service: Upstream) => {
  const opened = openProvider(service.host, { ops: [later] });
  const pending = await opened.provider.answer(request, options());
  if (pending.kind !== 'pending') throw new Error('answered at once');
  return { ...opened, ...pending };
};

test('a pending request is polled with its ticket, also after a restart', async () => {
  await using service = await openUpstream(
    { status: 201, body: { id: 'job/1' } },
    { status: 202, headers: { 'retry-after': '8' } },
    { status: 502 },
    { status: 200, body: done },
  );
  const { provider, ticket, pollAfterMs } = await submit(service);
  expect(pollAfterMs).toBe(5_000);
  expect(JSON.parse(service.arrived[0]?.body ?? '')).toEqual({
    people: [
      { ref: '0', first: 'Ann' },
      { ref: '1', first: 'Bob' },
    ],
  });
  expect(await provider.poll?.(ticket, request, signal)).toMatchObject({
    kind: 'pending',
    pollAfterMs: 8_000,
  });
  const restarted = openProvider(service.host, { ops: [later] }).provider;
  const gateway = await failureOf(restarted.poll?.(ticket, request, signal) ?? Promise.resolve());
  expect(gateway.failure).toBe('unavailable');
  expect(await restarted.poll?.(ticket, request, signal)).toMatchObject({
    kind: 'answered',
    costCredits: 1,
    rows: [{}, {}, { work_email: { values: { email: 'bob@acme.example' } } }],
  });
  expect(service.arrived.map(({ target }) => target)).toEqual([
    '/v1/bulk',
    '/v1/bulk/job%2F1',
    '/v1/bulk/job%2F1',
    '/v1/bulk/job%2F1',
  ]);
});
test('a pending request whose poll is reset was not lost: the poll is free and is repeated', async () => {
  await using service = await openUpstream({ status: 201, body: { id: 'j' } }, (response) =>
    response.socket?.resetAndDestroy(),
  );
  const { provider, ticket } = await submit(service);
  const error = await failureOf(provider.poll?.(ticket, request, signal) ?? Promise.resolve());
  expect(error.failure).toBe('unavailable');
});
test('a pending request is uncertain after its deadline', async () => {
  await using service = await openUpstream({ status: 201, body: { id: 'j' } }, { status: 202 });
  const { clock, provider, ticket } = await submit(service);
  clock.skip(59_999);
  expect(await provider.poll?.(ticket, request, signal)).toMatchObject({ kind: 'pending' });
  clock.skip(1);
  const error = await failureOf(provider.poll?.(ticket, request, signal) ?? Promise.resolve());
  expect(error.failure).toBe('uncertain');
});
test('a pending request without an id is uncertain', async () => {
  await using service = await openUpstream({ status: 200, body: {} });
  const { provider } = openProvider(service.host, { ops: [later] });
  expect((await failureOf(provider.answer(request, options()))).failure).toBe('uncertain');
});
