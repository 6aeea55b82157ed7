// The rows of a view of a list in pages of 100, before its start and of its job. Pages in sight and
// ahead are fetched, others are dropped.
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { measureColumns } from '../../components/data-grid/input-columns.ts';
import {
  pagesAheadMax,
  useFetchAhead,
  useVisiblePages,
} from '../../components/data-grid/visible-pages.ts';
import {
  keyOfPage,
  type ListPage,
  type ListRow,
  type ListSource,
  readOwnValues,
} from './list-source.ts';
import { isStatusAlone } from './row-view.ts';

const refreshIntervalMs = 1_000;
const keptMs = 60_000;
const measuredRows = 30;
const allRows: RowView = {};
const noColumns: readonly (readonly number[])[] = [];

/** Pixels of a column at first; a longer value is cut until the column is made wider. */
const inputWidthMaxPx = 130;
const foundWidthMaxPx = 220;

/** Widths of the added columns that fit their first values. */
function measureFound(
  rows: readonly ListRow[],
  own: ListPage['own_columns'],
): ReadonlyMap<string, number> {
  const found = rows.flatMap(({ result }) =>
    result ? [{ ...result.enriched_fields, ...readOwnValues(own, result) }] : [],
  );
  const labels = [...new Set(found.flatMap((fields) => Object.keys(fields)))];
  const cells = found.map((fields) => labels.map((label) => fields[label] ?? ''));
  const measured = measureColumns(labels, cells, foundWidthMaxPx);
  return new Map(measured.map(({ label, width }) => [label, width]));
}

/** The found fields with a value in a row; null as long as a row has no result. */
function findFilled(
  rows: readonly ListRow[],
  own: ListPage['own_columns'],
): ReadonlySet<string> | null {
  const filled = new Set<string>();
  for (const { result } of rows) {
    if (!result) return null;
    const values = { ...result.enriched_fields, ...readOwnValues(own, result) };
    for (const [name, value] of Object.entries(values)) if (value !== '') filled.add(name);
  }
  return filled.size === 0 ? null : filled;
}

function measurePage({ headers, rows, identity, correspondences, own_columns }: ListPage) {
  const measured = rows.slice(0, measuredRows);
  const inputs = measured.map(({ input }) => input);
  return {
    identity,
    correspondences,
    ownColumns: own_columns,
    foundWidths: measureFound(measured, own_columns),
    filledFields: findFilled(rows, own_columns),
    columns: measureColumns(headers, inputs, inputWidthMaxPx),
  };
}

const noWidths: ReadonlyMap<string, number> = new Map();
const noCorrespondences: ListPage['correspondences'] = [];
const noOwnColumns: ListPage['own_columns'] = [];

function countByStatus({ rowCount, job }: ListSource, { status }: RowView): number {
  if (status === undefined || !job) return rowCount;
  return { enriched: job.enriched_rows, skipped: job.skipped_rows, failed: job.failed_rows }[
    status
  ];
}

const isUnfinished = (page: ListPage | undefined) =>
  !page || page.rows.length < pageRows || page.rows.some((row) => row.result === null);

