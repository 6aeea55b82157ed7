// Rows that were truncated, added or lost on disk: doctor names them, and every export refuses
// them.
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDoctor } from '../../engine/maintenance/doctor.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { csv, type Desk, expectRefusal, openApiDesk, submit } from '../http/open-api-desk.ts';

type Harm = readonly [what: string, name: string, harm: (path: string) => void, words: RegExp];

/** Flips a bit of a byte; a negative place counts from the end. */
function flipBit(path: string, place: number): void {
  const bytes = readFileSync(path);
  bytes[(place + bytes.length) % bytes.length]! ^= 4;
  writeFileSync(path, bytes);
}

const harms: readonly Harm[] = [
  ['rows that were cut', 'input.csv', (path) => truncateSync(path, 9), /input\.csv has 9 bytes/],
  [
    'rows that grew',
    'input.csv',
    (path) => appendFileSync(path, 'x\n'),
    /input\.csv has \d+ bytes/,
  ],
  ['no rows', 'input.csv', (path) => rmSync(path), /input\.csv is missing/],
  ['an index that was cut', 'input.idx', (path) => truncateSync(path, 12), /input\.idx is damaged/],
  ['a changed index', 'input.idx', (path) => flipBit(path, 14), /input\.idx is damaged/],
  ['a changed row', 'input.csv', (path) => flipBit(path, -20), /from 1 to 1000 was changed/],
  ['a changed header', 'input.csv', (path) => flipBit(path, 0), /the header .* was changed/],
  ['no index', 'input.idx', (path) => rmSync(path), /input\.idx is missing/],
];

const emails = ['found@1.example', 'failed@2.example'];

async function readJobsCheck(desk: Desk) {
  const checks = await runDoctor({ environment: desk.environment, port: null, wasOpen: false });
  return checks.find(({ name }) => name === 'Jobs');
}

test.each(harms)('a job with %s cannot be exported, and doctor names it', async (...harm) => {
  const [, name, spoil, words] = harm;
  const desk = await openApiDesk();
  const whole = await submit(desk, ...emails);
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(whole);
  await desk.environment.finish(jobId);
  expect(await readJobsCheck(desk)).toMatchObject({ state: 'ok' });
  spoil(join(jobDir(desk.environment.folder, jobId), name));
  const check = await readJobsCheck(desk);
  expect(check).toMatchObject({ state: 'wrong', detail: expect.stringMatching(words) });
  expect(check?.detail).toMatch(new RegExp(`^1 of 2 .*job ${jobId}`));
  expect(check?.detail).not.toContain(whole);
  for (const [method, path] of [
    ['GET', `result/${jobId}/?format=csv`],
    ['POST', `retry/${jobId}/`],
  ] as const)
    expectRefusal(await desk.call(method, path), 'input_damaged', words);
  expectRefusal(await desk.app('GET', `jobs/${jobId}/rows`), 'input_damaged', words);
  const { data } = await desk.app('POST', `jobs/${jobId}/exports`, { json: {} });
  const download = await desk.call('GET', data.download_url, { key: null });
  expectRefusal(download, 'input_damaged', words);
  expect((await desk.call('GET', `result/${whole}/?format=csv`)).status).toBe(200);
});

test('a change in the middle of a long list is named by doctor and refused where it is read', async () => {
  // Without a provider: it would be asked for each of the rows, with three transactions.
  const desk = await openApiDesk({}, { provider: null });
  const long = Array.from({ length: 2_500 }, (_, at) => `found@${at}.example`);
  const jobId = await submit(desk, ...long);
  await desk.environment.finish(jobId);
  const path = join(jobDir(desk.environment.folder, jobId), 'input.csv');
  flipBit(path, readFileSync(path).indexOf('found@1500.'));
  const words = /from 1001 to 2000 was changed/;
  expect((await readJobsCheck(desk))?.detail).toMatch(words);
  const page = (offset: number) => desk.call('GET', `result/${jobId}/?limit=10&offset=${offset}`);
  expect((await page(0)).status).toBe(200);
  expectRefusal(await page(1_500), 'input_damaged', words);
  expectRefusal(await desk.call('GET', `result/${jobId}/?format=csv`), 'input_damaged', words);
  const { data } = await desk.app('POST', `jobs/${jobId}/exports`, { json: {} });
  expectRefusal(await desk.call('GET', data.download_url, { key: null }), 'input_damaged', words);
});

test('rows that fit their index, but not the job, are damaged too', async () => {
  const desk = await openApiDesk();
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  writeRowsTable({
    headers: ['email'],
    rows: [['only@one.example']],
    targetDir: jobDir(desk.environment.folder, jobId),
  });
  expectRefusal(
    await desk.call('GET', `result/${jobId}/?format=csv`),
    'input_damaged',
    /there are 1 rows instead of the 2 submitted/,
  );
});

test('a monitor and its job with truncated rows are named, and its findings refused', async () => {
  const desk = await openApiDesk();
  const schedule = { rhythm: 'weekly', time: '09:00', weekday: 1, time_zone: 'Europe/Berlin' };
  const file = csv('Email,Company', 'found@x.example,Acme');
  const { upload_id } = (await desk.app('POST', 'uploads', { form: { file } })).data;
  const json = { title: 'Customers', schedule, upload_id };
  const { id } = (await desk.app('POST', 'monitors', { json })).data;
  const { job_id } = (await desk.app('POST', `monitors/${id}/run`)).data;
  await desk.environment.finishMonitorJob(job_id);
  const uuids = desk.environment.database.prepare(
    'SELECT uuid FROM monitor UNION SELECT uuid FROM job',
  );
  // One file with two names, like an upload's hard links.
  for (const uuid of uuids.pluck().all() as string[])
    truncateSync(join(jobDir(desk.environment.folder, uuid), 'input.csv'), 9);
  const check = await readJobsCheck(desk);
  expect(check?.detail).toMatch(/^2 of 2 .*job .*monitor .*input\.csv has 9 bytes/);
  const saved = await desk.app('POST', `monitor-jobs/${job_id}/export`, { json: {} });
  const download = await desk.call('GET', saved.data.download_url, { key: null });
  expectRefusal(download, 'input_damaged', /input\.csv has 9 bytes/);
  expectRefusal(await desk.app('GET', `monitor-jobs/${job_id}/findings`), 'input_damaged');
});
