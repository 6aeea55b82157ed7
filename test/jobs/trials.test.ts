// /app/v1/trials: ten rows of a list: what is shown, and that nothing is counted or stored.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newJobs } from '../../engine/contract/jobs/app-jobs.ts';
import { spreadRows } from '../../engine/jobs/preview/try-rows.ts';
import { csv, type Desk, expectRefusal, openApiDesk } from '../http/open-api-desk.ts';

const upload = async (desk: Desk, ...lines: string[]): Promise<string> => {
  const file = csv('First name,Last name,Work email,Team', ...lines);
  return (await desk.app('POST', 'uploads', { form: { file } })).data.upload_id;
};
const people = Array.from({ length: 40 }, (_, at) => `Ada,,found${at}@a.example,West`);

/** The rows of every table, the files, and the versions of both databases. */
function readStored({ environment: { database, directoryDatabase, folder } }: Desk) {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[];
  expect(tables).toEqual(expect.arrayContaining(['job', 'result', 'provider_request']));
  const count = (name: string) => database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get();
  return {
    counts: tables.map((name) => [name, count(name)]),
    files: readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort(),
    versions: [database, directoryDatabase].map((one) =>
      one.pragma('data_version', { simple: true }),
    ),
  };
}

test('ten rows spread over the list are answered; addresses are named, not shown', async () => {
  const desk = await openApiDesk();
  const upload_id = await upload(desk, ...people);
  const json = { upload_id, selected_layers: ['L1', 'MPA'] };
  const before = readStored(desk);
  const { data } = await desk.app('POST', 'trials', { json });
  const trial = newJobs.tryRows.answer.strict().parse(data);
  expect(trial.rows.map(({ row_index: row }) => row)).toEqual([
    2, 6, 10, 14, 18, 22, 26, 30, 34, 38,
  ]);
  expect(trial.columns).toEqual(['First name', 'Last name', 'Work email']);
  expect(trial.rows[0]).toMatchObject({
    given: ['Ada', '', 'found2@a.example'],
    status: 'enriched',
    reason: '',
    found: { 'Current company name': 'Acme', Email: 'found2@a.example' },
  });
  expect(readStored(desk)).toEqual(before);
  // More trials show the same rows.
  const again = await desk.app('POST', 'trials', { json });
  expect(again.data.rows).toEqual(trial.rows);
  expect((await desk.app('GET', 'wallet')).data).toMatchObject({ spent: '0.0000', held: '0.0000' });
});

test('a trial asks the directory alone, and honours the suppression list', async () => {
  const desk = await openApiDesk();
  const upload_id = await upload(
    desk,
    'Ada,,found@x.example,',
    'Ada,Byron,,',
    'Bo,,down@b.example,',
    'Nobody,Known,,',
  );
  const json = { upload_id, selected_layers: ['L1'] };
  await desk.app('POST', 'suppression', {
    json: { values: [{ kind: 'email', value: 'found@x.example' }] },
  });
  const { data } = await desk.app('POST', 'trials', { json });
  const outcomes = newJobs.tryRows.answer
    .parse(data)
    .rows.map(({ status, reason, found }) => [status, reason, Object.keys(found).length > 0]);
  expect(outcomes).toEqual([
    ['skipped', 'suppressed', false],
    ['enriched', '', true],
    // The upstream of this row would fail; it was not asked.
    ['skipped', 'no_match', false],
    ['skipped', expect.any(String), false],
  ]);
});

test('no trial is counted, and a refused list is refused as by a job', async () => {
  const desk = await openApiDesk();
  const upload_id = await upload(desk, 'Ada,Byron,,');
  const json = { upload_id, selected_layers: ['L1'] };
  const wrong = { ...json, mapping: { email: 9 } };
  expectRefusal(await desk.app('POST', 'trials', { json: wrong }), 'validation_error');
  const unknown = { ...json, upload_id: '00000000-0000-4000-8000-000000000000' };
  expectRefusal(await desk.app('POST', 'trials', { json: unknown }), 'not_found');
  for (let times = 0; times < 25; times += 1)
    expect((await desk.app('POST', 'trials', { json })).status).toBe(200);
});

test.each([
  [0, []],
  [1, [0]],
  [3, [0, 1, 2]],
  [10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [1_000_000, [5, 15, 25, 35, 45, 55, 65, 75, 85, 95].map((percent) => percent * 10_000)],
])('of %i rows the middle of each tenth is tried', (count, rows) => {
  expect(spreadRows(count)).toEqual(rows);
});
