// The schema repeats the rules of money and jobs, whichever code writes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import { insertBatch } from '../../engine/jobs/results/job-batch.table.ts';
import { hold, resolveHold, verifyLedger } from '../../engine/ledger/ledger.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import { approvalRefusals } from './approval-refusals.ts';
import { auditRefusals } from './audit-refusals.ts';
import { keyRefusals } from './key-refusals.ts';
import { ledgerRefusals } from './ledger-refusals.ts';
import { monitorRefusals } from './monitor-refusals.ts';
import { oauthRefusals } from './oauth-refusals.ts';
import { ownedRefusals } from './owned-refusals.ts';
import { personRefusals } from './person-refusals.ts';
import { pipelineRefusals } from './pipeline-refusals.ts';
import { providerRefusals } from './provider-refusals.ts';
import { repeatRefusals } from './repeat-refusals.ts';
import { retentionRefusals } from './retention-refusals.ts';
import { reviewRefusals } from './review-refusals.ts';
import { suppressionRefusals } from './suppression-refusals.ts';
import { templateRefusals } from './template-refusals.ts';
import { addAccount, addJob, at, openTemporaryStore, someJob } from './temporary-store.ts';
import { toolRefusals } from './tool-refusals.ts';
import { validationRefusals } from './validation-refusals.ts';
import { webhookRefusals } from './webhook-refusals.ts';

type Refusal = readonly [what: string, sql: string, message: string];

const insertResult = (values: string) =>
  `INSERT INTO result (id, status, reason, layer_bits, matched_on) VALUES (${values})`;
const insertBatchOf = (values: string) =>
  `INSERT INTO job_batch VALUES (1, ${values}, 'now', x'010100', 0, 0, 0,
    zeroblob(4 * ${values.split(',')[1]}))`;
const endJobAs = (status: string, rest: string) =>
  `UPDATE job SET status = '${status}', completed_at = 'now', ${rest}`;
// Hold 1 (1000 units) is job 1's and open; hold 2 (100 units) is resolved; account 1 has 3900 left.
function fill(database: WritableDatabase): void {
  const { id } = addAccount(database, 5000);
  addAccount(database, 5000);
  const job = addJob(database, id);
  const holdId = hold(database, id, creditUnits(100), someJob, at);
  resolveHold(database, holdId, creditUnits(100), at);
  insertBatch(database, {
    jobId: job.id,
    firstRow: 4,
    rowCount: 3,
    enriched: 1,
    skipped: 1,
    failed: 1,
    at,
    parts: Uint8Array.of(1, 1, 1),
    facts: new Uint32Array(3),
  });
  database.exec(insertResult('1, 0, 0, 0, 0'));
}

