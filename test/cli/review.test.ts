// `desk review`: exports the waiting rows as a spreadsheet, and applies the picks in it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { startEngineHere } from '../engine-here.ts';
import { makePlace } from './run-desk.ts';

const people = `person id,first name,last name,title,company,is current
a1,Ann,Lee,Chief,Acme,1
a2,Ann,Lee,=Clerk,Acme,1
b1,Bob,May,Head,Acme,1
`;
const list = 'First name,Last name,Company\nBob,May,Acme\nAnn,Lee,Acme\nAnn,Lee,Acme\n';

async function openReviewed() {
  const place = makePlace();
  const engine = await startEngineHere(place.dataDir);
  onTestFinished(async () => {
    await engine.stop();
    place.remove();
  });
  place.write('people.csv', people);
  place.write('in.csv', list);
  await place.here('directory', 'import', 'people.csv');
  const job = await place.here(
    'enrich',
    'in.csv',
    '--layers',
    'L1',
    '--out',
    'out.csv',
    '--yes',
    '--json',
  );
  return { place, jobId: String(job.json.job_id), path: join(place.dir, 'review.csv') };
}

test('the sheet has every waiting row, and its picks are applied', async () => {
  const { place, jobId, path } = await openReviewed();
  const written = await place.here('review', jobId, '--out', 'review.csv');
  expect(written).toMatchObject({ code: 0, last: expect.stringMatching(/decision: 2: .*review/) });
  const rows = parse(readFileSync(path, 'utf8'), { columns: true }) as Record<string, string>[];
  expect(rows.map((row) => row.Row)).toEqual(['2', '3']);
  const titles = [rows[0]?.['Candidate 1 title'], rows[0]?.['Candidate 2 title']];
  expect(titles.sort()).toEqual(["'=Clerk", 'Chief']);
  expect(rows[0]?.['Candidate 1 evidence']).toBe(
    'first name same, last name same, company name same',
  );
  const lines = readFileSync(path, 'utf8').split('\r\n');
  writeFileSync(path, [lines[0], lines[1]?.replace('2,,', '2,1,'), lines[2], ''].join('\r\n'));
  const picked = await place.here('review', jobId, '--picks', 'review.csv', '--json');
  expect(picked.json).toEqual({
    applied: 1,
    credits_charged: '1.0000',
    credits_refunded: '0.0000',
    remaining: 1,
  });
  const saved = await place.here('enrich', '--resume', jobId, '--out', 'again.csv', '--json');
  expect(saved.json).toMatchObject({ enriched_rows: 2, credits_charged: '2.0000' });
  place.write('undo.csv', 'Row,Pick\n2,undo\n');
  const undone = await place.here('review', jobId, '--picks', 'undo.csv');
  expect(undone.stdout).toContain(`Write the file again: desk enrich --resume ${jobId} --out FILE`);
  expect(undone.stdout).toContain('0 credits charged, 1 returned. Rows that still wait: 2.');
});

test.each([
  ['neither file', [], /Give either --out FILE/],
  ['both files', ['--out', 'a.csv', '--picks', 'in.csv'], /Give either --out FILE/],
  ['a sheet without its columns', ['--picks', 'in.csv'], /needs the columns Row and Pick/],
  ['an empty sheet', ['--picks', 'empty.csv'], /No row of the file has a pick/],
  ['a row that is not a number', ['--picks', 'odd.csv'], /Line 2: "x" is not the number of a row/],
  ['an unknown candidate', ['--picks', 'none.csv'], /Line 2: candidate 3 does not exist/],
] as const)('%s is bad usage', async (_title, args, words) => {
  const place = makePlace();
  onTestFinished(place.remove);
  place.write('in.csv', list);
  place.write('empty.csv', 'Row,Pick\n1,\n');
  place.write('odd.csv', 'Row,Pick\nx,1\n');
  place.write('none.csv', 'Row,Pick,Candidate 1 id\n1,3,abc\n');
  const run = await place.here('review', '5f0f0b0e-0000-4000-8000-000000000000', ...args);
  expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(words) });
});
