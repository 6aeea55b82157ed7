/** Searches companies of the directory by name, domain, industry, country and size. */
import { useState } from 'react';
import { searchCompanies } from '../../api/directory/search.ts';
import { CompaniesGrid } from './found-grid.tsx';
import { FilteredResults, useWanted } from './found-list.tsx';
import { useFoundCompanies, type Wanted } from './found-pages.ts';
import { readKept, useKept } from './kept-search.ts';
import { companyFilterNames } from './search-filters.tsx';
import { type Nouns, SearchSection } from './search-section.tsx';

const keptName = 'company-search';
const nouns: Nouns = ['company', 'companies'];

const countCompanies = async (wanted: Wanted, signal: AbortSignal) =>
  (await searchCompanies({ ...wanted, limit: 1 }, signal)).total;

/** @param generation of the directory; a new one refreshes the results */
export function SearchCompanies({ generation }: { generation: number }) {
  const [typed, setTyped] = useState(() => readKept(keptName));
  useKept(keptName, typed);
  const { wanted } = useWanted(typed.chosen, typed.text);
  const found = useFoundCompanies(wanted, generation);
  return (
    <SearchSection
      title="Find companies"
      sentence="Matches the start of each word of the name, or a whole domain."
      nouns={nouns}
      total={found.total}
      field={{ label: 'Name or domain', example: 'acme, acme.com' }}
      typed={typed}
      onTyped={setTyped}
    >
      <FilteredResults
        search={{ wanted, found }}
        typed={typed}
        generation={generation}
        names={companyFilterNames}
        nouns={nouns}
        count={countCompanies}
        onTyped={setTyped}
      >
        {(total) => <CompaniesGrid key={JSON.stringify(wanted)} found={found} total={total} />}
      </FilteredResults>
    </SearchSection>
  );
}
