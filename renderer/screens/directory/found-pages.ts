// The results of a search in pages of 100. Pages in sight are fetched, others are dropped.
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import {
  directorySearch,
  type ShownCompany,
  type ShownContact,
  type WantedPeople,
} from '../../../engine/contract/records/record-search.ts';
import { ask } from '../../api/client.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { useFetchAhead, useVisiblePages } from '../../components/data-grid/visible-pages.ts';

const keptMs = 120_000;

/** What is searched for: filters, and a text that names someone. */
export type Wanted = WantedPeople;

interface Page {
  readonly limit: number;
  readonly offset: number;
}
type Search<Found> = (
  body: Wanted & Page,
  signal: AbortSignal,
) => Promise<{ readonly total: number; readonly results: readonly Found[] }>;

export interface FoundPages<Found> {
  /** Undefined while it is unknown. */
  readonly total: number | undefined;
  readonly isEstimate: boolean;
  /** Rows that the grid can show. */
  readonly rows: number;
  readonly readFound: (row: number) => Found | undefined;
  readonly onSight: (first: number, last: number) => void;
  readonly error: Error | null;
  readonly retry: () => unknown;
}

/** @param generation of the directory; results of an older one are fetched again */
function useFoundPages<Found>(
  name: string,
  search: Search<Found>,
  wanted: Wanted,
  generation: number,
  isOn = true,
): FoundPages<Found> {
  const client = useQueryClient();
  const queryOf = useCallback(
    (page: number) => ({
      queryKey: ['found-people', name, generation, wanted, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        search({ ...wanted, limit: pageRows, offset: page * pageRows }, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
    }),
    [name, search, wanted, generation],
  );
  // Keep the last total while the next one loads, so that the grid does not flicker.
  const first = useQuery({ ...queryOf(0), placeholderData: keepPreviousData, enabled: isOn });
  const total = first.data?.total;
  const { pages, ahead, onSight } = useVisiblePages(total ?? 0);
  const fetchAhead = useFetchAhead(total !== undefined);
  const inSight = isOn ? pages.filter((page) => page * pageRows < (total ?? 1)) : [];
  const { data, error } = useQueries({
    queries: inSight.map(queryOf),
    combine: (results) => ({
      data: results.map((result) => result.data),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const aheadKey = ahead.join();
  useEffect(() => {
    if (aheadKey === '' || !isOn) return undefined;
    return fetchAhead(() => {
      for (const page of aheadKey.split(',')) void client.prefetchQuery(queryOf(Number(page)));
    });
  }, [client, aheadKey, queryOf, fetchAhead, isOn]);
  const firstPage = inSight[0] ?? 0;
  // Loaded pages stay readable. `data` changes when a visible one does.
  const readFound = useMemo(() => {
    const near = new Map(data.map((page, at) => [firstPage + at, page]));
    return (row: number): Found | undefined => {
      const page = Math.floor(row / pageRows);
      const found =
        near.get(page) ??
        client.getQueryData<{ results: readonly Found[] }>(queryOf(page).queryKey);
      return found?.results[row % pageRows];
    };
  }, [client, data, firstPage, queryOf]);
  return {
    total,
    isEstimate: false,
    rows: total ?? 0,
    readFound,
    onSight,
    error: first.error ?? error,
    retry: first.refetch,
  };
}

export const useOwnPeople = (wanted: Wanted, generation: number, isOn: boolean) =>
  useFoundPages<ShownContact>(
    'people',
    (given, signal) => ask(directorySearch.people, given, { signal }),
    wanted,
    generation,
    isOn,
  );

export const useOwnCompanies = (wanted: Wanted, generation: number, isOn: boolean) =>
  useFoundPages<ShownCompany>(
    'companies',
    (given, signal) => ask(directorySearch.companies, given, { signal }),
    wanted,
    generation,
    isOn,
  );
