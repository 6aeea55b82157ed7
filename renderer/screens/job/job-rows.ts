/**
 * The rows of a job in pages of 100: what is in sight is fetched, what is scrolled past is
 * dropped.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { GridPage, GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { RowStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
import { readRows } from '../../api/engine.ts';
import { measureColumns } from '../../components/data-grid/given-columns.ts';

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

/** How many rows a filter leaves. */
export function countRows(job: StatusData, status: RowStatus | null): number {
  if (status === null) return job.total_rows;
  return { enriched: job.enriched_rows, skipped: job.skipped_rows, failed: job.failed_rows }[
    status
  ];
}

/** True where a page of a running job will have more to show. */
const isUnfinished = (page: GridPage | undefined) =>
  !page || page.rows.length < pageRows || page.rows.some((row) => row.result === null);

/** The rows in sight, any row by its place, and the header of the caller's file. */
export function useJobRows(job: StatusData, status: RowStatus | null, openRow: number | null) {
  const client = useQueryClient();
  const [sight, setSight] = useState({ first: 0, last: 30 });
  const [settled] = useDebouncedValue(sight, sightDebounceMs);
  const { job_id: jobId, ready } = job;
  const firstPage = Math.floor(settled.first / pageRows);
  const lastPage = Math.floor(settled.last / pageRows);
  const inSight = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index);
  // The details may have stepped past what the grid shows.
  const openPage = openRow === null ? firstPage : Math.floor(openRow / pageRows);
  const pages = inSight.includes(openPage) ? inSight : [...inSight, openPage];
  // An answer that was written while the job ran is never taken for one of the finished job.
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
      // What the running job showed stands until the finished one has answered.
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
  // Pages that were seen stay readable; `data` changes whenever one in sight does.
  const readRow = useMemo(() => {
    const near = new Map(data.map((page) => [(page?.offset ?? 0) / pageRows, page]));
    return (row: number): GridRow | undefined => {
      const page = Math.floor(row / pageRows);
      return (near.get(page) ?? readPage(page))?.rows[row % pageRows];
    };
  }, [data, readPage]);
  const onSight = useCallback((first: number, last: number) => setSight({ first, last }), []);
  // A question of its own, so that the grid stands while the pages in sight are on their way.
  const header = useQuery({
    queryKey: ['header', jobId],
    queryFn: ({ signal }) =>
      readRows(jobId, { limit: measuredRows, offset: 0, status: null }, signal),
    select: measurePage,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { readRow, onSight, error: error ?? header.error, given: header.data };
}
