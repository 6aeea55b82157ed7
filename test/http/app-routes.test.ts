// /app/v1 other than uploads and jobs: state, events, accounts, keys, wallet, rates, directory,
// doctor, backup.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatCredits } from '../../engine/contract/credits.ts';
import type { ImportReport } from '../../engine/contract/directory.ts';
import { AppStateSchema } from '../../engine/contract/engine.ts';
import { defaultRates } from '../../engine/contract/rates.ts';
import {
  csv,
  type Desk,
  expectRefusal,
  type Json,
  openApiDesk,
  sessionToken,
  shareApiDesk,
} from './open-api-desk.ts';

const openDesk = shareApiDesk();

test('GET /state is the data of the sidebar and the first screen', async () => {
  const desk = await openApiDesk();
  const { data } = await desk.app('GET', 'state');
  expect(AppStateSchema.strict().parse(data)).toMatchObject({
    version: '1.2.3',
    environment: 'live',
    url: desk.url,
    port: Number(new URL(desk.url).port),
    account: { name: 'Local workspace', charge_policy: 'row' },
    wallet: { available: '100000.0000', held: '0.0000', spent: '0.0000' },
    running_jobs: 0,
    sample: { loaded: false, import_id: null },
  });
});

/** Reads the given number of events of some types; comments are skipped. */
async function readEvents(
  desk: Desk,
  { count, types, account }: { count: number; types: readonly string[]; account?: string },
): Promise<{
  events: Promise<Json[]>;
  firstComment: string;
}> {
  const headers = { 'x-desk-session': sessionToken, ...(account && { 'x-desk-account': account }) };
  const response = await fetch(`${desk.url}/app/v1/events`, { headers });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const firstComment = (await reader.read()).value ?? '';
  const collect = async () => {
    let text = '';
    const found = (): Json[] =>
      text
        .split('\n\n')
        .slice(0, -1)
        .filter((part) => part.startsWith('data: '))
        .map((part) => JSON.parse(part.slice(6)))
        .filter(({ type }) => types.includes(type));
    while (found().length < count) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    return found();
  };
  return { events: collect(), firstComment };
}

async function importPeople(desk: Desk, more: object = {}): Promise<ImportReport> {
  const path = join(desk.environment.folder, 'new people.csv');
  writeFileSync(path, 'First name,Last name,Company\nEve,New,Acme\n');
  const json = { people_path: path, ...more };
  const { status, data } = await desk.app('POST', 'directory/imports?wait=1', { json });
  expect(status).toBe(200);
  return data;
}

test('GET /events streams events of the account and the environment to every reader', async () => {
  const desk = await openApiDesk();
  const { data: other } = await desk.app('POST', 'accounts', { json: { name: 'Other' } });
  const types = ['wallet', 'import'];
  const mine = await readEvents(desk, { count: 2, types });
  const theirs = await readEvents(desk, { count: 1, types, account: other.id });
  expect(mine.firstComment).toBe(': open\n\n');
  const { data: wallet } = await desk.app('POST', 'wallet/grants', { json: { credits: 1 } });
  const report = await importPeople(desk);
  expect(await mine.events).toEqual([
    { type: 'wallet', wallet },
    { type: 'import', report },
  ]);
  expect(await theirs.events).toEqual([{ type: 'import', report }]);
});

test('a server that stops ends its event streams', async () => {
  const desk = await openApiDesk();
  const { events } = await readEvents(desk, { count: 1, types: ['wallet'] });
  await desk.stop();
  expect(await events).toEqual([]);
});

test('accounts are created, listed and changed; a new one starts empty', async () => {
  const desk = await openApiDesk();
  const made = await desk.app('POST', 'accounts', { json: { name: ' Second ' } });
  expect([made.status, made.data.name]).toEqual([201, 'Second']);
  const names = (await desk.app('GET', 'accounts')).data.map((account: Json) => account.name);
  expect(names).toEqual(['Local workspace', 'Second']);
  const change = { charge_policy: 'layers_found', match_threshold: 0.9 };
  const changed = await desk.app('PATCH', `accounts/${made.data.id}`, { json: change });
  expect(changed.data).toMatchObject(change);
  const unknown = 'accounts/00000000-0000-4000-8000-000000000000';
  const missing = await desk.app('PATCH', unknown, { json: change });
  expectRefusal(missing, 'not_found', /List your accounts to find its id/);
  expectRefusal(await desk.app('POST', 'accounts', { json: { name: ' ' } }), 'validation_error');
  const wrong = { match_threshold: 0.4 };
  const refused = await desk.app('PATCH', `accounts/${made.data.id}`, { json: wrong });
  expectRefusal(refused, 'validation_error', /^match_threshold: /);
});

