// Every read uses a key or an index, whatever the size of the tables.
import { expect, test } from 'vitest';
import { getAccount, getAccountById, updateAccount } from '../../engine/accounts/account.table.ts';
import {
  findKeyByHash,
  getKey,
  listKeys,
  revokeKey,
  touchKey,
  updateKey,
} from '../../engine/accounts/api-key.table.ts';
import { countStdioClients, findStdioKey } from '../../engine/accounts/create-account-commands.ts';
import { listAssistantKeys, listToolCalls } from '../../engine/assistants/tool-call.table.ts';
import {
  findKeyActor,
  findStarter,
  getAuditHash,
  listAuditRows,
  readAuditRows,
  readMatchingRows,
} from '../../engine/audit/audit.table.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { getJob, getJobById, hasJob, listJobs } from '../../engine/jobs/job.table.ts';
import { countRunning, nextRunnableJob } from '../../engine/jobs/job-states.ts';
import { nextRemoved } from '../../engine/jobs/removal/removed-job.table.ts';
import { deleteBatches, listBatchesBetween } from '../../engine/jobs/results/job-batch.table.ts';
import {
  deleteResults,
  readResults,
  readResultsByStatus,
  summarizeRange,
} from '../../engine/jobs/results/result.table.ts';
import {
  expireApprovals,
  expireOldest,
  findApprovals,
  getApproval,
  listAsked,
} from '../../engine/ledger/approval.table.ts';
import { findIdempotent, forgetIdempotentBefore } from '../../engine/ledger/idempotency.ts';
import { readGuard, readKeySpending } from '../../engine/ledger/key-guard.ts';
import {
  findHoldEntry,
  listEntries,
  readBalances,
  resolveHold,
} from '../../engine/ledger/ledger.ts';
import { countPaidPeople, isOwned } from '../../engine/ledger/owned-values.ts';
import { listRates } from '../../engine/ledger/rate.table.ts';
import { findKeptAnswer, forgetAnswersBefore } from '../../engine/ledger/unlock-once.ts';
import { readFindings, readKnownAnswers } from '../../engine/monitors/finding.table.ts';
import {
  findNextRunAt,
  getMonitor,
  listDueMonitors,
  listMonitors,
} from '../../engine/monitors/monitor.table.ts';
import {
  findBaselineId,
  getLastMonitorJob,
  getMonitorJobByUuid,
  listMonitorJobs,
} from '../../engine/monitors/monitor-job.table.ts';
import {
  getPipeline,
  hasPipeline,
  listPipelines,
  nextOpenPipeline,
  requirePipelineById,
} from '../../engine/pipelines/pipeline.table.ts';
import {
  countAddresses,
  countUnpaidValues,
  readEarlierVerdicts,
  readPipelineContacts,
} from '../../engine/pipelines/pipeline-contact.table.ts';
import { dropAllSubjects } from '../../engine/pipelines/pipeline-subjects.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { findDomain, keepDomainFindings } from '../../engine/validations/mail-domain.table.ts';
import {
  getValidation,
  listValidations,
  nextOpenValidation,
  readOpenEmails,
  readVerdicts,
} from '../../engine/validations/validation.table.ts';
import {
  countWaiting,
  findNextDelivery,
  getDelivery,
  listAttempts,
  listDeliveries,
  sweepDeliveries,
} from '../../engine/webhooks/delivery.table.ts';
import {
  getWebhookById,
  listWebhookHosts,
  listWebhooks,
} from '../../engine/webhooks/webhook.table.ts';
import { planStatements } from './plan-statements.ts';
import { at, noCaps } from './temporary-store.ts';

const page = { limit: 10, offset: 20 };
const readSpending = (database: WritableDatabase) => {
  expect(() => readKeySpending(database, 'k', at)).toThrow('key_unknown');
};
const readNoGuard = (database: WritableDatabase) => {
  expect(() => readGuard(database, 'k')).toThrow('key_unknown');
};
const action = 'key_created';
const log = { action, actor: 'a', since: at, limit: 9 } as const;
const ids = 'USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)';

