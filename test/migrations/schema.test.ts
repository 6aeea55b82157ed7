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
import {
  addAccount,
  addJob,
  at,
  openTemporaryStore,
  type Refusal,
  someJob,
} from './temporary-store.ts';
import { toolRefusals } from './tool-refusals.ts';
import { validationRefusals } from './validation-refusals.ts';
import { webhookRefusals } from './webhook-refusals.ts';

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
  ['UPDATE job SET total_rows = 0', 'total_rows > 0'],
  ['UPDATE job SET upstream_accepted = 2', 'upstream_accepted IN (0, 1)'],
  [
    'UPDATE job SET processed_rows = 1',
    'processed_rows = enriched_rows + skipped_rows + failed_rows',
  ],
  ['UPDATE job SET processed_rows = 11, failed_rows = 11', 'processed_rows <= total_rows'],
  ['UPDATE job SET enriched_rows = -1, failed_rows = 1', 'enriched_rows >= 0'],
  ['UPDATE job SET skipped_rows = -1, failed_rows = 1', 'skipped_rows >= 0'],
  ['UPDATE job SET failed_rows = -1, skipped_rows = 1', 'failed_rows >= 0'],
  ['UPDATE job SET price_per_row_units = -1', 'price_per_row_units >= 0'],
  ['UPDATE job SET pending_charge_units = 1001', 'pending_charge_units BETWEEN 0 AND held_units'],
  ['UPDATE job SET pending_charge_units = -1', 'pending_charge_units BETWEEN 0 AND held_units'],
  ['UPDATE job SET held_units = -1, hold_id = NULL', 'held_units >= 0'],
  ['UPDATE job SET held_units = 1', 'FOREIGN KEY'],
  ['UPDATE job SET hold_id = NULL', 'hold_id IS NOT NULL OR held_units = 0'],
  ['UPDATE job SET charged_units = 1000', "status = 'completed' OR charged_units = 0"],
  ['UPDATE job SET released_units = 1000', 'charged_units + released_units ='],
  ['UPDATE job SET charged_units = -1, released_units = 1', 'charged_units >= 0'],
  ['UPDATE job SET charged_units = 1, released_units = -1', 'released_units >= 0'],
  ["UPDATE job SET status = 'running'", "status <> 'running' OR started_at IS NOT NULL"],
  [
    "UPDATE job SET status = 'cancelled'",
    "(completed_at IS NULL) = (status IN ('queued', 'running'))",
  ],
  [endJobAs('cancelled', 'released_units = 999'), 'charged_units + released_units ='],
  [
    endJobAs('completed', 'released_units = 1000'),
    "status <> 'completed' OR processed_rows = total_rows",
  ],
  [
    endJobAs('cancelled', 'charged_units = 1, released_units = 999'),
    "status = 'completed' OR charged_units = 0",
  ],
  [endJobAs('failed', 'released_units = 1000'), "(error IS NOT NULL) = (status = 'failed')"],
  [
    "UPDATE job SET status = 'paused'",
    "status IN ('queued', 'running', 'completed', 'failed', 'cancelled')",
  ],
  ["UPDATE job SET charge_policy = 'free'", "charge_policy IN ('row', 'layers_found')"],
  ['UPDATE job SET match_threshold = 1.1', 'match_threshold BETWEEN 0 AND 1'],
  ['UPDATE job SET provider_cap = -1', 'provider_cap >= 0'],
  ["UPDATE job SET codes = '{}'", "json_type(codes) = 'array'"],
  ["UPDATE job SET prices = '[]'", "json_type(prices) = 'object'"],
  ["UPDATE job SET via = '{}'", "json_type(via) = 'array'"],
  ["UPDATE job SET headers = '{}'", "json_type(headers) = 'array'"],
  ["UPDATE job SET mapping = '[]'", "json_type(mapping) = 'object'"],
  ["UPDATE job SET when_offline = 'never'", "when_offline IN ('wait', 'leave_out')"],
  [
    "UPDATE job SET waiting_rows = processed_rows + 1, waiting_since = 'now'",
    'waiting_rows BETWEEN 0 AND processed_rows',
  ],
  ["UPDATE job SET waiting_since = 'now'", '(waiting_rows = 0) = (waiting_since IS NULL)'],
  [
    endJobAs('completed', 'released_units = 1000, unanswered_rows = 1'),
    "status <> 'completed' OR unanswered_rows = 0",
  ],
  [
    'UPDATE job SET unanswered_rows = processed_rows + 1',
    'unanswered_rows BETWEEN 0 AND processed_rows',
  ],
  ['UPDATE job SET infer_emails = 2', 'infer_emails IN (0, 1)'],
  ["UPDATE result SET status = 1, inferred = '[]'", 'inferred IS NULL OR status = 0'],
  ['UPDATE job SET result_base = -1', 'result_base >= 0'],
  ["UPDATE job SET retry_of = 'nobody'", 'FOREIGN KEY'],
  ['UPDATE result_range SET next_base = -1', 'next_base >= 0'],
  ['INSERT INTO result_range VALUES (2, 0)', 'only = 1'],
];

