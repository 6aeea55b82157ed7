// Email validation with a real engine process and a name server on loopback.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { WalletSchema } from '../../engine/contract/ledger.ts';
import { validationEmailsMax } from '../../engine/contract/limits/validations.ts';
import type { EmailVerdict, Validation } from '../../engine/contract/validations.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable } from '../../engine/platform/sqlite/open-database.ts';
import { type DnsServer, startDnsServer, type Zone } from '../dns-server.ts';
import { startEngineHere } from '../engine-here.ts';
import { expectRefusal, shareApiDesk } from '../http/open-api-desk.ts';
import type { SocketClient } from '../socket-client.ts';

type Wallet = ReturnType<typeof WalletSchema.parse>;
const path = '/app/v1/email-validations';
const takesMail: Zone = { a: ['203.0.113.1'] };

const openDesk = shareApiDesk();

/** A folder that is removed after the test. */
function makeFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'desk-emails-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** Starts an engine with this name server in this process. It stops at the end of the test. */
async function openEngine(dns: Pick<DnsServer, 'address'>, dataDir = makeFolder()) {
  vi.stubEnv('DESK_DNS_SERVERS', dns.address);
  const engine = await startEngineHere(dataDir);
  onTestFinished(async () => {
    await engine.stop();
    vi.unstubAllEnvs();
  });
  return { engine, dataDir };
}

const start = (engine: SocketClient, emails: readonly string[]) =>
  engine.ask('POST', path, { emails }) as Promise<Validation>;
const read = (engine: SocketClient, jobId: string) =>
  engine.ask('GET', `${path}/${jobId}`) as Promise<Validation>;
const readWallet = (engine: SocketClient) => engine.ask('GET', '/app/v1/wallet') as Promise<Wallet>;

/** Polls until the validation is as expected. */
async function readUntil(
  engine: SocketClient,
  jobId: string,
  isSo: (validation: Validation) => boolean,
): Promise<Validation> {
  let validation!: Validation;
  await expect
    .poll(async () => {
      validation = await read(engine, jobId);
      return isSo(validation);
    })
    .toBe(true);
  return validation;
}

async function readResults(engine: SocketClient, jobId: string): Promise<EmailVerdict[]> {
  const all: EmailVerdict[] = [];
  for (let next: string | null = `${path}/${jobId}/results?limit=1000`; next; ) {
    const page = (await engine.ask('GET', next)) as { next: string | null; results: [] };
    all.push(...page.results);
    const link: URL | null = page.next === null ? null : new URL(page.next);
    next = link && link.pathname + link.search;
  }
  return all;
}

function expectSoundLedger(dataDir: string): void {
  const database = openReadable(join(dataDir, 'engine.db'));
  expect(verifyLedger(database)).toEqual([]);
  database.close();
}

test('10,000 addresses on 3 domains cause 3 lookups, one job, and one charge for decided addresses', async () => {
  const dns = await startDnsServer({ 'one.org': takesMail, 'two.org': { mx: [[0, '']] } });
  const { engine, dataDir } = await openEngine(dns);
  const emails = Array.from(
    { length: validationEmailsMax },
    (_, nth) => `person${nth}@${['one.org', 'two.org', 'gone.org'][nth % 3]}`,
  );
  const started = await start(engine, emails);
  expect(started).toMatchObject({ total_emails: 10_000, credits_held: '1000.0000' });
  const ended = await readUntil(engine, started.job_id, ({ ready }) => ready);
  expect(ended).toMatchObject({
    status: 'completed',
    done_emails: 10_000,
    credits_charged: '666.6000',
    credits_released: '333.4000',
    counts: { valid: 0, invalid: 6_666, catch_all: 0, disposable: 0, role: 0, unknown: 3_334 },
  });
  expect(dns.questions.filter((question) => question.startsWith('MX ')).toSorted()).toEqual([
    'MX gone.org',
    'MX one.org',
    'MX two.org',
  ]);
  const results = await readResults(engine, started.job_id);
  expect(results.map(({ email }) => email)).toEqual(emails);
  expect(results.slice(0, 3).map(({ status, reason }) => [status, reason])).toEqual([
    ['unknown', 'domain_accepts_mail'],
    ['invalid', 'domain_refuses_mail'],
    ['invalid', 'domain_not_found'],
  ]);
  expect(await readWallet(engine)).toMatchObject({ held: '0.0000', spent: '666.6000' });
  expectSoundLedger(dataDir);
});

test('a stop does not wait for name servers, and loses nothing', async () => {
  // One silent server is given up after 7.5 s, in which a busy machine may not stop the engine.
  const silent = { 'late.org': { fails: 'silent' } } as const;
  const servers = await Promise.all(Array.from({ length: 6 }, () => startDnsServer(silent)));
  const address = servers.map((server) => server.address).join(',');
  const { engine, dataDir } = await openEngine({ address });
  const late = await start(engine, ['ada@late.org']);
  expect(await engine.stop()).toBe(0);
  const [dns] = servers;
  dns!.zones.delete('late.org');
  const again = await openEngine(dns!, dataDir);
  // A stop that had written the address without an answer would have left it undecided.
  const ended = await readUntil(again.engine, late.job_id, ({ ready }) => ready);
  expect(ended).toMatchObject({ done_emails: 1, counts: { invalid: 1 } });
});

