// Keeps a search with its place in the window's history, so that going back restores it.
import { useEffect, useState } from 'react';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { type ChosenFilters, noFilters } from './chosen-filters.ts';

export interface TypedSearch {
  readonly text: string;
  readonly chosen: ChosenFilters;
  readonly directory: SearchedDirectory;
}

const noSearch: TypedSearch = { text: '', chosen: noFilters, directory: 'own' };

type Kept = Readonly<Record<string, TypedSearch | undefined>>;
const stateOf = (): Kept => (history.state ?? {}) as Kept;

/** The search that this place of the history had; otherwise one for everyone. */
function readKept(name: string): TypedSearch {
  const kept = stateOf()[name];
  if (!kept) return noSearch;
  return { ...noSearch, ...kept, chosen: { ...noFilters, ...kept.chosen } };
}

/**
 * Changes a part of a search. The text follows the keys later than the filters do, so that a whole
 * search would bring back what the other part was before.
 */
export type ChangeSearch = (part: Partial<TypedSearch>) => void;

/**
 * The search of a screen, and what changes it. It is kept with the current place of the history;
 * the address does not change.
 * @param only the directory that is searched; null for the chosen one
 */
export function useTypedSearch(
  name: string,
  only: SearchedDirectory | null,
): readonly [typed: TypedSearch, change: ChangeSearch] {
  const [kept, setKept] = useState(() => readKept(name));
  useEffect(() => {
    history.replaceState({ ...stateOf(), [name]: kept }, '');
  }, [name, kept]);
  return [
    only === null ? kept : { ...kept, directory: only },
    (part) => setKept((before) => ({ ...before, ...part })),
  ];
}
