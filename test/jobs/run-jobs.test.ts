// Jobs under the scheduler: a full disk, a bug, a cancellation and a stop.
import { SqliteError } from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { storageRetryMs } from '../../engine/contract/limits/platform.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import { type JobRow, nextCancelledJob } from '../../engine/jobs/job.table.ts';
import type { JobKinds } from '../../engine/jobs/job-kind.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { createJobSource, type JobSourceDeps } from '../../engine/jobs/run-jobs.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import { inventName } from '../invented-names.ts';
import { createClock } from '../platform/scheduler/scheduler-fixture.ts';
import { openTestWaterfalls } from '../providers/play-provider.ts';
import { now, openJobFixture } from './job-fixture.ts';

const count = (length: number) => Array.from({ length }, (_, at) => at);
const line = (at: number) => `p${at},${inventName(at)},Acme Widgets,Buyer,,1`;
const person = (at: number) => [...inventName(at), 'Acme Widgets'];

/** A fixture with a directory of a few people, whose jobs a scheduler runs. */
async function openJobs() {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', count(10).map(line));
  const { database, deps } = fixture;
  const clock = createClock();
  const sent: string[] = [];
  const start = (changes: Partial<JobSourceDeps> = {}) => {
    const scheduler = startScheduler(
      createJobSource({
        ...deps,
        waterfalls: openTestWaterfalls(database, []),
        events: {
          wallet: () => undefined,
          job: ({ uuid, status }) => void sent.push(`${uuid} ${status}`),
          followJob: () => () => undefined,
          waitingJob: ({ uuid }, { code }) => void sent.push(`${uuid} waits: ${code}`),
        },
        ...changes,
      }),
      clock,
    );
    onTestFinished(scheduler.stop);
    return scheduler;
  };
  /** Resolves when a job has a status. */
  const reach = (uuid: string, status: JobRow['status']) =>
    expect.poll(() => fixture.read(uuid).status).toBe(status);
  return { ...fixture, database, clock, sent, start, reach };
}

type Jobs = Awaited<ReturnType<typeof openJobs>>;

test('a job waits while the disk is full, keeps its finished rows, and continues when there is room', async () => {
  const { database, account, clock, sent, start, submit, read, reach } = await openJobs();
  const uuid = submit(count(5_000).map(person));
  const pages = database.pragma('page_count', { simple: true });
  database.pragma(`max_page_count = ${pages}`);
  start();
  await expect.poll(() => sent).toEqual([`${uuid} waits: read_only`]);
  const { status, processedRows } = read(uuid);
  expect(status).toBe('running');
  expect(processedRows).toBeLessThan(5_000);
  await clock.pass(storageRetryMs);
  await expect.poll(() => sent).toHaveLength(2);
  expect(read(uuid).processedRows).toBe(processedRows);
  database.pragma('max_page_count = 1000000');
  await clock.pass(storageRetryMs);
  await reach(uuid, 'completed');
  expect(read(uuid)).toMatchObject({ processedRows: 5_000, enrichedRows: 10 });
  expect(readBalances(database, account.id).heldUnits).toBe(0);
});

test('a job says that it waits for the index after a matched person was removed', async () => {
  const { directory, importPeople, sent, start, submit, read, reach, deps } = await openJobs();
  const importId = await importPeople('more.csv', [line(10)]);
  const uuid = submit([person(0), person(10)]);
  let isUndone = false;
  start({
    async match(...batch) {
      const matched = await deps.match(...batch);
      if (!isUndone) undoImport(directory, importId);
      isUndone = true;
      return matched;
    },
  });
  await reach(uuid, 'completed');
  expect(sent).toEqual([`${uuid} waits: unavailable`]);
  expect(read(uuid).enrichedRows).toBe(1);
});

test.each([
  ['cannot be parsed', '{"L1'],
  ['has another form', '{"L1": "free"}'],
])(
  'a job whose stored prices %s fails without a charge, and the next job runs',
  async (_what, text) => {
    const { database, account, start, submit, read, reach } = await openJobs();
    const [damaged, whole] = [submit([person(0)]), submit([person(1)])];
    database.pragma('ignore_check_constraints = ON');
    database.prepare('UPDATE job SET prices = ? WHERE uuid = ?').run(text, damaged);
    start();
    await reach(whole, 'completed');
    expect(read(damaged)).toMatchObject({ status: 'failed', error: 'database_damaged' });
    expect(read(damaged).errorDetail).toMatch(/\(prices\)\. Restore a backup/);
    expect(readBalances(database, account.id)).toMatchObject({
      heldUnits: 0,
      spentUnits: read(whole).chargedUnits,
    });
  },
);

