// Jobs: states, counts, order and ranges of results.
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import { jobStatuses } from '../../engine/contract/jobs/job.ts';
import {
  advanceJob,
  endJob,
  getJob,
  getJobById,
  hasJob,
  type JobRow,
  listJobs,
  requeueJob,
  startJob,
} from '../../engine/jobs/job.table.ts';
import { countRunning, nextRunnableJob } from '../../engine/jobs/job-states.ts';
import {
  deleteBatches,
  insertBatch,
  listBatchesBetween,
} from '../../engine/jobs/results/job-batch.table.ts';
import { resolveHold } from '../../engine/ledger/ledger.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { addAccount, addJob, at, openTemporaryStore } from '../migrations/temporary-store.ts';

const noUnits = creditUnits(0);
const allDone = { processed: 10, enriched: 6, skipped: 3, failed: 1, pendingChargeUnits: 600 };

/** Ends a job and resolves its hold; a completed one is charged what is pending. */
function finish(
  database: WritableDatabase,
  { id }: JobRow,
  status: 'completed' | 'failed' | 'cancelled',
): void {
  const job = getJobById(database, id);
  const settle = status === 'completed' ? (job?.pendingChargeUnits ?? noUnits) : noUnits;
  const parts = resolveHold(database, job?.holdId ?? 0, settle, at);
  const error = status === 'failed' ? 'upstream_error' : null;
  const { settledUnits: chargedUnits, releasedUnits } = parts;
  endJob(database, id, { status, chargedUnits, releasedUnits, error, at });
}

test('a job keeps its submitted values and starts queued and empty', () => {
  const database = openTemporaryStore();
  const account = addAccount(database, 5000);
  const job = addJob(database, account.id, { title: 'Spring fair', fileName: null });
  expect(getJob(database, account.id, job.uuid)).toEqual(job);
  expect(job).toMatchObject({
    title: 'Spring fair',
    status: 'queued',
    codes: ['L1'],
    prices: { L1: 100 },
    headers: ['Name', 'E-mail'],
    mapping: { email: 1 },
    fileName: null,
    totalRows: 10,
    processedRows: 0,
    heldUnits: 1000,
    chargedUnits: 0,
    releasedUnits: 0,
    error: null,
    createdAt: at,
    startedAt: null,
    completedAt: null,
  });
});

test('a job of another account is not found', () => {
  const database = openTemporaryStore();
  const job = addJob(database, addAccount(database, 5000).id);
  const stranger = addAccount(database);
  expect(getJob(database, stranger.id, job.uuid)).toBeNull();
  expect([hasJob(database, job.uuid), hasJob(database, 'nothing')]).toEqual([true, false]);
  expect(listJobs(database, stranger.id, { limit: 9, offset: 0 })).toEqual({ count: 0, jobs: [] });
});

test('each change of state starts from the permitted states only', () => {
  const allowed: Record<string, string[]> = {
    start: ['queued'],
    advance: ['running'],
    complete: ['running'],
    fail: ['queued', 'running'],
    cancel: ['queued', 'running'],
    requeue: ['failed'],
  };
  const changes: Record<string, (database: WritableDatabase, job: JobRow) => void> = {
    start: (database, { id }) => startJob(database, id, at),
    advance: (database, { id }) =>
      advanceJob(database, id, {
        processed: 0,
        enriched: 0,
        skipped: 0,
        failed: 0,
        pendingChargeUnits: 0,
      }),
    complete: (database, job) => endFrom(database, job, 'completed'),
    fail: (database, job) => endFrom(database, job, 'failed'),
    cancel: (database, job) => endFrom(database, job, 'cancelled'),
    requeue: (database, { id }) =>
      requeueJob(database, id, { holdId: null, heldUnits: noUnits, providerCap: null }),
  };
  // Jobs of price 0 without a hold, because only the states matter here.
  const endFrom = (
    database: WritableDatabase,
    { id }: JobRow,
    status: 'completed' | 'failed' | 'cancelled',
  ) => {
    const error = status === 'failed' ? 'upstream_error' : null;
    endJob(database, id, { status, chargedUnits: noUnits, releasedUnits: noUnits, error, at });
  };
  const database = openTemporaryStore();
  const account = addAccount(database);
  for (const [name, change] of Object.entries(changes)) {
    for (const status of jobStatuses) {
      const job = addJob(database, account.id, { holdId: null, heldUnits: noUnits });
      if (status !== 'queued') startJob(database, job.id, at);
      if (status !== 'queued') advanceJob(database, job.id, { ...allDone, pendingChargeUnits: 0 });
      if (status !== 'queued' && status !== 'running') endFrom(database, job, status);
      const before = getJobById(database, job.id);
      expect(before?.status).toBe(status);
      if (allowed[name]?.includes(status)) change(database, job);
      else {
        expect(() => change(database, job)).toThrow(/^job_(not_|already_)[a-z]+$/);
        expect(getJobById(database, job.id)).toEqual(before);
      }
    }
  }
});

