// Results of the team's directory in pages of 100, each fetched after the one before.
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { pageRows } from '../../api/transport/first-requests.ts';
import type { FoundPages, Wanted } from './found-pages.ts';

/** Other people load the directory, so that its results are read again after a while. */
const freshMs = 60_000;

interface TeamPage {
  readonly directory: 'team';
  readonly limit: number;
  readonly after?: string;
}
type Search<Found> = (
  body: Wanted & TeamPage,
  signal: AbortSignal,
) => Promise<{
  readonly total: number;
  readonly total_is_estimate?: true | undefined;
  readonly next_after?: string | undefined;
  readonly results: readonly Found[];
}>;

/** The grid has one more page than the results so far while others follow. */
export function useTeamPages<Found>(
  name: string,
  search: Search<Found>,
  wanted: Wanted,
  isOn: boolean,
): FoundPages<Found> {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['found-people', 'team', name, wanted],
    queryFn: ({ pageParam: after, signal }) =>
      search(
        { ...wanted, directory: 'team', limit: pageRows, ...(after !== null && { after }) },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_after ?? null,
    placeholderData: keepPreviousData,
    staleTime: freshMs,
    enabled: isOn,
  });
  const pages = data?.pages;
  const results = useMemo(() => pages?.flatMap((page) => page.results) ?? [], [pages]);
  const loaded = results.length;
  const readFound = useCallback((row: number) => results[row], [results]);
  const onSight = useCallback(
    (_first: number, last: number) => {
      if (last >= loaded - pageRows / 2 && hasNextPage && !isFetching) void fetchNextPage();
    },
    [loaded, hasNextPage, isFetching, fetchNextPage],
  );
  return {
    total: pages?.[0]?.total,
    isEstimate: pages?.[0]?.total_is_estimate === true,
    rows: hasNextPage ? loaded + pageRows : loaded,
    readFound,
    onSight,
    error,
    retry: refetch,
  };
}
