/** Keeps a search with its place in the window's history, so that going back restores it. */
import { useEffect } from 'react';
import { type ChosenFilters, noFilters } from './chosen-filters.ts';

/** A search as it was typed. */
export interface TypedSearch {
  readonly text: string;
  readonly chosen: ChosenFilters;
}

/** A search for everyone. */
export const noSearch: TypedSearch = { text: '', chosen: noFilters };

type Kept = Readonly<Record<string, TypedSearch | undefined>>;
const stateOf = (): Kept => (history.state ?? {}) as Kept;

/** The search that this place of the history had; otherwise one for everyone. */
export function readKept(name: string): TypedSearch {
  const kept = stateOf()[name];
  return kept ? { text: kept.text, chosen: { ...noFilters, ...kept.chosen } } : noSearch;
}

/** Keeps the search with the current place of the history. The address does not change. */
export function useKept(name: string, search: TypedSearch): void {
  useEffect(() => {
    history.replaceState({ ...stateOf(), [name]: search }, '');
  }, [name, search]);
}
