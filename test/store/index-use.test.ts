// Every read finds its rows by a key or an index, whatever the size of the tables.
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import type { WritableDatabase } from '../../engine/sqlite/open.ts';
import { getAccount, getAccountById, updateAccount } from '../../engine/store/account.ts';
import { findKeyByHash, listKeys, revokeKey, touchKey } from '../../engine/store/api-key.ts';
import { findIdempotent, forgetIdempotentBefore } from '../../engine/store/idempotency.ts';
import {
  countRunning,
  getJob,
  getJobById,
  hasJob,
  listJobs,
  nextRunnableJob,
} from '../../engine/store/job.ts';
import { deleteBatches, insertBatch, listBatchesBetween } from '../../engine/store/job-batch.ts';
import { listEntries, readBalances, resolveHold } from '../../engine/store/ledger.ts';
import { openStore } from '../../engine/store/open-store.ts';
import { listRates } from '../../engine/store/rate.ts';
import {
  deleteResults,
  readResults,
  readResultsByStatus,
  summarizeRange,
} from '../../engine/store/result.ts';
import { addAccount, addJob, at, makeTemporaryFolder } from './temporary-store.ts';

/** The plan of every statement that a piece of work prepares, one line per step. */
function planStatements(work: (database: WritableDatabase) => unknown): string[] {
  const folder = makeTemporaryFolder();
  const filled = openStore(folder);
  const { id } = addAccount(filled, 5000);
  const { id: jobId } = addJob(filled, id);
  addJob(filled, id);
  insertBatch(filled, { jobId, firstRow: 0, rowCount: 3, enriched: 1, skipped: 1, failed: 1, at });
  filled.close();
  // A connection that has prepared nothing yet.
  const database = openStore(folder);
  const prepared: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  }) as typeof database.prepare;
  work(database);
  const steps = prepared.flatMap((sql) => {
    const values = Array.from(sql.matchAll(/\?/g), () => 1);
    const plan = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    return plan.all(...values).map(({ detail }) => detail);
  });
  database.close();
  return steps;
}

const page = { limit: 10, offset: 20 };
const ids = 'USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)';

test.each<[string, (database: WritableDatabase) => unknown, string]>([
  ['getAccount', (db) => getAccount(db, 'u'), 'INDEX sqlite_autoindex_account_1 (uuid=?)'],
  ['getAccountById', (db) => getAccountById(db, 1), 'account USING INTEGER PRIMARY KEY'],
  ['updateAccount', (db) => updateAccount(db, 1, {}), 'account USING INTEGER PRIMARY KEY'],
  ['findKeyByHash', (db) => findKeyByHash(db, 'h'), 'INDEX sqlite_autoindex_api_key_2 (hash=?)'],
  ['listKeys', (db) => listKeys(db, 1), 'INDEX api_key_account (account_id=?)'],
  ['revokeKey', (db) => revokeKey(db, 1, 'k', at), 'sqlite_autoindex_api_key_1 (id=?)'],
  ['touchKey', (db) => touchKey(db, 'k', at), 'sqlite_autoindex_api_key_1 (id=?)'],
  ['listRates', (db) => listRates(db, 1), 'rate USING PRIMARY KEY (account_id=?)'],
  ['readBalances', (db) => readBalances(db, 1), 'ledger_balance USING INTEGER PRIMARY KEY'],
  ['listEntries', (db) => listEntries(db, 1, page), 'INDEX ledger_entry_account (account_id=?)'],
  ['resolveHold', (db) => resolveHold(db, 2, creditUnits(0), at), 'r USING INTEGER PRIMARY KEY'],
  ['getJob', (db) => getJob(db, 1, 'u'), 'INDEX sqlite_autoindex_job_1 (uuid=?)'],
  ['hasJob', (db) => hasJob(db, 'u'), 'INDEX sqlite_autoindex_job_1 (uuid=?)'],
  ['getJobById', (db) => getJobById(db, 1), 'job USING INTEGER PRIMARY KEY'],
  ['listJobs', (db) => listJobs(db, 1, page), 'INDEX job_account (account_id=?)'],
  [
    'listJobs by status',
    (db) => listJobs(db, 1, { ...page, status: 'failed' }),
    'INDEX job_account_status (account_id=? AND status=?)',
  ],
  ['nextRunnableJob', (db) => nextRunnableJob(db), 'INDEX job_status (status=?)'],
  ['countRunning', (db) => countRunning(db), 'COVERING INDEX job_status (status=?)'],
  [
    'listBatchesBetween',
    (db) => listBatchesBetween(db, 1, { firstRow: 5, lastRow: 9 }),
    'job_batch USING PRIMARY KEY (job_id=? AND first_row>? AND first_row<?)',
  ],
  ['deleteBatches', (db) => deleteBatches(db, 1), 'job_batch USING PRIMARY KEY (job_id=?)'],
  ['readResults', (db) => readResults(db, { resultBase: 0, firstRow: 0, count: 5 }), ids],
  ['deleteResults', (db) => deleteResults(db, 0, 0, 10), ids],
  ['findIdempotent', (db) => findIdempotent(db, 's', 'k'), 'PRIMARY KEY (key_scope=? AND key=?)'],
  ['forgetIdempotentBefore', (db) => forgetIdempotentBefore(db, at), 'idempotency_at (at<?)'],
])('%s finds its rows by an index and sorts none', (_, work, index) => {
  const plan = planStatements(work);
  expect(plan.join('\n')).toContain(index);
  expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
});

test('a range is counted within its ids alone', () => {
  const plan = planStatements((database) => summarizeRange(database, 0, 1999));
  expect(plan).toEqual([`SEARCH result ${ids}`, 'USE TEMP B-TREE FOR GROUP BY']);
});

test.each([
  ['enriched', 0, ids],
  ['skipped', 1, ids],
  ['failed', 2, 'USING INDEX result_failed (status=? AND rowid>? AND rowid<?)'],
])('a page of %s rows adds up the counters of one job, then reads by id', (_, status, index) => {
  const page = { jobId: 1, resultBase: 0, status, offset: 0, limit: 5 };
  const plan = planStatements((database) => readResultsByStatus(database, page));
  expect(plan.filter((step) => step.startsWith('SEARCH'))).toEqual([
    'SEARCH job_batch USING PRIMARY KEY (job_id=?)',
    `SEARCH result ${index}`,
  ]);
  // What is scanned and sorted is the counters that were found, never the results.
  expect(plan.filter((step) => /^SCAN (?!\(subquery-\d+\)$)/.test(step))).toEqual([]);
});
