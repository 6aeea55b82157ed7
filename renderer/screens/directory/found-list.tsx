/** Search filters and a grid of the people they find. */
import { Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import { searchContacts } from '../../api/directory/search.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { type ChosenFilters, noFilters } from './chosen-filters.ts';
import classes from './directory.module.css';
import { gridHeightPx, PeopleGrid } from './found-grid.tsx';
import { useFoundPeople, type Wanted } from './found-pages.ts';
import { NoMatches } from './no-matches.tsx';
import { filtersOf, SearchFilters } from './search-filters.tsx';

const typingDebounceMs = 200;

/** A search that follows its filters and its text after a pause in typing. */
export function useWanted(chosen: ChosenFilters, text: string) {
  const [settled] = useDebouncedValue(chosen, typingDebounceMs);
  const [query] = useDebouncedValue(text.trim(), typingDebounceMs);
  const filters = useMemo(() => filtersOf(settled), [settled]);
  const wanted = useMemo<Wanted>(
    () => ({ ...(query === '' ? {} : { query }), ...filters }),
    [query, filters],
  );
  return { filters, wanted, isSettled: settled === chosen };
}

/** @param generation of the directory; a new one refreshes the results */
export function usePeopleSearch(chosen: ChosenFilters, generation: number, text = '') {
  const search = useWanted(chosen, text);
  return { ...search, found: useFoundPeople(search.wanted, generation) };
}

/** The results of a search in the shape of what comes. */
export function FoundResults({
  total,
  error,
  onRetry,
  none,
  children,
}: {
  total: number | undefined;
  error: Error | null;
  onRetry: () => void;
  /** Shown if there are no results. */
  none: ReactNode;
  children: (total: number) => ReactNode;
}) {
  if (error) return <ErrorPanel title="The search failed" error={error} onRetry={onRetry} />;
  if (total === undefined) return <Skeleton height={gridHeightPx()} radius="md" />;
  return total === 0 ? none : children(total);
}

const countPeople = async (wanted: Wanted, signal: AbortSignal) =>
  (await searchContacts({ ...wanted, limit: 1 }, signal)).total;

/** The filter fields with the results below. */
export function FoundList({
  search: { wanted, found },
  chosen,
  generation,
  onChange,
  onClearText,
}: {
  search: ReturnType<typeof usePeopleSearch>;
  chosen: ChosenFilters;
  generation: number;
  onChange: (chosen: ChosenFilters) => void;
  /** Given if the search has a text. */
  onClearText?: () => void;
}) {
  const remove = (name: keyof Wanted) => {
    if (name === 'query') onClearText?.();
    else if (name !== 'company_id') onChange({ ...chosen, [name]: noFilters[name] });
  };
  return (
    <>
      <SearchFilters chosen={chosen} generation={generation} onChange={onChange} />
      <div className={classes.found}>
        <FoundResults
          total={found.total}
          error={found.error}
          onRetry={() => void found.retry()}
          none={
            <NoMatches
              wanted={wanted}
              count={countPeople}
              nouns={['person', 'people']}
              onRemove={remove}
            />
          }
        >
          {(total) => <PeopleGrid key={JSON.stringify(wanted)} found={found} total={total} />}
        </FoundResults>
      </div>
    </>
  );
}
