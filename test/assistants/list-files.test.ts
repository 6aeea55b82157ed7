// enrich_list by the path of a file, with the official clients: the readable files, and the answer
// for all others.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listFoldersMax } from '../../engine/contract/limits/assistants.ts';
import { csvUploadBytesMax } from '../../engine/contract/limits/spreadsheet.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import {
  deleteSharedDirectory,
  putSharedDirectory,
} from '../../engine/shared/settings/shared-directory.table.ts';
import type { Json } from '../http/open-api-desk.ts';
import { farCellRefusal, makeFarCell, makeWorkbook } from '../spreadsheet/make-workbook.ts';
import { connectAsking, newest } from './asking-client.ts';
import { shareToolDesk, type ToolDesk } from './open-tool-desk.ts';
import { connectClient, type ToolClient } from './tool-client.ts';

const openDesk = shareToolDesk();

interface ListDesk extends ToolDesk {
  readonly client: ToolClient;
  /** Contains "lists", which is allowed, and "secret", which is not. */
  readonly dir: string;
  /** Writes a file beneath `dir` and returns its path. */
  write(name: string, text: string | Uint8Array): string;
  allow(folder: string): Promise<Json>;
  enrich(path: string, more?: Json): ReturnType<ToolClient['call']>;
}

const two = 'Work Email,Note\nfound@a.example,private words\nmissed@a.example,more of them\n';

async function openListDesk(): Promise<ListDesk> {
  const desk = await openDesk();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'desk-lists-')));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const name of ['lists/2026', 'secret']) mkdirSync(join(dir, name), { recursive: true });
  const client = await connectClient(`${desk.url}/api/v1/mcp`, desk.key);
  const allow: ListDesk['allow'] = async (folder) => {
    const answer = await desk.app('POST', 'assistants/folders', { json: { path: folder } });
    expect(answer.status).toBe(201);
    return answer.data;
  };
  await allow(join(dir, 'lists'));
  return {
    ...desk,
    client,
    dir,
    allow,
    write(name, text) {
      const path = join(dir, name);
      writeFileSync(path, text);
      return path;
    },
    enrich: (path, more = {}) =>
      client.call('enrich_list', { path, selected_layers: ['L1'], ...more }),
  };
}

const outOfReach = (path: string) => ({
  isError: true,
  said:
    `${path} is not in an allowed folder, or cannot be read. Check the path. The user can ` +
    'allow its folder in Connections, or open the file in the app. (forbidden)',
});

async function expectNothing(desk: ListDesk): Promise<void> {
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
  expect(desk.listLeftovers()).toEqual([]);
}

test('a whole file is enriched by its path', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/2026/spring.csv', two);
  const client = await connectClient(`${desk.url}/api/v1/mcp`, desk.key);
  const args = { path, selected_layers: ['L1'], title: 'Spring' };
  const dry = await client.call('enrich_list', { ...args, dry_run: true });
  expect(dry.data).toMatchObject({ total_rows: 2, credits_at_most: '2.0000', dry_run: true });
  await expectNothing(desk);
  const started = await client.call('enrich_list', args);
  expect(started.data).toMatchObject({ status: 'queued', credits_held: '2.0000' });
  // The job has its own rows.
  rmSync(path);
  const { job_id } = started.data;
  await desk.environment.finish(job_id);
  const checked = await client.call('check_enrich_list', { job_id });
  expect(checked.data).toMatchObject({
    status: 'completed',
    title: 'Spring',
    total_rows: 2,
    credits_charged: '1.0000',
    results: [{ status: 'enriched' }, { status: 'skipped' }],
  });
  expect(desk.listLeftovers()).toEqual([]);
  expect(verifyLedger(desk.environment.database)).toEqual([]);
});

test('an inferred email of a row is a text that names it as one', async () => {
  const desk = await openListDesk();
  const started = await desk.enrich(desk.write('lists/inferred.csv', two));
  const { job_id } = started.data;
  await desk.environment.finish(job_id);
  const store = openStore(desk.environment.folder);
  const stored = JSON.stringify(['found@a.com', 0.93, '{first}', 4, 5, 1, '2026-11-20']);
  store.prepare('UPDATE result SET inferred = ? WHERE status = 0').run(stored);
  store.close();
  const { data } = await desk.client.call('check_enrich_list', { job_id });
  expect(data.results).toMatchObject([
    { status: 'enriched', inferred_email: 'found@a.com (inferred, probability 0.93)' },
    { status: 'skipped', inferred_email: '' },
  ]);
});

