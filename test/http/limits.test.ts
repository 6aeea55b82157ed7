// The table of limits in docs/api.md, row by row, except rows with their own test:
// submit-form.test.ts has "CSV upload size", credentials.test.ts the rate limit, key-limits.test.ts
// the limits of single keys.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { jsonRowsMax } from '../../engine/contract/limits/jobs.ts';
import { expectRefusal, openApiDesk, shareApiDesk, submit } from './open-api-desk.ts';

const openDesk = shareApiDesk();

test('Rows per JSON submission: 10,000 are accepted, and one more is refused with a remedy', async () => {
  expect(jsonRowsMax).toBe(10_000);
  const desk = await openDesk();
  const send = (count: number) => {
    const rows = Array.from({ length: count }, (_, at) => ({ first_name: `Ada ${at}` }));
    return desk.call('POST', 'submit/', { json: { selected_layers: ['L1'], rows } });
  };
  const taken = await send(10_000);
  expect([taken.status, taken.data.total_rows]).toEqual([202, 10_000]);
  expectRefusal(await send(10_001), 'validation_error', /^rows: .*10,?000.*(CSV|multipart)/i);
});

test('Rate limit: the local socket is exempt, also with a key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-socket-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const socketPath = join(folder, 's');
  const desk = await openApiDesk({ socketPath, now: () => 0 });
  const { key } = await desk.environment.writer.createKey({
    accountId: desk.accountId,
    label: 'once',
    requestsPerMinute: 1,
  });
  const ask = () =>
    new Promise<[number | undefined, unknown]>((resolve, reject) => {
      const headers = { host: 'localhost', authorization: `Token ${key}` };
      request({ socketPath, path: '/api/v1/data-enrichment/jobs/', headers }, (answer) => {
        answer.resume();
        resolve([answer.statusCode, answer.headers['ratelimit-limit']]);
      })
        .on('error', reject)
        .end();
    });
  for (let made = 0; made < 3; made += 1) expect(await ask()).toEqual([200, undefined]);
});

test('Result page size default: 50, from offset 0; jobs alike', async () => {
  const desk = await openDesk();
  const jobId = await submit(
    desk,
    ...Array.from({ length: 51 }, (_, at) => `found${at}@a.example`),
  );
  await desk.environment.finish(jobId);
  const { data } = await desk.call('GET', `result/${jobId}/`);
  expect(data.results.map((row: { row_index: number }) => row.row_index)).toEqual(
    Array.from({ length: 50 }, (_, at) => at),
  );
  expect([data.count, data.previous]).toEqual([51, null]);
  expect(data.next).toMatch(/\?limit=50&offset=50$/);
  for (let made = 0; made < 50; made += 1) await submit(desk, 'a@a.example');
  const jobs = (await desk.call('GET', 'jobs/')).data;
  expect([jobs.count, jobs.results.length, jobs.previous]).toEqual([51, 50, null]);
  expect(jobs.next).toMatch(/limit=50&offset=50$/);
});
