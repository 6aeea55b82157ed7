// The people of a search, of the directory that is chosen.
import {
  directorySearch,
  type ShownContact,
} from '../../../engine/contract/records/record-search.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { ask } from '../../api/client.ts';
import { type FoundPages, useOwnPeople, type Wanted } from './found-pages.ts';
import { useTeamPages } from './team-pages.ts';

export function useFoundPeople(
  wanted: Wanted,
  generation: number,
  directory: SearchedDirectory = 'own',
): FoundPages<ShownContact> {
  const isOwn = directory === 'own';
  const own = useOwnPeople(wanted, generation, isOwn);
  const team = useTeamPages(
    'people',
    (given, signal) => ask(directorySearch.people, given, { signal }),
    wanted,
    !isOwn,
  );
  return isOwn ? own : team;
}
