// The file of a Career Monitor job's findings: the caller's columns first and unchanged, then the
// finding, each watched value before and now, and the source.
import { type Finding, watchedFields } from '../contract/monitors/career-monitor.ts';
import { openDirectoryReadable } from '../directory/open-directory.ts';
import { nameExport } from '../jobs/results/export-result.ts';
import { exportStretchRows, requireRows } from '../jobs/results/result-table.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import {
  type ExportRow,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../spreadsheet/export/export-table.ts';
import { type ExportPiece, writeTable } from '../spreadsheet/export/write-table.ts';
import type { ExportSources, OpenedExport } from '../spreadsheet/export-calls.ts';
import { openInput, requireInput } from '../spreadsheet/input-folders.ts';
import type { RowsFile } from '../spreadsheet/read-rows.ts';
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
};
const told = ['Profile URL', 'Employment status', 'New start date'];
const columns = [
  'Finding',
  'Reason',
  ...watchedFields.flatMap((field) => [oldNames[field], answeredAs[field]]),
  ...told,
  'Source',
  'Source date',
];

const typesOf: Readonly<Record<string, 'date'>> = {
  'New start date': 'date',
  'Source date': 'date',
};

function listCells(finding: Finding): string[] {
  const { changes, current } = finding;
  const [first] = changes;
  const source = first ?? finding.provenance['Employment status'];
  return [
    finding.status,
    finding.reason,
    ...watchedFields.flatMap((field) => [
      changes.find((change) => change.field === field)?.old_value ?? '',
      current[answeredAs[field]] ?? '',
    ]),
    ...told.map((name) => current[name] ?? ''),
    source?.source ?? '',
    source?.observed_at ?? '',
  ];
}

function* readStretches(
  database: ReadableDatabase,
  directory: ReadableDatabase,
  rows: RowsFile,
  { monitorJob, job }: OpenFindings,
  status: FindingsExport['status'],
): Generator<readonly ExportRow[]> {
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
      .filter(({ finding }) => status === null || finding.status === status)
      .map(({ finding, cells }) => {
        const own = job.headers.map((_header, at) => cells[at] ?? '');
        return { cells: [...own, ...listCells(finding)], changed: nothingChanged };
      });
  }
}

function* writePieces(
  database: ReadableDatabase,
  folder: string,
  open: OpenFindings,
  command: FindingsExport,
): Generator<ExportPiece> {
  const { job } = open;
  const rows = openInput(folder, job.uuid, job.totalRows);
  const directory = openDirectoryReadable(folder);
  const added = columns.map((name) => ({ name, type: typesOf[name] ?? 'text' }) as const);
  const opening = function* (): TableOpening {
    const read = () => readStretches(database, directory, rows, open, command.status);
    return { columns: listColumns(job.headers, added), rows: read, changes: null };
  };
  try {
    yield* writeTable(opening(), command);
  } finally {
    directory.close();
    rows.close();
  }
}

/** Name, rows and chunks. Throws what `requireOpenFindings` throws, and `input_damaged`. */
export function exportFindings(
  { database, folder }: ExportSources,
  command: FindingsExport,
): OpenedExport {
  const { accountId, monitorJobId, status } = command;
  const open = requireOpenFindings(database, accountId, monitorJobId);
  requireInput(folder, open.job.uuid, open.job.totalRows);
  return {
    fileName: nameExport(open.job, command.format, 'findings'),
    rows: countFindings(open.monitorJob, status ?? undefined),
    pieces: writePieces(database, folder, open, command),
    note: {
      action: 'findings_exported',
      accountId,
      subject: String(monitorJobId),
      details: status === null ? {} : { status },
    },
  };
}
