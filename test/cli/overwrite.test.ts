// `desk enrich --overwrite RULES.json`, and workbooks: the diff, the file, what is refused.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { readOther, readOwn } from '../spreadsheet/export/read-exported.ts';
import { companies, contacts, people } from './lists.ts';
import { servePlace } from './serve-place.ts';

let jobId = '';
const given = parse(contacts) as string[][];
const rules = { columns: { Company: { rule: 'trusted', sources: ['people.csv'] } } };

const place = servePlace(async () => {
  place.write('contacts.csv', contacts);
  place.write('people.csv', people);
  place.write('companies.csv', companies);
  place.write('rules.json', JSON.stringify(rules));
  await place.here('directory', 'import', 'people.csv', '--companies', 'companies.csv');
  const args = [
    'enrich',
    'contacts.csv',
    '--layers',
    'L1',
    '--out',
    'plain.csv',
    '--yes',
    '--json',
  ];
  jobId = (await place.here(...args)).json.job_id as string;
});

const enrich = (...args: string[]) =>
  place.here('enrich', 'contacts.csv', '--layers', 'L1', ...args);
const resume = (...args: string[]) => place.here('enrich', '--resume', jobId, ...args);

test('own columns are written with found values by the rules, and the diff is printed', async () => {
  const run = await enrich('--out', 'own.csv', '--overwrite', 'rules.json', '--yes');
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/Column +Found in +Rule +Filled +Replaced +Kept +Same +Not found/);
  expect(run.stderr).toMatch(/Company +Current company name +trusted +0 +1 +0 +1 +2/);
  expect(run.stderr).toMatch(
    /row 2: "Analytical Engines" → "Compilers United" \(people\.csv, \d{4}-\d\d-\d\d\)/,
  );
  expect(run.last).toMatch(/2 values in 1 row changed: .*own\.csv$/);
  const rows = parse(readFileSync(join(place.dir, 'own.csv'))) as string[][];
  const changed = given.map((row) => [...row]);
  changed[2]![3] = 'Compilers United';
  changed[2]![4] = 'grace@compilers.example';
  expect(rows).toEqual(changed);
});

test('a dry run prints the diff of a finished job and writes nothing', async () => {
  const files = readdirSync(place.dir);
  const run = await resume('--overwrite', 'rules.json', '--dry-run');
  expect(run.code).toBe(0);
  expect(run.stdout).toContain('Compilers United');
  expect(run.last).toBe('Dry run: 2 values in 1 row changed.');
  const { json } = await resume('--overwrite', 'rules.json', '--dry-run', '--json');
  expect(json).toMatchObject({ rows: 4, changed_rows: 1, changed_cells: 2 });
  expect(readdirSync(place.dir)).toEqual(files);
});

test('OUT.xlsx is a workbook, with the changes in a sheet of their own', async () => {
  const run = await resume('--out', 'own.xlsx', '--overwrite', 'rules.json', '--json');
  expect(run.json).toMatchObject({ out: join(place.dir, 'own.xlsx'), diff: { changed_cells: 2 } });
  const changes = await readOther(join(place.dir, 'own.xlsx'), 'Changes');
  expect(changes.slice(1).map((row) => row.slice(0, 4))).toEqual([
    [3, 'Company', 'Analytical Engines', 'Compilers United'],
    [3, 'Work Email', null, 'grace@compilers.example'],
  ]);
  expect((await resume('--out', 'all.XLSX')).code).toBe(0);
  const [header, ...rows] = await readOwn(join(place.dir, 'all.XLSX'));
  expect(header?.slice(0, 7)).toEqual([...given[0]!, 'First name (enriched)']);
  // Ids, formulas and phones of the list are unchanged.
  expect(rows.map((row) => row[5])).toEqual(given.slice(1).map((row) => row[5]));
});

test('a preset writes the record id of the chosen column, and the columns of the CRM', async () => {
  const id = given[0]![0]!;
  const run = await resume('--out', 'crm.csv', '--preset', 'hubspot', '--record-id', id, '--json');
  expect(run.code).toBe(0);
  const lines = parse(readFileSync(join(place.dir, 'crm.csv'))) as string[][];
  expect(lines[0]?.slice(0, 4)).toEqual(['Record ID', 'First Name', 'Last Name', 'Company Name']);
  expect(lines.map((cells) => cells[0]).slice(1)).toEqual(given.slice(1).map((row) => row[0]));
});

test.each([
  ['{"columns":{"Company":{"rule":"newest"}}}', /columns\.Company\.rule: .*"newer".*"trusted"/],
  ['{"colums":{}}', /Did you mean "columns"/],
  ['{"columns":', /--overwrite wrong\.json is not JSON .* An example: \{"columns"/],
  [
    '{"columns":{"Firm":{"rule":"never"}}}',
    /--overwrite wrong\.json, columns\["Firm"\]: the sheet has no column "Firm"/,
  ],
  ['{"columns":{"Note":{"rule":"fill_empty"}}}', /\["Note"\]: no found field .* "field"/],
])('the rules %s are refused before anything is paid', async (text, message) => {
  place.write('wrong.json', text);
  const before = (await place.here('wallet', '--json')).json;
  const run = await enrich('--out', 'no.csv', '--overwrite', 'wrong.json', '--yes', '--json');
  expect(run.json.detail).toMatch(message);
  expect(run.code).not.toBe(0);
  expect(existsSync(join(place.dir, 'no.csv'))).toBe(false);
  expect((await place.here('wallet', '--json')).json).toEqual(before);
});

test.each([
  [['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'a.csv', '--dry-run'], /give --resume/],
  [['enrich', '--resume', 'JOB', '--dry-run'], /give --overwrite RULES\.json/],
  [
    ['enrich', '--resume', 'JOB', '--overwrite', 'rules.json', '--dry-run', '--out', 'a.csv'],
    /leave out --out/,
  ],
  [['enrich', '--resume', 'JOB', '--out', 'a.xls'], /\.xls cannot be written.*\.xlsx/],
  [['enrich', '--resume', 'JOB', '--out', 'a.csv', '--overwrite', 'none.json'], /There is no file/],
])('%j is bad usage', async (args, message) => {
  const run = await place.here(...args.map((word) => (word === 'JOB' ? jobId : word)), '--json');
  expect(run.json.detail).toMatch(message);
  expect(run.code).toBe(2);
});
