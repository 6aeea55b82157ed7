// Exports of a job over HTTP: formats, the preview of rules, refusals.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csv, type Desk, expectRefusal, shareApiDesk } from '../../http/open-api-desk.ts';
import { makeFolder, readOther, readOwn } from '../../spreadsheet/export/read-exported.ts';
import { makeWorkbook } from '../../spreadsheet/make-workbook.ts';

const openDesk = shareApiDesk();
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function openJob(note = '=1+1'): Promise<{ desk: Desk; path: string }> {
  const desk = await openDesk();
  const lines = ['Id,First Name,Work Email,Company,Note', `007,,found@a.example,,"${note}"`];
  const form = { file: csv(...lines, '008,Bo,nobody@b.example,Beta,') };
  const { data: upload } = await desk.app('POST', 'uploads', { form });
  const { data: job } = await desk.app('POST', 'jobs', {
    json: { upload_id: upload.upload_id, selected_layers: ['L1'] },
  });
  await desk.environment.finish(job.job_id);
  return { desk, path: `jobs/${job.job_id}/exports` };
}

const never = { columns: { Company: { rule: 'never' } } };
const own = [
  ['Id', 'First Name', 'Work Email', 'Company', 'Note'],
  ['007', 'Ada', 'found@a.example', '', '=1+1'],
  ['008', 'Bo', 'nobody@b.example', 'Beta', ''],
];

test('the preview counts what a file with the same rules has, and neither is charged', async () => {
  const { desk, path } = await openJob();
  const { data: before } = await desk.app('GET', 'wallet');
  const { data: diff } = await desk.app('POST', `${path}/preview`, { json: { overwrite: never } });
  expect(diff).toMatchObject({ rows: 2, changed_rows: 1, changed_cells: 1, headers: own[0] });
  const counts = diff.columns.map((one: { column: string; counts: object }) => [
    one.column,
    one.counts,
  ]);
  const none = { filled: 0, replaced: 0, kept: 0, same: 0, not_found: 1 };
  expect(counts).toEqual([
    ['First Name', { ...none, filled: 1 }],
    ['Work Email', { ...none, same: 1 }],
    ['Company', { ...none, kept: 1 }],
  ]);
  const out = join(makeFolder(), 'out.xlsx');
  const json = { path: out, format: 'xlsx', overwrite: never };
  const { data } = await desk.app('POST', path, { json });
  expect(data).toEqual({
    path: out,
    download_url: null,
    file_name: 'contacts-enriched.xlsx',
    rows: 2,
    diff,
    records: null,
    suppressed: 0,
  });
  const read = await readOwn(out);
  expect(read.map((row) => own[0]!.map((_header, at) => row[at] ?? ''))).toEqual(own);
  const changes = await readOther(out, 'Changes');
  expect(changes[1]?.slice(0, 5)).toEqual([2, 'First Name', null, 'Ada', 'crm.csv']);
  expect((await desk.app('GET', 'wallet')).data).toEqual(before);
});

test('a file has the chosen columns in their order, in both formats', async () => {
  const { desk, path } = await openJob('=1+1');
  const columns = ['found:First name', 'input:4', 'reason', 'input:0'];
  const names = ['First name (enriched)', 'Note', 'Enrichment reason', 'Id'];
  const out = join(makeFolder(), 'out.xlsx');
  await desk.app('POST', path, { json: { path: out, format: 'xlsx', columns } });
  expect(await readOwn(out)).toEqual([
    names,
    ['Ada', '=1+1', '', '007'],
    ['', '', 'no_match', '008'],
  ]);
  const list = join(makeFolder(), 'out.csv');
  await desk.app('POST', path, {
    json: { path: list, columns, rows: 'shown', status: 'enriched' },
  });
  expect(readFileSync(list, 'utf8')).toBe(`${names.join(',')}\r\nAda,=1+1,,007\r\n`);
  for (const [json, place] of [
    [{ columns: ['input:5'] }, /^columns\.0: /],
    [{ columns: ['reason', 'found:Nothing'] }, /^columns\.1: /],
    [{ columns, overwrite: {} }, /columns/],
  ] as const)
    expectRefusal(await desk.app('POST', path, { json }), 'validation_error', place);
});

test('a workbook is downloaded with its own type and name', async () => {
  const { desk, path } = await openJob();
  const json = { format: 'xlsx', rows: 'shown', status: 'skipped' };
  const { data } = await desk.app('POST', path, { json });
  expect(data).toMatchObject({ path: null, file_name: 'contacts-enriched.xlsx', rows: 1 });
  const answer = await fetch(desk.url + data.download_url);
  expect(answer.headers.get('content-type')).toBe(xlsxType);
  expect(answer.headers.get('content-disposition')).toContain('contacts-enriched.xlsx');
  const file = join(makeFolder(), 'list.xlsx');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const [header, row, ...rest] = await readOther(file);
  expect(rest).toEqual([]);
  expect(row?.slice(0, 4)).toEqual(own[2]?.slice(0, 4));
  // Credits are a number, ids are not.
  expect(row?.[header?.indexOf('Credits charged') ?? -1]).toBe(0);
});

