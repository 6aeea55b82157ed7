// Pages of a Career Monitor job's findings, which are open once it is completed and paid.
import { creditUnits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { matchReasons, type Provenance } from '../contract/jobs/job.ts';
import {
  type Finding,
  findingStatuses,
  watchedFields,
} from '../contract/monitors/career-monitor.ts';
import { expandProvenance } from '../directory/read/projection.ts';
import type { RouteEnvironment } from '../http/route-deps.ts';
import { getJobById, type JobRow } from '../jobs/job.table.ts';
import { requireFinished } from '../jobs/results/export-result.ts';
import { showRow } from '../jobs/results/hide-suppressed.ts';
import { readInputs } from '../jobs/results/read-result.ts';
import { readFields } from '../jobs/results/result-fields.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { openInput } from '../spreadsheet/input-folders.ts';
import { type HiddenRows, readHiddenRows } from '../suppression/hidden-rows.ts';
import { answeredAs } from './compare-contact.ts';
import { type FindingRecord, findingCounters, readFindings } from './finding.table.ts';
import type { MonitorJobRow } from './monitor-job.table.ts';
import { describeShortfall } from './record-findings.ts';
import { requireMonitorJob } from './start-monitor-job.ts';

export type FindingsRequest = Parameters<typeof readFindings>[2];

export interface OpenFindings {
  readonly monitorJob: MonitorJobRow;
  readonly job: JobRow;
}

/**
 * The account's Career Monitor job if its findings are open. Throws `not_found`, `not_ready` before
 * its end, the working job's own error if it failed, and `insufficient_credits` with the missing
 * amount if it is not paid.
 */
export function requireOpenFindings(
  database: ReadableDatabase,
  accountId: number,
  id: number,
): OpenFindings {
  const monitorJob = requireMonitorJob(database, accountId, id);
  const job = requireFinished(getJobById(database, monitorJob.jobId));
  if (monitorJob.paidAt === null) {
    const due = describeShortfall(database, accountId, monitorJob.dueUnits ?? creditUnits(0));
    throw new EngineError('insufficient_credits', `These findings are locked: ${due}`);
  }
  return { monitorJob, job };
}

export const countFindings = (job: MonitorJobRow, status: FindingsRequest['status']): number =>
  status === undefined ? job.totalRows : job[findingCounters[status].count];

/** The changes of a finding. The source of a missing value is that of the employment status. */
function readChanges(
  record: FindingRecord,
  current: Readonly<Record<string, string>>,
  provenance: Readonly<Record<string, Provenance>>,
): Finding['changes'] {
  const stored = JSON.parse(record.changes ?? '[]') as [number, string][];
  return stored.flatMap(([code, old]) => {
    const field = watchedFields[code];
    if (!field) return [];
    const name = answeredAs[field];
    const told = provenance[name] ?? provenance['Employment status'];
    return {
      field,
      old_value: old,
      new_value: current[name] ?? '',
      source: told?.source ?? '',
      observed_at: told?.observed_at ?? '',
    };
  });
}

/** A finding in the format of the API. `cells` is the caller's row. */
export function describeFinding(
  job: JobRow,
  record: FindingRecord,
  cells: readonly string[],
): Finding {
  const status = findingStatuses[record.finding];
  if (!status) throw new Error(`unknown finding status ${record.finding}`);
  const current = readFields(record);
  const provenance = record.provenance
    ? expandProvenance(record.provenance, Object.keys(current))
    : {};
  const inputValue = (field: 'first_name' | 'last_name' | 'client_reference_id') => {
    const column = job.mapping[field];
    return column === undefined ? '' : (cells[column] ?? '');
  };
  return {
    row_index: record.rowIndex,
    client_reference_id: inputValue('client_reference_id'),
    upstream_contact_uuid: record.contactUuid,
    first_name: current['First name'] ?? inputValue('first_name'),
    last_name: current['Last name'] ?? inputValue('last_name'),
    status,
    reason: matchReasons[record.reason] ?? '',
    confidence: Math.round(record.confidence * 10_000) / 10_000,
    changes: readChanges(record, current, provenance),
    current,
    provenance,
  };
}

type FindingsEnvironment = Pick<RouteEnvironment, 'database' | 'directoryDatabase' | 'folder'>;

/** A finding as it may be shown: of a suppressed person, with neither changes nor values. */
export function showFinding(
  hidden: HiddenRows,
  job: JobRow,
  stored: FindingRecord,
  given: readonly string[],
): { readonly record: FindingRecord; readonly cells: readonly string[] } {
  const earlier = (JSON.parse(stored.changes ?? '[]') as [number, string][]).map(([, old]) => old);
  const { record, cells, isHidden } = showRow(hidden, job, stored, given, earlier);
  if (!isHidden) return { record, cells };
  const finding = findingStatuses.indexOf('no_match');
  return { record: { ...record, finding, changes: null }, cells };
}

export function readFindingsPage(
  { database, directoryDatabase, folder }: FindingsEnvironment,
  { monitorJob, job }: OpenFindings,
  page: FindingsRequest,
): Finding[] {
  const records = readFindings(database, monitorJob, page);
  if (records.length === 0) return [];
  const rows = openInput(folder, job.uuid, job.totalRows);
  try {
    const inputs = readInputs(rows, records);
    const hidden = readHiddenRows(database, directoryDatabase);
    return records.map((record, at) => {
      const shown = showFinding(hidden, job, record, inputs[at] ?? []);
      return describeFinding(job, shown.record, shown.cells);
    });
  } finally {
    rows.close();
  }
}
