/** Keeps a search with its place in the window's history, so that going back restores it. */
import { useEffect } from 'react';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { type ChosenFilters, noFilters } from './chosen-filters.ts';

/** A search as it was typed. */
export interface TypedSearch {
  readonly text: string;
  readonly chosen: ChosenFilters;
  /** Whose directory is searched. */
  readonly directory: SearchedDirectory;
}

/** A search for everyone. */
const noSearch: TypedSearch = { text: '', chosen: noFilters, directory: 'own' };

type Kept = Readonly<Record<string, TypedSearch | undefined>>;
const stateOf = (): Kept => (history.state ?? {}) as Kept;

/** The search that this place of the history had; otherwise one for everyone. */
export function readKept(name: string): TypedSearch {
  const kept = stateOf()[name];
  if (!kept) return noSearch;
  return { ...noSearch, ...kept, chosen: { ...noFilters, ...kept.chosen } };
}

/** Keeps the search with the current place of the history. The address does not change. */
export function useKept(name: string, search: TypedSearch): void {
  useEffect(() => {
    history.replaceState({ ...stateOf(), [name]: search }, '');
  }, [name, search]);
}
