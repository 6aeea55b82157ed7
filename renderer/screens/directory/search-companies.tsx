/** Searches companies of the directory by name, domain, industry, country and size. */
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { searchCompanies } from '../../api/directory/search.ts';
import { countOf } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { noFilters } from './chosen-filters.ts';
import classes from './directory.module.css';
import { CompaniesGrid } from './found-grid.tsx';
import { FoundResults, useWanted } from './found-list.tsx';
import { useFoundCompanies, type Wanted } from './found-pages.ts';
import { noSearch, readKept, useKept } from './kept-search.ts';
import { NoMatches } from './no-matches.tsx';
import { SearchField } from './search-field.tsx';
import { companyFilterNames, filtersOf, SearchFilters } from './search-filters.tsx';

const keptName = 'company-search';

const countCompanies = async (wanted: Wanted, signal: AbortSignal) =>
  (await searchCompanies({ ...wanted, limit: 1 }, signal)).total;

/** @param generation of the directory; a new one refreshes the results */
export function SearchCompanies({ generation }: { generation: number }) {
  const [typed, setTyped] = useState(() => readKept(keptName));
  useKept(keptName, typed);
  const { text, chosen } = typed;
  const { wanted } = useWanted(chosen, text);
  const found = useFoundCompanies(wanted, generation);
  const isNarrowed = text.trim() !== '' || Object.keys(filtersOf(chosen)).length > 0;
  const remove = (name: keyof Wanted) => {
    if (name === 'query') setTyped({ ...typed, text: '' });
    else if (name !== 'company_id')
      setTyped({ ...typed, chosen: { ...chosen, [name]: noFilters[name] } });
  };
  return (
    <Section
      title="Find companies"
      sentence="Matches the start of each word of the name, or a whole domain."
      action={
        <Group gap="sm">
          <Text size="sm" className="numbers" role="status">
            {found.total === undefined
              ? ''
              : `${countOf(found.total, 'company', 'companies')} found`}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={!isNarrowed}
            onClick={() => setTyped(noSearch)}
          >
            Clear filters
          </Button>
        </Group>
      }
    >
      <SearchField
        label="Name or domain"
        example="acme, acme.com"
        text={text}
        onText={(next) => setTyped({ ...typed, text: next })}
      />
      <SearchFilters
        chosen={chosen}
        generation={generation}
        names={companyFilterNames}
        onChange={(next) => setTyped({ ...typed, chosen: next })}
      />
      <div className={classes.found}>
        <FoundResults
          total={found.total}
          error={found.error}
          onRetry={() => void found.retry()}
          none={
            <NoMatches
              wanted={wanted}
              count={countCompanies}
              nouns={['company', 'companies']}
              onRemove={remove}
            />
          }
        >
          {(total) => <CompaniesGrid key={JSON.stringify(wanted)} found={found} total={total} />}
        </FoundResults>
      </div>
    </Section>
  );
}
