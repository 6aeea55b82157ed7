// Records the findings of a Career Monitor job batch by batch, and charges for them: in the
// transaction that writes the batch's results, or that ends the working job (jobs/run-job.ts).
import { type CreditUnits, creditUnits, sayCredits, showCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { RowInputField } from '../contract/jobs/row-input.ts';
import type { ChargeSubject } from '../contract/ledger-subject.ts';
import { type WatchedField, watchedFields } from '../contract/monitors/career-monitor.ts';
import { cleanCell } from '../directory/normalize/messy/clean-cell.ts';
import { listCurrentJobs } from '../directory/read/current-jobs.ts';
import type { JobRow } from '../jobs/job.table.ts';
import type { WrittenRows } from '../jobs/job-kind.ts';
import { readRowStatus } from '../jobs/results/present-result.ts';
import { type ResultRecord, readResults } from '../jobs/results/result.table.ts';
import { readFields } from '../jobs/results/result-fields.ts';
import { noPermit, type Permit } from '../ledger/key-guard.ts';
import { charge, readBalances } from '../ledger/ledger.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { RowsFile } from '../spreadsheet/read-rows.ts';
import { noteEvent } from '../webhooks/outbox.table.ts';
import { compareContact, type KnownContact, readAnswer } from './compare-contact.ts';
import { insertFindings, type NewFinding, readKnownAnswers } from './finding.table.ts';
import {
  advanceMonitorJob,
  endMonitorJob,
  getMonitorJobByJob,
  type MonitorJobRow,
} from './monitor-job.table.ts';
import { countCharged, presentMonitorJob } from './present-monitor-job.ts';

function requireMonitorJob(database: ReadableDatabase, job: JobRow): MonitorJobRow {
  const found = getMonitorJobByJob(database, job.id);
  if (!found) throw new Error(`job ${job.uuid} is not a Career Monitor job`);
  return found;
}

function readRow(
  database: ReadableDatabase,
  job: JobRow,
  cells: readonly string[],
  uuid: string,
): KnownContact {
  const read = (field: RowInputField) => {
    const column = job.mapping[field];
    // "n/a" says nothing that can change.
    return column === undefined ? '' : cleanCell(cells[column] ?? '');
  };
  return {
    by: 'row',
    values: {
      company_name: read('company_name') || read('company_domain'),
      title: read('title'),
      email: read('email'),
    },
    listHeld: (field) => listCurrentJobs(database, uuid).map((held) => held[field]),
  };
}

function writeChanges(changes: readonly { field: WatchedField; old: string }[]): string | null {
  if (changes.length === 0) return null;
  return JSON.stringify(changes.map(({ field, old }) => [watchedFields.indexOf(field), old]));
}

/** The finding of one record. `earlier` is its last answer, if there ever was one. */
function findOut(
  database: ReadableDatabase,
  job: JobRow,
  record: ResultRecord,
  cells: readonly string[],
  earlier: { knownId: number; fields: string } | undefined,
): NewFinding {
  const { rowIndex } = record;
  const status = readRowStatus(record);
  if (status !== 'enriched')
    return {
      rowIndex,
      status: status === 'failed' ? 'failed' : 'no_match',
      knownId: earlier?.knownId ?? null,
      changes: null,
    };
  const known: KnownContact = earlier
    ? { by: 'answer', ...readAnswer(readFields(earlier)) }
    : readRow(database, job, cells, record.contactUuid);
  const found = compareContact(known, readAnswer(readFields(record)));
  return {
    rowIndex,
    status: found.status,
    knownId: job.resultBase + rowIndex,
    changes: writeChanges(found.changes),
  };
}

/** Call inside the batch's transaction. @param input the open input of the job */
export function recordFindings(
  database: WritableDatabase,
  job: JobRow,
  batch: WrittenRows,
  input: RowsFile,
): void {
  const monitorJob = requireMonitorJob(database, job);
  const { baselineResultBase } = monitorJob;
  const earlier = new Map(
    baselineResultBase === null
      ? []
      : readKnownAnswers(database, { resultBase: baselineResultBase, ...batch }).map((known) => [
          known.rowIndex,
          known,
        ]),
  );
  const inputs = input.readRange(batch.firstRow, batch.count);
  const { resultBase } = job;
  const records = readResults(database, { resultBase, ...batch });
  const findings = records.map((record) => {
    const row = inputs[record.rowIndex - batch.firstRow] ?? [];
    return findOut(database, job, record, row, earlier.get(record.rowIndex));
  });
  const repeated = findings.filter(
    ({ status, rowIndex }) => status === 'unchanged' && earlier.has(rowIndex),
  );
  const at = { jobId: job.id, resultBase, firstRow: batch.firstRow };
  const counts = insertFindings(database, at, findings);
  advanceMonitorJob(database, monitorJob.id, counts, repeated.length);
}

export const subjectOf = (id: number): ChargeSubject => ({ kind: 'monitor_job', id: `${id}` });

/** What the key that started a job could spend on it when it was accepted. */
export const permitOf = ({ authorisedUnits }: MonitorJobRow): Permit =>
  authorisedUnits === null ? noPermit : { kind: 'authorised', units: authorisedUnits };

export function describeShortfall(
  database: ReadableDatabase,
  accountId: number,
  dueUnits: CreditUnits,
): string {
  const { availableUnits } = readBalances(database, accountId);
  const missing = dueUnits - availableUnits;
  const due = `${sayCredits(dueUnits)} must be paid`;
  return missing > 0
    ? `${due} and the wallet has ${showCredits(availableUnits)}. ` +
        `Add ${sayCredits(creditUnits(missing))}, then pay.`
    : `${due}, which the wallet now covers. Pay to open the findings.`;
}

/**
 * Notes for webhooks that the findings of a job are open and have changes. The record has counts
 * and no values: deliveries are kept, and values of people are read from the job. Call inside the
 * transaction that pays.
 */
export function noteChanges(database: WritableDatabase, job: MonitorJobRow, at: string): void {
  if (job.changed + job.departed === 0) return;
  const { accountId } = job;
  noteEvent(database, { accountId, kind: 'monitor.changed', data: presentMonitorJob(job), at });
}

/**
 * Charges a completed Career Monitor job for the records with an answer. If the wallet or the key's
 * cap does not cover it, the findings stay locked. Call inside the transaction that ends the job.
 */
export function chargeMonitorJob(database: WritableDatabase, job: JobRow, at: string): void {
  const monitorJob = requireMonitorJob(database, job);
  const { id, accountId, priceUnits, keyId } = monitorJob;
  const dueUnits = creditUnits(countCharged(job.enrichedRows, monitorJob) * priceUnits);
  const permit = permitOf(monitorJob);
  try {
    charge(database, accountId, dueUnits, subjectOf(id), at, keyId, permit);
    endMonitorJob(database, id, { dueUnits, paidAt: at, chargeError: null });
    noteChanges(database, requireMonitorJob(database, job), at);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const chargeError =
      error.code === 'insufficient_credits'
        ? describeShortfall(database, accountId, dueUnits)
        : error.detail;
    endMonitorJob(database, id, { dueUnits, paidAt: null, chargeError });
  }
}
