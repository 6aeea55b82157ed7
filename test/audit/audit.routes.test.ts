// The audit log in the app: pages, filters, exports, and who may read it.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../engine/contract/audit/audit.ts';
import { expectRefusal } from '../http/open-api-desk.ts';
import { readOther } from '../spreadsheet/export/read-exported.ts';
import {
  bob,
  json,
  lookUp,
  makeKey,
  other,
  outPath,
  readLog,
  shareAuditDesk,
} from './audit-desk.ts';

const openDesk = shareAuditDesk();

test('the log has no value of a person and no secret, and an API key cannot read it', async () => {
  const desk = await openDesk();
  await lookUp(desk);
  const log = JSON.stringify(await readLog(desk));
  expect(log).not.toMatch(/@|linkedin|stop|Lee|sk_(live|test)_[\w-]{8}/);
  for (const path of ['audit', 'audit-state']) {
    const answer = await desk.call('GET', `/app/v1/${path}`);
    expect(answer.status).toBe(401);
  }
  expect((await desk.call('POST', '/app/v1/audit-exports', json({}))).status).toBe(401);
});

test('the list is read in pages, by action, actor and time', async () => {
  const desk = await openDesk();
  const body = { selected_layers: ['L1'], rows: [bob] };
  for (const title of ['a', 'b', 'c']) await desk.call('POST', 'submit/', json({ ...body, title }));
  const [newest] = await readLog(desk);
  const mine = '&action=job_started&actor=TESTS';
  const first = await desk.app('GET', `audit?limit=2${mine}`);
  const second = await desk.app('GET', `audit?limit=2${mine}&before=${first.data.next}`);
  const ids = [first, second].flatMap(({ data }) => data.entries.map(({ id }: AuditEntry) => id));
  expect(ids.slice(0, 3)).toEqual([newest?.id, (newest?.id ?? 0) - 1, (newest?.id ?? 0) - 2]);
  expect(first.data).toMatchObject({
    total: newest?.id,
    actors: expect.arrayContaining(['engine', 'tests']),
  });
  expect(await readLog(desk, `&since=${newest?.at}`)).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: newest?.id })]),
  );
  expect(await readLog(desk, '&since=2099-01-01')).toEqual([]);
  expect(await readLog(desk, '&actor=stranger')).toEqual([]);
  for (const query of ['action=nope', 'since=yesterday', 'actor=', 'before=0', 'limit=1001'])
    expect((await desk.app('GET', `audit?${query}`)).status).toBe(400);
});

test('the CSV has the filtered entries in the order of the chain, and no cell is a formula', async () => {
  const desk = await openDesk();
  const { key } = await makeKey(desk, { label: '=cmd|x' });
  await lookUp(desk, key, other);
  const path = outPath('formula.csv');
  const { data } = await desk.app('POST', 'audit-exports', json({ path, actor: '=CMD|x' }));
  expect(data).toMatchObject({ path, rows: 1, download_url: null });
  const [header, line, end] = readFileSync(path, 'utf8').split('\r\n');
  expect(header).toMatch(/^Entry,Time,Environment,.*,Hash$/);
  expect(line).toMatch(/,api_key,'=cmd\|x,sk_live_.*values_unlocked,.*,1,1.0000,.*,[0-9a-f]{64}$/);
  expect(end).toBe('');
  const ticket = await desk.app('POST', 'audit-exports', json({ for_excel: true }));
  const file = await desk.call('GET', ticket.data.download_url, { key: null });
  expect(file.text.trim().split('\n').length).toBe(ticket.data.rows + 1);
});

test('a workbook has numbers for entries, rows and credits, and text for everything else', async () => {
  const desk = await openDesk();
  const { key } = await makeKey(desk, { label: '=cmd|y' });
  await lookUp(desk, key, other);
  const [newest] = await readLog(desk);
  const path = outPath('log.xlsx');
  const { data } = await desk.app(
    'POST',
    'audit-exports',
    json({ path, format: 'xlsx', actor: '=cmd|y' }),
  );
  expect(data).toMatchObject({ path, rows: 1, file_name: 'Audit log.xlsx' });
  const [header = [], ...rows] = await readOther(path);
  const cells = rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at]])));
  expect(cells).toEqual([
    expect.objectContaining({
      Entry: newest?.id,
      Actor: '=cmd|y',
      Action: 'values_unlocked',
      Rows: 1,
      Credits: 1,
      Hash: newest?.hash,
    }),
  ]);
});

test('an export to a folder that does not exist, or to a folder, is refused and not recorded', async () => {
  const desk = await openDesk();
  const before = (await readLog(desk)).length;
  const save = (path: string) => desk.app('POST', 'audit-exports', json({ path }));
  const missing = outPath('none');
  expectRefusal(
    await save(`${missing}/log.csv`),
    'validation_error',
    /^The folder .*none does not exist\. Create it, or choose another path for the export\.$/,
  );
  expectRefusal(await save(outPath('')), 'validation_error', /is a folder\. Choose a file/);
  expect(readdirSync(outPath(''))).not.toContain('none');
  expect(await readLog(desk)).toHaveLength(before);
});
