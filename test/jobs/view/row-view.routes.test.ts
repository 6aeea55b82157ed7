// Views of a job's rows over HTTP: pages, counts, exports of what is shown, refusals.
import { expect, test } from 'vitest';
import { csv, type Desk, expectRefusal, shareApiDesk } from '../../http/open-api-desk.ts';

const openDesk = shareApiDesk();

interface Row {
  readonly input: readonly string[];
  readonly result: { readonly status: string; readonly reason: string };
}

/** A completed job about four people, one of them found. */
async function openJob(): Promise<{ desk: Desk; jobId: string; path: string }> {
  const desk = await openDesk();
  const lines = [
    'Id,Work Email,Size',
    '1,found@1.example,10',
    '2,nobody@2.example,9',
    '3,other@3.example,',
    '4,nobody@4.example,x',
  ];
  const form = { file: csv(...lines) };
  const { data: upload } = await desk.app('POST', 'uploads', { form });
  const { data: job } = await desk.app('POST', 'jobs', {
    json: { upload_id: upload.upload_id, selected_layers: ['L1'] },
  });
  await desk.environment.finish(job.job_id);
  return { desk, jobId: job.job_id, path: `jobs/${job.job_id}` };
}

async function idsOf(desk: Desk, path: string, query: string): Promise<string[]> {
  const { data } = await desk.app('GET', `${path}/rows?${query}`);
  const ids = (data.rows as Row[]).map(({ input }) => input[0] ?? '');
  expect(data.count).toBeGreaterThanOrEqual(ids.length);
  return ids;
}

test('pages of a view add up to it, and a file of what is shown has the same rows', async () => {
  const { desk, path } = await openJob();
  const view = 'search=example&sort=input:2&direction=desc';
  const pages = await Promise.all(
    [0, 2].map((offset) => idsOf(desk, path, `${view}&limit=2&offset=${offset}`)),
  );
  expect(pages.flat()).toEqual(['4', '1', '2', '3']);
  const json = { rows: 'shown', search: 'example', sort: 'input:2', direction: 'desc' };
  const { data } = await desk.app('POST', `${path}/exports`, { json });
  expect(data).toMatchObject({ rows: 4 });
  const text = await (await fetch(desk.url + data.download_url)).text();
  const ids = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[0]);
  expect(ids).toEqual(pages.flat());
  expect(await idsOf(desk, path, 'has=email&search=FOUND%20example')).toEqual(['1']);
  expect(await idsOf(desk, path, 'reason=no_match&source=directory')).toEqual([]);
});

test('outcomes are counted, and a suppressed row is not found by what it hides', async () => {
  const { desk, path } = await openJob();
  const { data } = await desk.app('GET', `${path}/outcomes`);
  expect(data).toEqual({
    rows: 4,
    statuses: { enriched: 1, skipped: 3, failed: 0 },
    reasons: { no_match: 3 },
    has: { changed: 0, left: 0, email: 1 },
    layers: { L1: 1 },
    sources: data.sources,
  });
  expect(data.sources.directory + data.sources.provider).toBe(1);
  expect(await idsOf(desk, path, 'search=nobody')).toEqual(['2', '4']);
  const values = [{ kind: 'email', value: 'nobody@4.example' }];
  const added = await desk.app('POST', 'suppression', { json: { values, reason: '' } });
  expect(added.status).toBeLessThan(300);
  expect(await idsOf(desk, path, 'search=nobody')).toEqual(['2']);
});

test('a column that the job does not have is refused, and a view without "shown"', async () => {
  const { desk, path } = await openJob();
  for (const sort of ['input:3', 'found:Mobile phone', 'guess', 'nothing'])
    expectRefusal(
      await desk.app('GET', `${path}/rows?sort=${sort}`),
      'validation_error',
      /has no column/,
    );
  expectRefusal(
    await desk.app('POST', `${path}/exports`, { json: { reason: 'no_match' } }),
    'validation_error',
    /rows: "shown"/,
  );
});
