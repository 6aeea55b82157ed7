/** The rows of a job in pages of 100. Visible pages are fetched, others are dropped. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { GridPage, GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { RowStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
import { readRows } from '../../api/engine.ts';
import { measureColumns } from '../../components/data-grid/input-columns.ts';

const pageRows = 100;
const sightDebounceMs = 60;
const refreshIntervalMs = 1_000;
const keptMs = 120_000;
const measuredRows = 30;

const measurePage = ({ headers, rows }: GridPage) =>
  measureColumns(
    headers,
    rows.map(({ input }) => input),
  );

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
  const [sight, setSight] = useState({ first: 0, last: 30 });
  const [settled] = useDebouncedValue(sight, sightDebounceMs);
  const { job_id: jobId, ready } = job;
  const firstPage = Math.floor(settled.first / pageRows);
  const lastPage = Math.floor(settled.last / pageRows);
  const inSight = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index);
  // The details may show a row outside the grid's visible range.
  const openPage = openRow === null ? firstPage : Math.floor(openRow / pageRows);
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
  const { data, error } = useQueries({
    queries: pages.map((page) => ({
      queryKey: keyOf(page),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        readRows(jobId, { limit: pageRows, offset: page * pageRows, status }, signal),
      // Keep the rows of the running job until those of the finished one arrive.
      placeholderData: () => readPage(page),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
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
  const onSight = useCallback((first: number, last: number) => setSight({ first, last }), []);
  // A separate query, so that the grid is shown while the visible pages load.
  const header = useQuery({
    queryKey: ['header', jobId],
    queryFn: ({ signal }) =>
      readRows(jobId, { limit: measuredRows, offset: 0, status: null }, signal),
    select: measurePage,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { readRow, onSight, error: error ?? header.error, inputColumns: header.data };
}
