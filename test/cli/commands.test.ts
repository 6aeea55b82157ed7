// Every command returns its documented result, with and without a running engine.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { companies, people } from './lists.ts';
import { makePlace } from './run-desk.ts';

const served = makePlace();
const alone = makePlace();
let engine: EngineHere;
beforeAll(async () => {
  for (const place of [served, alone]) {
    place.write('people.csv', people);
    place.write('companies.csv', companies);
    place.write('names.csv', 'Analytical Engines\nNobody Inc\n');
    place.write('match.csv', 'Name\nAnalytical Engines\nNobody Inc\n');
  }
  engine = await startEngineHere(served.dataDir);
});
afterAll(async () => {
  await engine.stop();
  served.remove();
  alone.remove();
});

const uuid = /^[0-9a-f-]{36}$/;
const credits = (text: string) => expect.stringMatching(new RegExp(`^${text}\\.0000$`));
const wallet = { available: credits('100000'), held: credits('0'), spent: credits('0') };

const importShape = { import_id: 1, status: 'completed', people_added: 3, companies_added: 2 };
const steps: [string[], unknown][] = [
  [['wallet', 'balance'], wallet],
  [['wallet', 'grant', '1.5'], { ...wallet, available: '100001.5000' }],
  [['wallet', 'history', '--limit', '1'], { count: 2, results: [{ kind: 'grant' }] }],
  [['wallet', 'spend', '--by', 'client', '--step', 'week'], { step: 'week', total: '0.0000' }],
  [['accounts', 'create', 'Second'], { id: expect.stringMatching(uuid) }],
  [
    ['accounts', 'list'],
    [{ name: 'Local workspace' }, { name: 'Second' }],
  ],
  [
    ['keys', 'create', '--label', 'crm'],
    { id: expect.stringMatching(uuid), key: expect.stringMatching(/^sk_live_/) },
  ],
  [['keys', 'list'], [{ label: 'crm', revoked_at: null }]],
  [['rates', 'set', 'l1', '0.25'], { code: 'L1', price: '0.2500' }],
  [
    ['rates', 'show'],
    expect.arrayContaining([expect.objectContaining({ code: 'L1', price: '0.2500' })]),
  ],
  [['directory', 'import', 'people.csv', '--companies', 'companies.csv'], importShape],
  [['directory', 'stats'], { people: 3, companies: 2 }],
  [
    ['directory', 'match-companies', 'match.csv', '--out', 'matched.csv'],
    { rows: 2, matched: 1, columns_not_read: [] },
  ],
  [['directory', 'undo', '1'], { import_id: 1, status: 'undone' }],
  [
    ['doctor'],
    expect.arrayContaining([{ name: 'Ledger', state: 'ok', detail: expect.any(String) }]),
  ],
  [
    ['backup', 'copy.tar.gz'],
    { files: 2, path: expect.stringMatching(/copy\.tar\.gz$/), counts: { person: 0 }, damage: [] },
  ],
  [['backup', '--list'], []],
];

test('with a running engine every command answers one line of JSON in its shape', async () => {
  for (const [args, shape] of steps) {
    const { code, stdout, json, stderr } = await served.here(...args, '--json');
    expect({ args, code, stderr }).toMatchObject({ code: 0 });
    expect(json, args.join(' ')).toMatchObject(shape as object);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  }
});

test('with its own engine a command has the same effects', async () => {
  const kept = ['wallet grant 1.5', 'directory import people.csv', 'backup copy.tar.gz'];
  for (const line of kept) {
    const { code, stdout } = await alone.here(...line.split(' '), '--json');
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  }
  const { json } = await alone.run('wallet', 'balance', '--json');
  expect(json).toMatchObject({ available: '100001.5000' });
});

