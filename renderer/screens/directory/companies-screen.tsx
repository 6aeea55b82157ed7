// The companies of the directory.
import { Skeleton } from '@mantine/core';
import {
  directorySearch,
  type ShownCompany,
} from '../../../engine/contract/records/record-search.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { ask } from '../../api/client.ts';
import { useDirectory } from '../../api/directory.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { noFilters } from './chosen-filters.ts';
import { DirectoryChoice, onlyDirectory } from './directory-choice.tsx';
import { DirectoryPage } from './directory-page.tsx';
import { EmptyDirectory, IndexState } from './directory-state.tsx';
import { CompaniesGrid } from './found-grid.tsx';
import { FilteredResults, useWanted } from './found-list.tsx';
import { type FoundPages, useOwnCompanies, type Wanted } from './found-pages.ts';
import { useTypedSearch } from './kept-search.ts';
import { companyFilterNames } from './search-filters.tsx';
import { type Nouns, SearchSection } from './search-section.tsx';
import { useTeamPages } from './team-pages.ts';

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

interface SearchCompaniesProps {
  generation: number;
  only: SearchedDirectory | null;
}

/** @param generation a new one refreshes @param only the searched directory; null if chosen */
function SearchCompanies({ generation, only }: SearchCompaniesProps) {
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
      field="Name or domain"
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

export function CompaniesScreen() {
  const { data, error, refetch } = useDirectory();
  return (
    <DirectoryPage
      part="companies"
      sentence={
        data?.has_team
          ? 'The companies of your lists and of the team’s directory, and who works there.'
          : 'The companies of your lists, and who works there.'
      }
    >
      <ErrorPanel title="The directory could not be loaded" error={error} onRetry={refetch} />
      {data && <IndexState data={data} />}
      {!data && !error && <Skeleton height={420} radius="md" />}
      {data?.companies === 0 && <EmptyDirectory />}
      {data && (data.companies > 0 || data.has_team) && (
        <SearchCompanies
          generation={data.generation}
          only={onlyDirectory(data.has_team, data.companies)}
        />
      )}
    </DirectoryPage>
  );
}
