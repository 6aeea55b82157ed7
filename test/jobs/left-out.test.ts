// Rows that are left out of a job: by their reading, or by choice before the price.
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csv, type Desk, expectRefusal, type Json, shareApiDesk } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const file = () =>
  csv(
    'Name,Email,City',
    'Ada,found@a.example,Rome',
    'Bo,b@b.example,Paris, Texas',
    ',,Oslo',
    'Ada,FOUND@a.example,Rome',
    'Cy,c@c.example,Köln',
  );

const upload = async (desk: Desk): Promise<Json> =>
  (await desk.app('POST', 'uploads', { form: { file: file(), extra_cells: 'leave_out' } })).data;

test('options of a reading are checked, and a list is refused without a decision', async () => {
  const desk = await openDesk();
  const refused = await desk.app('POST', 'uploads', { form: { file: file() } });
  expectRefusal(refused, 'validation_error', /^Line 3 has 4 cells, but the header has 3/);
  const unknown = { form: { file: file(), header: 'perhaps' } };
  expectRefusal(await desk.app('POST', 'uploads', unknown), 'validation_error', /^header: /);
  expect(desk.listLeftovers()).toEqual([]);
});

test('the rows that could be left out are counted and shown by any mapping', async () => {
  const desk = await openDesk();
  const { upload_id } = await upload(desk);
  const check = async (mapping: object) =>
    (await desk.app('POST', `uploads/${upload_id}/check`, { json: { mapping } })).data;
  expect(await check({ email: 1 })).toEqual({
    no_identity: 1,
    duplicates: 1,
    examples: [
      { kind: 'no_identity', row: 1, cells: ['', '', 'Oslo'] },
      { kind: 'duplicates', row: 2, cells: ['Ada', 'FOUND@a.example', 'Rome'] },
    ],
  });
  expect(await check({ title: 2 })).toMatchObject({ no_identity: 4, duplicates: 0 });
});

test('rows that are left out are not priced, and are saved from the job as a file', async () => {
  const desk = await openDesk();
  const { upload_id, mapping } = await upload(desk);
  const json = {
    upload_id,
    mapping,
    selected_layers: ['L1'],
    leave_out: ['no_identity', 'duplicates'],
  };
  const { data: price } = await desk.app('POST', 'estimate', { json });
  expect(price).toMatchObject({ row_count: 2, preview: { sampled: 2 } });
  const { data: job } = await desk.app('POST', 'jobs', { json });
  expect(job).toMatchObject({ total_rows: 2, credits_held: price.credits_needed });
  await desk.environment.finish(job.job_id);
  expect((await desk.app('GET', `jobs/${job.job_id}/left-out`)).data).toEqual({ count: 3 });
  const saved = await desk.app('POST', `jobs/${job.job_id}/left-out/exports`, { json: {} });
  expect(saved.data).toMatchObject({ file_name: 'contacts-left-out.csv', rows: 3 });
  const text = await (await fetch(desk.url + saved.data.download_url)).text();
  expect(parse(text)).toEqual([
    ['Name', 'Email', 'City', 'Extra cells', 'Place', 'Left out because'],
    ['Bo', 'b@b.example', 'Paris', ' Texas', 'Line 3', 'More cells than columns'],
    ['', '', 'Oslo', '', 'Row 2', 'No name, email or profile URL'],
    ['Ada', 'FOUND@a.example', 'Rome', '', 'Row 3', 'Same as an earlier row'],
  ]);
});

test('other choices of one upload have their own rows, and none left is refused', async () => {
  const desk = await openDesk();
  const { upload_id, mapping } = await upload(desk);
  const count = async (leave_out: string[], by = mapping) => {
    const json = { upload_id, mapping: by, selected_layers: ['L1'], leave_out };
    return desk.app('POST', 'estimate', { json });
  };
  const both = ['no_identity', 'duplicates'];
  const counts = [[], ['duplicates'], both, ['no_identity']].map((kinds) => count(kinds));
  expect((await Promise.all(counts)).map(({ data }) => data.row_count)).toEqual([4, 3, 2, 3]);
  const none = await count(['no_identity'], { title: 2 });
  expectRefusal(none, 'bad_rows', /Every row would be left out/);
  expect((await count(both)).data.row_count).toBe(2);
  const { data } = await desk.app('POST', 'jobs', {
    json: { upload_id, selected_layers: ['L1'] },
  });
  // The line that the reading left out belongs to every job of the upload.
  expect((await desk.app('GET', `jobs/${data.job_id}/left-out`)).data).toEqual({ count: 1 });
});

test('corrected cells are priced, tried, matched and saved as the user wrote them', async () => {
  const desk = await openDesk();
  const { upload_id, mapping } = await upload(desk);
  const rows = (await desk.app('GET', `uploads/${upload_id}/rows?limit=2&offset=2`)).data;
  expect(rows).toEqual({
    rows: [
      ['Ada', 'FOUND@a.example', 'Rome'],
      ['Cy', 'c@c.example', 'Köln'],
    ],
  });
  const json = {
    upload_id,
    mapping,
    selected_layers: ['L1'],
    corrections: [
      { row: 3, column: 1, value: 'first@try.example' },
      { row: 3, column: 1, value: 'found@a.example' },
      { row: 99, column: 1, value: 'beyond the list' },
      { row: 0, column: 99, value: 'beyond the columns' },
    ],
  };
  const priced = async (corrections: object[]) => {
    const question = { ...json, leave_out: ['no_identity'], corrections };
    return (await desk.app('POST', 'estimate', { json: question })).data.row_count;
  };
  expect(await priced([])).toBe(3);
  expect(await priced([{ row: 1, column: 1, value: 'now@a.example' }])).toBe(4);
  const { data: tried } = await desk.app('POST', 'trials', { json });
  expect(tried.rows[3]).toMatchObject({ given: expect.arrayContaining(['found@a.example']) });
  const { data: job } = await desk.app('POST', 'jobs', { json });
  await desk.environment.finish(job.job_id);
  const { data: page } = await desk.app('GET', `jobs/${job.job_id}/rows`);
  expect(page.rows.map((row: Json) => row.input)).toEqual([
    ['Ada', 'found@a.example', 'Rome'],
    ['', '', 'Oslo'],
    ['Ada', 'FOUND@a.example', 'Rome'],
    ['Cy', 'found@a.example', 'Köln'],
  ]);
  // The line that the reading left out still belongs to the job.
  expect((await desk.app('GET', `jobs/${job.job_id}/left-out`)).data).toEqual({ count: 1 });
});

test('a list of which only cells were corrected becomes a job without rows left out', async () => {
  const desk = await openDesk();
  const form = { file: csv('Name,Email', 'Ada,found@a.example', 'Bo,b@b.example') };
  const { upload_id } = (await desk.app('POST', 'uploads', { form })).data;
  const corrections = [{ row: 1, column: 0, value: 'Bob' }];
  const json = { upload_id, selected_layers: ['L1'], corrections };
  const { data: job } = await desk.app('POST', 'jobs', { json });
  await desk.environment.finish(job.job_id);
  expect((await desk.app('GET', `jobs/${job.job_id}/left-out`)).data).toEqual({ count: 0 });
  const { data: page } = await desk.app('GET', `jobs/${job.job_id}/rows`);
  expect(page.rows[1].input).toEqual(['Bob', 'b@b.example']);
});