test.each<[string, (database: WritableDatabase) => unknown, string]>([
  ['getAccount', (db) => getAccount(db, 'u'), 'INDEX sqlite_autoindex_account_1 (uuid=?)'],
  ['getAccountById', (db) => getAccountById(db, 1), 'account USING INTEGER PRIMARY KEY'],
  ['findKeyActor', (db) => findKeyActor(db, 'k'), 's USING PRIMARY KEY (account_id=?)'],
  ['getAuditHash', (db) => getAuditHash(db, 1), 'audit_entry USING INTEGER PRIMARY KEY'],
  ['readAuditRows', (db) => readAuditRows(db, 1, 5), 'e USING INTEGER PRIMARY KEY (rowid>?)'],
  [
    'readMatchingRows',
    (db) => readMatchingRows(db, { ...log, after: 1, last: 9 }),
    'rowid>? AND rowid<?',
  ],
  [
    'findStarter',
    (db) => findStarter(db, 'a', 's'),
    'audit_entry_subject (subject=? AND action=?)',
  ],
  ['listAuditRows by both', (db) => listAuditRows(db, log), '(actor=? AND action=? AND at>?)'],
  [
    'listAuditRows by action',
    (db) => listAuditRows(db, { action, limit: 9 }),
    '_action (action=?)',
  ],
  [
    'listAuditRows by actor',
    (db) => listAuditRows(db, { actor: 'a', limit: 9 }),
    '_actor (actor=?)',
  ],
  ['listAuditRows since', (db) => listAuditRows(db, { since: at, limit: 9 }), '_at (at>?)'],
  ['updateAccount', (db) => updateAccount(db, 1, {}), 'account USING INTEGER PRIMARY KEY'],
  ['findKeyByHash', (db) => findKeyByHash(db, 'h'), 'INDEX sqlite_autoindex_api_key_2 (hash=?)'],
  ['listKeys', (db) => listKeys(db, 1), 'INDEX api_key_account (account_id=?)'],
  ['getKey', (db) => getKey(db, 1, 'k'), 'api_key_3 (id=? AND account_id=?)'],
  [
    'updateKey',
    (db) => updateKey(db, 'k', { label: 'l', ...noCaps }),
    'sqlite_autoindex_api_key_1 (id=?)',
  ],
  ['readKeySpending', (db) => readSpending(db), 'key_spending USING PRIMARY KEY (key_id=? AND day'],
  ['revokeKey', (db) => revokeKey(db, 1, 'k', at), 'api_key_3 (id=? AND account_id=?)'],
  ['touchKey', (db) => touchKey(db, 'k', at), 'sqlite_autoindex_api_key_1 (id=?)'],
  ['findStdioKey', (db) => findStdioKey(db, 1, 'n'), 'PRIMARY KEY (account_id=? AND name=?)'],
  ['countStdioClients', (db) => countStdioClients(db, 1), 'PRIMARY KEY (account_id=?)'],
  ['listRates', (db) => listRates(db, 1), 'rate USING PRIMARY KEY (account_id=?)'],
  ['readBalances', (db) => readBalances(db, 1), 'ledger_balance USING INTEGER PRIMARY KEY'],
  ['listEntries', (db) => listEntries(db, 1, page), 'INDEX ledger_entry_account (account_id=?)'],
  ['resolveHold', (db) => resolveHold(db, 2, creditUnits(0), at), 'r USING INTEGER PRIMARY KEY'],
  ['findHoldEntry', (db) => findHoldEntry(db, 2), 'ledger_entry_1 (hold_id=? AND kind=?)'],
  [
    'isOwned',
    (db) => isOwned(db, 1, { kind: 'email', personUuid: 'u' }),
    'owned USING PRIMARY KEY (account_id=? AND person_uuid=? AND kind=?)',
  ],
  ['getJob', (db) => getJob(db, 1, 'u'), 'INDEX sqlite_autoindex_job_1 (uuid=?)'],
  ['hasJob', (db) => hasJob(db, 'u'), 'INDEX sqlite_autoindex_job_1 (uuid=?)'],
  ['getJobById', (db) => getJobById(db, 1), 'job USING INTEGER PRIMARY KEY'],
  ['listJobs', (db) => listJobs(db, 1, page), 'INDEX job_account (account_id=? AND kind=?)'],
  [
    'listJobs by status',
    (db) => listJobs(db, 1, { ...page, status: 'failed' }),
    'INDEX job_account_status (account_id=? AND kind=? AND status=?)',
  ],
  ['nextRunnableJob', (db) => nextRunnableJob(db), 'INDEX job_queue (status=?)'],
  [
    'countRunning',
    (db) => countRunning(db, 1),
    'INDEX job_account_status (account_id=? AND kind=? AND status=?)',
  ],
  ['nextRemoved', (db) => nextRemoved(db), 'USING INDEX job_removed'],
  [
    'listBatchesBetween',
    (db) => listBatchesBetween(db, 1, { firstRow: 5, lastRow: 9 }),
    'COVERING INDEX job_batch_counters (job_id=? AND first_row>? AND first_row<?)',
  ],
  ['deleteBatches', (db) => deleteBatches(db, 1), 'job_batch USING PRIMARY KEY (job_id=?)'],
  ['getMonitor', (db) => getMonitor(db, 1, 1), 'monitor USING INTEGER PRIMARY KEY'],
  ['listMonitors', (db) => listMonitors(db, 1), 'INDEX monitor_account (account_id=?)'],
  ['listDueMonitors', (db) => listDueMonitors(db, at), 'INDEX monitor_due (next_run_at<?)'],
  ['findNextRunAt', (db) => findNextRunAt(db), 'INDEX monitor_due (next_run_at>?)'],
  [
    'listMonitorJobs of an account',
    (db) => listMonitorJobs(db, { accountId: 1 }, page),
    'INDEX monitor_job_account (account_id=?)',
  ],
  [
    'listMonitorJobs of a monitor',
    (db) => listMonitorJobs(db, { monitorId: 1 }, page),
    'INDEX monitor_job_monitor (monitor_id=?)',
  ],
  [
    'getMonitorJobByUuid',
    (db) => getMonitorJobByUuid(db, 1, 'u'),
    'j USING INDEX sqlite_autoindex_job_1 (uuid=?)',
  ],
  [
    'getLastMonitorJob',
    (db) => getLastMonitorJob(db, 1),
    'INDEX monitor_job_monitor (monitor_id=?)',
  ],
  ['findBaselineId', (db) => findBaselineId(db, 1), 'INDEX monitor_job_monitor (monitor_id=?)'],
  [
    'readFindings',
    (db) => readFindings(db, { jobId: 1, resultBase: 0, totalRows: 9 }, page),
    'f USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
  ],
  [
    'readKnownAnswers',
    (db) => readKnownAnswers(db, { resultBase: 0, firstRow: 0, count: 5 }),
    'f USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
  ],
  ['readResults', (db) => readResults(db, { resultBase: 0, firstRow: 0, count: 5 }), ids],
  ['deleteResults', (db) => deleteResults(db, 0, 0, 10), ids],
  ['findIdempotent', (db) => findIdempotent(db, 's', 'k'), 'PRIMARY KEY (key_scope=? AND key=?)'],
  ['forgetIdempotentBefore', (db) => forgetIdempotentBefore(db, at), 'idempotency_at (at<?)'],
  [
    'findKeptAnswer',
    (db) => findKeptAnswer(db, 's', 'k', at),
    'tool_answer USING PRIMARY KEY (key_scope=? AND key=?)',
  ],
  ['forgetAnswersBefore', (db) => forgetAnswersBefore(db, at), 'INDEX tool_answer_at (at<?)'],
  ['readGuard', (db) => readNoGuard(db), 'sqlite_autoindex_api_key_1 (id=?)'],
  ['getApproval', (db) => getApproval(db, 'i'), 'a USING PRIMARY KEY (id=?)'],
  ['listAsked', (db) => listAsked(db, 1, at), 'a USING INDEX approval_asked (account_id=?)'],
  [
    'findApprovals',
    (db) => findApprovals(db, { keyId: 'k', request: 'r', status: 'asked', at, taken: [] }),
    'a USING INDEX approval_request (key_id=? AND request=?)',
  ],
  [
    'expireApprovals',
    (db) => expireApprovals(db, at, at),
    'INDEX approval_expires (status=? AND expires_at<?)',
  ],
  [
    'expireOldest',
    (db) => expireOldest(db, { accountId: 1, keyId: 'k' }, 9),
    'approval_asked (account_id=? AND key_id=?)',
  ],
  [
    'listToolCalls',
    (db) => listToolCalls(db, 1, { limit: 5, before: 9 }),
    'c USING INDEX tool_call_account (account_id=? AND id<?)',
  ],
  [
    'listAssistantKeys',
    (db) => listAssistantKeys(db, 1),
    'tool_call USING COVERING INDEX tool_call_scope (key_scope=?)',
  ],
  [
    'getValidation',
    (db) => getValidation(db, 1, 'u'),
    'INDEX sqlite_autoindex_email_validation_1 (uuid=?)',
  ],
  [
    'nextOpenValidation',
    (db) => nextOpenValidation(db, 1),
    'email_validation USING INDEX email_validation_open (id>?)',
  ],
  [
    'listValidations',
    (db) => listValidations(db, 1, page),
    'email_validation_account (account_id=?)',
  ],
  [
    'readOpenEmails',
    (db) => readOpenEmails(db, { id: 1, doneEmails: 0 }, 5),
    'email_verdict USING PRIMARY KEY (validation_id=? AND position>?)',
  ],
  [
    'readVerdicts',
    (db) => readVerdicts(db, 1, page),
    'email_verdict USING PRIMARY KEY (validation_id=? AND position>? AND position<?)',
  ],
  ['getPipeline', (db) => getPipeline(db, 1, 'u'), 'sqlite_autoindex_pipeline_1 (uuid=?)'],
  ['hasPipeline', (db) => hasPipeline(db, 'u'), 'sqlite_autoindex_pipeline_1 (uuid=?)'],
  [
    'requirePipelineById',
    (db) => expect(() => requirePipelineById(db, 1)).toThrow('pipeline_unknown'),
    'pipeline USING INTEGER PRIMARY KEY',
  ],
  ['nextOpenPipeline', (db) => nextOpenPipeline(db, 1), 'INDEX pipeline_open (id>?)'],
  ['listPipelines', (db) => listPipelines(db, 1, page), 'INDEX pipeline_account (account_id=?)'],
  [
    'readPipelineContacts',
    (db) => readPipelineContacts(db, 1, page),
    'pipeline_contact USING PRIMARY KEY (pipeline_id=? AND position>? AND position<?)',
  ],
  ['dropAllSubjects', (db) => dropAllSubjects(db, 1), 'PRIMARY KEY (pipeline_id=?)'],
  ['getWebhookById', (db) => getWebhookById(db, 'w'), 'sqlite_autoindex_webhook_1 (id=?)'],
  ['listWebhooks', (db) => listWebhooks(db, 1), 'INDEX webhook_account (account_id=?)'],
  ['listWebhookHosts', (db) => listWebhookHosts(db, 1), 'PRIMARY KEY (account_id=?)'],
  [
    'findNextDelivery of first attempts',
    (db) => findNextDelivery(db, 'w', at),
    'd USING INDEX webhook_delivery_first (webhook_id=?)',
  ],
  [
    'findNextDelivery of retries',
    (db) => findNextDelivery(db, 'w', at),
    'd USING INDEX webhook_delivery_retry (webhook_id=?)',
  ],
  ['countWaiting', (db) => countWaiting(db, 'w'), 'INDEX webhook_delivery_first (webhook_id=?)'],
  ['getDelivery', (db) => getDelivery(db, 'w', 1), 'd USING INTEGER PRIMARY KEY'],
  [
    'listDeliveries',
    (db) => listDeliveries(db, 'w', { limit: 10 }),
    'd USING INDEX webhook_delivery_listed (webhook_id=? AND id<?)',
  ],
  [
    'listDeliveries of one state',
    (db) => listDeliveries(db, 'w', { limit: 10, state: 'failed' }),
    'd USING INDEX webhook_delivery_listed (webhook_id=? AND id<?)',
  ],
  ['listAttempts', (db) => listAttempts(db, 1), 'webhook_attempt USING PRIMARY KEY'],
  ['sweepDeliveries', (db) => sweepDeliveries(db, at, 10), 'webhook_delivery_ended (ended_at<?)'],
  ['findDomain', (db) => findDomain(db, 'd'), 'mail_domain_1 (domain=?)'],
  [
    'keepDomainFindings',
    (db) => keepDomainFindings(db, [{ domain: 'd', outcome: 'o', keptUntil: at }]),
    'mail_domain USING INTEGER PRIMARY KEY (rowid<?)',
  ],
])('%s uses an index and sorts no rows', (_, work, index) => {
  const plan = planStatements(work);
  expect(plan.join('\n')).toContain(index);
  expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
});

