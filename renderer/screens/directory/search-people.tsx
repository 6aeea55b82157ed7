/** Searches people of the directory by name, company, email, domain and job. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { countOf } from '../../components/numbers.ts';
import { useDraft } from '../pipelines/draft.tsx';
import { noFilters } from './chosen-filters.ts';
import { DirectoryChoice } from './directory-choice.tsx';
import { FoundList, peopleNouns, usePeopleSearch } from './found-list.tsx';
import { type ChangeSearch, useTypedSearch } from './kept-search.ts';
import type { Picked } from './picked-people.tsx';
import { peopleField } from './search-field.tsx';
import { SearchSection } from './search-section.tsx';

const keptName = 'people-search';

/**
 * @param generation of the own directory; a new one refreshes the results
 * @param only the directory that is searched; null if it is chosen
 */
export function SearchPeople({
  generation,
  only,
}: {
  generation: number;
  only: SearchedDirectory | null;
}) {
  const [typed, changeTyped] = useTypedSearch(keptName, only);
  const [picked, setPicked] = useState<Picked>(null);
  const isOwn = typed.directory === 'own';
  const search = usePeopleSearch(typed, generation);
  const draft = useDraft();
  const [, navigate] = useLocation();
  const { total, isEstimate } = search.found;
  const change: ChangeSearch = (part) => {
    changeTyped(part);
    setPicked(null);
  };
  const show = () => {
    draft.change({ source: 'people', ...typed, picked, limit: null, title: null });
    navigate('/directory/contacts/new');
  };
  return (
    <SearchSection
      title="Find people"
      sentence={
        isOwn
          ? 'Matches the start of each word.'
          : 'People of the team’s directory. Emails and phones are shown on request.'
      }
      {...(only === null && {
        choice: (
          <DirectoryChoice
            directory={typed.directory}
            // The values of the filters are those of the other directory.
            onChange={(directory) => change({ chosen: noFilters, directory })}
          />
        ),
      })}
      nouns={peopleNouns}
      total={total}
      isEstimate={isEstimate}
      field={peopleField}
      typed={typed}
      onChange={change}
      action={
        isOwn ? null : (
          <Button size="xs" disabled={!total || !search.isSettled} onClick={show}>
            {picked === null
              ? 'Show emails and phones'
              : `Show emails and phones of ${countOf(picked.length, ...peopleNouns)}`}
          </Button>
        )
      }
    >
      <FoundList
        search={search}
        typed={typed}
        generation={generation}
        onChange={change}
        picking={isOwn ? null : { picked, onPicked: setPicked }}
      />
    </SearchSection>
  );
}