function usePageQuery({ id, ready, readPage: read }: ListSource) {
  const client = useQueryClient();
  // A response from the running job must not be used for the finished one.
  const keyOf = useCallback(
    (view: RowView, page: number, isFinal = ready) => keyOfPage(id, isFinal, view, page),
    [id, ready],
  );
  const readPage = useCallback(
    (view: RowView, page: number) =>
      client.getQueryData<ListPage>(keyOf(view, page)) ??
      client.getQueryData<ListPage>(keyOf(view, page, false)),
    [client, keyOf],
  );
  const queryOf = useCallback(
    (view: RowView, page: number) => ({
      queryKey: keyOf(view, page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        read(view, { limit: pageRows, offset: page * pageRows }, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
    }),
    [keyOf, read],
  );
  return { client, readPage, queryOf };
}

/** The wanted view once its first page is there, and the one before it until then. */
function useShownView(
  source: ListSource,
  wanted: RowView,
  queryOf: ReturnType<typeof usePageQuery>['queryOf'],
) {
  const [shown, setShown] = useState(wanted);
  const countsOf = (view: RowView, page: ListPage | undefined) =>
    isStatusAlone(view) ? countByStatus(source, view) : (page?.count ?? 0);
  const first = useQuery({
    ...queryOf(wanted, 0),
    refetchInterval: source.ready || isStatusAlone(wanted) ? false : refreshIntervalMs,
  });
  const isThere = isStatusAlone(wanted) || first.data !== undefined;
  if (isThere && shown !== wanted) setShown(wanted);
  const client = useQueryClient();
  const view = isThere ? wanted : shown;
  const page = isThere ? first.data : client.getQueryData<ListPage>(queryOf(view, 0).queryKey);
  return {
    view,
    rowCount: countsOf(view, page),
    isPending: !isThere && first.isFetching,
    error: isThere ? null : first.error,
  };
}

/** The view that is shown, and the header of the caller's file. */
export function useJobView(source: ListSource, wanted: RowView) {
  const { client, readPage, queryOf } = usePageQuery(source);
  const shown = useShownView(source, wanted, queryOf);
  const { view } = shown;
  const { id, ready } = source;
  // A separate query, so that the grid is shown while the visible pages load.
  const header = useQuery({
    // Widths are measured again when the values are there.
    queryKey: ['header', id, ready],
    placeholderData: keepPreviousData,
    // Mostly the rows in sight: one request for both.
    queryFn: () => client.fetchQuery(queryOf(allRows, 0)),
    select: measurePage,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const peekRow = useCallback(
    (row: number) => readPage(view, Math.floor(row / pageRows))?.rows[row % pageRows],
    [readPage, view],
  );
  return {
    ...shown,
    peekRow,
    error: shown.error ?? header.error,
    inputColumns: header.data?.columns,
    identity: source.identity ?? header.data?.identity ?? noColumns,
    foundWidths: header.data?.foundWidths ?? noWidths,
    correspondences: header.data?.correspondences ?? noCorrespondences,
    ownColumns: header.data?.ownColumns ?? noOwnColumns,
    filledFields: header.data?.filledFields ?? null,
  };
}

/** A row of a view by position, kept current; undefined until it is loaded. */
export function useJobRow(
  source: ListSource,
  view: RowView,
  row: number | null,
): ListRow | undefined {
  const { queryOf, readPage } = usePageQuery(source);
  const page = Math.floor((row ?? 0) / pageRows);
  const { data } = useQuery({
    ...queryOf(view, page),
    enabled: row !== null,
    placeholderData: () => readPage(view, page),
  });
  return row === null ? undefined : data?.rows[row % pageRows];
}

const noPages: readonly number[] = [];

/** Fetches pages in their order. Requests for pages that are far away must not delay others. */
function usePrefetch(
  pages: readonly number[],
  queryOf: ReturnType<typeof usePageQuery>['queryOf'],
  view: RowView,
  isShown: boolean,
): void {
  const client = useQueryClient();
  const fetchAhead = useFetchAhead(isShown);
  const asked = useRef(new Set<number>());
  const key = pages.join();
  useEffect(() => {
    const wanted = key === '' ? [] : key.split(',').map(Number);
    const [first = 0] = wanted;
    for (const page of asked.current) {
      if (Math.abs(page - first) <= 2 * pagesAheadMax) continue;
      asked.current.delete(page);
      void client.cancelQueries({ queryKey: queryOf(view, page).queryKey, exact: true });
    }
    return fetchAhead(() => {
      for (const page of wanted) {
        asked.current.add(page);
        void client.prefetchQuery(queryOf(view, page));
      }
    });
  }, [client, key, queryOf, view, fetchAhead]);
}

/** For the grid alone: it renders whenever other pages come in sight. */
export function useJobRows(source: ListSource, view: RowView, rowCount: number) {
  const { client, readPage, queryOf } = usePageQuery(source);
  const { pages, ahead, onSight } = useVisiblePages(rowCount);
  const { ready } = source;
  const { version, error } = useQueries({
    queries: pages.map((page) => ({
      ...queryOf(view, page),
      refetchInterval: ({ state }: { state: { data?: ListPage | undefined } }) =>
        !ready && isUnfinished(state.data) ? refreshIntervalMs : (false as const),
    })),
    // Not the pages themselves: the library would compare them row by row.
    combine: (results) => ({
      version: results.map(({ dataUpdatedAt }) => dataUpdatedAt).join(),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  // Loaded pages stay readable, as do those of the running job until it has finished. Another
  // version of the pages in sight is read again.
  const readRow = useMemo(() => {
    void version;
    const known = new Map<number, ListPage>();
    return (row: number): ListRow | undefined => {
      const at = Math.floor(row / pageRows);
      const page = known.get(at) ?? readPage(view, at);
      if (page) known.set(at, page);
      return page?.rows[row % pageRows];
    };
  }, [version, readPage, view]);
  // Rows of a running job change until they are in sight.
  const isShown = readRow((pages[0] ?? 0) * pageRows) !== undefined;
  usePrefetch(ready ? [...pages, ...ahead] : noPages, queryOf, view, isShown);
  /** Fetches rows that are not loaded, and returns how they are read. */
  const loadRows = useCallback(
    async (first: number, last: number) => {
      for (let page = Math.floor(first / pageRows); page <= last / pageRows; page += 1)
        await client.fetchQuery(queryOf(view, page));
      return (row: number) => readPage(view, Math.floor(row / pageRows))?.rows[row % pageRows];
    },
    [client, queryOf, readPage, view],
  );
  return { readRow, loadRows, onSight, error };
}