test('a key is shown once, listed without its secret, and revoked', async () => {
  const desk = await openDesk();
  const made = await desk.app('POST', 'keys', { json: { label: 'CRM sync' } });
  expect(made.status).toBe(201);
  expect(made.data.key).toMatch(/^sk_live_/);
  const list = await desk.app('GET', 'keys');
  expect(list.text).not.toContain(made.data.key);
  expect(list.data.at(-1)).toMatchObject({ id: made.data.id, label: 'CRM sync', revoked_at: null });
  expect((await desk.app('DELETE', `keys/${made.data.id}`)).data.revoked_at).not.toBeNull();
  const unknown = await desk.app('DELETE', 'keys/00000000-0000-4000-8000-000000000000');
  expectRefusal(unknown, 'not_found');
});

test('credits are granted and the ledger lists it, newest first', async () => {
  const desk = await openDesk();
  const { status, data } = await desk.app('POST', 'wallet/grants', { json: { credits: '12.5' } });
  expect([status, data.available]).toEqual([201, '100012.5000']);
  await desk.app('POST', 'wallet/grants', { json: { credits: 3 } });
  const page = (await desk.app('GET', 'wallet/entries?limit=2')).data;
  expect(page).toMatchObject({ count: 3, previous: null });
  expect(page.next).toContain('/app/v1/wallet/entries?limit=2&offset=2');
  expect(page.results.map((entry: Json) => [entry.kind, entry.amount])).toEqual([
    ['grant', '3.0000'],
    ['grant', '12.5000'],
  ]);
});

test.each([0, -1, '0', '1.23456', 'x', '', '100000000.0001'])(
  'a grant of %j credits is refused',
  async (credits) => {
    const desk = await openDesk();
    const answer = await desk.app('POST', 'wallet/grants', { json: { credits } });
    expectRefusal(answer, 'validation_error', /^credits: /);
    expect((await desk.app('GET', 'wallet')).data.available).toBe('100000.0000');
  },
);

test('rates are shown and changed, and a free layer is allowed', async () => {
  const desk = await openDesk();
  const { data } = await desk.app('GET', 'rates');
  const prices = defaultRates.map(({ code, defaultUnits }) => [code, formatCredits(defaultUnits)]);
  expect(data.map((rate: Json) => [rate.code, rate.price])).toEqual(prices);
  const changed = await desk.app('PUT', 'rates/L1', { json: { price: '0' } });
  expect(changed.data).toMatchObject({ code: 'L1', price: '0.0000', active: true });
  const off = await desk.app('PUT', 'rates/L4', { json: { active: false } });
  expect(off.data).toMatchObject({ code: 'L4', price: '0.5000', active: false });
  for (const price of ['-1', '1000.0001', 'free'])
    expectRefusal(await desk.app('PUT', 'rates/L1', { json: { price } }), 'validation_error');
  expectRefusal(await desk.app('PUT', 'rates/L9', { json: { price: '1' } }), 'not_found');
});

/** The directory's record of its newest import. */
const readOrigin = (desk: Desk) =>
  desk.environment.directoryDatabase
    .prepare('SELECT source, observed_on, trust FROM source_import ORDER BY id DESC')
    .get();

test('an import by form is waited for with wait=1, and its files are deleted afterwards', async () => {
  const desk = await openApiDesk();
  const people = csv('First name,Last name,Company', 'Eve,New,Acme');
  const form = { source: 'crm', observed: '2026-01-01', trust: '0.9', people };
  const { status, data } = await desk.app('POST', 'directory/imports?wait=1', { form });
  expect(status).toBe(200);
  expect(data).toMatchObject({
    source: 'crm',
    file_names: ['contacts.csv'],
    status: 'completed',
    rows_read: 1,
    people_added: 1,
    error: null,
  });
  expect(readOrigin(desk)).toEqual({ source: 'crm', observed_on: '2026-01-01', trust: 0.9 });
  expect(desk.listLeftovers()).toEqual([]);
});

test('without wait an import is 202 at once, keeps its files until its end, and reports a failure', async () => {
  const desk = await openApiDesk();
  const { events } = await readEvents(desk, { count: 1, types: ['import'] });
  const { status, data } = await desk.app('POST', 'directory/imports', {
    form: { companies: csv('Company name', 'Acme', '"open') },
  });
  expect([status, data]).toEqual([202, { task: 'import' }]);
  expect(await events).toMatchObject([
    { type: 'import', report: { status: 'failed', error: expect.stringMatching(/line 3/i) } },
  ]);
  await desk.stop();
  expect(desk.listLeftovers()).toEqual([]);
});

