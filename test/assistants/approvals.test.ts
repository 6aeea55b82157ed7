// An approval serves one call, and its amount is a maximum (docs/api.md): concurrent tool calls,
// credits added meanwhile, and clients that answer their own questions.
import { expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import type { Json } from '../http/open-api-desk.ts';
import { ada } from '../lookup/lookup-desk.ts';
import { connectAsking, newest } from './asking-client.ts';
import { shareToolDesk, type ToolDesk } from './open-tool-desk.ts';

const openDesk = shareToolDesk();

/** A desk whose ledger is verified at the end. */
async function openLimitedDesk(limits: Json): Promise<ToolDesk> {
  const desk = await openDesk();
  onTestFinished(() => expect(verifyLedger(desk.environment.database)).toEqual([]));
  const [key] = (await desk.app('GET', 'keys')).data;
  await desk.app('PATCH', `assistants/${key.id}`, { json: limits });
  return desk;
}

const readQuestions = async (desk: ToolDesk, headers = {}): Promise<Json[]> =>
  (await desk.app('GET', 'assistants', { headers })).data.approvals;
const answer = (desk: ToolDesk, id: string, allow: boolean, headers = {}) =>
  desk.app('POST', `assistants/approvals/${id}`, { headers, json: { allow } });
/** Waits until this many questions are open. */
async function whenAsked(desk: ToolDesk, count: number, headers = {}): Promise<Json[]> {
  let asked: Json[] = [];
  await expect
    .poll(async () => {
      asked = await readQuestions(desk, headers);
      return asked.length;
    })
    .toBe(count);
  return asked;
}
const twenty = {
  rows: Array.from({ length: 20 }, (_, at) => ({ email: `q${at}@x.example` })),
  selected_layers: ['L1'],
};
const emails = Array.from({ length: 20 }, (_, at) => `v${at}@unanswered.org`);

/** Profile URLs of this many people, each with a phone at 5 credits. */
async function findPeople(desk: ToolDesk, limit: number): Promise<string[]> {
  const { data } = await desk.tool('search_contacts', { company_name: 'Many', limit });
  return data.results.map(({ uuid }: Json) => uuid);
}

/** An account with these credits, and the app's requests for it. */
async function openPoorAccount(desk: ToolDesk, credits: number, limits: Json) {
  const { id, key, keyId } = await desk.openAccount(credits);
  const row = desk.environment.database.prepare('SELECT uuid FROM account WHERE id = ?').get(id);
  const headers = { 'x-desk-account': (row as { uuid: string }).uuid };
  await desk.app('PATCH', `assistants/${keyId}`, { headers, json: limits });
  const give = (more: number) =>
    desk.environment.writer.grant({
      accountId: id,
      units: (more * 10_000) as never,
      subject: { kind: 'grant', id: 'more' },
    });
  return { key, headers, give };
}

test.each([
  ['enrich_list', twenty, '20.0000'],
  ['validate_emails', { emails }, '2.0000'],
])(
  'six identical calls of %s create six questions, and each approval serves one of them',
  async (tool, args, credits) => {
    const desk = await openLimitedDesk({ ask_above: 1 });
    const calls = Array.from({ length: 6 }, () => desk.tool(tool, args));
    const questions = await whenAsked(desk, 6);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(6);
    expect(questions[0]).toMatchObject({ operation: tool, credits });
    await answer(desk, questions[0].id, true);
    const first = await Promise.race(calls);
    expect(first.data).toMatchObject({ credits_held: credits });
    expect((await desk.app('GET', 'wallet')).data.held).toBe(credits);
    expect(await readQuestions(desk)).toHaveLength(5);
    await answer(desk, questions[3].id, true);
    for (const at of [1, 2, 4, 5]) await answer(desk, questions[at].id, false);
    const ended = await Promise.all(calls);
    const jobs = ended.flatMap(({ data }) => data?.job_id ?? []);
    expect(new Set(jobs).size).toBe(2);
    expect((await desk.app('GET', 'wallet')).data.held).toBe(`${2 * Number(credits)}.0000`);
  },
);

test('calls under one idempotency key are one call: one question, one approval, one job', async () => {
  const desk = await openLimitedDesk({ ask_above: 1 });
  const calls = Array.from({ length: 4 }, () =>
    desk.tool('enrich_list', { ...twenty, idempotency_key: 'one' }),
  );
  const [question] = await whenAsked(desk, 1);
  await answer(desk, question.id, true);
  const ended = await Promise.all(calls);
  expect(new Set(ended.map(({ data }) => data.job_id)).size).toBe(1);
  expect((await desk.app('GET', 'wallet')).data.held).toBe('20.0000');
});

test('a call spends at most the approved amount, even if credits are added while it waits', async () => {
  const desk = await openLimitedDesk({});
  const { key, headers, give } = await openPoorAccount(desk, 15, { ask_above: 1 });
  const order = { uuids: await findPeople(desk, 10), unlock_type: 'phone' };
  const waiting = desk.tool('unlock_contacts', order, key);
  const [question] = await whenAsked(desk, 1, headers);
  expect(question.credits).toBe('15.0000');
  await give(100);
  await answer(desk, question.id, true, headers);
  const { data } = await waiting;
  expect(data.credits_charged).toBe('15.0000');
  expect(data.results.filter(({ status }: Json) => status === 'unlocked')).toHaveLength(3);
  expect(data.results[9]).toMatchObject({ status: 'locked', reason: 'call_limit_reached' });
});

test('a call without a question never spends above the threshold, even if credits are added', async () => {
  const desk = await openLimitedDesk({});
  const { key, headers, give } = await openPoorAccount(desk, 15, { ask_above: 15 });
  const order = { uuids: await findPeople(desk, 10), unlock_type: 'phone' };
  const { writer } = desk.environment;
  const { unlock } = writer;
  // After the call has computed its price, before its turn at the writer.
  writer.unlock = async (command) => {
    writer.unlock = unlock;
    await give(100);
    return unlock(command);
  };
  const waiting = desk.tool('unlock_contacts', order, key);
  const [question] = await whenAsked(desk, 1, headers);
  expect(question.credits).toBe('50.0000');
  expect((await desk.app('GET', 'wallet', { headers })).data.spent).toBe('0.0000');
  await answer(desk, question.id, false, headers);
  expect((await waiting).said).toMatch(/denied/);
  expect((await desk.app('GET', 'wallet', { headers })).data.spent).toBe('0.0000');
});

test('an approval of a tool call serves neither the REST API nor another key', async () => {
  const desk = await openLimitedDesk({ ask_above: 1 });
  const waiting = desk.tool('enrich_phone', { profile_url: ada });
  const [question] = await whenAsked(desk, 1);
  const rest = await desk.lookUp('phone', ada);
  expect(rest.status).toBe(409);
  expect(rest.body.approval.approval_id).not.toBe(question.id);
  await answer(desk, question.id, true);
  expect((await waiting).data.credits_charged).toBe('5.0000');
});

/** Approves every question. */
function* always() {
  for (;;) yield true;
}
/** A client that asks its person itself, who approves every question. */
const connectEager = (desk: ToolDesk, version: object, send?: typeof fetch) =>
  connectAsking(desk, { version, decisions: always(), ...(send && { send }) });

test.each([
  ['in a session', {}],
  ['of the newest version', newest],
])(
  'a client %s with elicitation is not asked until a person permits it',
  async (_name, version) => {
    const desk = await openLimitedDesk({ ask_above: 1 });
    const { client, asked } = await connectEager(desk, version);
    const order = { name: 'enrich_phone', arguments: { profile_url: ada } };
    const waiting = client.callTool(order);
    const [question] = await whenAsked(desk, 1);
    await answer(desk, question.id, false);
    expect(await waiting).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
    const [key] = (await desk.app('GET', 'keys')).data;
    const set = await desk.app('PATCH', `assistants/${key.id}`, { json: { self_approval: true } });
    expect(set.data).toMatchObject({ self_approval: true, ask_above: '1.0000' });
    const allowed = await client.callTool(order);
    expect(allowed.structuredContent).toMatchObject({ credits_charged: '5.0000' });
    expect(asked).toHaveLength(1);
  },
);

test('an answer that a client sends is used once, however often it is sent', async () => {
  const desk = await openLimitedDesk({ ask_above: 1, self_approval: true });
  const sent: RequestInit[] = [];
  const { client } = await connectEager(desk, newest, (url, init) => {
    sent.push(init ?? {});
    return fetch(url, init);
  });
  const order = { name: 'enrich_list', arguments: twenty };
  expect((await client.callTool(order)).structuredContent).toMatchObject({
    credits_held: '20.0000',
  });
  const carried = sent.findLast(({ body }) => String(body).includes('requestState'));
  const again = () => fetch(`${desk.url}/api/v1/mcp`, { ...carried, signal: null });
  const texts = await Promise.all([again(), again()].map(async (one) => (await one).text()));
  for (const text of texts) expect(text).toMatch(/input_required|inputRequests/);
  expect((await desk.app('GET', 'wallet')).data.held).toBe('20.0000');
});
