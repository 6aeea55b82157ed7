/** Search filters and a grid of the people they find. */
import { Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconUserSearch } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import type { FoundContact } from '../../../engine/contract/search.ts';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount } from '../../components/numbers.ts';
import { rowHeightPx } from '../../preferences/density.ts';
import classes from './directory.module.css';
import { useFoundPeople } from './found-people.ts';
import { type ChosenFilters, filtersOf, SearchFilters } from './search-filters.tsx';

const typingDebounceMs = 200;
const linesShown = 12;

const presence = (isThere: boolean) => (isThere ? 'On file' : '–');
/** A column: its title, width in pixels, and the text for a person. */
const columns: readonly (GridColumn & { readonly read: (person: FoundContact) => string })[] = [
  {
    ...{ label: 'Name', kind: 'plain', width: 160 },
    read: (person) => `${person.first_name} ${person.last_name}`.trim(),
  },
  { label: 'Title', kind: 'plain', width: 190, read: ({ title }) => title ?? '' },
  { label: 'Level', kind: 'plain', width: 88, read: ({ job_level }) => job_level ?? '' },
  { label: 'Company', kind: 'plain', width: 190, read: ({ company_name }) => company_name ?? '' },
  { label: 'Country', kind: 'plain', width: 100, read: ({ country }) => country ?? '' },
  { label: 'Email', kind: 'plain', width: 76, read: ({ has_email }) => presence(has_email) },
  { label: 'Phone', kind: 'plain', width: 76, read: ({ has_phone }) => presence(has_phone) },
];

/** The grid of found people. */
function FoundGrid({ found, total }: { found: ReturnType<typeof useFoundPeople>; total: number }) {
  const table = useGridColumns(columns);
  const { readPerson, onSight } = found;
  const readCell = useCallback(
    (row: number, column: number) => {
      const person = readPerson(row);
      return person && columns[column]?.read(person);
    },
    [readPerson],
  );
  const rowHead = useCallback((row: number) => showCount(row + 1), []);
  return (
    <DataGrid
      label="People found"
      table={table}
      columns={columns}
      rowCount={total}
      readCell={readCell}
      rowHead={rowHead}
      headLabel="#"
      headWidthPx={44 + showCount(total).length * 8}
      heightPx={Math.min(total + 1, linesShown) * rowHeightPx + rowHeightPx / 2}
      onSight={onSight}
    />
  );
}

/**
 * A search that follows its filters after a pause in typing.
 * @param generation of the directory; a new one refreshes the results
 */
export function usePeopleSearch(chosen: ChosenFilters, generation: number) {
  const [settled] = useDebouncedValue(chosen, typingDebounceMs);
  const filters = useMemo(() => filtersOf(settled), [settled]);
  return { filters, isSettled: settled === chosen, found: useFoundPeople(filters, generation) };
}

/** The filter fields with the results below. */
export function FoundList({
  search: { filters, found },
  chosen,
  generation,
  onChange,
}: {
  search: ReturnType<typeof usePeopleSearch>;
  chosen: ChosenFilters;
  generation: number;
  onChange: (chosen: ChosenFilters) => void;
}) {
  const { total, error } = found;
  return (
    <>
      <SearchFilters chosen={chosen} generation={generation} onChange={onChange} />
      <div className={classes.found}>
        {error ? (
          <ErrorPanel title="The search failed" error={error} onRetry={() => void found.retry()} />
        ) : total === undefined ? (
          <Skeleton height={linesShown * rowHeightPx} radius="md" />
        ) : total === 0 ? (
          <EmptyState
            Icon={IconUserSearch}
            title="No matches"
            sentence="Remove a filter, or use a shorter word prefix."
          />
        ) : (
          <FoundGrid key={JSON.stringify(filters)} found={found} total={total} />
        )}
      </div>
    </>
  );
}
