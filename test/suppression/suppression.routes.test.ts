// The suppression list in the app, and what it changes everywhere else.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { csv, expectRefusal } from '../http/open-api-desk.ts';
import { makeWorkbook } from '../spreadsheet/make-workbook.ts';
import { importSuppressions, openSuppressionDesk, runJob, suppress } from './suppression-desk.ts';

const ada = { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines' };
const bob = { first_name: 'Bob', last_name: 'Quill', company_name: 'Engines' };
const cleo = { first_name: 'Cleo', last_name: 'Park', company_name: 'Globex' };
const remote = { first_name: 'Eve', last_name: 'Remote', company_name: 'Far' };

const outcomes = (answer: { data?: unknown; body?: unknown }) =>
  (answer.body as { data: { results: { status: string; reason: string }[] } }).data.results.map(
    ({ status, reason }) => `${status} ${reason}`.trim(),
  );

test('the list is added to, imported, searched, checked and shortened', async () => {
  const { desk } = await openSuppressionDesk();
  const added = await suppress(desk, 'MAILTO:Ada@Engines.example', 'b.com', 'what');
  expect(added.data).toMatchObject({
    added: 2,
    known: 0,
    unreadable: 1,
    people_before: 0,
    people: 1,
  });
  expect(added.data.remarks).toEqual([{ line: 3, what: expect.stringContaining('kind') }]);
  const again = await suppress(desk, 'ada@engines.example');
  expect(again.data).toMatchObject({ added: 0, known: 1 });
  const list = csv('Email,Company,Reason', 'x@y.example,,left', ',Acme Inc,', 'not an address,,');
  const imported = await importSuppressions(desk, list);
  expect(imported.data).toMatchObject({
    added: 2,
    known: 0,
    unreadable: 1,
    remarks: [{ line: 4, what: 'It is not an email address.' }],
  });
  const listed = await desk.app('GET', 'suppression?search=ADA');
  expect(listed.data).toMatchObject({
    total: 4,
    next: null,
    entries: [
      {
        kind: 'email',
        value: 'MAILTO:Ada@Engines.example',
        reason: 'asked',
        source: 'app',
        author: 'Local workspace',
      },
    ],
  });
  const first = await desk.app('GET', 'suppression?limit=1');
  const second = await desk.app('GET', `suppression?limit=1&before=${first.data.next}`);
  expect([first, second].map(({ data }) => data.entries[0].value)).toEqual([
    'Acme Inc',
    'x@y.example',
  ]);
  const json = { values: [{ value: 'z@mail.b.com' }, { value: 'c.com' }] };
  const checked = await desk.app('POST', 'suppression-checks', { json });
  expect(checked.data).toMatchObject([
    { value: 'z@mail.b.com', suppressed: true, entries: [{ value: 'b.com' }] },
    { value: 'c.com', suppressed: false, entries: [] },
  ]);
  const bad = { json: { values: [{ value: 'what' }] } };
  expectRefusal(await desk.app('POST', 'suppression-checks', bad), 'validation_error', /kind/);
  const [entry] = listed.data.entries;
  const removal = { json: { ids: [entry.id, 999] } };
  const removed = await desk.app('POST', 'suppression-removals', removal);
  expect(removed.data).toEqual({
    removed: 1,
    people: 0,
    people_before: 1,
    companies: 0,
    companies_before: 0,
  });
});

// What a file is, and the values that its import adds.
test.each<[what: string, file: string | Buffer, name: string, values: string[]]>([
  [
    'values without column names',
    'a.example\n*.b.example\n',
    'stop.txt',
    ['a.example', '*.b.example'],
  ],
  ['one value', 'a.example\n', 'stop.txt', ['a.example']],
  [
    'rows with several values',
    'Email\na@x.example,b@x.example\n"c@x.example; d@x.example"\n',
    'stop.csv',
    ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'],
  ],
  [
    'rows without column names, with names and several addresses',
    'Ann Lee,ann@ola.example,2024-05-01\nbo@ola.example,bo@home.example,asked\n',
    'stop.csv',
    ['ann@ola.example', 'bo@ola.example', 'bo@home.example'],
  ],
  [
    'recipients of a mail',
    '"Lee, Ann" <ann@ola.example>; Bo Kim <bo@ola.example>',
    'stop.txt',
    ['ann@ola.example', 'bo@ola.example'],
  ],
  [
    'notes, a total, a company of that name and a footer',
    'Our list\n\nCompany,Reason\nOla Ltd,asked\nTotal,asked\nTotal,2\n\nPage 1 of 1\n',
    'stop.csv',
    ['Ola Ltd', 'Total', 'Total'],
  ],
  [
    'a status, which keeps those who may be contacted',
    'Email,Status\na@x.example,Unsubscribed\nb@x.example,Subscribed\nc@x.example,Bounced\n',
    'stop.csv',
    ['a@x.example', 'c@x.example'],
  ],
  ['a workbook', makeWorkbook([[['Domain'], ['a.example']]]), 'stop.xlsx', ['a.example']],
  [
    'letters of another encoding',
    Buffer.from('Firma\r\nStröm AB\r\n', 'latin1'),
    'f.csv',
    ['Ström AB'],
  ],
])('a list of values is read as any other list: %s', async (_what, file, name, values) => {
  const { desk } = await openSuppressionDesk();
  const imported = await importSuppressions(
    desk,
    new Blob([typeof file === 'string' ? file : Uint8Array.from(file)]),
    name,
  );
  expect([imported.data.unreadable, imported.data.remarks]).toEqual([0, []]);
  const { entries } = (await desk.app('GET', 'suppression')).data;
  const listed = entries.map(({ value }: { value: string }) => value).reverse();
  expect(listed).toEqual([...new Set(values)]);
  expect(desk.listLeftovers()).toEqual([]);
});

test('a row that names a suppressed value in any cell is free, unmatched and not sent', async () => {
  const { desk, requests } = await openSuppressionDesk();
  await suppress(desk, '+41 79 100 00 99', 'far.example', { kind: 'company', value: 'Globex Ltd' });
  const jobId = await runJob(desk, [
    { ...ada, note: 'call 0041 79 100 00 99' },
    { ...remote, website: 'https://shop.far.example/x' },
    cleo,
    bob,
  ]);
  const result = await desk.call('GET', `result/${jobId}`);
  expect(outcomes(result)).toEqual([
    'skipped suppressed',
    'skipped suppressed',
    'skipped suppressed',
    'enriched',
  ]);
  expect(requests).toEqual([]);
  const status = await desk.call('GET', `status/${jobId}`);
  expect(status.data.credits_charged).toBe('6.0000');
});

test('a value that a data service answers is suppressed, also if a job runs meanwhile', async () => {
  const { desk } = await openSuppressionDesk();
  const json = { selected_layers: ['L1'], rows: [bob, remote, ada] };
  const { job_id: jobId } = (await desk.call('POST', 'submit/', { json })).data;
  desk.environment.gate.hold();
  await suppress(desk, 'eve@remote.example', 'ada@engines.example');
  await desk.environment.finish(jobId);
  expect(outcomes(await desk.call('GET', `result/${jobId}`))).toEqual([
    'enriched',
    'skipped suppressed',
    'skipped suppressed',
  ]);
});

test('stored results of a person who is suppressed later reveal nothing, and return after a removal', async () => {
  const { desk } = await openSuppressionDesk();
  const jobId = await runJob(desk, [{ ...ada, client_reference_id: 'r1' }, bob]);
  const read = () => desk.call('GET', `result/${jobId}`);
  const exported = () => desk.call('GET', `result/${jobId}?format=csv`);
  const before = await read();
  expect(before.text).toContain('ada@engines.example');
  const charged = (await desk.call('GET', `status/${jobId}`)).data.credits_charged;
  await suppress(desk, '+41 79 100 00 01');
  const after = await read();
  expect(outcomes(after)).toEqual(['skipped suppressed', 'enriched']);
  expect(after.data.results[0]).toMatchObject({
    client_reference_id: 'r1',
    enriched_fields: {},
    provenance: {},
    candidates: [],
    upstream_contact_uuid: '',
    credits_charged: '0.0000',
  });
  const grid = await desk.app('GET', `jobs/${jobId}/rows`);
  const csv = await exported();
  for (const { text } of [after, grid, csv])
    expect(text).not.toMatch(/ada|lovelace|\+41791000001/i);
  expect((await desk.call('GET', `status/${jobId}`)).data.credits_charged).toBe(charged);
  const [entry] = (await desk.app('GET', 'suppression')).data.entries;
  await desk.app('POST', 'suppression-removals', { json: { ids: [entry.id] } });
  expect((await read()).text).toBe(before.text);
});

test('a person is suppressed by an address, a page, a number, an employer or a domain', async () => {
  const { desk } = await openSuppressionDesk();
  const read = async () => {
    const json = { profile_url: 'https://www.linkedin.com/in/ada' };
    const url = `/email/enrichment/?token=${desk.key}`;
    const { status } = await desk.call('POST', url, { key: null, json });
    const found = await desk.app('POST', 'directory/search/contacts', { json: { limit: 10 } });
    return `${status} ${found.text.includes('Lovelace')}`;
  };
  for (const value of [
    'ada@engines.example',
    'http://linkedin.com/in/ada/',
    '+41791000001',
    'engines.example',
    { kind: 'company', value: 'Engines' },
    'Ada Lovelace | Engines',
  ]) {
    await suppress(desk, value);
    expect([value, await read()]).toEqual([value, '404 false']);
    const [entry] = (await desk.app('GET', 'suppression')).data.entries;
    await desk.app('POST', 'suppression-removals', { json: { ids: [entry.id] } });
  }
  // The index of the last removal is built in the background.
  await expect.poll(read).toBe('200 true');
});

test('on request, people who opted out in an import stay suppressed after it is undone', async () => {
  const { desk } = await openSuppressionDesk();
  const path = `${desk.environment.folder}/opted-out.csv`;
  const lines = ['Email,Do Not Email', 'fay@away.example,yes', 'gus@away.example,no', ''];
  writeFileSync(path, lines.join('\n'));
  const { reader } = desk.environment;
  const { import_id: importId } = await reader.importDirectory({ peoplePath: path });
  const check = async () => {
    const json = { values: [{ value: 'fay@away.example' }, { value: 'gus@away.example' }] };
    const { data } = await desk.app('POST', 'suppression-checks', { json });
    return data.map(({ suppressed }: { suppressed: boolean }) => suppressed);
  };
  expect(await check()).toEqual([false, false]);
  const added = await desk.app('POST', 'suppression-opt-outs');
  expect(added.data).toMatchObject({ added: 1, known: 0, unreadable: 0 });
  await reader.undoImport({ importId });
  expect(await check()).toEqual([true, false]);
});
