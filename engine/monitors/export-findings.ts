/**
 * The CSV of a Career Monitor job's findings: the caller's columns first and unchanged, then the
 * finding, each watched value before and now, and the source.
 */
import { type Finding, watchedFields } from '../contract/monitors/career-monitor.ts';
import { openDirectoryReadable } from '../directory/open-directory.ts';
import { exportStretchRows, nameExport, requireRows } from '../jobs/results/export-result.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { formatRecord, protectFormula } from '../spreadsheet/format-record.ts';
import { openInput, requireInput } from '../spreadsheet/input-folders.ts';
import { nameColumns } from '../spreadsheet/name-columns.ts';
import { readHiddenRows } from '../suppression/hidden-rows.ts';
import { answeredAs } from './compare-contact.ts';
import { readFindings } from './finding.table.ts';
import type { FindingsExport } from './findings-export.ts';
import {
  countFindings,
  describeFinding,
  type OpenFindings,
  requireOpenFindings,
  showFinding,
} from './read-findings.ts';

const oldNames: Readonly<Record<(typeof watchedFields)[number], string>> = {
  company_name: 'Old company name',
  title: 'Old title',
  email: 'Old email',
  profile_url: 'Old profile URL',
};
const told = ['Employment status', 'New start date'];
const columns = [
  'Finding',
  'Reason',
  ...watchedFields.flatMap((field) => [oldNames[field], answeredAs[field]]),
  ...told,
  'Source',
  'Source date',
];

function formatFinding(finding: Finding, own: readonly string[], protectAll: boolean): string {
  const { changes, current } = finding;
  const [first] = changes;
  const source = first ?? finding.provenance['Employment status'];
  return formatRecord([
    ...(protectAll ? own.map(protectFormula) : own),
    ...[
      finding.status,
      finding.reason,
      ...watchedFields.flatMap((field) => [
        changes.find((change) => change.field === field)?.old_value ?? '',
        current[answeredAs[field]] ?? '',
      ]),
      ...told.map((name) => current[name] ?? ''),
      source?.source ?? '',
      source?.observed_at ?? '',
    ].map(protectFormula),
  ]);
}

function* writeStretches(
  database: ReadableDatabase,
  folder: string,
  { monitorJob, job }: OpenFindings,
  command: FindingsExport,
): Generator<string> {
  const header = nameColumns(job.headers, columns);
  yield (command.forExcel ? '\uFEFF' : '') +
    formatRecord(command.protectAll ? header.map(protectFormula) : header);
  const rows = openInput(folder, job.uuid, job.totalRows);
  const directory = openDirectoryReadable(folder);
  try {
    for (let first = 0; first < job.totalRows; first += exportStretchRows) {
      const page = { offset: first, limit: exportStretchRows };
      const inputs = rows.readRange(first, exportStretchRows);
      const hidden = readHiddenRows(database, directory);
      const found = readFindings(database, monitorJob, page);
      requireRows(found.length, Math.min(exportStretchRows, job.totalRows - first));
      const rowsShown = found.map((record) =>
        showFinding(hidden, job, record, inputs[record.rowIndex - first] ?? []),
      );
      yield rowsShown
        .map(({ record, cells }) => ({ finding: describeFinding(job, record, cells), cells }))
        .filter(({ finding: { status } }) => command.status === null || status === command.status)
        .map(({ finding, cells }) => {
          const own = job.headers.map((_header, at) => cells[at] ?? '');
          return formatFinding(finding, own, command.protectAll);
        })
        .join('');
    }
  } finally {
    directory.close();
    rows.close();
  }
}

/**
 * The CSV in chunks of bounded size, its name and its rows. Throws what `requireOpenFindings`
 * throws, and `input_damaged`.
 */
export function exportFindings(
  database: ReadableDatabase,
  folder: string,
  command: FindingsExport,
): { fileName: string; rows: number; pieces: Generator<string> } {
  const open = requireOpenFindings(database, command.accountId, command.monitorJobId);
  requireInput(folder, open.job.uuid, open.job.totalRows);
  return {
    fileName: nameExport(open.job, 'findings'),
    rows: countFindings(open.monitorJob, command.status ?? undefined),
    pieces: writeStretches(database, folder, open, command),
  };
}
