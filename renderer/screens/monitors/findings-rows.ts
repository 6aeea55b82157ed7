/** The findings of a run in pages of 100. Visible pages are fetched, others are dropped. */
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Finding, FindingStatus } from '../../../engine/contract/monitors/career-monitor.ts';
import { monitorJobs } from '../../../engine/contract/monitors/monitors.ts';
import { ask } from '../../api/client.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { useVisiblePages } from '../../components/data-grid/visible-pages.ts';

/** Any finding near the visible range, by its position in the filter. */
export function useFindingRows(jobId: number, status: FindingStatus | null, rowCount: number) {
  const { pages, onSight } = useVisiblePages(rowCount);
  const firstPage = pages[0] ?? 0;
  const { data, error } = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['findings', jobId, status, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        ask(
          monitorJobs.findings,
          { id: jobId, limit: pageRows, offset: page * pageRows, status: status ?? undefined },
          { signal },
        ),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (results) => ({
      data: results.map((result) => result.data?.results),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const readRow = useMemo(
    () =>
      (row: number): Finding | undefined =>
        data[Math.floor(row / pageRows) - firstPage]?.[row % pageRows],
    [data, firstPage],
  );
  return { readRow, onSight, error };
}