test('accounts create answers {id} and keys create {id, key}, nothing more', async () => {
  const account = await served.here('accounts', 'create', 'Third', '--json');
  expect(Object.keys(account.json)).toEqual(['id']);
  const key = await served.here('keys', 'create', '--label', 'x', '--json');
  expect(Object.keys(key.json)).toEqual(['id', 'key']);
  const revoked = await served.here('keys', 'revoke', String(key.json.id), '--json');
  expect(revoked.json).toMatchObject({ id: key.json.id, revoked_at: expect.any(String) });
});

test('a key has the limits of its creation, and others after keys set', async () => {
  const caps = ['--rate', '600', '--cap-day', '100', '--cap-month', '2500.5'];
  const limits = [...caps, '--cap-call', '20', '--ask-above', '2.5'];
  const made = await served.here('keys', 'create', '--label', 'capped', ...limits, '--json');
  const id = String(made.json.id);
  const find = async () => {
    const { json } = await served.here('keys', 'list', '--json');
    return (json as unknown as Record<string, unknown>[]).find((key) => key.id === id);
  };
  const shown = {
    requests_per_minute: 600,
    cap_per_day: '100.0000',
    cap_per_month: '2500.5000',
    cap_per_call: '20.0000',
    ask_above: '2.5000',
    self_approval: false,
    spent_today: '0.0000',
    spent_this_month: '0.0000',
  };
  expect(await find()).toMatchObject({ label: 'capped', ...shown });
  const set = await served.here(
    'keys',
    'set',
    id,
    '--label',
    'free',
    '--cap-day',
    'none',
    '--json',
  );
  expect(set.json).toMatchObject({ ...shown, label: 'free', cap_per_day: null });
  expect(await find()).toEqual(set.json);
  const { stdout } = await served.here('keys', 'list');
  expect(stdout).toContain('0 of 2,500.5 this month');
  expect(stdout).toContain('at most 20 a request, asks above 2.5');
  const guard = ['--cap-call', 'none', '--ask-above', 'none', '--self-approval', 'on'];
  const freed = await served.here('keys', 'set', id, ...guard, '--json');
  expect(freed.json).toMatchObject({ cap_per_call: null, ask_above: null, self_approval: true });
});

test('accounts set changes for how many days a repeated person is free', async () => {
  const { json } = await served.here('accounts', 'create', 'Weekly', '--json');
  const id = json.id as string;
  const set = (days: string) =>
    served.here('accounts', 'set', id, '--free-repeat-days', days, '--json');
  expect((await set('90')).json).toMatchObject({ name: 'Weekly', free_repeat_days: 90 });
  expect((await set('0')).json).toMatchObject({ free_repeat_days: 0 });
  expect((await set('3651')).json.detail).toContain('Give 0 to 3650');
});

test('accounts set switches inferred emails on and off, and leaves the other rules', async () => {
  const { json } = await served.here('accounts', 'create', 'Guessing', '--json');
  expect(json).toMatchObject({ id: expect.any(String) });
  const set = (...rules: string[]) =>
    served.here('accounts', 'set', json.id as string, ...rules, '--json');
  const both = await set('--infer-emails', 'on', '--free-repeat-days', '7');
  expect(both.json).toMatchObject({ infer_emails: true, free_repeat_days: 7 });
  expect((await set('--monitor-charge', 'changes')).json).toMatchObject({
    monitor_charge: 'changes',
    infer_emails: true,
  });
  expect((await set('--infer-emails', 'off')).json).toMatchObject({
    infer_emails: false,
    free_repeat_days: 7,
  });
  expect((await set('--infer-emails', 'maybe')).json.detail).toContain('neither on nor off');
  expect((await set()).json.detail).toContain('There is nothing to set');
});

test('accounts rename changes only the name', async () => {
  const { json } = await served.here('accounts', 'create', 'Sixth', '--json');
  const id = String(json.id);
  const renamed = await served.here('accounts', 'rename', id, 'Sales', '--json');
  expect(renamed.json).toMatchObject({ id, name: 'Sales', charge_policy: 'row' });
});