test('a dry run says that the directory of a team, which it does not ask, may answer more', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/team.csv', two);
  expect((await desk.enrich(path, { dry_run: true })).data.has_team).toBeUndefined();
  const store = openStore(desk.environment.folder);
  onTestFinished(() => {
    deleteSharedDirectory(store);
    store.close();
  });
  putSharedDirectory(store, {
    address: 'postgres://a@localhost/team',
    hasSecret: 0,
    isOn: 1,
    matchesHere: 0,
    setAt: '2026-11-20T00:00:00.000Z',
    entry: 'entry',
    sealed: null,
  });
  expect((await desk.enrich(path, { dry_run: true })).data.has_team).toBe(true);
});

test('a workbook is read as the app reads it', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/people.xlsx', makeWorkbook([[['Email'], ['a@b.example']]]));
  expect((await desk.enrich(path, { dry_run: true })).data).toMatchObject({ total_rows: 1 });
  const { isError, said } = await desk.enrich(desk.write('lists/far.xlsx', makeFarCell()));
  expect([isError, said]).toEqual([true, `${farCellRefusal} (validation_error)`]);
  await expectNothing(desk);
});

test('any other path has one and the same answer, whether it exists or not', async () => {
  const desk = await openListDesk();
  const { dir } = desk;
  const secret = desk.write('secret/people.csv', two);
  mkdirSync(join(dir, 'lists-of-others'));
  const near = desk.write('lists-of-others/people.csv', two);
  const own = join(desk.environment.folder, 'people.csv');
  symlinkSync(secret, join(dir, 'lists/file-link.csv'));
  symlinkSync(join(dir, 'secret'), join(dir, 'lists/folder-link'));
  symlinkSync(join(dir, 'nowhere'), join(dir, 'lists/dead-link.csv'));
  symlinkSync(own, join(dir, 'lists/own.csv'));
  desk.write('lists/people.csv', two);
  const paths = [
    secret,
    near,
    own,
    dir,
    join(dir, 'lists'),
    '/',
    '/etc/passwd',
    '/dev/zero',
    join(dir, 'secret/missing.csv'),
    join(dir, 'lists/missing.csv'),
    join(dir, 'lists/people.csv/missing.csv'),
    `${dir}/lists/../secret/people.csv`,
    ...['file-link.csv', 'folder-link/people.csv', 'dead-link.csv', 'own.csv'].map((name) =>
      join(dir, 'lists', name),
    ),
    `${dir}/lists/people.csv\0.png`,
    '\\\\server\\share\\people.csv',
  ];
  for (const path of paths) {
    const isAbsolute = path.startsWith('/') && !path.includes('\0');
    const refusal = isAbsolute ? outOfReach(path) : { isError: true };
    expect(await desk.enrich(path), path).toMatchObject(refusal);
  }
  for (const path of ['people.csv', './people.csv', '~other/people.csv', 'file:///etc/passwd'])
    expect((await desk.enrich(path)).said).toMatch(/send an absolute path.*validation_error/);
  await expectNothing(desk);
});

test('links within the allowed folder are followed, and ~/ is the home folder', async () => {
  const desk = await openListDesk();
  vi.stubEnv('HOME', desk.dir);
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = desk.write('lists/2026/spring.csv', two);
  symlinkSync(path, join(desk.dir, 'lists/newest.csv'));
  symlinkSync(join(desk.dir, 'lists'), join(desk.dir, 'linked'));
  const ways = ['lists/newest.csv', 'lists/./2026/../newest.csv'];
  for (const way of ways)
    expect((await desk.enrich(`~/${way}`, { dry_run: true })).data.total_rows).toBe(2);
  const linked = join(desk.dir, 'linked/newest.csv');
  expect(await desk.enrich(linked)).toMatchObject(outOfReach(linked));
  expect(await desk.allow('~/linked')).toMatchObject({
    path: join(desk.dir, 'linked'),
    real_path: join(desk.dir, 'lists'),
  });
  expect((await desk.enrich(linked, { dry_run: true })).data.total_rows).toBe(2);
});

