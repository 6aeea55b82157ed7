// A result's file: the caller's columns, then enriched fields (docs/rules.md, "Exports").
import type { AuditDetails } from '../../contract/audit/audit.ts';
import { EngineError, type ErrorCode, errorTable } from '../../contract/errors.ts';
import { nameRows } from '../../contract/exports/crm-export.ts';
import type { ExportFormat } from '../../contract/exports/export-formats.ts';
import type { Overwrite } from '../../contract/exports/overwrite.ts';
import { openDirectoryReadable } from '../../directory/open-directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { type ExportPiece, writeTable } from '../../spreadsheet/export/write-table.ts';
import { checkSheetRows } from '../../spreadsheet/export/write-workbook.ts';
import {
  type ExportEnd,
  type ExportSources,
  endWhole,
  type OpenedExport,
} from '../../spreadsheet/export-calls.ts';
import { openInput, requireInput } from '../../spreadsheet/input-folders.ts';
import { getJob, type JobRow, noSuchJob } from '../job.table.ts';
import { requireWhole } from '../require-whole.ts';
import { pickColumns } from './chosen-columns.ts';
import { pickForCrm } from './crm-table.ts';
import type { ResultExport } from './result-export.ts';
import { openResultTable, type ResultTable, type TableSources } from './result-table.ts';

/** Throws `not_found`, `not_ready`, `job_cancelled`, or the job's own error. */
export function requireFinished(job: JobRow | null): JobRow {
  if (!job) throw noSuchJob();
  if (job.status === 'queued' || job.status === 'running') throw new EngineError('not_ready');
  if (job.status === 'cancelled') throw new EngineError('job_cancelled');
  if (job.status === 'failed')
    throw new EngineError(
      job.error !== null && Object.hasOwn(errorTable, job.error)
        ? (job.error as ErrorCode)
        : 'internal_error',
      job.errorDetail ?? undefined,
    );
  return requireWhole(job);
}

export const countExportRows = (
  job: JobRow,
  { status, list }: Pick<ResultExport, 'status' | 'list'>,
): number => list?.length ?? (status === null ? job.totalRows : job[`${status}Rows`]);

/** Opens what an export reads, until the generator ends. */
function* withSources<Piece, Value>(
  database: ReadableDatabase,
  folder: string,
  job: JobRow,
  work: (sources: TableSources) => Generator<Piece, Value>,
): Generator<Piece, Value> {
  const rows = openInput(folder, job.uuid, job.totalRows);
  const directory = openDirectoryReadable(folder);
  try {
    return yield* work({ database, directory, rows });
  } finally {
    directory.close();
    rows.close();
  }
}

/**
 * Yields the file of a completed job in chunks of bounded size, however large the job is. Throws
 * `validation_error` for rules that do not fit the job, and what writeWorkbook throws.
 * @param onEnd receives the number of rows, and what rules changed, once all rows are written
 */
export function* exportResult(
  database: ReadableDatabase,
  folder: string,
  command: ResultExport,
  onEnd: (end: ExportEnd) => void = () => undefined,
): Generator<ExportPiece> {
  const job = requireFinished(getJob(database, command.accountId, command.jobId));
  if (command.format === 'xlsx') checkSheetRows(countExportRows(job, command));
  let table: ResultTable | null = null;
  yield* withSources(database, folder, job, function* (sources) {
    const opening = (function* () {
      const whole = yield* openResultTable(sources, job, command);
      const { preset, columns } = command;
      table = preset ? yield* pickForCrm(whole, job, sources, { ...command, preset }) : whole;
      if (columns) table = pickColumns(whole, job.headers, columns);
      return table;
    })();
    yield* command.isCount ? opening : writeTable(opening, command);
    const end = (table as ResultTable | null)?.readEnd();
    if (end) onEnd(end);
  });
}

/** By the caller's file name or the title. @param what what it holds: "enriched" */
export function nameExport(
  job: Pick<JobRow, 'fileName' | 'title' | 'uuid'>,
  format: ExportFormat,
  what: string,
): string {
  const base = (job.fileName ?? job.title).replace(/\.(csv|tsv|txt|xlsx)$/i, '');
  const safe = base
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 120);
  return `${safe || `job-${job.uuid.slice(0, 8)}`}-${what}.${format}`;
}

/**
 * The rules of an export, each with the number of its columns. Columns are not named: in a list
 * without a header, the name of a column is a value of its first row.
 */
function describeOverwrite({ default: byDefault, columns }: Overwrite): AuditDetails {
  const counts: Record<string, number> = {};
  for (const { rule } of Object.values(columns)) {
    const name = `overwrite_${rule}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return { overwrite_default: byDefault, ...counts };
}

/** Opens the export. Throws what `requireFinished` and `requireInput` throw. */
export function openResult(
  { database, folder }: ExportSources,
  command: ResultExport,
): OpenedExport {
  const { accountId, status, preset, overwrite } = command;
  const job = requireFinished(getJob(database, accountId, command.jobId));
  requireInput(folder, job.uuid, job.totalRows);
  const rows = countExportRows(job, command);
  let end = endWhole(rows);
  return {
    fileName: nameExport(job, command.format, nameRows(preset)),
    rows,
    pieces: exportResult(database, folder, command, (counted) => {
      end = counted;
    }),
    readEnd: () => end,
    note: {
      action: 'result_exported',
      accountId,
      subject: job.uuid,
      details: {
        ...(status !== null && { status }),
        ...(preset && { preset: preset.crm }),
        ...(overwrite && describeOverwrite(overwrite)),
      },
    },
  };
}
