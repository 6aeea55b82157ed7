// Input, output and price of each tool (section C), called directly over HTTP.
import { expect, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import type { Json } from '../http/open-api-desk.ts';
import {
  ada,
  alan,
  changeDirectory,
  grace,
  hidden,
  nobody,
  shared,
} from '../lookup/lookup-desk.ts';
import { openToolDesk, shareToolDesk, type ToolDesk } from './open-tool-desk.ts';

const openDesk = shareToolDesk();

const secrets = /@[a-z]+\.example|\+41/;

async function findUuid(desk: ToolDesk, company: string): Promise<string> {
  const { data } = await desk.tool('search_contacts', { company_name: company });
  return data.results[0].uuid;
}
const expectRefused = (answer: { isError: boolean; said: string }, words: RegExp) =>
  expect(answer).toMatchObject({ isError: true, said: expect.stringMatching(words) });

test('searching is free, pages by limit and offset, and hides emails and phones', async () => {
  const desk = await openDesk();
  const all = await desk.tool('search_contacts', { limit: 100 });
  expect(all.data.total).toBe(all.data.results.length);
  expect(JSON.stringify(all)).not.toMatch(secrets);
  const page = await desk.tool('search_contacts', { limit: 2, offset: 1 });
  expect(page.data.results).toEqual(all.data.results.slice(1, 3));
  const { data } = await desk.tool('search_contacts', { company_name: ['engines', 'navy'] });
  expect(data.results).toMatchObject([
    { first_name: 'Ada', has_email: true, has_phone: true },
    { first_name: 'Grace', has_email: true, has_phone: false },
  ]);
  const companies = await desk.tool('search_companies', { company_name: 'Many' });
  expect(companies.data).toMatchObject({ total: 1, results: [{ name: 'Many' }] });
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('arguments out of range are refused with their names', async () => {
  const desk = await openDesk();
  const refusals: [string, Json, RegExp][] = [
    ['search_contacts', { limit: 101 }, /limit/],
    ['search_contacts', { offset: -1 }, /offset/],
    ['search_contacts', { person: 'Ada' }, /person/],
    ['search_contacts', { name: '&' }, /name/],
    ['search_contacts', { email: 'ada' }, /email.*whole address/],
    ['search_contacts', { job_level: 'Emperor' }, /Emperor|job_level/],
    ['unlock_contacts', { uuids: [], unlock_type: 'email' }, /uuids/],
    ['unlock_contacts', { uuids: ['x'], unlock_type: 'email' }, /uuids/],
    ['unlock_contacts', { uuids: [crypto.randomUUID()], unlock_type: 'fax' }, /unlock_type/],
    ['enrich_email', {}, /Identify the person/],
    ['enrich_email', { email: 'ada@engines.example' }, /email/],
    ['enrich_phone', { first_name: 'Ada', last_name: 'Lovelace' }, /company_name/],
    ['enrich_phone', { profile_url: 'not an address' }, /profile_url/],
    ['check_wallet', { account: 1 }, /account/],
    ['validate_emails', { emails: [] }, /emails/],
    ['check_email_validation_status', { job_id: 'x' }, /job_id/],
    ['check_email_validation_status', { job_id: crypto.randomUUID() }, /validation does not exist/],
  ];
  for (const [name, args, words] of refusals) expectRefused(await desk.tool(name, args), words);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('a person is found by profile, by email, or by name with company name or website', async () => {
  const desk = await openDesk();
  const named = { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines' };
  const ways = [{ profile_url: ada }, { email: 'ada@engines.example' }, named];
  for (const way of ways)
    expect((await desk.tool('enrich_phone', way)).data).toMatchObject({
      status: 'found',
      first_name: 'Ada',
      phone: '+41791000001',
    });
  const website = { first_name: 'Ada', last_name: 'Lovelace', company_website: 'engines.example' };
  const { data } = await desk.tool('enrich_email', website);
  expect(data).toMatchObject({
    status: 'found',
    email: 'ada@engines.example',
    email_status: 'valid',
    confidence: expect.any(Number),
    matched_on: expect.arrayContaining(['last_name']),
    credits_charged: '1.0000',
  });
  expect(await desk.readWallet()).toBe('99994.0000 6.0000');
});

test('enrich_profile returns name, title, company, work history, and the price of each part', async () => {
  const desk = await openDesk();
  const { data, said } = await desk.tool('enrich_profile', { profile_url: ada });
  expect(data).toMatchObject({
    status: 'found',
    first_name: 'Ada',
    last_name: 'Lovelace',
    company: 'Engines',
    email: 'ada@engines.example',
    phone: '+41791000001',
    employment_status: 'Current',
    work_history: [{ company_name: 'Engines', is_current: true }],
    charges: { profile: '1.0000', email: '1.0000', phone: '5.0000' },
    credits_charged: '7.0000',
  });
  expect(said).toMatch(/Ada Lovelace.*7 credits charged/);
});

test('an uncertain person is not returned, with a reason, at no cost', async () => {
  const desk = await openDesk();
  const asked: [Json, string, RegExp][] = [
    [{ profile_url: nobody }, 'not_found', /No known person/],
    [{ profile_url: shared }, 'ambiguous', /Several people/],
    [{ profile_url: hidden }, 'suppressed', /opted out/],
  ];
  for (const [args, status, words] of asked)
    for (const name of ['enrich_email', 'enrich_phone', 'enrich_contact', 'enrich_profile']) {
      const { data, isError, said } = await desk.tool(name, args);
      expect({ status, isError, ...data }).toMatchObject({
        isError: false,
        status,
        credits_charged: '0.0000',
        reason: expect.stringMatching(words),
      });
      expect(said).toBe(data.reason);
      expect(JSON.stringify(data)).not.toMatch(secrets);
    }
  const twins = await desk.tool('enrich_phone', { profile_url: shared });
  const names = twins.data.candidates.map(({ name }: Json) => name);
  expect(names.sort()).toEqual(['Tim Twin', 'Tom Twin']);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('unknown values are not charged: no phone, a bounced address, an unknown UUID', async () => {
  const desk = await openDesk();
  const phone = await desk.tool('enrich_phone', { profile_url: grace });
  expect(phone.data).toMatchObject({ status: 'not_found', first_name: 'Grace' });
  expect((await desk.tool('enrich_email', { profile_url: alan })).data.status).toBe('not_found');
  const both = await desk.tool('enrich_contact', { profile_url: grace });
  expect(both.data).toMatchObject({ email: 'grace@navy.example', credits_charged: '1.0000' });
  expect(both.data).not.toHaveProperty('omitted');
  const uuids = [crypto.randomUUID(), await findUuid(desk, 'Bombes')];
  const unlocked = await desk.tool('unlock_contacts', { uuids, unlock_type: 'email' });
  expect(unlocked.data.results.map(({ status }: Json) => status)).toEqual([
    'not_found',
    'not_found',
  ]);
  expect(await desk.readWallet()).toBe('99999.0000 1.0000');
});

test('unlock_contacts pays while the credits last, each contact once, in the order sent', async () => {
  const desk = await openDesk();
  const { data } = await desk.tool('search_contacts', { company_name: 'Many', limit: 4 });
  const uuids = data.results.map(({ uuid }: Json) => uuid);
  const { key } = await desk.openAccount(11);
  const args = { uuids: [uuids[0], uuids[0], uuids[1], uuids[2]], unlock_type: 'phone' };
  const unlocked = await desk.tool('unlock_contacts', args, key);
  expect(unlocked.data).toMatchObject({
    results: [
      { status: 'unlocked', phone: '+41792000000', credits_charged: '5.0000' },
      { status: 'owned', phone: '+41792000000', credits_charged: '0.0000' },
      { status: 'unlocked', phone: '+41792000001', credits_charged: '5.0000' },
      { status: 'locked', reason: 'insufficient_credits', credits_charged: '0.0000' },
    ],
    credits_charged: '10.0000',
  });
  expect(unlocked.data.results[3]).not.toHaveProperty('phone');
  const rest = { uuids: [uuids[3]], unlock_type: 'phone' };
  expectRefused(await desk.tool('unlock_contacts', rest, key), /wallet does not have/);
});

test('the same idempotency_key returns the same answer without another charge', async () => {
  const desk = await openToolDesk();
  const args = { profile_url: ada, idempotency_key: 'once' };
  const first = await desk.tool('enrich_contact', args);
  // The directory gets another number meanwhile; the answer stays the same.
  changeDirectory(desk, "UPDATE person SET mobile_phone = '+41790000000' WHERE first_name = 'Ada'");
  expect(await desk.tool('enrich_contact', args)).toEqual(first);
  const other = await desk.tool('enrich_contact', { ...args, profile_url: grace });
  expectRefused(other, /idempotency_key was used for another call/);
  const uuids = [await findUuid(desk, 'Engines')];
  const unlock = { uuids, unlock_type: 'email', idempotency_key: 'twice' };
  const unlocked = await desk.tool('unlock_contacts', unlock);
  expect(await desk.tool('unlock_contacts', unlock)).toEqual(unlocked);
  const list = { emails: ['nobody'], idempotency_key: 'list' };
  const started = await desk.tool('validate_emails', list);
  expect((await desk.tool('validate_emails', list)).data.job_id).toBe(started.data.job_id);
  expectRefused(
    await desk.tool('validate_emails', { ...list, emails: ['other'] }),
    /idempotency_conflict/,
  );
});

test('a key that was refused for lack of credits can be used again after a grant', async () => {
  const desk = await openDesk();
  const { id, key } = await desk.openAccount(0);
  const args = { profile_url: ada, idempotency_key: 'later' };
  expectRefused(await desk.tool('enrich_phone', args, key), /insufficient_credits/);
  const units = 50_000 as never;
  await desk.environment.writer.grant({
    accountId: id,
    units,
    subject: { kind: 'grant', id: 'tests' },
  });
  expect((await desk.tool('enrich_phone', args, key)).data.phone).toBe('+41791000001');
});

test('the caps of a key limit the returned values', async () => {
  const desk = await openDesk();
  const { id, key, keyId } = await desk.openAccount(100);
  const capDayUnits = 30_000 as never;
  await desk.environment.writer.changeKey({ accountId: id, id: keyId, capDayUnits });
  const { data } = await desk.tool('enrich_profile', { profile_url: ada }, key);
  expect(data).toMatchObject({
    credits_charged: '2.0000',
    omitted: [{ value: 'phone', reason: 'spending_cap_reached', price: '5.0000' }],
  });
  expect(data).not.toHaveProperty('phone');
  const refused = await desk.tool('enrich_phone', { profile_url: ada }, key);
  expectRefused(refused, /spending cap.*Connections/);
  expect(verifyLedger(desk.environment.database)).toEqual([]);
});

test('a charge names the key, the tool and the person', async () => {
  const desk = await openDesk();
  await desk.tool('enrich_email', { profile_url: ada });
  const { results } = (await desk.app('GET', 'wallet/entries?limit=1')).data;
  expect(results[0]).toMatchObject({
    kind: 'charge',
    amount: '1.0000',
    key_label: 'tests',
    person_name: 'Ada Lovelace',
    reference: expect.stringMatching(/^enrich_email of person /),
  });
});

test('validate_emails holds the price, and its status tool pages the results', async () => {
  const desk = await openDesk();
  const emails = ['one@unanswered.org', 'two', 'two', 'three@'];
  const dry = await desk.tool('validate_emails', { emails, dry_run: true });
  expect(dry.data).toMatchObject({
    status: 'not_started',
    total_emails: 3,
    credits_at_most: '0.3000',
    dry_run: true,
  });
  const started = await desk.tool('validate_emails', { emails });
  expect(started.data).toMatchObject({ status: 'queued', credits_held: '0.3000' });
  const { job_id } = started.data;
  const checked = await desk.tool('check_email_validation_status', { job_id });
  expect(checked.data).toMatchObject({ job_id, status: 'queued', ready: false, results: [] });
  const { key } = await desk.openAccount(1);
  const foreign = await desk.tool('check_email_validation_status', { job_id }, key);
  expectRefused(foreign, /validation does not exist/);
});

test('values of a person who is suppressed later are withheld', async () => {
  const desk = await openToolDesk();
  const uuid = await findUuid(desk, 'Engines');
  changeDirectory(desk, "UPDATE person SET opted_out = 1 WHERE first_name = 'Ada'");
  const args = { uuids: [uuid], unlock_type: 'email' };
  expect((await desk.tool('unlock_contacts', args)).data.results[0].status).toBe('not_found');
  expect((await desk.tool('enrich_email', { profile_url: ada })).data.status).toBe('suppressed');
});

test('rate card, wallet and imports are resources, and prompts show a price before a charge', async () => {
  const desk = await openDesk();
  const ask = async (method: string, params: Json = {}) =>
    (await desk.rpc({ jsonrpc: '2.0', id: 1, method, params })).body.result;
  const { resources } = await ask('resources/list');
  const uris = resources.map(({ uri }: Json) => uri);
  expect(uris).toEqual([
    'desk://rate-card',
    'desk://wallet',
    'desk://imports',
    'skill://enrich-a-list/SKILL.md',
  ]);
  const read = async (uri: string) =>
    JSON.parse((await ask('resources/read', { uri })).contents[0].text);
  expect(await read('desk://rate-card')).toMatchObject({
    tools: { email: '1.0000', phone: '5.0000', profile: '1.0000' },
    per_row: expect.arrayContaining([
      { code: 'MPA', price: '5.0000', active: true, label: expect.any(String) },
    ]),
  });
  expect(await read('desk://imports')).toMatchObject([{ source: expect.any(String) }]);
  expect(await read('desk://wallet')).toMatchObject({ available: '100000.0000' });
  const { prompts } = await ask('prompts/list');
  expect(prompts.map(({ name }: Json) => name)).toEqual(['clean_list', 'who_changed_jobs']);
  for (const { name } of prompts) {
    const { messages } = await ask('prompts/get', { name, arguments: { list: 'spring.csv' } });
    expect(messages[0].content.text).toMatch(/spring\.csv.*dry_run true.*wait for my OK/);
  }
});

test('enrich_list takes rows or a path, all layers, and has the limits of any paying call', async () => {
  const desk = await openDesk();
  const rows = [{ email: 'ada@engines.example' }];
  const refusals: [Json, RegExp][] = [
    [{ rows: [], selected_layers: ['L1'] }, /rows/],
    [{ rows, selected_layers: [] }, /selected_layers/],
    [{ rows, selected_layers: ['L2'] }, /L1/],
    [{ rows, selected_layers: ['MPA'] }, /MPA/],
    [{ rows: [{ path: '/etc/passwd' }], selected_layers: ['L1'] }, /path/],
    [{ selected_layers: ['L1'] }, /either rows or a path/],
    [{ rows, path: '/etc/passwd', selected_layers: ['L1'] }, /either rows or a path/],
    [
      { rows, mapping: { email: 'Mail' }, selected_layers: ['L1'] },
      /send a mapping only with a path/,
    ],
    [{ path: '/a', mapping: { mail: 'Mail' }, selected_layers: ['L1'] }, /mail/],
    [{ path: '/etc/passwd', selected_layers: ['L1'] }, /not in an allowed folder/],
  ];
  for (const [args, words] of refusals) expectRefused(await desk.tool('enrich_list', args), words);
  const { key, id, keyId } = await desk.openAccount(1);
  const two = { rows: [...rows, ...rows], selected_layers: ['L1'] };
  expectRefused(await desk.tool('enrich_list', two, key), /insufficient_credits/);
  const capCallUnits = 5_000 as never;
  await desk.environment.writer.changeKey({ accountId: id, id: keyId, capCallUnits });
  const one = { rows, selected_layers: ['L1'] };
  expectRefused(await desk.tool('enrich_list', one, key), /at most 0\.5 in one call/);
  const foreign = await desk.tool('enrich_list', one);
  const { job_id } = foreign.data;
  expectRefused(await desk.tool('check_enrich_list', { job_id }, key), /This job does not exist/);
});