test('an allowed folder that was replaced by a link is no longer allowed', async () => {
  const desk = await openListDesk();
  desk.write('secret/people.csv', two);
  renameSync(join(desk.dir, 'lists'), join(desk.dir, 'before'));
  symlinkSync(join(desk.dir, 'secret'), join(desk.dir, 'lists'));
  const path = join(desk.dir, 'lists/people.csv');
  expect(await desk.enrich(path)).toMatchObject(outOfReach(path));
  await expectNothing(desk);
});

test('files of the engine are no lists, whatever folder around them is allowed', async () => {
  const desk = await openListDesk();
  await desk.allow(join(desk.environment.folder, '..'));
  const path = join(realpathSync(desk.environment.folder), 'people.csv');
  writeFileSync(path, two);
  expect(await desk.enrich(path)).toMatchObject(outOfReach(path));
});

test('a file that is not a list is refused without showing its content', async () => {
  const desk = await openListDesk();
  const { dir } = desk;
  execFileSync('mkfifo', [join(dir, 'lists/pipe.csv')]);
  const large = desk.write('lists/large.csv', two);
  truncateSync(large, csvUploadBytesMax + 1);
  desk.write('lists/binary.csv', 'PK\x03\x04\0\0\0 no list \0');
  desk.write('lists/empty.csv', '');
  desk.write('lists/header.csv', 'Work Email\n');
  desk.write('lists/diary.txt', 'Dear diary; private words\nmore of them\n');
  desk.write('lists/people.csv', two);
  const refusals: [string, RegExp, Json?][] = [
    ['2026', /2026 is a folder or a device/],
    ['pipe.csv', /pipe\.csv is a folder or a device/],
    ['large.csv', /larger than 100 MB/],
    ['binary.csv', /archive|neither text/],
    ['empty.csv', /file is empty/],
    ['header.csv', /no rows/],
    ['diary.txt', /No column header of the file is recognised/],
    ['people.csv', /no column "Mail"/, { mapping: { email: 'Mail' } }],
    ['people.csv', /L1/, { selected_layers: ['L2'] }],
  ];
  for (const [name, words, more] of refusals) {
    const answer = await desk.enrich(join(dir, 'lists', name), more);
    expect(answer).toMatchObject({ isError: true, said: expect.stringMatching(words) });
    expect(answer.said).not.toMatch(/private|more of them|Work Email|Note/);
  }
  await expectNothing(desk);
});

test('a mapping names the columns, and no answer contains their cells', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/odd.csv', 'Who,What\nfound@a.example,private words\n');
  const mapping = { email: 'Who', client_reference_id: 'What' };
  const { job_id } = (await desk.enrich(path, { mapping })).data;
  await desk.environment.finish(job_id);
  const checked = await desk.client.call('check_enrich_list', { job_id });
  expect(checked.data.results).toMatchObject([{ status: 'enriched', client_reference_id: '' }]);
  expect(JSON.stringify(checked)).not.toContain('private');
});

test('under an idempotency key the same file is one job, and another file a conflict', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/people.csv', two);
  const once = { idempotency_key: 'spring' };
  const { job_id } = (await desk.enrich(path, once)).data;
  expect((await desk.enrich(path, once)).data.job_id).toBe(job_id);
  desk.write('lists/people.csv', two.replace('missed', 'found'));
  const changed = await desk.enrich(path, once);
  expect(changed).toMatchObject({
    isError: true,
    said: expect.stringContaining('idempotency_conflict'),
  });
  expect(await desk.readWallet()).toBe('99998.0000 0.0000');
  expect(desk.listLeftovers()).toEqual([]);
});

