/** The findings of a run in pages of 100. Visible pages are fetched, others are dropped. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Finding, FindingStatus } from '../../../engine/contract/monitors/career-monitor.ts';
import { readFindings } from '../../api/monitors.ts';

const pageRows = 100;
const sightDebounceMs = 60;

/** Any finding near the visible range, by its position in the filter. */
export function useFindingRows(jobId: number, status: FindingStatus | null) {
  const [sight, setSight] = useState({ first: 0, last: 30 });
  const [settled] = useDebouncedValue(sight, sightDebounceMs);
  const firstPage = Math.floor(settled.first / pageRows);
  const lastPage = Math.floor(settled.last / pageRows);
  const { data, error } = useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, at) => ({
      queryKey: ['findings', jobId, status, firstPage + at],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const offset = (firstPage + at) * pageRows;
        return readFindings(jobId, { limit: pageRows, offset, status }, signal);
      },
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
  const onSight = useCallback((first: number, last: number) => setSight({ first, last }), []);
  return { readRow, onSight, error };
}