test('a cell that Excel does not open is refused before there is a URL or a file', async () => {
  const { desk, path } = await openJob('x'.repeat(32_768));
  const refusal = /Cell E2 \(column "Note"\) has 32,768 characters.*Save as CSV/;
  expectRefusal(
    await desk.app('POST', path, { json: { format: 'xlsx' } }),
    'validation_error',
    refusal,
  );
  const folder = makeFolder();
  const json = { format: 'xlsx', path: join(folder, 'out.xlsx') };
  expectRefusal(await desk.app('POST', path, { json }), 'validation_error', refusal);
  expect(readdirSync(folder)).toEqual([]);
  expect((await desk.app('POST', path, { json: {} })).status).toBe(200);
});

test.each<[object, RegExp]>([
  [{ overwrite: { columns: { Note: { rule: 'newest' } } } }, /^overwrite\.columns\.Note\.rule: /],
  [{ overwrite: { columns: { Note: { rule: 'fill_empty' } } } }, /\["Note"\]: no found field/],
  [{ overwrite: { columns: { Nope: { rule: 'never' } } } }, /\["Nope"\]: the sheet has no column/],
  [{ status: 'enriched' }, /^status: .*rows: "shown"/],
])('the body %j is refused by the export and by its preview', async (json, message) => {
  const { desk, path } = await openJob();
  expectRefusal(await desk.app('POST', path, { json }), 'validation_error', message);
  const preview = await desk.app('POST', `${path}/preview`, { json });
  expectRefusal(preview, 'validation_error', message);
});

test('a format that is not known is refused with those that are', async () => {
  const { desk, path } = await openJob();
  const answer = await desk.app('POST', path, { json: { format: 'xls' } });
  expectRefusal(answer, 'validation_error', /^format: .*"csv".*"xlsx"/);
});

test('every header that an export adds has capitals in its first word and in abbreviations alone', async () => {
  const desk = await openDesk();
  const form = { file: csv('Vorname', 'Ada'), selected_layers: 'full' };
  const { data } = await desk.call('POST', 'submit/', { form });
  await desk.environment.finish(data.job_id);
  const { text } = await desk.call('GET', `result/${data.job_id}/?format=csv&sources=true`);
  const headers = (text.split('\r\n')[0] ?? '').split(',');
  expect(headers).toEqual(
    expect.arrayContaining(['Contact state', 'Company state', 'Profile URL']),
  );
  const usual = /^[A-Z][a-z]*(?: (?:[a-z]+|[A-Z]{2,}))*$/;
  expect(headers.filter((name) => !usual.test(name))).toEqual([]);
});

test.each([
  ['event.XLSX', 'xlsx'],
  ['event.xlsm', 'xlsx'],
  ['event.ods', 'xlsx'],
  ['event.csv', 'csv'],
  ['event', 'csv'],
])('the format for %s is %s unless another one is chosen', async (name, format) => {
  const desk = await openDesk();
  const sheet = makeWorkbook([[['First Name'], ['Größe']]]);
  const content = format === 'xlsx' ? new Uint8Array(sheet) : csv('First Name', 'Größe');
  const form = { file: new File([content], name) };
  const { data: upload } = await desk.app('POST', 'uploads', { form });
  const { data: job } = await desk.app('POST', 'jobs', {
    json: { upload_id: upload.upload_id, selected_layers: ['L1'] },
  });
  await desk.environment.finish(job.job_id);
  const { data } = await desk.app('GET', `jobs/${job.job_id}/exports/record-ids`);
  expect(data.format).toBe(format);
});

test('a workbook for a CRM has one sheet, and the guessed record id can be read', async () => {
  const { desk, path } = await openJob();
  const { data } = await desk.app('GET', `${path}/record-ids`);
  expect(data).toMatchObject({
    format: 'csv',
    headers: own[0],
    guesses: { pipedrive: 'Id' },
    lists: [{ kind: 'people', source: 'crm.csv', crms: [] }],
    own_columns: ['Id in crm.csv'],
  });
  const out = join(makeFolder(), 'crm.xlsx');
  const preset = { crm: 'pipedrive' };
  const json = { path: out, format: 'xlsx', preset, overwrite: never };
  const answer = await desk.app('POST', path, { json });
  expect(answer.data).toMatchObject({ rows: 2, diff: { changed_cells: 1 } });
  expect((await readOwn(out)).map((row) => row.slice(0, 3))).toEqual([
    ['Person - ID', 'Person - Email - Work', 'Person - Name'],
    ['007', 'found@a.example', 'Ada Byron'],
    ['008', 'nobody@b.example', 'Bo'],
  ]);
  await expect(readOther(out, 'Changes')).rejects.toThrow();
  // Two downloads of one list have two names.
  for (const [records, name] of [
    ['known', 'contacts-pipedrive.csv'],
    ['new', 'contacts-pipedrive-new.csv'],
  ]) {
    const { data } = await desk.app('POST', path, { json: { preset: { ...preset, records } } });
    expect(data.file_name).toBe(name);
    const download = await fetch(desk.url + data.download_url);
    expect(download.headers.get('content-disposition')).toContain(`"${name}"`);
  }
  const marked = { for_excel: true, preset };
  expectRefusal(await desk.app('POST', path, { json: marked }), 'validation_error', /^for_excel: /);
  const unknown = { preset: { crm: 'hubspot', record_id: 'None' } };
  expectRefusal(
    await desk.app('POST', path, { json: unknown }),
    'validation_error',
    /^record_id: /,
  );
});