const rowRefusals: Refusal[] = [
  [insertBatchOf('0, 2, 1, 0, 0'), 'row_count = enriched + skipped + failed'],
  ['UPDATE job_batch SET facts = zeroblob(16)', 'length(facts) = 4 * row_count'],
  [insertBatchOf('-1, 1, 1, 0, 0'), 'first_row >= 0'],
  [insertBatchOf('0, 0, 0, 0, 0'), 'row_count > 0'],
  [insertBatchOf('0, 1, -1, 1, 1'), 'enriched >= 0'],
  [insertBatchOf('0, 1, 1, -1, 1'), 'skipped >= 0'],
  [insertBatchOf('0, 1, 1, 1, -1'), 'failed >= 0'],
  [`UPDATE job_batch SET parts = x'0000'`, 'length(parts) = 3 * ((row_count + 63) / 64)'],
  ['UPDATE job_batch SET waiting = row_count + 1', 'waiting BETWEEN 0 AND row_count'],
  ['UPDATE job_batch SET unanswered = row_count + 1', 'unanswered BETWEEN 0 AND row_count'],
  [insertBatchOf('4, 1, 1, 0, 0'), 'batch_overlaps'],
  [insertBatchOf('3, 2, 2, 0, 0'), 'batch_overlaps'],
  [insertBatchOf('6, 2, 2, 0, 0'), 'batch_overlaps'],
  [insertBatchOf('0, 9, 9, 0, 0'), 'batch_overlaps'],
  [insertBatchOf('5, 1, 1, 0, 0'), 'batch_overlaps'],
  [insertResult('2, 3, 0, 0, 0'), 'status IN (0, 1, 2, 255)'],
  [insertResult('1, 0, 0, 0, 0'), 'UNIQUE constraint failed: result.id'],
];

const accountRefusals: Refusal[] = [
  ["UPDATE account SET name = ''", "name <> ''"],
  ['UPDATE account SET has_budget = 2', 'has_budget IN (0, 1)'],
  ['UPDATE account SET match_threshold = 1.1', 'match_threshold BETWEEN 0 AND 1'],
  ["UPDATE account SET charge_policy = 'free'", "charge_policy IN ('row', 'layers_found')"],
  ["INSERT INTO rate VALUES (1, 'L1', -1, 1)", 'price_units >= 0'],
  ["INSERT INTO rate VALUES (1, 'L 9', 1, 1)", "code <> '' AND code NOT GLOB '*[^A-Za-z0-9_]*'"],
  ["INSERT INTO rate VALUES (1, 'L1', 1, 2)", 'active IN (0, 1)'],
  ["INSERT INTO idempotency VALUES ('s', '', 'f', 'j', 'now')", 'length(key) BETWEEN 1 AND 255'],
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

test.each(refusals)('the schema refuses %s with %s', (sql, message) => {
  expect(() => inTransaction(database, () => database.exec(sql))).toThrow(message);
});

test('every CHECK of the schema is among these refusals', () => {
  const schema = database.prepare<[], { sql: string }>('SELECT sql FROM sqlite_schema').all();
  const checks = schema.flatMap(({ sql }) => (sql ?? '').split(/CHECK \(/).slice(1));
  const messages = refusals.map(([, message]) => message);
  expect(checks.filter((check) => !messages.some((text) => check.startsWith(text)))).toEqual([]);
});

test('the schema accepts adjacent batches', () => {
  const store = openTemporaryStore();
  fill(store);
  for (const firstRow of [7, 3, 0, 1]) store.exec(insertBatchOf(`${firstRow}, 1, 1, 0, 0`));
});
