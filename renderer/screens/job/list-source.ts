// A list as its grid reads it: before the start, while its job runs, and as its result.
import type { QueryClient } from '@tanstack/react-query';
import type { GridPage, GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { ResultRow, StatusData } from '../../../engine/contract/jobs/job.ts';
import type { LayerCode } from '../../../engine/contract/jobs/layers.ts';
import { type ColumnMapping, findIdentity } from '../../../engine/contract/jobs/row-input.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import type { Corrections } from '../../../engine/contract/reading/reading.ts';
import { type Upload, uploads } from '../../../engine/contract/uploads.ts';
import { ask } from '../../api/client.ts';
import { readRows } from '../../api/job-rows.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { isIdle } from '../enrich/choose-layers.ts';

/** The key of a page; `isFinal` if its rows no longer change. */
export const keyOfPage = (id: string, isFinal: boolean, view: RowView, page: number) =>
  ['rows', id, isFinal, view, page] as const;

/** One row, with what the file has in corrected cells, by column. */
export interface ListRow extends GridRow {
  readonly corrected?: ReadonlyMap<number, string>;
}

export interface ListPage extends Omit<GridPage, 'job' | 'rows'> {
  readonly rows: readonly ListRow[];
}

export const readOwnValues = (
  columns: ListPage['own_columns'],
  { own_records: records }: ResultRow,
): Record<string, string> =>
  Object.fromEntries(
    columns.map(({ name, kind, list, header }) => {
      const record = records.find((one) => one.kind === kind && one.list === list);
      return [name, (header === null ? record?.id : record?.fields[header]) ?? ''];
    }),
  );

/** Further ids of a contact that own lists have more than once, by a name of their own. */
export const readOtherIds = (
  columns: ListPage['own_columns'],
  { own_records: records }: ResultRow,
): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap(({ name, kind, list, header }) => {
      const record = records.find((one) => one.kind === kind && one.list === list);
      const ids = header === null ? (record?.other_ids ?? []) : [];
      return ids.length === 0 ? [] : [[`${name} (further)`, ids.join(', ')]];
    }),
  );

interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** A list: what it is named, what will be or was found, and how its rows are read. */
export interface ListSource {
  /** Of the upload or of the job. */
  readonly id: string;
  readonly title: string;
  readonly rowCount: number;
  /** Whether its rows no longer change by themselves. */
  readonly ready: boolean;
  readonly layers: readonly LayerCode[];
  readonly infersEmails: boolean;
  /** The groups of columns that name a row, best first; null if its pages say so. */
  readonly identity: readonly (readonly number[])[] | null;
  /** Null before the start. */
  readonly job: StatusData | null;
  readonly readPage: (view: RowView, slice: Slice, signal: AbortSignal) => Promise<ListPage>;
}

export const titleOfFile = (fileName: string): string =>
  fileName.replace(/\.[a-z0-9]{2,7}$/i, '').slice(0, 200);

export const readerOfJob =
  (jobId: string): ListSource['readPage'] =>
  (view, slice, signal) =>
    readRows(jobId, { ...view, ...slice }, signal);

/** @param readPage the same function while the job is the same */
export const sourceOfJob = (job: StatusData, readPage: ListSource['readPage']): ListSource => ({
  id: job.job_id,
  title: job.title || 'Untitled job',
  rowCount: job.total_rows,
  ready: job.ready,
  layers: job.selected_layers,
  infersEmails: job.infer_emails,
  identity: null,
  job,
  readPage,
});

function correctRow(row: ListRow, column: number, value: string): ListRow {
  const before = row.corrected?.get(column) ?? row.input[column] ?? '';
  const corrected = new Map(row.corrected);
  if (value === before) corrected.delete(column);
  else corrected.set(column, before);
  const same = row.same?.filter((each) => each !== column);
  return { ...row, input: row.input.with(column, value), corrected, same };
}

const correctRows = (rows: readonly ListRow[], offset: number, corrections: Corrections) =>
  corrections.reduce<readonly ListRow[]>((all, { row, column, value }) => {
    const found = all[row - offset];
    return found ? all.with(row - offset, correctRow(found, column, value)) : all;
  }, rows);

export interface Draft {
  readonly upload: Upload;
  /** Null for the name of the file. */
  readonly title: string | null;
  readonly mapping: ColumnMapping;
  readonly corrections: Corrections;
  readonly layers: readonly LayerCode[];
  readonly infersEmails: boolean;
}

export function sourceOfDraft({ upload, mapping, corrections, ...draft }: Draft): ListSource {
  const { upload_id: id, first_rows: first, row_count: rowCount } = upload;
  const isThere = (limit: number) => first.length >= Math.min(limit, rowCount);
  return {
    ...draft,
    layers: draft.layers.filter((code) => !isIdle(code, mapping)),
    id,
    title: draft.title ?? titleOfFile(upload.file_name),
    rowCount,
    ready: true,
    identity: findIdentity(mapping),
    job: null,
    async readPage(_view, { limit, offset }, signal) {
      const rows =
        offset === 0 && isThere(limit)
          ? first.slice(0, limit)
          : (await ask(uploads.rows, { upload_id: id, limit, offset }, { signal })).rows;
      const read = rows.map((input) => ({ input, result: null }));
      return {
        headers: upload.labels,
        // The rows of a job that starts are these until its own are there.
        identity: findIdentity(mapping),
        correspondences: [],
        own_columns: [],
        count: rowCount,
        offset,
        rows: correctRows(read, offset, corrections),
      };
    },
  };
}

/** The corrections after a cell was written. The text of the file is no correction. */
export function addCorrection(
  corrections: Corrections,
  cell: Corrections[number],
  row: ListRow | undefined,
): Corrections {
  const others = corrections.filter((one) => one.row !== cell.row || one.column !== cell.column);
  const inFile = row?.corrected?.get(cell.column) ?? row?.input[cell.column];
  return cell.value === inFile ? others : [...others, cell];
}

/** Shows a written cell at once in the page that is loaded. */
export function showCorrection(client: QueryClient, id: string, cell: Corrections[number]): void {
  const page = Math.floor(cell.row / pageRows);
  client.setQueryData<ListPage>(keyOfPage(id, true, {}, page), (known) => {
    const row = known?.rows[cell.row % pageRows];
    if (!known || !row) return known;
    const rows = known.rows.with(cell.row % pageRows, correctRow(row, cell.column, cell.value));
    return { ...known, rows };
  });
}

/** Hands the loaded rows of a list to its job, so that they stay in sight when it starts. */
export function handRows(client: QueryClient, uploadId: string, jobId: string): void {
  const pages = client.getQueriesData<ListPage>({ queryKey: ['rows', uploadId, true] });
  for (const [key, page] of pages)
    if (page) client.setQueryData(['rows', jobId, false, ...key.slice(3)], page);
}
