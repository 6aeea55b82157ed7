/** Searches companies of the directory by name, domain, industry, country and size. */

import {
  directorySearch,
  type ShownCompany,
} from '../../../engine/contract/records/record-search.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { ask } from '../../api/client.ts';
import { noFilters } from './chosen-filters.ts';
import { DirectoryChoice } from './directory-choice.tsx';
import { CompaniesGrid } from './found-grid.tsx';
import { FilteredResults, useWanted } from './found-list.tsx';
import { type FoundPages, useOwnCompanies, type Wanted } from './found-pages.ts';
import { useTypedSearch } from './kept-search.ts';
import { companyFilterNames } from './search-filters.tsx';
import { type Nouns, SearchSection } from './search-section.tsx';
import { useTeamPages } from './team-pages.ts';

/** Found companies of the own directory, or of the team's. */
function useFoundCompanies(
  wanted: Wanted,
  generation: number,
  directory: SearchedDirectory,
): FoundPages<ShownCompany> {
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

const keptName = 'company-search';
const nouns: Nouns = ['company', 'companies'];

const countCompanies =
  (directory: SearchedDirectory) => async (wanted: Wanted, signal: AbortSignal) =>
    (await ask(directorySearch.companies, { ...wanted, directory, limit: 1 }, { signal })).total;

/**
 * @param generation of the own directory; a new one refreshes the results
 * @param only the directory that is searched; null if it is chosen
 */
export function SearchCompanies({
  generation,
  only,
}: {
  generation: number;
  only: SearchedDirectory | null;
}) {
  const [typed, change] = useTypedSearch(keptName, only);
  const { directory } = typed;
  const { wanted } = useWanted(typed.chosen, typed.text);
  const found = useFoundCompanies(wanted, generation, directory);
  return (
    <SearchSection
      title="Find companies"
      sentence="Matches the start of each word of the name, or a whole domain."
      {...(only === null && {
        choice: (
          <DirectoryChoice
            directory={directory}
            // The values of the filters are those of the other directory.
            onChange={(next) => change({ chosen: noFilters, directory: next })}
          />
        ),
      })}
      nouns={nouns}
      total={found.total}
      isEstimate={found.isEstimate}
      field={{ label: 'Name or domain', example: 'acme, acme.com' }}
      typed={typed}
      onChange={change}
    >
      <FilteredResults
        search={{ wanted, found }}
        typed={typed}
        generation={generation}
        names={companyFilterNames}
        nouns={nouns}
        count={countCompanies(directory)}
        onChange={change}
      >
        {() => (
          <CompaniesGrid
            key={JSON.stringify([directory, wanted])}
            found={found}
            total={found.rows}
            directory={directory}
          />
        )}
      </FilteredResults>
    </SearchSection>
  );
}