test('a verdict is found among those of its pipeline only', () => {
  const plan = planStatements((database) => readEarlierVerdicts(database, 1, []));
  expect(plan.filter((step) => step.startsWith('SEARCH'))[0]).toMatch(
    /^SEARCH c USING INDEX pipeline_contact_verdict \(pipeline_id=\? AND email=\?/,
  );
});

test('a pipeline is priced in one pass over its contacts, in the order of the owned values', () => {
  const order = { id: 1, accountId: 1, unlockedTo: 0, verifiedTo: 0 };
  const plan = planStatements((database) => {
    countUnpaidValues(database, order);
    countAddresses(database, order);
  });
  const contacts = 'SEARCH pipeline_contact USING PRIMARY KEY (pipeline_id=? AND position>?)';
  const key = 'USING PRIMARY KEY (account_id=? AND person_uuid=? AND kind=?)';
  const [owned, before] = [`SEARCH owned ${key}`, `SEARCH o ${key}`];
  const merged = 'SEARCH m USING COVERING INDEX merged_person_survivor (survivor_uuid=?)';
  expect(plan.filter((step) => step.startsWith('SEARCH'))).toEqual([
    contacts,
    owned,
    merged,
    before,
    owned,
    merged,
    before,
    contacts,
  ]);
});

test('the people of a charge are found among its own values only', () => {
  const plan = planStatements((database) => countPaidPeople(database, 1));
  expect(plan.at(-1)).toMatch(/^SEARCH owned USING (COVERING )?INDEX owned_entry \(entry_id=\?\)$/);
});

test('a range is counted within its ids only', () => {
  const plan = planStatements((database) => summarizeRange(database, 0, 1999));
  const rows = '(subquery-1)';
  expect(plan).toEqual([`CO-ROUTINE ${rows}`, `SEARCH result ${ids}`, `SCAN ${rows}`]);
});

test.each([
  ['enriched', 0, ids],
  ['skipped', 1, ids],
  ['failed', 2, 'USING INDEX result_failed (status=? AND rowid>? AND rowid<?)'],
])('a page of %s rows adds up the counters of one job, then reads by id', (_, status, index) => {
  const page = { jobId: 1, resultBase: 0, status, offset: 0, limit: 5 };
  const plan = planStatements((database) => readResultsByStatus(database, page));
  expect(plan.filter((step) => step.startsWith('SEARCH'))).toEqual([
    'SEARCH job_batch USING COVERING INDEX job_batch_counters (job_id=?)',
    'SEARCH job_batch USING PRIMARY KEY (job_id=? AND first_row=?)',
    `SEARCH result ${index}`,
  ]);
  // Only the selected counters are scanned and sorted, never the results.
  expect(
    plan.filter((step) => /^SCAN (?!\(subquery-\d+\)$|pragma_data_version )/.test(step)),
  ).toEqual([]);
});
