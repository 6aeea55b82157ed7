/** A search without results: which of its filters to remove, and how many results that gives. */
import { Button, Group } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { countOf } from '../../components/numbers.ts';
import type { Wanted } from './found-pages.ts';
import { filterLabels } from './search-filters.tsx';

const plainSentence = 'Try fewer letters of a word. Emails and domains must be complete.';

/** The filters whose removal gives results are buttons. */
export function NoMatches({
  wanted,
  count,
  nouns,
  directory,
  onRemove,
}: {
  wanted: Wanted;
  /** The number of results of a search. */
  count: (wanted: Wanted, signal: AbortSignal) => Promise<number>;
  nouns: readonly [one: string, many: string];
  /** Whose directory is searched. */
  directory: SearchedDirectory;
  onRemove: (filter: keyof Wanted) => void;
}) {
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
              <Button key={name} size="xs" variant="default" onClick={() => onRemove(name)}>
                {filterLabels[name]} ({countOf(total, ...nouns)} without it)
              </Button>
            ))}
          </Group>
        )
      }
    />
  );
}