test('a bug is logged under an id and fails its job without a charge, and the next job runs', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const { sent, start, submit, read, reach, deps } = await openJobs();
  const [first, second] = [submit([person(0)]), submit([person(1)])];
  let matches = 0;
  start({
    async match(...batch) {
      matches += 1;
      if (matches === 1) throw new TypeError('x is not a function');
      return deps.match(...batch);
    },
  });
  await reach(second, 'completed');
  const { status, error, errorDetail, chargedUnits } = read(first);
  expect({ status, error, chargedUnits }).toEqual({
    status: 'failed',
    error: 'internal_error',
    chargedUnits: 0,
  });
  const [, id] = errorDetail?.match(/^Internal error \((\S+)\)\. Retry/) ?? [];
  expect(log.mock.calls[0]?.[0]).toBe(`bug ${id} in job ${first}`);
  expect(sent).toEqual([`${first} failed`]);
});

/** A job that was cancelled after 4,000 of its rows. */
async function cancelLate({ database, account, deps, submit, read }: Jobs): Promise<JobRow> {
  const jobId = submit(count(5_000).map(person));
  const onProgress = ({ status, processedRows }: JobRow) => {
    if (status === 'running' && processedRows === 4_000)
      cancelJob(database, { accountId: account.id, jobId }, now());
  };
  await runJob({ ...deps, onProgress }, read(jobId).id);
  return read(jobId);
}

/** The kinds of jobs, with `clear` called before each batch of rows is removed. */
const watchClear = ({ deps }: Jobs, clear: (first: number) => void): JobKinds => ({
  ...deps.kinds,
  enrichment: { ...deps.kinds.enrichment, clear: (_job, first) => clear(first) },
});

test('rows of a cancelled job are removed when no other job can run, also after a full disk', async () => {
  const jobs = await openJobs();
  const { database, clock, sent, start, submit, read, results } = jobs;
  const cancelled = await cancelLate(jobs);
  const queued = submit([person(0)]);
  const seen: string[] = [];
  start({
    kinds: watchClear(jobs, () => {
      seen.push(read(queued).status);
      if (seen.length === 1) throw new SqliteError('database or disk is full', 'SQLITE_FULL');
    }),
  });
  await expect.poll(() => seen).toEqual(['completed']);
  await clock.pass(storageRetryMs);
  await expect.poll(() => nextCancelledJob(database)).toBeNull();
  expect(results(cancelled)).toEqual([]);
  // The job has ended: the app shows no wait.
  expect(sent).toEqual([]);
});

test('a bug in the removal of rows is logged, ends no job, and delays none', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const jobs = await openJobs();
  const { database, sent, start, submit, reach } = jobs;
  const cancelled = await cancelLate(jobs);
  let isBroken = true;
  const scheduler = start({
    kinds: watchClear(jobs, () => {
      if (isBroken) throw new TypeError('x is not a function');
    }),
  });
  await expect.poll(() => log.mock.calls.length).toBe(1);
  expect(String(log.mock.calls[0]?.[0])).toMatch(`in job ${cancelled.uuid}`);
  const queued = submit([person(0)]);
  scheduler.wake();
  await reach(queued, 'completed');
  isBroken = false;
  scheduler.wake();
  await expect.poll(() => nextCancelledJob(database)).toBeNull();
  expect(sent).toEqual([]);
});

test('a stop interrupts the removal of rows after a batch, and the next start finishes it', async () => {
  const jobs = await openJobs();
  const { database, start, results } = jobs;
  const cancelled = await cancelLate(jobs);
  const firsts: number[] = [];
  const stopped = Promise.withResolvers<void>();
  const scheduler = start({
    kinds: watchClear(jobs, (first) => {
      firsts.push(first);
      scheduler.stop().then(stopped.resolve, stopped.reject);
    }),
  });
  await stopped.promise;
  expect(firsts).toEqual([0]);
  expect(results(cancelled).length).toBeGreaterThan(0);
  start();
  await expect.poll(() => nextCancelledJob(database)).toBeNull();
  expect(results(cancelled)).toEqual([]);
});