const jobRefusals: Refusal[] = [
  ['a job of no rows', 'UPDATE job SET total_rows = 0', 'total_rows > 0'],
  [
    'a provider that half accepts',
    'UPDATE job SET upstream_accepted = 2',
    'upstream_accepted IN (0, 1)',
  ],
  [
    'a job that counts wrongly',
    'UPDATE job SET processed_rows = 1',
    'processed_rows = enriched_rows + skipped_rows + failed_rows',
  ],
  [
    'a job beyond its rows',
    'UPDATE job SET processed_rows = 11, failed_rows = 11',
    'processed_rows <= total_rows',
  ],
  [
    'enriched rows below 0',
    'UPDATE job SET enriched_rows = -1, failed_rows = 1',
    'enriched_rows >= 0',
  ],
  [
    'skipped rows below 0',
    'UPDATE job SET skipped_rows = -1, failed_rows = 1',
    'skipped_rows >= 0',
  ],
  ['failed rows below 0', 'UPDATE job SET failed_rows = -1, skipped_rows = 1', 'failed_rows >= 0'],
  ['a price below 0', 'UPDATE job SET price_per_row_units = -1', 'price_per_row_units >= 0'],
  [
    'a pending charge above the hold',
    'UPDATE job SET pending_charge_units = 1001',
    'pending_charge_units BETWEEN 0 AND held_units',
  ],
  [
    'a pending charge below 0',
    'UPDATE job SET pending_charge_units = -1',
    'pending_charge_units BETWEEN 0 AND held_units',
  ],
  ['a hold below 0', 'UPDATE job SET held_units = -1, hold_id = NULL', 'held_units >= 0'],
  ["units that are not the hold's", 'UPDATE job SET held_units = 1', 'FOREIGN KEY'],
  [
    'a job with units but no hold',
    'UPDATE job SET hold_id = NULL',
    'hold_id IS NOT NULL OR held_units = 0',
  ],
  [
    'a charge before the end',
    'UPDATE job SET charged_units = 1000',
    "status = 'completed' OR charged_units = 0",
  ],
  [
    'a release before the end',
    'UPDATE job SET released_units = 1000',
    'charged_units + released_units =',
  ],
  [
    'a charge below 0',
    'UPDATE job SET charged_units = -1, released_units = 1',
    'charged_units >= 0',
  ],
  [
    'a release below 0',
    'UPDATE job SET charged_units = 1, released_units = -1',
    'released_units >= 0',
  ],
  [
    'a running job that never started',
    "UPDATE job SET status = 'running'",
    "status <> 'running' OR started_at IS NOT NULL",
  ],
  [
    'an ended job without its time',
    "UPDATE job SET status = 'cancelled'",
    "(completed_at IS NULL) = (status IN ('queued', 'running'))",
  ],
  [
    'an ended job whose units do not make up the hold',
    endJobAs('cancelled', 'released_units = 999'),
    'charged_units + released_units =',
  ],
  [
    'a completed job with rows not done',
    endJobAs('completed', 'released_units = 1000'),
    "status <> 'completed' OR processed_rows = total_rows",
  ],
  [
    'a cancelled job that is charged',
    endJobAs('cancelled', 'charged_units = 1, released_units = 999'),
    "status = 'completed' OR charged_units = 0",
  ],
  [
    'a failed job without its error',
    endJobAs('failed', 'released_units = 1000'),
    "(error IS NOT NULL) = (status = 'failed')",
  ],
  [
    'an unknown state',
    "UPDATE job SET status = 'paused'",
    "status IN ('queued', 'running', 'completed', 'failed', 'cancelled')",
  ],
  [
    'an unknown charge policy of a job',
    "UPDATE job SET charge_policy = 'free'",
    "charge_policy IN ('row', 'layers_found')",
  ],
  [
    'a threshold above 1 of a job',
    'UPDATE job SET match_threshold = 1.1',
    'match_threshold BETWEEN 0 AND 1',
  ],
  ['a cap of a job below 0', 'UPDATE job SET provider_cap = -1', 'provider_cap >= 0'],
  ['codes that are no list', "UPDATE job SET codes = '{}'", "json_type(codes) = 'array'"],
  ['prices that are no record', "UPDATE job SET prices = '[]'", "json_type(prices) = 'object'"],
  ['a way that is no list', "UPDATE job SET via = '{}'", "json_type(via) = 'array'"],
  ['headers that are no list', "UPDATE job SET headers = '{}'", "json_type(headers) = 'array'"],
  [
    'a mapping that is not an object',
    "UPDATE job SET mapping = '[]'",
    "json_type(mapping) = 'object'",
  ],
  [
    'an unknown choice for jobs without a network',
    "UPDATE job SET when_offline = 'never'",
    "when_offline IN ('wait', 'leave_out')",
  ],
  [
    'more waiting rows than processed ones',
    "UPDATE job SET waiting_rows = processed_rows + 1, waiting_since = 'now'",
    'waiting_rows BETWEEN 0 AND processed_rows',
  ],
  [
    'rows that wait for no time',
    "UPDATE job SET waiting_since = 'now'",
    '(waiting_rows = 0) = (waiting_since IS NULL)',
  ],
  [
    'a completed job with unanswered rows',
    endJobAs('completed', 'released_units = 1000, unanswered_rows = 1'),
    "status <> 'completed' OR unanswered_rows = 0",
  ],
  [
    'more unanswered rows than processed ones',
    'UPDATE job SET unanswered_rows = processed_rows + 1',
    'unanswered_rows BETWEEN 0 AND processed_rows',
  ],
  ['a job that half infers', 'UPDATE job SET infer_emails = 2', 'infer_emails IN (0, 1)'],
  [
    'an inferred email of a row that is not enriched',
    "UPDATE result SET status = 1, inferred = '[]'",
    'inferred IS NULL OR status = 0',
  ],
  ['results before the first', 'UPDATE job SET result_base = -1', 'result_base >= 0'],
  ['a retry of an unknown job', "UPDATE job SET retry_of = 'nobody'", 'FOREIGN KEY'],
  ['a range before the first', 'UPDATE result_range SET next_base = -1', 'next_base >= 0'],
  ['a second counter of ranges', 'INSERT INTO result_range VALUES (2, 0)', 'only = 1'],
];

