// Limits of a tool client, approvals beyond them, and the activity in the app.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { approvalKeptMs } from '../../engine/contract/limits/ledger.ts';
import type { Json } from '../http/open-api-desk.ts';
import { ada, grace } from '../lookup/lookup-desk.ts';
import { connectAsking, newest } from './asking-client.ts';
import { openToolDesk, shareToolDesk, type ToolDesk } from './open-tool-desk.ts';

const openDesk = shareToolDesk();

const phone = { profile_url: ada };

const readAssistants = async (desk: ToolDesk) => (await desk.app('GET', 'assistants')).data;
async function limit(desk: ToolDesk, limits: Json): Promise<Json> {
  const [key] = (await desk.app('GET', 'keys')).data;
  const answer = await desk.app('PATCH', `assistants/${key.id}`, { json: limits });
  expect(answer.status).toBe(200);
  return answer.data;
}
async function findQuestion(desk: ToolDesk): Promise<Json> {
  const isAsked = async () => (await readAssistants(desk)).approvals.length > 0;
  await expect.poll(isAsked, { interval: 10 }).toBe(true);
  return (await readAssistants(desk)).approvals[0];
}
const answerQuestion = async (desk: ToolDesk, allow: boolean) =>
  desk.app('POST', `assistants/approvals/${(await findQuestion(desk)).id}`, { json: { allow } });

test('a cap per call omits what it does not cover, and refuses a call that it covers nothing of', async () => {
  const desk = await openDesk();
  const set = await limit(desk, { cap_per_call: 2 });
  expect(set).toMatchObject({ label: 'tests', cap_per_call: '2.0000', ask_above: null });
  const { data } = await desk.tool('enrich_profile', phone);
  expect(data).toMatchObject({
    credits_charged: '2.0000',
    omitted: [{ value: 'phone', reason: 'call_limit_reached' }],
  });
  const refused = await desk.tool('enrich_phone', phone);
  expect(refused).toMatchObject({ isError: true });
  expect(refused.said).toMatch(/at most 2 in one call.*Connections/);
  const emails = Array.from({ length: 21 }, (_, at) => `a${at}@b.example`);
  expect((await desk.tool('validate_emails', { emails })).said).toMatch(/at most 2 in one call/);
  expect((await limit(desk, { cap_per_call: null })).cap_per_call).toBe(null);
  expect((await desk.tool('enrich_phone', phone)).data.phone).toBe('+41791000001');
});

test('a repeat bypasses every limit while its idempotency key is kept, and no longer', async () => {
  const desk = await openToolDesk();
  const args = { rows: [{ email: 'a@b.example' }], selected_layers: ['L1'], idempotency_key: 'a' };
  const { job_id } = (await desk.tool('enrich_list', args)).data;
  await limit(desk, { cap_per_call: 0.5 });
  expect((await desk.tool('enrich_list', args)).data.job_id).toBe(job_id);
  const store = new Database(`${desk.environment.folder}/engine.db`);
  store.prepare('UPDATE idempotency SET at = ?').run('2020-01-01T00:00:00.000Z');
  store.close();
  expect((await desk.tool('enrich_list', args)).said).toMatch(/at most 0\.5 in one call/);
});

test('above the threshold the app asks, and the call proceeds after the approval', async () => {
  const desk = await openDesk();
  await limit(desk, { ask_above: 1 });
  expect((await desk.tool('enrich_email', phone)).data.credits_charged).toBe('1.0000');
  const waiting = desk.tool('enrich_phone', phone);
  expect(await findQuestion(desk)).toMatchObject({
    client: 'tests',
    operation: 'enrich_phone',
    credits: '5.0000',
    arguments: expect.stringContaining('ada-lovelace'),
  });
  await answerQuestion(desk, true);
  expect((await waiting).data).toMatchObject({ phone: '+41791000001', credits_charged: '5.0000' });
  expect((await readAssistants(desk)).approvals).toEqual([]);
  // Owned now, so the repeat is free and needs no approval.
  expect((await desk.tool('enrich_phone', phone)).data.credits_charged).toBe('0.0000');
});

