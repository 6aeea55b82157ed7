// A request that several operations of a definition answer: in turn, and what happens if one fails.
import { afterAll, expect, test } from 'vitest';
import { ann, ask, failureOf, openProvider, reader, verifyOperation } from './ask-provider.ts';
import { finderOperation } from './make-definition.ts';
import { openUpstream } from './open-upstream.ts';

afterAll(() => reader.stop());

const both = ['work_email', 'email_status'] as const;
const row = { ...ann, email: 'ann@acme.example' };
const ops = [finderOperation, verifyOperation];
const byPath =
  (answers: Record<string, { status: number; body: unknown }>) =>
  (response: import('node:http').ServerResponse, { target }: { target: string }) => {
    const { status, body } = answers[target.split('/')[2] ?? ''] ?? { status: 404, body: {} };
    response.writeHead(status).end(JSON.stringify(body));
  };
const find = { status: 200, body: { email: 'ann@acme.example', used: 1 } };
const verify = { status: 200, body: { verdict: 'ok', used: 0.5 } };
const reported = ops.map((operation) => ({
  ...operation,
  cost: { max: { row: 1 }, reported: { body: 'used' } },
}));

test('operations are asked in turn, their costs are added, and each is announced', async () => {
  await using service = await openUpstream(byPath({ find, verify }));
  const { provider } = openProvider(service.host, { ops: reported });
  let sends = 0;
  const onSend = () => {
    sends += 1;
  };
  const found = await ask(provider, both, row, { onSend });
  expect(found).toMatchObject({
    costCredits: 1.5,
    rows: [
      {
        work_email: { kind: 'hit', values: { email: 'ann@acme.example' } },
        email_status: { kind: 'hit', status: 'valid' },
      },
    ],
  });
  expect([sends, service.arrived.length]).toEqual([2, 2]);
});
test('an operation whose needs the row lacks is not asked', async () => {
  await using service = await openUpstream(byPath({ find, verify }));
  const { provider } = openProvider(service.host, { ops });
  const found = await ask(provider, both, ann);
  expect(found).toMatchObject({ rows: [{ work_email: { kind: 'hit' } }] });
  expect(service.arrived).toHaveLength(1);
});
test('what one answered is kept if another fails, and the costs are then unknown', async () => {
  await using service = await openUpstream(byPath({ find, verify: { status: 500, body: {} } }));
  const { provider } = openProvider(service.host, { ops: reported });
  expect(await ask(provider, both, row)).toMatchObject({
    costCredits: null,
    rows: [
      {
        work_email: { kind: 'hit' },
        email_status: { kind: 'failed', failure: 'uncertain' },
      },
    ],
  });
});
test('if one is uncertain and the other not accepted, no error says to repeat both', async () => {
  await using service = await openUpstream(
    byPath({ find: { status: 429, body: {} }, verify: { status: 500, body: {} } }),
  );
  const rules = [{ status: 429, means: 'retry' }];
  const { provider } = openProvider(service.host, { ops, rules });
  expect(await ask(provider, both, row)).toMatchObject({
    rows: [
      {
        work_email: { kind: 'failed', failure: 'unavailable' },
        email_status: { kind: 'failed', failure: 'uncertain' },
      },
    ],
  });
});
test('if nothing was sent, the first failure is thrown', async () => {
  await using service = await openUpstream(byPath({ find, verify }));
  const { provider } = openProvider(service.host, { ops });
  const unsendable = { ...row, company_domain: '..', email: '.' };
  expect((await failureOf(ask(provider, both, unsendable))).failure).toBe('bad_input');
  expect((await failureOf(ask(provider, both, { title: 'CEO' }))).failure).toBe('bad_input');
  expect(service.arrived).toEqual([]);
});

test('a refused key ends the request', async () => {
  await using service = await openUpstream({ status: 401, body: {} });
  const rules = [{ status: 401, means: 'auth' }];
  const { provider } = openProvider(service.host, { ops, rules });
  expect((await failureOf(ask(provider, both, row))).failure).toBe('bad_key');
  expect(service.arrived).toHaveLength(1);
});
test('an operation that must not be sent any more leaves what was answered', async () => {
  await using service = await openUpstream(byPath({ find, verify }));
  const { provider } = openProvider(service.host, { ops });
  const stop = new AbortController();
  const onSend = () => {
    if (service.arrived.length === 0) return;
    stop.abort(new Error('stopped'));
    stop.signal.throwIfAborted();
  };
  const found = await ask(provider, both, row, { onSend, signal: stop.signal });
  expect(found).toMatchObject({
    rows: [
      {
        work_email: { kind: 'hit' },
        email_status: { kind: 'failed', failure: 'unavailable' },
      },
    ],
  });
  expect(service.arrived).toHaveLength(1);
});
