// /app/v1 beside uploads and jobs: state, events, accounts, keys, wallet, rates, directory,
// doctor, backup.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formatCredits } from '../../engine/contract/credits.ts';
import { type ImportReport, startImportCounts } from '../../engine/contract/directory.ts';
import { AppStateSchema } from '../../engine/contract/engine.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import { defaultRates } from '../../engine/contract/rates.ts';
import { csv, type Desk, expectRefusal, type Json, openDesk, sessionToken } from './open-desk.ts';

test('GET /state is what the rail and the first screen show', async () => {
  const desk = await openDesk();
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

/** Reads events until so many have come; comments are left out. */
async function readEvents(
  desk: Desk,
  count: number,
  account?: string,
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
    const found = () =>
      text
        .split('\n\n')
        .slice(0, -1)
        .filter((part) => part.startsWith('data: '));
    while (found().length < count) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    return found().map((part) => JSON.parse(part.slice(6)));
  };
  return { events: collect(), firstComment };
}

test('GET /events streams what concerns the account and the world, to every reader', async () => {
  const desk = await openDesk();
  const other = await desk.environment.writer.createAccount({ name: 'Other' });
  const wallet = { available: '1.0000', held: '0.0000', spent: '0.0000' };
  const progress = { task: 'import', label: 'a.csv', done: 1, total: 2, unit: 'rows' } as const;
  const mine = await readEvents(desk, 2);
  const theirs = await readEvents(desk, 1, other.id);
  expect(mine.firstComment).toBe(': open\n\n');
  desk.environment.emit({ type: 'wallet', wallet }, desk.accountId);
  desk.environment.emit({ type: 'task', progress }, null);
  expect(await mine.events).toEqual([
    { type: 'wallet', wallet },
    { type: 'task', progress },
  ]);
  expect(await theirs.events).toEqual([{ type: 'task', progress }]);
});

test('a server that ends, ends its event streams', async () => {
  const desk = await openDesk();
  const { events } = await readEvents(desk, 1);
  await desk.stop();
  expect(await events).toEqual([]);
});

test('accounts are made, listed and changed; a new one starts empty', async () => {
  const desk = await openDesk();
  const made = await desk.app('POST', 'accounts', { json: { name: ' Second ' } });
  expect([made.status, made.data.name]).toEqual([201, 'Second']);
  const names = (await desk.app('GET', 'accounts')).data.map((account: Json) => account.name);
  expect(names).toEqual(['Local workspace', 'Second']);
  const change = { charge_policy: 'layers_found', match_threshold: 0.9 };
  const changed = await desk.app('PATCH', `accounts/${made.data.id}`, { json: change });
  expect(changed.data).toMatchObject(change);
  const unknown = 'accounts/00000000-0000-4000-8000-000000000000';
  expectRefusal(await desk.app('PATCH', unknown, { json: change }), 'not_found');
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

test('credits are granted and the ledger shows it, newest first', async () => {
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

const report: ImportReport = {
  import_id: 7,
  source: 'crm',
  file_names: ['people.csv'],
  status: 'completed',
  ...startImportCounts(),
  rows_read: 1,
  people_added: 1,
  remarks: [],
  error: null,
  started_at: '2026-01-01T00:00:00.000Z',
  completed_at: '2026-01-01T00:00:01.000Z',
};

test('an import by form is waited for with wait=1, and its files are gone afterwards', async () => {
  const desk = await openDesk();
  const seen: Json[] = [];
  desk.environment.directory.importDirectory = async (command) => {
    seen.push({ ...command, text: readFileSync(command.peoplePath ?? '', 'utf8') });
    return report;
  };
  const form = { source: 'crm', observed: '2026-01-01', trust: '0.9', people: csv('a', 'b') };
  const { status, data } = await desk.app('POST', 'directory/imports?wait=1', { form });
  expect([status, data]).toEqual([200, report]);
  expect(seen).toMatchObject([
    {
      source: 'crm',
      observed: '2026-01-01',
      trust: 0.9,
      peopleName: 'contacts.csv',
      text: 'a\r\nb\r\n',
    },
  ]);
  expect(desk.listLeftovers()).toEqual([]);
});

test('without wait an import answers 202 at once, keeps its files until its end, and tells of a failure', async () => {
  const desk = await openDesk();
  const release = Promise.withResolvers<void>();
  let path = '';
  desk.environment.directory.importDirectory = async (command) => {
    path = command.companiesPath ?? '';
    await release.promise;
    throw new EngineError('validation_error', existsSync(path) ? 'Line 3 is broken.' : 'gone');
  };
  const { events } = await readEvents(desk, 1);
  const { status, data } = await desk.app('POST', 'directory/imports', {
    form: { companies: csv('a', 'b') },
  });
  expect([status, data]).toEqual([202, { task: 'import' }]);
  release.resolve();
  expect(await events).toMatchObject([
    { type: 'import', report: { status: 'failed', error: 'Line 3 is broken.' } },
  ]);
  await desk.stop();
  expect(desk.listLeftovers()).toEqual([]);
});

test('an import by path names files of this machine', async () => {
  const desk = await openDesk();
  const seen: Json[] = [];
  desk.environment.directory.importDirectory = async (command) => {
    seen.push(command);
    return report;
  };
  const json = { people_path: '/a/people.csv', companies_path: '/a/companies.csv', trust: 1 };
  const { data } = await desk.app('POST', 'directory/imports?wait=1', { json });
  expect(data).toEqual(report);
  expect(seen).toEqual([
    { trust: 1, peoplePath: '/a/people.csv', companiesPath: '/a/companies.csv' },
  ]);
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

test('an import is undone by its number, and the sample by name', async () => {
  const desk = await openDesk();
  const undone: number[] = [];
  const stats = await desk.environment.reader.directoryStats();
  const sample = { ...report, import_id: 3, source: 'Sample directory' };
  Object.assign(desk.environment.directory, {
    importSample: async () => sample,
    undoImport: async ({ importId }: { importId: number }) => {
      undone.push(importId);
      return { ...report, import_id: importId, status: 'undone' };
    },
  });
  expect((await desk.app('POST', 'directory/imports/7/undo')).data.status).toBe('undone');
  expectRefusal(await desk.app('POST', 'directory/imports/x/undo'), 'not_found');
  expectRefusal(await desk.app('DELETE', 'directory/sample'), 'not_found');
  expect((await desk.app('POST', 'directory/sample?wait=1')).data).toEqual(sample);
  expect((await desk.app('POST', 'directory/sample')).data).toEqual({ task: 'import' });
  desk.environment.directory.directoryStats = async () => ({ ...stats, imports: [report, sample] });
  expect((await desk.app('GET', 'state')).data.sample).toEqual({ loaded: true, import_id: 3 });
  expect((await desk.app('DELETE', 'directory/sample')).data.import_id).toBe(3);
  expect(undone).toEqual([7, 3]);
});

test('companies are matched from file to file', async () => {
  const desk = await openDesk();
  desk.environment.directory.matchCompanies = async () => ({ rows: 5, matched: 4 });
  const match = (json: object) => desk.app('POST', 'directory/match-companies', { json });
  expect((await match({ path: '/a.csv', out_path: '/b.csv' })).data).toEqual({
    rows: 5,
    matched: 4,
  });
  expectRefusal(await match({ path: 'a.csv', out_path: '/b.csv' }), 'validation_error', /^path: /);
  expectRefusal(await match({ path: '/a.csv' }), 'validation_error', /^out_path: /);
});

test('doctor looks at everything, and a backup is one file', async () => {
  const desk = await openDesk();
  // Makes its file, which the environment of this test does at its first use.
  expect(desk.environment.directoryDatabase.open).toBe(true);
  const checks: Json[] = (await desk.app('GET', 'doctor')).data;
  expect(checks.length).toBeGreaterThan(3);
  expect(checks.filter((check) => check.state === 'wrong')).toEqual([]);
  const folder = mkdtempSync(join(tmpdir(), 'desk-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'desk.tar.gz');
  desk.environment.directory.copyDirectory = (command) =>
    desk.environment.writer.copyStore(command);
  const { status, data } = await desk.app('POST', 'backup', { json: { path } });
  expect([status, data.path, existsSync(path)]).toEqual([200, path, true]);
  expectRefusal(await desk.app('POST', 'backup', { json: { path: 'x' } }), 'validation_error');
});
