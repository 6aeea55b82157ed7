/** The companies of a search, of the directory that is chosen. */

import { directorySearch } from '../../../engine/contract/records/record-search.ts';
import type { FoundCompany, SearchedDirectory } from '../../../engine/contract/search.ts';
import { ask } from '../../api/client.ts';
import { type FoundPages, useOwnCompanies, type Wanted } from './found-pages.ts';
import { useTeamPages } from './team-pages.ts';

/** Found companies of the own directory, or of the team's. */
export function useFoundCompanies(
  wanted: Wanted,
  generation: number,
  directory: SearchedDirectory,
): FoundPages<FoundCompany> {
  const isOwn = directory === 'own';
  const own = useOwnCompanies(wanted, generation, isOwn);
  const team = useTeamPages(
    'companies',
    (given, signal) => ask(directorySearch.companies, given, { signal }),
    wanted,
    !isOwn,
  );
  return isOwn ? own : team;
}