const rowRefusals: Refusal[] = [
  [
    'a batch that counts wrongly',
    insertBatchOf('0, 2, 1, 0, 0'),
    'row_count = enriched + skipped + failed',
  ],
  [
    'facts of more rows than the batch has',
    'UPDATE job_batch SET facts = zeroblob(16)',
    'length(facts) = 4 * row_count',
  ],
  ['a batch before the first row', insertBatchOf('-1, 1, 1, 0, 0'), 'first_row >= 0'],
  ['a batch of nothing', insertBatchOf('0, 0, 0, 0, 0'), 'row_count > 0'],
  ['less than nothing enriched', insertBatchOf('0, 1, -1, 1, 1'), 'enriched >= 0'],
  ['less than nothing skipped', insertBatchOf('0, 1, 1, -1, 1'), 'skipped >= 0'],
  ['less than nothing failed', insertBatchOf('0, 1, 1, 1, -1'), 'failed >= 0'],
  [
    'parts of another number of rows',
    `UPDATE job_batch SET parts = x'0000'`,
    'length(parts) = 3 * ((row_count + 63) / 64)',
  ],
  [
    'more waiting rows than the batch has',
    'UPDATE job_batch SET waiting = row_count + 1',
    'waiting BETWEEN 0 AND row_count',
  ],
  [
    'more unanswered rows than the batch has',
    'UPDATE job_batch SET unanswered = row_count + 1',
    'unanswered BETWEEN 0 AND row_count',
  ],
  ['a batch twice', insertBatchOf('4, 1, 1, 0, 0'), 'batch_overlaps'],
  ['a batch into the next', insertBatchOf('3, 2, 2, 0, 0'), 'batch_overlaps'],
  ['a batch into the last', insertBatchOf('6, 2, 2, 0, 0'), 'batch_overlaps'],
  ['a batch over another', insertBatchOf('0, 9, 9, 0, 0'), 'batch_overlaps'],
  ['a batch within another', insertBatchOf('5, 1, 1, 0, 0'), 'batch_overlaps'],
  ['an unknown row status', insertResult('2, 3, 0, 0, 0'), 'status IN (0, 1, 2, 255)'],
  ['a result twice', insertResult('1, 0, 0, 0, 0'), 'UNIQUE constraint failed: result.id'],
];

const accountRefusals: Refusal[] = [
  ['an account without a name', "UPDATE account SET name = ''", "name <> ''"],
  ['another budget than yes or no', 'UPDATE account SET has_budget = 2', 'has_budget IN (0, 1)'],
  [
    'a threshold above 1',
    'UPDATE account SET match_threshold = 1.1',
    'match_threshold BETWEEN 0 AND 1',
  ],
  [
    'an unknown charge policy',
    "UPDATE account SET charge_policy = 'free'",
    "charge_policy IN ('row', 'layers_found')",
  ],
  ['a rate below 0', "INSERT INTO rate VALUES (1, 'L1', -1, 1)", 'price_units >= 0'],
  [
    'a rate of an invalid code',
    "INSERT INTO rate VALUES (1, 'L 9', 1, 1)",
    "code <> '' AND code NOT GLOB '*[^A-Za-z0-9_]*'",
  ],
  ['a rate half switched on', "INSERT INTO rate VALUES (1, 'L1', 1, 2)", 'active IN (0, 1)'],
  [
    'an empty idempotency key',
    "INSERT INTO idempotency VALUES ('s', '', 'f', 'j', 'now')",
    'length(key) BETWEEN 1 AND 255',
  ],
];

const refusals = [
  ...ledgerRefusals,
  ...jobRefusals,
  ...rowRefusals,
  ...accountRefusals,
  ...approvalRefusals,
  ...keyRefusals,
  ...monitorRefusals,
  ...oauthRefusals,
  ...ownedRefusals,
  ...providerRefusals,
  ...repeatRefusals,
  ...retentionRefusals,
  ...reviewRefusals,
  ...templateRefusals,
  ...suppressionRefusals,
  ...auditRefusals,
  ...personRefusals,
  ...pipelineRefusals,
  ...toolRefusals,
  ...validationRefusals,
  ...webhookRefusals,
];

/** A refused statement leaves nothing behind, so all refusals are tested on one store. */
const folder = mkdtempSync(join(tmpdir(), 'desk-store-'));
const database = openStore(folder);
beforeAll(() => fill(database));
afterAll(() => {
  expect(verifyLedger(database)).toEqual([]);
  database.close();
  rmSync(folder, { recursive: true });
});

test.each(refusals)('the schema refuses %s', (_, sql, message) => {
  expect(() => inTransaction(database, () => database.exec(sql))).toThrow(message);
});

test('every CHECK of the schema is among these refusals', () => {
  const schema = database.prepare<[], { sql: string }>('SELECT sql FROM sqlite_schema').all();
  const checks = schema.flatMap(({ sql }) => (sql ?? '').split(/CHECK \(/).slice(1));
  const messages = refusals.map(([, , message]) => message);
  expect(checks.filter((check) => !messages.some((text) => check.startsWith(text)))).toEqual([]);
});

test('the schema accepts adjacent batches', () => {
  const store = openTemporaryStore();
  fill(store);
  for (const firstRow of [7, 3, 0, 1]) store.exec(insertBatchOf(`${firstRow}, 1, 1, 0, 0`));
});