test('validations are listed newest first, in pages, and only for their account', async () => {
  const desk = await openDesk();
  const ids: string[] = [];
  for (const name of ['ada', 'bob', 'cy']) {
    const answer = await desk.app('POST', 'email-validations', {
      json: { emails: [` ${name}@one.org `] },
    });
    expect(answer.status).toBe(202);
    ids.unshift(answer.data.job_id);
  }
  const page = await desk.app('GET', 'email-validations?limit=2');
  expect(page.data).toMatchObject({
    count: 3,
    previous: null,
    next: expect.stringContaining('offset=2'),
    results: [{ job_id: ids[0] }, { job_id: ids[1] }],
  });
  const results = await desk.app('GET', `email-validations/${ids[0]}/results`);
  expect(results.data).toMatchObject({ count: 0, validation: { job_id: ids[0] }, results: [] });
  const other = await desk.environment.writer['accounts.create']({ name: 'Other' });
  for (const place of [`email-validations/${ids[0]}`, `email-validations/${ids[0]}/results`]) {
    const headers = { 'x-desk-account': other.id };
    expectRefusal(
      await desk.app('GET', place, { headers }),
      'not_found',
      /validation does not exist/,
    );
  }
  expectRefusal(await desk.app('GET', 'email-validations/nothing'), 'not_found');
});

test('the same idempotency key answers 200 with the same job', async () => {
  const desk = await openDesk();
  const send = (emails: string[]) =>
    desk.app('POST', 'email-validations', { json: { emails, idempotency_key: 'once' } });
  const first = await send(['ada@one.org']);
  const second = await send(['ada@one.org']);
  expect([first.status, second.status]).toEqual([202, 200]);
  const headers = { 'idempotency-key': 'once' };
  const byHeader = { json: { emails: ['ada@one.org'] }, headers };
  const third = await desk.app('POST', 'email-validations', byHeader);
  expect([second.data.job_id, third.data.job_id]).toEqual(Array(2).fill(first.data.job_id));
  expectRefusal(await send(['bob@one.org']), 'idempotency_conflict');
});

test.each<[string, unknown, RegExp]>([
  ['no list', {}, /^emails: /],
  ['an empty list', { emails: [] }, /^emails: send from 1 to 10000 addresses/],
  ['10,001 addresses', { emails: Array(10_001).fill('a@b.org') }, /^emails: send from 1 to 10000/],
  ['an empty entry', { emails: ['a@b.org', '  '] }, /^emails\[1\]: it is empty/],
  ['no text', { emails: [5] }, /^emails\[0\]: /],
  ['a novel', { emails: ['a'.repeat(1_001)] }, /^emails\[0\]: /],
])('%s is refused with its place', async (_title, json, detail) => {
  const desk = await openDesk();
  expectRefusal(await desk.app('POST', 'email-validations', { json }), 'validation_error', detail);
});

test('an estimate returns the hold, and holds nothing', async () => {
  const desk = await openDesk();
  const json = { emails: ['ada@one.org', 'ADA@one.org', 'no address'] };
  const { data } = await desk.app('POST', 'email-validations/estimate', { json });
  expect(data).toEqual({
    total_emails: 2,
    duplicate_emails: 1,
    price_per_email: '0.1000',
    credits_needed: '0.2000',
    available_credits: '100000.0000',
    sufficient: true,
  });
  expect((await desk.app('GET', 'email-validations')).data.count).toBe(0);
});

test('insufficient credits of a budget are refused at submit; without one they are added', async () => {
  const desk = await openDesk();
  const { id } = await desk.environment.writer['accounts.create']({ name: 'Empty' });
  await desk.app('PATCH', `accounts/${id}`, { json: { has_budget: true } });
  const json = { emails: ['ada@one.org'] };
  const headers = { 'x-desk-account': id };
  expectRefusal(
    await desk.app('POST', 'email-validations', { json, headers }),
    'insufficient_credits',
    /needs 0\.1 credits and the wallet has 0\. /,
  );
  await desk.app('PATCH', `accounts/${id}`, { json: { has_budget: false } });
  const estimate = await desk.app('POST', 'email-validations/estimate', { json, headers });
  expect(estimate.data).toMatchObject({ available_credits: '0.0000', sufficient: true });
  expect((await desk.app('POST', 'email-validations', { json, headers })).status).toBe(202);
});

test('only the app’s own session is accepted: a key opens none of these addresses', async () => {
  const desk = await openDesk();
  expectRefusal(await desk.call('GET', path), 'unauthorized');
  expectRefusal(await desk.call('POST', path, { json: { emails: ['a@b.org'] } }), 'unauthorized');
});
