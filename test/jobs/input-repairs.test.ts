// Input repairs in results, exports and estimates: how rows were read, next to unchanged cells.
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { type Desk, type Json, shareApiDesk } from '../http/open-api-desk.ts';

const people = `person id,first name,last name,title,company,email,is current
a1,Ada,King,Chief,Acme,ada@acme.example,1
b1,Bob,May,Head,Acme,bob@acme.example,1
`;
const openDesk = shareApiDesk({}, { people, provider: null });
const bob = { first_name: 'Bob', last_name: 'May', company_name: 'Acme' };
const exchanged = { first_name: 'King', last_name: 'Ada', company_name: 'Acme' };
const linked = { email: 'mailto:ada@acme.example' };
const order = (rows: readonly object[]) => ({ json: { selected_layers: ['L1'], rows } });

async function enrich(desk: Desk, rows: readonly object[]): Promise<string> {
  const { data } = await desk.call('POST', 'submit/', order(rows));
  await desk.environment.finish(data.job_id);
  return data.job_id;
}

const exchange = [
  { field: 'first_name', rule: 'names_exchanged', from: 'King', to: 'Ada' },
  { field: 'last_name', rule: 'names_exchanged', from: 'Ada', to: 'King' },
];
const link = [
  { field: 'email', rule: 'email_link', from: 'mailto:ada@acme.example', to: 'ada@acme.example' },
];

test('a result row lists its repairs, also in the grid of the app', async () => {
  const desk = await openDesk();
  const jobId = await enrich(desk, [bob, exchanged, linked]);
  const { data } = await desk.call('GET', `result/${jobId}/`);
  expect(data.results.map((row: Json) => row.status)).toEqual(['enriched', 'enriched', 'enriched']);
  expect(data.results.map((row: Json) => row.input_repairs)).toEqual([[], exchange, link]);
  const grid = await desk.app('GET', `jobs/${jobId}/rows`);
  expect(grid.data.rows.map((row: Json) => row.result.input_repairs)).toEqual([[], exchange, link]);
  expect(grid.data.rows[1].input).toContain('King');
});

const readCsv = async (desk: Desk, jobId: string, query = ''): Promise<Json[]> => {
  const { text } = await desk.call('GET', `result/${jobId}/?format=csv${query}`);
  return parse(text, { columns: true });
};

test('the CSV has a column of repairs if a row has any, and the caller’s cells are unchanged', async () => {
  const desk = await openDesk();
  const jobId = await enrich(desk, [bob, exchanged, linked]);
  const rows = await readCsv(desk, jobId);
  expect(rows.map((row) => row['Input repairs'])).toEqual([
    '',
    'first name: "King" → "Ada"; last name: "Ada" → "King"',
    'email: "mailto:ada@acme.example" → "ada@acme.example"',
  ]);
  expect(rows[1]).toMatchObject(exchanged);
  expect(rows[2]).toMatchObject(linked);
  const clean = await enrich(desk, [bob]);
  expect(Object.keys((await readCsv(desk, clean))[0] ?? {}).at(-1)).toBe('Credits charged');
  expect(await readCsv(desk, jobId, '&status=failed')).toEqual([]);
});

test('an estimate counts the repaired rows by kind and shows the first of them', async () => {
  const desk = await openDesk();
  const { data } = await desk.call('POST', 'estimate/', order([bob, exchanged, linked, linked]));
  expect(data.preview.input_repairs).toEqual({ names_exchanged: 1, email_link: 2 });
  expect(data.preview.repaired_rows).toEqual([
    { row_index: 1, input_repairs: exchange },
    { row_index: 2, input_repairs: link },
    { row_index: 3, input_repairs: link },
  ]);
});