test('without --json only the result is on standard output', async () => {
  const account = await served.here('accounts', 'create', 'Fourth');
  expect(account.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
  const key = await served.here('keys', 'create', '--label', 'y');
  expect(key.stdout).toMatch(/^sk_live_\S+\n$/);
  expect(key.stderr).toContain('Keep this key now');
});

const unknown = '00000000-0000-4000-8000-000000000000';

test('--account selects the wallet, keys, prices and history', async () => {
  const { json } = await served.here('accounts', 'create', 'Fifth', '--json');
  const account = ['--account', String(json.id), '--json'];
  await served.here('keys', 'create', '--label', 'theirs', ...account);
  await served.here('rates', 'set', 'L1', '9', ...account);
  const keys = await served.here('keys', 'list', ...account);
  expect(keys.json).toMatchObject([{ label: 'theirs' }]);
  const history = await served.here('wallet', 'history', ...account);
  expect(history.json).toMatchObject({ count: 0 });
  const rates = await served.here('rates', 'show', '--json');
  expect(rates.json).not.toContainEqual(expect.objectContaining({ price: '9.0000' }));
  const own = await served.here('wallet', 'balance', '--account', String(json.id), '--json');
  expect(own.json).toEqual({ available: '0.0000', held: '0.0000', spent: '0.0000' });
});

test.each([
  [['keys', 'revoke', unknown], 'not_found', 'List the ids with "desk keys list"'],
  [['review', 'nonsense', '--out', 'r.csv'], 'not_found', 'List the ids with "desk jobs list"'],
  [['jobs', 'rename', unknown, 'New'], 'not_found', 'exist. List the ids with "desk jobs list"'],
  [['jobs', 'queue', unknown, '1'], 'not_found', 'exist. List the ids with "desk jobs list"'],
  [['pipeline', 'show', unknown], 'not_found', 'exist. List the ids with "desk pipeline list"'],
  [
    ['monitors', 'create', '--job', unknown, '--title', 'T'],
    'not_found',
    'This job does not exist. List the ids with "desk jobs list"',
  ],
  [
    ['webhooks', 'send-again', unknown, '1'],
    'not_found',
    'exist. List the ids with "desk webhooks ',
  ],
  [['directory', 'duplicates', 'undo', '9'], 'not_found', 'duplicates list --merges"'],
  [['directory', 'undo', '999'], 'not_found', '"desk directory stats"'],
  [
    ['wallet', 'balance', '--account', unknown],
    'not_found',
    'exist. List the ids with "desk accounts list"',
  ],
  [['jobs', 'delete', unknown], 'not_found', 'exist. List the ids with "desk jobs list"'],
  [['jobs', 'delete', 'nonsense'], 'not_found', 'List the ids with "desk jobs list"'],
  [['jobs', 'restore', 'nonsense'], 'not_found', 'List the ids with "desk jobs list"'],
  [['accounts', 'create', ' '], 'validation_error', 'NAME: '],
  [['jobs', 'list', '--search', 'x'.repeat(201)], 'validation_error', 'more than 200 characters'],
  [['providers', 'forget', 'nosuch'], 'not_found', 'no provider nosuch. Choose from'],
  [['providers', 'order', 'phone', 'nosuch'], 'validation_error', /^nosuch is not set up\. /],
  [
    ['directory', 'match-companies', 'names.csv', '--no-header', '--out', 'named.csv'],
    'validation_error',
    /Its columns are "Column 1"\. Name columns with --mapping FILE, such as \{"name": "Column 1"\}/,
  ],
  [['backup', `${'x'.repeat(300)}.tar.gz`], 'validation_error', 'Choose a shorter one'],
  [['backup', 'gone/copy.tar.gz'], 'validation_error', ''],
])('desk %j is refused by the engine with exit code 1', async (args, error, words) => {
  const { code, json, stderr } = await served.here(...args, '--json');
  expect(json).toMatchObject({ error });
  expect(stderr).toContain(json.detail);
  expect(json.detail).toMatch(words);
  expect(code).toBe(1);
});
