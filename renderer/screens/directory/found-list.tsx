// Search filters and a grid of the people or companies they find.
import { Button, Group, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearchOff } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import {
  directorySearch,
  type ShownContact,
} from '../../../engine/contract/records/record-search.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { ask } from '../../api/client.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf } from '../../components/numbers.ts';
import { type ChosenFilters, noFilters } from './chosen-filters.ts';
import classes from './directory.module.css';
import { gridHeightPx, PeopleGrid } from './found-grid.tsx';
import type { FoundPages, Wanted } from './found-pages.ts';
import { useFoundPeople } from './found-people.ts';
import type { ChangeSearch, TypedSearch } from './kept-search.ts';
import { type Picked, PickedBar, type Picks } from './picked-people.tsx';
import { filterLabels, filtersOf, SearchFilters } from './search-filters.tsx';
import type { Nouns } from './search-section.tsx';

const plainSentence = 'Try fewer letters of a word. Emails and domains must be complete.';

interface NoMatchesProps {
  wanted: Wanted;
  count: (wanted: Wanted, signal: AbortSignal) => Promise<number>;
  nouns: readonly [one: string, many: string];
  directory: SearchedDirectory;
  onRemove: (filter: keyof Wanted) => void;
}

/** The filters whose removal gives results are buttons. */
function NoMatches({ wanted, count, nouns, directory, onRemove }: NoMatchesProps) {
  const filters = (Object.keys(wanted) as (keyof Wanted)[]).filter((name) => name in filterLabels);
  const totals = useQueries({
    queries: filters.map((name) => {
      const { [name]: _without, ...rest } = wanted;
      return {
        queryKey: ['found-people', 'without', directory, nouns[1], rest],
        queryFn: ({ signal }: { signal: AbortSignal }) => count(rest, signal),
        // A single filter needs no count: without it, everyone is found.
        enabled: filters.length > 1,
      };
    }),
    combine: (results) => results.map(({ data }) => data ?? 0),
  });
  const helpful = filters
    .map((name, at) => ({ name, total: totals[at] ?? 0 }))
    .filter(({ total }) => total > 0)
    .sort((one, other) => other.total - one.total);
  return (
    <EmptyState
      Icon={IconSearchOff}
      title="No matches"
      sentence={
        helpful.length > 0
          ? `No ${nouns[0]} matches all ${filters.length} filters. Remove one of them:`
          : plainSentence
      }
      action={
        helpful.length > 0 && (
          <Group gap="sm" justify="center">
            {helpful.map(({ name, total }) => (
              <Button key={name} size="xs" onClick={() => onRemove(name)}>
                {filterLabels[name]} ({countOf(total, ...nouns)} without it)
              </Button>
            ))}
          </Group>
        )
      }
    />
  );
}

const typingDebounceMs = 200;

/** A search that follows its filters and its text after a pause in typing. */
export function useWanted(chosen: ChosenFilters, text: string) {
  const [settled] = useDebouncedValue(chosen, typingDebounceMs);
  const [query] = useDebouncedValue(text.trim(), typingDebounceMs);
  const wanted = useMemo<Wanted>(
    () => ({ ...(query === '' ? {} : { query }), ...filtersOf(settled) }),
    [query, settled],
  );
  return { wanted, isSettled: settled === chosen && query === text.trim() };
}

/** @param generation of the own directory; a new one refreshes the results */
export function usePeopleSearch({ chosen, text, directory }: TypedSearch, generation: number) {
  const search = useWanted(chosen, text);
  return { ...search, directory, found: useFoundPeople(search.wanted, generation, directory) };
}

interface FoundResultsProps {
  total: number | undefined;
  error: Error | null;
  onRetry: () => void;
  /** Shown if there are no results. */
  none: ReactNode;
  children: (total: number) => ReactNode;
}

export function FoundResults({ total, error, onRetry, none, children }: FoundResultsProps) {
  if (error) return <ErrorPanel title="The search failed" error={error} onRetry={onRetry} />;
  if (total === undefined) return <Skeleton height={gridHeightPx()} radius="md" />;
  return total === 0 ? none : children(total);
}

export function FilteredResults<Found>({
  search: { wanted, found },
  typed,
  generation,
  names,
  nouns,
  count,
  onChange,
  children,
}: {
  search: { readonly wanted: Wanted; readonly found: FoundPages<Found> };
  typed: TypedSearch;
  generation: number;
  names?: readonly (keyof ChosenFilters)[];
  nouns: Nouns;
  count: (wanted: Wanted, signal: AbortSignal) => Promise<number>;
  onChange: ChangeSearch;
  children: (total: number) => ReactNode;
}) {
  const { chosen } = typed;
  const remove = (name: keyof Wanted) => {
    const filter = name as keyof ChosenFilters;
    if (name === 'query') onChange({ text: '' });
    else if (filter in noFilters) onChange({ chosen: { ...chosen, [filter]: noFilters[filter] } });
  };
  return (
    <>
      <SearchFilters
        chosen={chosen}
        generation={generation}
        directory={typed.directory}
        {...(names && { names })}
        onChange={(next) => onChange({ chosen: next })}
      />
      <div className={classes.found}>
        <FoundResults
          total={found.total}
          error={found.error}
          onRetry={() => void found.retry()}
          none={
            <NoMatches
              wanted={wanted}
              count={count}
              nouns={nouns}
              directory={typed.directory}
              onRemove={remove}
            />
          }
        >
          {children}
        </FoundResults>
      </div>
    </>
  );
}

const countPeople = (directory: SearchedDirectory) => async (wanted: Wanted, signal: AbortSignal) =>
  (await ask(directorySearch.people, { ...wanted, directory, limit: 1 }, { signal })).total;

export const peopleNouns: Nouns = ['person', 'people'];

interface FoundListProps {
  search: ReturnType<typeof usePeopleSearch>;
  typed: TypedSearch;
  generation: number;
  onChange: ChangeSearch;
  /** The people that are picked; null if there is no use for a choice. */
  picking: { readonly picked: Picked; readonly onPicked: (picked: Picked) => void } | null;
}

export function FoundList({ search, typed, generation, onChange, picking }: FoundListProps) {
  const { wanted } = search;
  const grid = (found: FoundPages<ShownContact>, picks?: Picks) => (
    <PeopleGrid
      key={JSON.stringify([typed.directory, wanted])}
      found={found}
      total={search.found.rows}
      picks={picks}
      directory={typed.directory}
    />
  );
  return (
    <FilteredResults
      search={search}
      typed={typed}
      generation={generation}
      onChange={onChange}
      nouns={peopleNouns}
      count={countPeople(typed.directory)}
    >
      {() =>
        picking === null ? (
          grid(search.found)
        ) : (
          <PickedBar found={search.found} {...picking}>
            {grid}
          </PickedBar>
        )
      }
    </FilteredResults>
  );
}