test('a denied call is refused and not charged', async () => {
  const desk = await openDesk();
  await limit(desk, { ask_above: 0 });
  const waiting = desk.tool('enrich_phone', phone);
  await answerQuestion(desk, false);
  expect(await waiting).toMatchObject({ isError: true });
  expect((await waiting).said).toMatch(/denied.*Nothing was charged/);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
  const unknown = `assistants/approvals/${crypto.randomUUID()}`;
  expect((await desk.app('POST', unknown, { json: { allow: true } })).status).toBe(404);
});

test('an answer after the client has left serves the same call, but no other', async () => {
  let elapsedMs = Date.now();
  const desk = await openToolDesk({ now: () => elapsedMs });
  await limit(desk, { ask_above: 0 });
  const gone = new AbortController();
  const params = { name: 'enrich_phone', arguments: phone };
  const call = fetch(`${desk.url}/api/v1/mcp`, {
    method: 'POST',
    signal: gone.signal,
    headers: { authorization: `Token ${desk.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  await findQuestion(desk);
  gone.abort();
  await expect(call).rejects.toThrow();
  await answerQuestion(desk, true);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
  const other = desk.tool('enrich_contact', phone);
  await answerQuestion(desk, false);
  expect((await other).isError).toBe(true);
  expect((await desk.tool('enrich_phone', phone)).data.credits_charged).toBe('5.0000');
  const late = desk.tool('enrich_email', { profile_url: grace });
  const question = await findQuestion(desk);
  expect(question.operation).toBe('enrich_email');
  elapsedMs += 2 * approvalKeptMs;
  expect((await readAssistants(desk)).approvals).toEqual([]);
  await desk.stop();
  await late.catch(() => undefined);
});

test.each([
  ['in a session', {}],
  ['of the newest version', newest],
] as const)(
  'a client %s with elicitation and permission asks the person itself',
  async (_name, version) => {
    const desk = await openDesk();
    await limit(desk, { ask_above: 1, self_approval: true });
    const { client, asked } = await connectAsking(desk, { version, decisions: [false, true] });
    const order = { name: 'enrich_phone', arguments: phone };
    const denied = await client.callTool(order);
    expect(denied).toMatchObject({ isError: true });
    expect(await desk.readWallet()).toBe('100000.0000 0.0000');
    const allowed = await client.callTool(order);
    expect(allowed.structuredContent).toMatchObject({ credits_charged: '5.0000' });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatch(/enrich_phone would cost up to 5 credits: .*Allow it\?/);
  },
);

test('the activity lists caller, call and cost, newest first, without secrets', async () => {
  const desk = await openDesk();
  await desk.tool('search_contacts', { company_name: desk.key });
  await desk.tool('enrich_email', phone);
  await desk.tool('enrich_email', {});
  const { data: calls } = await desk.app('GET', 'assistants/calls');
  expect(calls).toMatchObject([
    { client: 'tests', tool: 'enrich_email', outcome: 'refused', credits_charged: '0.0000' },
    { tool: 'enrich_email', outcome: 'done', credits_charged: '1.0000', detail: '' },
    { tool: 'search_contacts', outcome: 'done', credits_charged: '0.0000' },
  ]);
  expect(calls[0].detail).toMatch(/Identify the person/);
  expect(JSON.stringify(calls)).not.toContain(desk.key);
  const older = await desk.app('GET', `assistants/calls?before=${calls[1].id}&limit=1`);
  expect(older.data).toEqual([calls[2]]);
  const { id } = (await desk.app('POST', 'accounts', { json: { name: 'another' } })).data;
  const foreign = await desk.app('GET', 'assistants/calls', { headers: { 'x-desk-account': id } });
  expect(foreign.data).toEqual([]);
});

test('limits belong to a key of the account, and a revoked key is not listed', async () => {
  const desk = await openDesk();
  const { keyId } = await desk.openAccount(1);
  const foreign = await desk.app('PATCH', `assistants/${keyId}`, { json: { ask_above: 1 } });
  expect(foreign.status).toBe(404);
  const bad = await desk.app('PATCH', `assistants/${keyId}`, { json: { ask_above: -1 } });
  expect(bad.status).toBe(400);
  expect((await readAssistants(desk)).assistants).toEqual([]);
  await desk.tool('check_wallet');
  const { assistants } = await readAssistants(desk);
  expect(assistants).toMatchObject([{ label: 'tests', cap_per_call: null, ask_above: null }]);
  await desk.app('DELETE', `keys/${assistants[0].id}`);
  expect((await readAssistants(desk)).assistants).toEqual([]);
});
