/** Found people in pages of 100. Visible pages are fetched, others are dropped. */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { searchLimitMax } from '../../../engine/contract/limits/directory.ts';
import type {
  ContactFilters,
  FoundContact,
  FoundContacts,
} from '../../../engine/contract/search.ts';
import { searchContacts } from '../../api/search.ts';

const sightDebounceMs = 60;
const keptMs = 120_000;

/**
 * The total and any found person by position.
 * @param generation of the directory; results of an older one are fetched again
 */
export function useFoundPeople(filters: ContactFilters, generation: number) {
  const client = useQueryClient();
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const [settled] = useDebouncedValue(sight, sightDebounceMs);
  const asked = useCallback(
    (page: number) => ({
      queryKey: ['found-people', generation, filters, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        searchContacts(
          { ...filters, limit: searchLimitMax, offset: page * searchLimitMax },
          signal,
        ),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
    }),
    [filters, generation],
  );
  // Keep the last total while the next one loads, so that the grid does not flicker.
  const first = useQuery({ ...asked(0), placeholderData: keepPreviousData });
  const total = first.data?.total;
  const firstPage = Math.floor(settled.first / searchLimitMax);
  const lastPage = Math.floor(Math.min(settled.last, (total ?? 1) - 1) / searchLimitMax);
  const inSight = Array.from(
    { length: Math.max(0, lastPage - firstPage + 1) },
    (_, index) => firstPage + index,
  );
  const { data, error } = useQueries({
    queries: inSight.map(asked),
    combine: (results) => ({
      data: results.map((result) => result.data),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  // Loaded pages stay readable. `data` changes when a visible one does.
  const readPerson = useMemo(() => {
    const near = new Map(data.map((page, at) => [firstPage + at, page]));
    return (row: number): FoundContact | undefined => {
      const page = Math.floor(row / searchLimitMax);
      const found = near.get(page) ?? client.getQueryData<FoundContacts>(asked(page).queryKey);
      return found?.results[row % searchLimitMax];
    };
  }, [client, data, firstPage, asked]);
  const onSight = useCallback(
    (from: number, to: number) => setSight({ first: from, last: to }),
    [],
  );
  return { total, readPerson, onSight, error: first.error ?? error, retry: first.refetch };
}
