/** The rows of a job in pages of 100. Visible pages are fetched, others are dropped. */
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import type { GridPage, GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { RowStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
import { readRows } from '../../api/engine.ts';
import { measureColumns } from '../../components/data-grid/input-columns.ts';
import { pageRows, useVisiblePages } from '../../components/data-grid/visible-pages.ts';

const refreshIntervalMs = 1_000;
const keptMs = 120_000;
const measuredRows = 30;
const noColumns: readonly (readonly number[])[] = [];

const measurePage = ({ headers, rows, identity }: GridPage) => ({
  identity,
  columns: measureColumns(
    headers,
    rows.map(({ input }) => input),
  ),
});

/** The number of rows of a filter. */
export function countRows(job: StatusData, status: RowStatus | null): number {
  if (status === null) return job.total_rows;
  return { enriched: job.enriched_rows, skipped: job.skipped_rows, failed: job.failed_rows }[
    status
  ];
}

/** Whether a page of a running job may receive more rows. */
const isUnfinished = (page: GridPage | undefined) =>
  !page || page.rows.length < pageRows || page.rows.some((row) => row.result === null);

/** Visible rows, any row by position, and the header of the caller's file. */
export function useJobRows(job: StatusData, status: RowStatus | null, openRow: number | null) {
  const client = useQueryClient();
  const { pages: inSight, ahead, onSight } = useVisiblePages(countRows(job, status));
  const { job_id: jobId, ready } = job;
  // The details may show a row outside the grid's visible range.
  const openPage = openRow === null ? (inSight[0] ?? 0) : Math.floor(openRow / pageRows);
  const pages = inSight.includes(openPage) ? inSight : [...inSight, openPage];
  // A response from the running job must not be used for the finished one.
  const keyOf = useCallback(
    (page: number, isFinal = ready) => ['rows', jobId, isFinal, status, page] as const,
    [jobId, ready, status],
  );
  const readPage = useCallback(
    (page: number) =>
      client.getQueryData<GridPage>(keyOf(page)) ??
      client.getQueryData<GridPage>(keyOf(page, false)),
    [client, keyOf],
  );
  const queryOf = useCallback(
    (page: number) => ({
      queryKey: keyOf(page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readRows(jobId, { limit: pageRows, offset: page * pageRows, status }, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
    }),
    [keyOf, jobId, status],
  );
  const { data, error } = useQueries({
    queries: pages.map((page) => ({
      ...queryOf(page),
      // Keep the rows of the running job until those of the finished one arrive.
      placeholderData: () => readPage(page),
      refetchInterval: ({ state }: { state: { data?: GridPage | undefined } }) =>
        !ready && isUnfinished(state.data) ? refreshIntervalMs : (false as const),
    })),
    combine: (results) => ({
      data: results.map((result) => result.data),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  // Loaded pages stay readable. `data` changes when a visible one does.
  const readRow = useMemo(() => {
    const near = new Map(data.map((page) => [(page?.offset ?? 0) / pageRows, page]));
    return (row: number): GridRow | undefined => {
      const page = Math.floor(row / pageRows);
      return (near.get(page) ?? readPage(page))?.rows[row % pageRows];
    };
  }, [data, readPage]);
  const aheadKey = ahead.join();
  useEffect(() => {
    // Rows of a running job change until they are in sight.
    if (!ready || aheadKey === '') return;
    for (const page of aheadKey.split(',')) void client.prefetchQuery(queryOf(Number(page)));
  }, [client, ready, aheadKey, queryOf]);
  // A separate query, so that the grid is shown while the visible pages load.
  const header = useQuery({
    queryKey: ['header', jobId],
    queryFn: ({ signal }) =>
      readRows(jobId, { limit: measuredRows, offset: 0, status: null }, signal),
    select: measurePage,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    ...{ readRow, onSight, error: error ?? header.error },
    inputColumns: header.data?.columns,
    identity: header.data?.identity ?? noColumns,
  };
}
