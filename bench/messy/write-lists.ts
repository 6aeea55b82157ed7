// Writes messy lists as CSV: `node bench/messy/write-lists.ts FOLDER [--split report]
// [--seed 1] [--count 10000]`. The folder gets the inputs, their truth, and the people.csv and
// companies.csv to match against, so that `matching.ts --inputs … --truth … --directory FOLDER`
// reads it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { sampleFiles } from '../../engine/directory/import/sample.ts';
import { listCompanyRows, readCompanyDirectory } from './company-directory.ts';
import { makeCompanyRows } from './make-company-rows.ts';
import { makePeopleRows } from './make-people-rows.ts';
import { listVisibleRows, writeCsv } from './messy-directory.ts';
import { readSampleDirectory, type Split, splitNames } from './sample-people.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'string', default: 'report' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '10000' },
  },
});
const [folder] = positionals;
const split = splitNames.find((name) => name === values.split);
if (folder === undefined || split === undefined)
  throw new Error(`usage: write-lists.ts FOLDER [--split ${splitNames.join('|')}]`);

function writeLists(to: string, ofSplit: Split): void {
  mkdirSync(to, { recursive: true });
  const order = { seed: Number(values.seed), split: ofSplit, count: Number(values.count) };
  const directory = readSampleDirectory();
  const people = makePeopleRows(directory, order);
  writeCsv(
    join(to, 'inputs.csv'),
    people.map(({ id, cells }) => ({ row_id: id, ...cells })),
  );
  writeCsv(
    join(to, 'truth.csv'),
    people.map(({ id, personId, reason, kinds, madeFrom }) => ({
      row_id: id,
      person_id: personId,
      reason,
      kinds: kinds.join('+'),
      made_from: madeFrom,
    })),
  );
  writeCsv(join(to, 'people.csv'), listVisibleRows(directory));
  writeFileSync(join(to, 'companies.csv'), gunzipSync(readFileSync(sampleFiles().companies)));
  const companies = readCompanyDirectory();
  const companyRows = makeCompanyRows(companies, order);
  writeCsv(
    join(to, 'company_inputs.csv'),
    companyRows.map(({ id, cells }) => ({ row_id: id, ...cells })),
  );
  writeCsv(
    join(to, 'company_truth.csv'),
    companyRows.map(({ id, companyId, reason, kinds, madeFrom }) => ({
      row_id: id,
      company_id: companyId,
      reason,
      kinds: kinds.join('+'),
      made_from: madeFrom,
    })),
  );
  writeCsv(join(to, 'company_directory.csv'), listCompanyRows(companies));
}

writeLists(folder, split);