test('a job’s results begin after those of the previous job, and no range is used twice', () => {
  const database = openTemporaryStore();
  const account = addAccount(database, 100_000);
  const bases = [10, 1, 500].map(
    (totalRows) => addJob(database, account.id, { totalRows }).resultBase,
  );
  expect(bases).toEqual([0, 10, 11]);
  const lastId = getJobById(database, 3)?.id;
  database.exec(`DELETE FROM job WHERE id = ${lastId}`);
  expect(addJob(database, account.id).resultBase).toBe(511);
  expect(() => addJob(database, account.id, { holdId: 1 })).toThrow(/UNIQUE/);
  expect(addJob(database, account.id).resultBase).toBe(521);
});

test('jobs are listed newest first, by page and by status, with their count', () => {
  const database = openTemporaryStore();
  const account = addAccount(database, 100_000);
  const jobs = Array.from({ length: 5 }, () => addJob(database, account.id));
  const second = jobs[1] as JobRow;
  startJob(database, second.id, at);
  const ids = (page: Parameters<typeof listJobs>[2]) => {
    const listed = listJobs(database, account.id, page);
    return [listed.count, listed.jobs.map(({ id }) => id)];
  };
  expect(ids({ limit: 10, offset: 0 })).toEqual([5, [5, 4, 3, 2, 1]]);
  expect(ids({ limit: 2, offset: 1 })).toEqual([5, [4, 3]]);
  expect(ids({ limit: 10, offset: 1, status: 'queued' })).toEqual([4, [4, 3, 1]]);
  expect(ids({ limit: 10, offset: 0, status: 'running' })).toEqual([1, [2]]);
  expect(ids({ limit: 10, offset: 0, status: 'failed' })).toEqual([0, []]);
});

test('the oldest running job comes next, then the oldest queued one', () => {
  const database = openTemporaryStore();
  const account = addAccount(database, 100_000);
  expect(nextRunnableJob(database)).toBeNull();
  const jobs = [1, 2, 3].map(() => addJob(database, account.id));
  expect(nextRunnableJob(database)?.id).toBe(1);
  for (const id of [3, 2]) startJob(database, id, at);
  expect([nextRunnableJob(database)?.id, countRunning(database, account.id)]).toEqual([2, 2]);
  for (const job of jobs) finish(database, job, 'cancelled');
  expect([nextRunnableJob(database), countRunning(database, account.id)]).toEqual([null, 0]);
});

test('batches are kept in row order and deleted together', () => {
  const database = openTemporaryStore();
  const account = addAccount(database, 100_000);
  const [job, other] = [addJob(database, account.id), addJob(database, account.id)];
  const batch = { rowCount: 2, enriched: 1, skipped: 0, failed: 1, at };
  const written = { parts: Uint8Array.of(1, 0, 1), facts: new Uint32Array(2) };
  for (const firstRow of [4, 0, 2])
    insertBatch(database, { ...batch, jobId: job.id, firstRow, ...written });
  insertBatch(database, { ...batch, jobId: other.id, firstRow: 0, ...written });
  const all = { firstRow: 0, lastRow: 5 };
  const middle = listBatchesBetween(database, job.id, { firstRow: 3, lastRow: 3 });
  expect(middle.map(({ firstRow }) => firstRow)).toEqual([2]);
  expect(listBatchesBetween(database, job.id, all)).toEqual(
    [0, 2, 4].map((firstRow) => ({ ...batch, jobId: job.id, firstRow })),
  );
  expect(deleteBatches(database, job.id)).toBe(3);
  expect(listBatchesBetween(database, job.id, all)).toEqual([]);
  expect(listBatchesBetween(database, other.id, all)).toHaveLength(1);
});
