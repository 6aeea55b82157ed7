/**
 * The result CSV: the caller's columns first and unchanged, then the enriched fields
 * (docs/rules.md, "Result CSV").
 */
import { formatCredits } from '../../contract/credits.ts';
import { EngineError, type ErrorCode, errorTable } from '../../contract/errors.ts';
import { type RowStatus, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import { layerByCode } from '../../contract/jobs/layers.ts';
import type { EarlierRow, Repeat } from '../../contract/jobs/repeats.ts';
import { openDirectoryReadable } from '../../directory/open-directory.ts';
import { priceRow } from '../../ledger/price-job.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { formatRecord, protectFormula } from '../../spreadsheet/format-record.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import { nameColumns } from '../../spreadsheet/name-columns.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import { getJob, type JobRow } from '../job.table.ts';
import { type DescribedRepeat, describeRepeats, notRepeated } from '../repeats/repeat-row.table.ts';
import { type ShownRow, showRow } from './hide-suppressed.ts';
import { inferredColumns, listInferredCells } from './inferred-email.ts';
import { presentRowError, readRowStatus } from './present-result.ts';
import { type ResultRecord, readResults } from './result.table.ts';
import type { ResultExport } from './result-export.ts';
import { readFields } from './result-fields.ts';
import { formatRepairs, listRowRepairs } from './row-repairs.ts';

const outcomeColumns = [
  'Enrichment status',
  'Enrichment reason',
  'Enrichment error',
  'Credits charged',
] as const;

const describeRow = ({ job_id, row_index }: EarlierRow): string =>
  `row ${row_index + 1} of job ${job_id}`;

/** Columns of jobs with repeated people; rows are numbered from 1, as in the app. */
const repeatColumns: readonly {
  readonly name: string;
  has(job: JobRow): boolean;
  write(repeat: Repeat): string;
}[] = [
  {
    name: 'Duplicate of row',
    has: (job) => job.duplicateRows > 0,
    write: ({ duplicate_of: first }) => (first === null ? '' : String(first + 1)),
  },
  {
    name: 'Paid before',
    has: (job) => job.paidBeforeRows > 0,
    write: ({ paid_before: paid }) =>
      paid
        .map((row) => `${row.layers.join(', ')} on ${row.paid_on} by ${describeRow(row)}`)
        .join('; '),
  },
  {
    name: 'Known from',
    has: (job) => job.knownRows > 0,
    write: ({ known_from: known }) => (known === null ? '' : describeRow(known)),
  },
];

const listRepeatColumns = (job: JobRow) => repeatColumns.filter(({ has }) => has(job));

/** The column of a job in which any row has repairs. */
const repairsColumn = 'Input repairs';

/**
 * Rows read and written at once. Longer read transactions would keep the write-ahead log from
 * shrinking, and larger strings would be moved to the old generation of the garbage collector.
 */
export const exportStretchRows = 100;

/**
 * The job of an export. Throws `not_found`, `not_ready`, `job_cancelled`, or the job's own error:
 * only a completed job has a result.
 */
export function requireFinished(job: JobRow | null): JobRow {
  if (!job)
    throw new EngineError('not_found', 'This job does not exist. List your jobs with GET /jobs/.');
  if (job.status === 'queued' || job.status === 'running') throw new EngineError('not_ready');
  if (job.status === 'cancelled') throw new EngineError('job_cancelled');
  if (job.status === 'failed')
    throw new EngineError(
      job.error !== null && Object.hasOwn(errorTable, job.error)
        ? (job.error as ErrorCode)
        : 'internal_error',
      job.errorDetail ?? undefined,
    );
  return job;
}

/** The display names of the enriched fields of a job, in the order of its layers. */
const listFields = (job: Pick<JobRow, 'codes'>): string[] =>
  job.codes.flatMap((code) => layerByCode[code].fields);

function formatRow(
  job: JobRow,
  fields: readonly string[],
  { cells: input, record, isHidden }: ShownRow<ResultRecord>,
  { repeat, freeLayers }: DescribedRepeat,
  { protectAll, hasRepairs }: { readonly protectAll: boolean; readonly hasRepairs: boolean },
): string {
  const found = readFields(record);
  const isEnriched = readRowStatus(record) === 'enriched';
  const charged = priceRow(job, isEnriched, record.layerBits, freeLayers);
  const own = job.headers.map((_header, at) => input[at] ?? '');
  return formatRecord([
    ...(protectAll ? own.map(protectFormula) : own),
    ...fields.map((name) => protectFormula(found[name] ?? '')),
    ...(job.inferEmails ? listInferredCells(record).map(protectFormula) : []),
    readRowStatus(record),
    reasons[record.reason] ?? '',
    protectFormula(presentRowError(record)),
    formatCredits(charged),
    ...listRepeatColumns(job).map(({ write }) => write(repeat)),
    ...(hasRepairs
      ? [
          isHidden
            ? ''
            : protectFormula(formatRepairs(listRowRepairs(input, job.mapping, record.fields))),
        ]
      : []),
  ]);
}

/** Number of rows in an export. */
export const countExportRows = (job: JobRow, status: RowStatus | null): number =>
  status === null ? job.totalRows : job[`${status}Rows`];

/** A stretch of a job's results with the caller's rows. */
type Stretch = readonly ShownRow<ResultRecord>[];

/** The databases of an export. */
interface ExportSources {
  readonly database: ReadableDatabase;
  readonly directory: ReadableDatabase;
}

/**
 * Throws `not_found` if an export finds fewer rows than it has to write: they were deleted after it
 * began (retention/run-retention.ts), and a shorter file must not look complete.
 */
export function requireRows(found: number, wanted: number): void {
  if (found === wanted) return;
  throw new EngineError(
    'not_found',
    'The result was deleted while it was exported, because it was past its days.',
  );
}

/** Reads the results in stretches that have any row of a status; null: of any status. */
function* readStretches(
  { database, directory }: ExportSources,
  job: JobRow,
  rows: RowsFile,
  status: RowStatus | null,
): Generator<Stretch> {
  const wanted = status === null ? null : rowStatuses.indexOf(status);
  for (let first = 0; first < job.totalRows; first += exportStretchRows) {
    const count = Math.min(exportStretchRows, job.totalRows - first);
    const all = readResults(database, { resultBase: job.resultBase, firstRow: first, count });
    requireRows(all.length, count);
    const records = all.filter((record) => wanted === null || record.status === wanted);
    if (records.length === 0) continue;
    // Read for each stretch, so that an export honours what is suppressed while it is written.
    const hidden = readHiddenRows(database, directory);
    const inputs = rows.readRange(first, count);
    yield records.map((record) =>
      showRow(hidden, job, record, inputs[record.rowIndex - first] ?? []),
    );
  }
}

/** Stretches that are searched for a repair before the caller may cancel. */
const searchedStretches = 100;

/**
 * Whether any row of the export has repairs: reads up to the first of them. Yields empty texts, so
 * that the caller may stop a long search.
 */
function* searchRepairs(stretches: Generator<Stretch>, job: JobRow): Generator<string, boolean> {
  let count = 0;
  for (const stretch of stretches) {
    const hasAny = stretch.some(
      ({ record, cells, isHidden }) =>
        !isHidden && listRowRepairs(cells, job.mapping, record.fields).length > 0,
    );
    if (hasAny) return true;
    count += 1;
    if (count % searchedStretches === 0) yield '';
  }
  return false;
}

function* writeStretches(
  sources: ExportSources,
  job: JobRow,
  rows: RowsFile,
  command: ResultExport,
): Generator<string> {
  const read = () => readStretches(sources, job, rows, command.status);
  const hasRepairs = yield* searchRepairs(read(), job);
  const fields = listFields(job);
  const repeatNames = listRepeatColumns(job).map(({ name }) => name);
  const header = nameColumns(job.headers, [
    ...[...fields, ...(job.inferEmails ? inferredColumns : [])],
    ...[...outcomeColumns, ...repeatNames],
    ...(hasRepairs ? [repairsColumn] : []),
  ]);
  yield (command.forExcel ? '\uFEFF' : '') +
    formatRecord(command.protectAll ? header.map(protectFormula) : header);
  const options = { protectAll: command.protectAll, hasRepairs };
  for (const stretch of read()) {
    const indices = stretch.map(({ record }) => record.rowIndex);
    const repeats =
      repeatNames.length > 0
        ? describeRepeats(sources.database, job.resultBase, indices)
        : new Map<number, DescribedRepeat>();
    yield stretch
      .map((row) => {
        const known = row.isHidden ? undefined : repeats.get(row.record.rowIndex);
        return formatRow(job, fields, row, known ?? notRepeated, options);
      })
      .join('');
  }
}

/** Yields the CSV of a completed job in chunks of bounded size, however large the job is. */
export function* exportResult(
  database: ReadableDatabase,
  folder: string,
  command: ResultExport,
): Generator<string> {
  const job = requireFinished(getJob(database, command.accountId, command.jobId));
  const rows = openInput(folder, job.uuid, job.totalRows);
  const directory = openDirectoryReadable(folder);
  try {
    yield* writeStretches({ database, directory }, job, rows, command);
  } finally {
    directory.close();
    rows.close();
  }
}

/** The suggested file name of an export, from the caller's file name or the title. */
export function nameExport(
  job: Pick<JobRow, 'fileName' | 'title' | 'uuid'>,
  what: 'enriched' | 'findings' = 'enriched',
): string {
  const base = (job.fileName ?? job.title).replace(/\.(csv|tsv|txt|xlsx)$/i, '');
  const safe = base
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 120);
  return `${safe || `job-${job.uuid.slice(0, 8)}`}-${what}.csv`;
}
