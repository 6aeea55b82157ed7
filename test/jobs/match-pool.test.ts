// Match threads that end during a job: its batches are matched again, each row once.
import { expect, onTestFinished, test } from 'vitest';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { startMatchPool } from '../../engine/jobs/matching/match-pool.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { settleWithin } from '../engine/hang-guard.ts';
import { watchThreads } from '../engine/watch-threads.ts';
import { inventName } from '../invented-names.ts';
import { openJobFixture } from './job-fixture.ts';

const count = (length: number) => Array.from({ length }, (_, at) => at);
const row = (at: number) => [...inventName(at), 'Acme Widgets'];
const line = (at: number) => `p${at},${inventName(at)},Acme Widgets,Buyer,,1`;
const bytes = new TextEncoder().encode(`${inventName(1)},Acme Widgets\r\n`);
const mapping = { first_name: 0, last_name: 1, company_name: 2 };

/** A pool over a directory of some people, with a function that runs jobs. */
async function openPool(people: number) {
  const threads = watchThreads();
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', count(people).map(line));
  const pool = startMatchPool('', 2);
  onTestFinished(() => pool.close());
  const takeIndex = () => {
    const index = buildIndex(fixture.directory);
    return pool.takeIndex(index.buffer, index.generation);
  };
  await takeIndex();
  const { match, whenGeneration, inFlightMax } = pool;
  const deps = { ...fixture.deps, match, whenGeneration, inFlightMax };
  const matchOne = () => match(bytes, mapping, 0.5);
  // Starts both threads.
  await Promise.all([matchOne(), matchOne()]);
  return { threads, fixture, pool, takeIndex, deps, match: matchOne };
}

const killAll = (threads: ReturnType<typeof watchThreads>) => {
  for (const worker of threads.list('match-thread')) worker.postMessage(null);
};

test('a job whose match threads end completes, with every row once', async () => {
  const { threads, fixture, deps } = await openPool(7_000);
  const uuid = fixture.submit(count(7_000).map(row));
  const onProgress = ({ processedRows }: JobRow) => {
    if (processedRows === 0 || processedRows === 2_000) killAll(threads);
  };
  await settleWithin(runJob({ ...deps, onProgress }, fixture.read(uuid).id));
  const job = fixture.read(uuid);
  expect(job).toMatchObject({ status: 'completed', enrichedRows: 7_000, failedRows: 0 });
  expect(fixture.results(job).map(({ rowIndex }) => rowIndex)).toEqual(count(7_000));
  expect(job.chargedUnits).toBe(70_000_000);
  expect(threads.list('match-thread').length).toBeGreaterThan(2);
});

test('a batch that ends its match thread repeatedly is not retried further', async () => {
  const { threads, fixture, deps } = await openPool(10);
  threads.keepKilling('match-thread');
  killAll(threads);
  const uuid = fixture.submit(count(10).map(row));
  const refused = await settleWithin(runJob(deps, fixture.read(uuid).id));
  expect(String(refused)).toContain('the threads that matched a batch ended');
  expect(fixture.read(uuid)).toMatchObject({ status: 'running', processedRows: 0 });
});

test('a restarted thread matches with the newest index', async () => {
  const { threads, fixture, takeIndex, match } = await openPool(10);
  const { generation } = await match();
  await fixture.importPeople('more.csv', [line(11)]);
  killAll(threads);
  await takeIndex();
  for (const answer of await Promise.all([match(), match()]))
    expect(answer.generation).toBe(generation + 1);
});

test('someone who waits is answered by a free thread, and never behind a batch', async () => {
  const { pool, match } = await openPool(10);
  const order = { bytes, mapping, threshold: 0.5 };
  const batches = [match(), match()];
  expect(await pool.matchNow(order)).toBe(null);
  const [answer] = await Promise.all(batches);
  expect(await pool.matchNow(order)).toEqual(answer);
  const withoutIndex = startMatchPool('', 1);
  expect(await withoutIndex.matchNow(order)).toBe(null);
  await withoutIndex.close();
});

test('a pool whose threads have ended closes, and refuses waiting batches', async () => {
  const { threads, pool, match } = await openPool(10);
  threads.keepKilling('match-thread');
  killAll(threads);
  const waiting = [match(), match()].map(settleWithin);
  await settleWithin(pool.close());
  for (const refused of await Promise.all(waiting)) expect(refused).toBeInstanceOf(Error);
});
