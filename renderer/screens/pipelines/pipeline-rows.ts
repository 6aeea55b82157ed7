/** The contacts of a pipeline in pages of 100. Visible pages are fetched, others are dropped. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { PipelineGridPage } from '../../../engine/contract/pipelines/app-pipelines.ts';
import { pipelines } from '../../../engine/contract/pipelines/app-pipelines.ts';
import { ask } from '../../api/client.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { measureColumns } from '../../components/data-grid/input-columns.ts';
import { useVisiblePages } from '../../components/data-grid/visible-pages.ts';

const measuredRows = 30;

const pageOf = (id: string, page: number) => ({
  queryKey: ['pipeline-rows', id, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    ask(pipelines.rows, { id, limit: pageRows, offset: page * pageRows }, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

const measurePage = ({ headers, rows }: PipelineGridPage) =>
  measureColumns(
    headers,
    rows.slice(0, measuredRows).map(({ input }) => input),
  );

/** Any contact near the visible range by position, and the columns of the caller's file. */
export function usePipelineRows(id: string, rowCount: number) {
  const { pages, onSight } = useVisiblePages(rowCount);
  const firstPage = pages[0] ?? 0;
  const { data, error } = useQueries({
    queries: pages.map((page) => pageOf(id, page)),
    combine: (results) => ({
      data: results.map((result) => result.data?.rows),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  // A separate query, so that the grid is shown while the visible pages load.
  const first = useQuery({ ...pageOf(id, 0), select: measurePage });
  const readRow = useMemo(
    () =>
      (row: number): PipelineGridPage['rows'][number] | undefined =>
        data[Math.floor(row / pageRows) - firstPage]?.[row % pageRows],
    [data, firstPage],
  );
  return { readRow, onSight, inputColumns: first.data, error: error ?? first.error };
}