test('an import by path reads files of this machine', async () => {
  const desk = await openApiDesk();
  const companies = join(desk.environment.folder, 'companies.csv');
  writeFileSync(companies, 'Company name,Domain\nInitech,initech.example\n');
  const report = await importPeople(desk, { companies_path: companies, trust: 1 });
  expect(report).toMatchObject({ people_added: 1, companies_added: 1, rows_read: 2 });
  expect(report.file_names.toSorted()).toEqual(['companies.csv', 'new people.csv']);
  expect(readOrigin(desk)).toMatchObject({ trust: 1 });
  const wait = (body: object) => desk.app('POST', 'directory/imports', { json: body });
  expectRefusal(await wait({}), 'bad_rows');
  expectRefusal(await wait({ people_path: 'people.csv' }), 'validation_error', /absolute/);
  expectRefusal(await wait({ people_path: '/a', trust: 2 }), 'validation_error', /^trust: /);
  expectRefusal(
    await wait({ people_path: '/a', observed: 'today' }),
    'validation_error',
    /^observed/,
  );
  const bad = await desk.app('POST', 'directory/imports', {
    form: { trust: 'x', people: csv('a') },
  });
  expectRefusal(bad, 'validation_error', /^trust: /);
});

test('an import is undone by its number', async () => {
  const desk = await openApiDesk();
  const { import_id: id } = await importPeople(desk);
  const { data } = await desk.app('POST', `directory/imports/${id}/undo`);
  expect(data).toMatchObject({ import_id: id, status: 'undone' });
  expectRefusal(await desk.app('POST', 'directory/imports/x/undo'), 'not_found');
});

test('the sample is imported, and undone by name as often as it was imported', async () => {
  const desk = await openApiDesk();
  expectRefusal(await desk.app('DELETE', 'directory/sample'), 'not_found');
  // The source marks an import as the sample; other tests import the real one.
  const first = await importPeople(desk, { source: 'Sample directory' });
  const again = await importPeople(desk, { source: 'Sample directory' });
  const readSample = async () => (await desk.app('GET', 'state')).data.sample;
  expect(await readSample()).toEqual({ loaded: true, import_id: again.import_id });
  const undone = (await desk.app('DELETE', 'directory/sample')).data;
  expect(undone).toMatchObject({ import_id: first.import_id, status: 'undone' });
  expect(await readSample()).toEqual({ loaded: false, import_id: null });
  // The end of the test cancels it.
  expect((await desk.app('POST', 'directory/sample')).data).toEqual({ task: 'import' });
});

test('companies are matched from file to file', async () => {
  const desk = await openApiDesk();
  const path = join(desk.environment.folder, 'companies.csv');
  const outPath = join(desk.environment.folder, 'matched.csv');
  writeFileSync(path, 'Company name\nAcme\nNobody Knows Them\n');
  const match = (json: object) => desk.app('POST', 'directory/match-companies', { json });
  expect((await match({ path, out_path: outPath })).data).toEqual({
    rows: 2,
    matched: 1,
    not_read: [],
    not_read_count: 0,
    columns_not_read: [],
  });
  expect(readFileSync(outPath, 'utf8')).toContain('Nobody Knows Them');
  writeFileSync(path, 'Firma / Company\nAcme\nNobody Knows Them\n');
  expect((await match({ path, out_path: outPath })).data).toMatchObject({ rows: 2, matched: 1 });
  writeFileSync(path, '# from the fair\nKunde XY^Q7\nAcme^1\nNobody Knows Them^2\n');
  const mapping = { name: 'Kunde XY' };
  const mapped = await match({ path, out_path: outPath, mapping, reading: { header_line: 2 } });
  expect(mapped.data).toMatchObject({
    rows: 2,
    matched: 1,
    not_read: [{ line: 1 }],
    columns_not_read: ['Q7'],
  });
  const unknown = { path, out_path: outPath, mapping: { name: 'Firma' } };
  expectRefusal(await match(unknown), 'validation_error', /^mapping\.name: the file has no column/);
  expectRefusal(await match({ path: 'a.csv', out_path: outPath }), 'validation_error', /^path: /);
  expectRefusal(await match({ path: '/a.csv' }), 'validation_error', /^out_path: /);
});

test('doctor checks everything, and a backup is one file', async () => {
  const desk = await openApiDesk();
  const checks: Json[] = (await desk.app('GET', 'doctor')).data;
  expect(checks.length).toBeGreaterThan(3);
  expect(checks.filter((check) => check.state === 'wrong')).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'desk-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'desk.tar.gz');
  const { status, data } = await desk.app('POST', 'backup', { json: { path } });
  expect([status, data.path, existsSync(path)]).toEqual([200, path, true]);
  expect(data).toMatchObject({ damage: [], counts: { job: 0, ledger_entry: 1 } });
  expectRefusal(await desk.app('POST', 'backup', { json: { path: 'x' } }), 'validation_error');
});

test('an update asks for an automatic backup, which is listed', async () => {
  const desk = await openApiDesk();
  expect((await desk.app('GET', 'backups')).data).toEqual([]);
  const { data: made } = await desk.app('POST', 'backups', { json: { reason: 'update' } });
  expect((await desk.app('GET', 'backups')).data).toEqual([
    { path: made.path, reason: 'update', made_at: expect.any(String), bytes: made.bytes },
  ]);
  const own = await desk.app('POST', 'backups', { json: { reason: 'migration' } });
  expectRefusal(own, 'validation_error', /^reason: /);
});
