// Section C through the official clients, over HTTP, on a whole engine with the sample directory.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../../engine/contract/assistants/tools.ts';
import type { Json } from '../http/open-api-desk.ts';
import { type Environments, startEnvironments } from '../http/open-environments.ts';
import { pollUntil } from '../poll-until.ts';
import { copySample } from '../sample-data.ts';
import { clientKinds, connectClient } from './tool-client.ts';

let engine: Environments;
let key: string;

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-clients-'));
  await copySample(dataDir);
  engine = await startEnvironments(dataDir);
  key = await engine.live.makeKey();
}, 180_000);
afterAll(() => engine.remove());

const connectAs = (kind: (typeof clientKinds)[number], token: string | null) =>
  connectClient(`${engine.url}/api/v1/mcp`, token, kind);
const connect = (kind: (typeof clientKinds)[number] = 'v2') => connectAs(kind, key);
const readWallet = async () => (await engine.live.call('GET', 'app/v1/wallet')).data;

test.each(clientKinds)(
  'the client %s lists the tools and calls each of section C',
  async (kind) => {
    const client = await connect(kind);
    expect(client.server).toMatchObject({ name: 'enrichment-desk', title: 'Enrichment Desk' });
    const listed = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools));
    for (const tool of listed)
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.stringMatching(/free|costs?/i),
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        annotations: {
          readOnlyHint: expect.any(Boolean),
          idempotentHint: expect.any(Boolean),
          openWorldHint: expect.any(Boolean),
        },
      });
    const found = await client.call('search_contacts', {
      company_name: 'house of representatives',
      limit: 100,
    });
    expect(found.data.results).toHaveLength(100);
    expect(found.data.total).toBeGreaterThan(100);
    const withEmail = found.data.results.find((one: Json) => one.has_email);
    expect(Object.keys(withEmail)).not.toContain('email');
    const companies = await client.call('search_companies', { limit: 3 });
    expect(companies.data.results).toHaveLength(3);
    const before = await client.call('check_wallet');
    expect(before.data).toEqual(await readWallet());
    const unlocked = await client.call('unlock_contacts', {
      uuids: [withEmail.uuid],
      unlock_type: 'email',
    });
    expect(unlocked.data.results[0].email).toMatch(/@/);
    expect(unlocked.progress).toEqual([1]);
    const { first_name, last_name, company_name } = withEmail;
    const person = { first_name, last_name, company_name };
    for (const name of ['enrich_email', 'enrich_phone', 'enrich_contact', 'enrich_profile'])
      expect((await client.call(name, { ...person, dry_run: true })).data).toMatchObject({
        credits_charged: '0.0000',
      });
    const email = await client.call('enrich_email', person);
    expect(email.data).toMatchObject({ status: 'found', uuid: withEmail.uuid });
    const started = await client.call('validate_emails', { emails: ['nobody', 'a@b@c'] });
    expect(started.data).toMatchObject({ status: 'queued', total_emails: 2 });
    const { job_id } = started.data;
    const checked = await pollUntil(
      async () => (await client.call('check_email_validation_status', { job_id, limit: 1 })).data,
      ({ ready }) => ready,
    );
    expect(checked).toMatchObject({
      status: 'completed',
      done_emails: 2,
      credits_charged: '0.2000',
      next_offset: 1,
      results: [{ email: 'nobody', status: 'invalid' }],
    });
    await client.end();
  },
);

test('staging has its own tool server, whose provider answers for unknown people', async () => {
  const base = `${engine.url}/staging/api/v1/mcp`;
  const client = await connectClient(base, await engine.staging.makeKey());
  const ask = async (mailbox: string, name = 'enrich_contact') =>
    client.call(name, { email: `${mailbox}@sandbox.example` });
  expect((await ask('enriched')).data).toMatchObject({
    status: 'found',
    credits_charged: expect.any(String),
  });
  const slow = await ask('slow', 'enrich_profile');
  expect(slow.data).toMatchObject({
    status: 'found',
    first_name: 'Sloane',
    company: 'Sandbox Works',
    email: 'slow@sandbox.example',
    phone: '+12175550199',
    credits_charged: '7.0000',
  });
  expect((await ask('suppressed')).data.status).toBe('suppressed');
  expect((await ask('ambiguous')).data.status).toBe('ambiguous');
  expect((await ask('no-match')).data.status).toBe('not_found');
  expect((await ask('upstream-down')).said).toMatch(/upstream_error/);
  expect((await ask('upstream-credits')).said).toMatch(/upstream_insufficient_credits/);
  await expect(connectClient(base, key)).rejects.toThrow(/401|Unauthorized/i);
});

test('a hundred concurrent calls of ten clients charge each value once, and the ledger is exact', async () => {
  const before = await readWallet();
  const first = await connect();
  const { data } = await first.call('search_contacts', { company_name: 'senate', limit: 100 });
  const uuids: string[] = data.results
    .filter((one: Json) => one.has_email)
    .map((one: Json) => one.uuid)
    .slice(0, 20);
  expect(uuids).toHaveLength(20);
  const clients = await Promise.all(
    Array.from({ length: 10 }, (_, at) => connect(clientKinds[at % clientKinds.length])),
  );
  const answers = await Promise.all(
    clients.flatMap((client, at) =>
      Array.from({ length: 10 }, (_, nth) =>
        client.call('unlock_contacts', {
          uuids: [0, 1, 2].map((step) => uuids[(at + nth + step) % uuids.length]),
          unlock_type: 'email',
        }),
      ),
    ),
  );
  const sum = answers.reduce((units, answer) => units + Number(answer.data.credits_charged), 0);
  expect(answers.every((answer) => answer.data.results.every((one: Json) => one.email))).toBe(true);
  const after = await readWallet();
  expect(sum).toBeLessThanOrEqual(uuids.length);
  expect(Number(after.spent) - Number(before.spent)).toBe(sum);
  const checks = (await engine.live.call('GET', 'app/v1/doctor')).data;
  expect(checks.filter(({ state }: Json) => state === 'wrong')).toEqual([]);
}, 40_000);