test('the limit of a call and the wallet apply to a file as to rows', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/people.csv', two);
  const [key] = (await desk.app('GET', 'keys')).data;
  await desk.app('PATCH', `assistants/${key.id}`, { json: { cap_per_call: 1 } });
  expect((await desk.enrich(path)).said).toMatch(/at most 1 in one call/);
  await desk.app('PATCH', `assistants/${key.id}`, { json: { cap_per_call: null } });
  const { accountId } = desk;
  await desk.environment.writer.setRate({
    accountId,
    code: 'L1',
    priceUnits: 500_010_000 as never,
  });
  expect((await desk.enrich(path)).said).toMatch(/insufficient_credits/);
  await expectNothing(desk);
});

test('above the threshold a person approves the price of the whole file', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/people.csv', two);
  const [key] = (await desk.app('GET', 'keys')).data;
  await desk.app('PATCH', `assistants/${key.id}`, { json: { ask_above: 1, self_approval: true } });
  const decisions = [false, true];
  const { client, asked } = await connectAsking(desk, { version: newest, decisions });
  const order = { name: 'enrich_list', arguments: { path, selected_layers: ['L1'] } };
  expect(await client.callTool(order)).toMatchObject({ isError: true });
  await expectNothing(desk);
  const allowed = await client.callTool(order);
  expect(allowed.structuredContent).toMatchObject({ credits_held: '2.0000', total_rows: 2 });
  expect(asked[1]).toMatch(/enrich_list would cost up to 2 credits: .*people\.csv/);
  expect(desk.listLeftovers()).toEqual([]);
});

test('only the app allows folders, for one account, from the next call on', async () => {
  const desk = await openListDesk();
  const path = desk.write('lists/people.csv', two);
  const other = await desk.openAccount(100);
  const foreign = await connectClient(`${desk.url}/api/v1/mcp`, other.key);
  const args = { path, selected_layers: ['L1'] };
  expect(await foreign.call('enrich_list', args)).toMatchObject(outOfReach(path));
  for (const method of ['GET', 'POST']) {
    const json = method === 'POST' ? { path: desk.dir } : undefined;
    const answer = await desk.call(method, '/app/v1/assistants/folders', { json });
    expect(answer.status).toBe(401);
  }
  const [folder] = (await desk.app('GET', 'assistants/folders')).data;
  expect(folder).toMatchObject({ path: join(desk.dir, 'lists') });
  const gone = `assistants/folders/${folder.id}`;
  expect((await desk.call('DELETE', `/app/v1/${gone}`)).status).toBe(401);
  const list = (await desk.app('GET', 'accounts')).data;
  const headers = { 'x-desk-account': list[1].id };
  expect((await desk.app('DELETE', gone, { headers })).status).toBe(404);
  expect((await desk.app('DELETE', gone)).data).toEqual([]);
  expect((await desk.app('DELETE', gone)).status).toBe(404);
  expect(await desk.enrich(path)).toMatchObject(outOfReach(path));
});

test('a folder that cannot be allowed is refused with the reason', async () => {
  const desk = await openListDesk();
  const file = desk.write('lists/people.csv', two);
  const refusals: [string, RegExp][] = [
    ['lists', /not an absolute path/],
    ['/', /root of a disk/],
    [file, /does not exist/],
    [join(desk.dir, 'missing'), /does not exist/],
    [desk.environment.folder, /the engine's own files/],
    [join(desk.environment.folder, 'jobs'), /does not exist|the engine's own files/],
  ];
  for (const [path, words] of refusals) {
    const answer = await desk.app('POST', 'assistants/folders', { json: { path } });
    expect(answer.body).toMatchObject({
      error: 'validation_error',
      detail: expect.stringMatching(words),
    });
  }
  const one = join(desk.dir, 'lists');
  const again = await desk.allow(one);
  expect((await desk.app('GET', 'assistants/folders')).data).toEqual([again]);
  for (let at = 1; at < listFoldersMax; at += 1) {
    mkdirSync(join(one, `${at}`));
    await desk.allow(join(one, `${at}`));
  }
  const json = { path: join(one, '2026') };
  const full = await desk.app('POST', 'assistants/folders', { json });
  expect(full.body.detail).toMatch(/at most 100 folders/);
  expect((await desk.app('GET', 'assistants/folders')).data).toHaveLength(listFoldersMax);
});
