// `desk suppress`: add, import, list, check and remove.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { makeWorkbook } from '../spreadsheet/make-workbook.ts';
import { makePlace } from './run-desk.ts';

const place = makePlace();
let engine: EngineHere;
beforeAll(async () => {
  engine = await startEngineHere(place.dataDir);
});
afterAll(async () => {
  await engine.stop();
  place.remove();
});

const noneHidden = 'Hidden people in the directory: 0 (0 before), companies: 0 (0 before).';

test('values are added, listed with their day, source and author, checked and removed', async () => {
  const values = ['Ada@B.example', '*.c.example'];
  const added = await place.here('suppress', 'add', ...values, '--reason', 'x');
  expect([added.code, added.last]).toEqual([
    0,
    `2 values added, 0 known, 0 unreadable. ${noneHidden}`,
  ]);
  const unreadable = await place.here('suppress', 'add', 'Acme');
  expect([unreadable.code, unreadable.stdout]).toEqual([
    1,
    expect.stringContaining('value 1: Its kind cannot be recognised. Name the kind: person,'),
  ]);
  expect((await place.here('suppress', 'add', 'Acme', '--kind', 'company')).code).toBe(0);
  const listed = await place.here('suppress', 'list', '--search', 'ada');
  const line = /^\d+ +email +Ada@B\.example +\d{4}-\d\d-\d\d +command_line +Local workspace +x$/m;
  expect(listed.stdout).toMatch(line);
  expect(listed.last).toBe('Entries in the list: 3.');
  const checked = await place.here('suppress', 'check', 'eve@mail.c.example', 'eve@c.example');
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(/^eve@mail\.c\.example: suppressed by .*\*\.c\.example/m);
  expect(checked.stdout).toMatch(/^eve@c\.example: not suppressed$/m);
  const { json } = await place.here('suppress', 'list', '--json');
  const ids = (json.entries as { id: number }[]).map(({ id }) => String(id));
  const removed = await place.here('suppress', 'remove', ...ids);
  expect([removed.code, removed.last]).toEqual([0, `Entries removed: 3. ${noneHidden}`]);
  expect((await place.here('suppress', 'check', 'ada@b.example')).code).toBe(0);
  expect((await place.here('suppress', 'remove', '1')).code).toBe(1);
});

test('entries are removed by their ids or by a job', async () => {
  const jobId = '90000000-0000-4000-8000-000000000000';
  const none = await place.here('suppress', 'remove', '--job', jobId);
  expect([none.code, none.last]).toEqual([
    1,
    'No entry is from a refusal in this job. See desk suppress list.',
  ]);
  for (const words of [[], ['1', '--job', jobId]])
    expect((await place.here('suppress', 'remove', ...words)).code).toBe(2);
});

test('a file is imported with the number of added, known and unreadable lines', async () => {
  place.write('stop.csv', 'email\na@x.example\nA@X.example\nnobody\nno\nnone\n');
  const { code, stdout, last } = await place.here('suppress', 'import', 'stop.csv');
  expect([code, last]).toEqual([1, `1 value added, 1 known, 3 unreadable. ${noneHidden}`]);
  expect(stdout).toContain('line 4: It is not an email address. (2 more like it: lines 5, 6)');
});

test('a workbook and a text of another encoding are imported as lists are', async () => {
  const sheet = [['Company'], ['Ström AB'], ['Lee Ltd']];
  place.write('stop.xlsx', makeWorkbook([sheet]));
  const workbook = await place.here('suppress', 'import', 'stop.xlsx');
  expect([workbook.code, workbook.last]).toEqual([0, expect.stringMatching(/^2 values added/)]);
  place.write('stop.csv', Buffer.from('Firma;E-Mail\r\nStröm AB;\r\n;nobody\r\n', 'latin1'));
  const latin = await place.here('suppress', 'import', 'stop.csv', '--encoding', 'latin1');
  expect([latin.code, latin.last]).toEqual([
    1,
    expect.stringMatching(/^0 values added, 1 known, 1 unreadable/),
  ]);
  expect(latin.stdout).toContain('line 3: It is not an email address.');
});

test('an import puts people who opted out on the list only if it is told to', async () => {
  place.write('people.csv', 'Email,Unsubscribed\nhal@away.example,yes\n');
  const plain = await place.here('directory', 'import', 'people.csv');
  expect([plain.code, plain.stdout]).toEqual([0, expect.stringContaining('1 row opted out')]);
  expect((await place.here('suppress', 'check', 'hal@away.example')).code).toBe(0);
  const told = await place.here('directory', 'import', 'people.csv', '--suppress-opt-outs');
  expect(told.last).toBe('Suppression list: 1 value of people who opted out added');
  expect(told.stdout.match(/columns read:/g)).toHaveLength(1);
  expect((await place.here('suppress', 'check', 'hal@away.example')).code).toBe(1);
});

test('a list of companies whose phones are meant hides companies too, and says how many', async () => {
  place.write('p.csv', 'First name,Last name,Company,Phone\nIda,Berg,Sol AB,\nBo,Ek,Ny AB,\n');
  await place.here('directory', 'import', 'p.csv');
  place.write('stop.csv', 'Company,Phone\nSol AB,+41 79 123 45 67\n');
  const { last } = await place.here('suppress', 'import', 'stop.csv', '--kind', 'phone');
  expect(last).toMatch(/people in the directory: 2 \(1 before\), companies: 1 \(0 before\)\.$/);
});

test('live and staging have one list', async () => {
  await place.here('suppress', 'add', 'one@list.example', '--staging');
  expect((await place.here('suppress', 'check', 'one@list.example')).code).toBe(1);
  await place.here('suppress', 'add', '*.list.example');
  const search = ['--search', 'list.example', '--json'];
  const { json } = await place.here('suppress', 'list', '--staging', ...search);
  expect((json.entries as { value: string }[]).map(({ value }) => value)).toEqual([
    '*.list.example',
    'one@list.example',
  ]);
});

test.each([
  [['add', 'a@x.example', '--kind', 'fax'], /--kind is fax/],
  [['remove', 'a@x.example'], /is not the id of an entry/],
  [['list', '--before', 'x'], /--before is x/],
  [['import', 'none.csv'], /There is no file .*none\.csv/],
])('suppress %j is bad usage', async (args, detail) => {
  const { code, stderr } = await place.here('suppress', ...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(detail)]);
});
