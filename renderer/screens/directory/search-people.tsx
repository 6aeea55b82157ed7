/** Searches people of the directory by name, company, email, domain and job. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { countOf } from '../../components/numbers.ts';
import { useDraft } from '../pipelines/draft.tsx';
import { FoundList, peopleNouns, usePeopleSearch } from './found-list.tsx';
import { readKept, useKept } from './kept-search.ts';
import type { Picked } from './picked-people.tsx';
import { peopleField } from './search-field.tsx';
import { SearchSection } from './search-section.tsx';

const keptName = 'people-search';

/** @param generation of the directory; a new one refreshes the results */
export function SearchPeople({ generation }: { generation: number }) {
  const [typed, setTyped] = useState(() => readKept(keptName));
  const [picked, setPicked] = useState<Picked>(null);
  useKept(keptName, typed);
  const search = usePeopleSearch(typed.chosen, generation, typed.text);
  const draft = useDraft();
  const [, navigate] = useLocation();
  const { total } = search.found;
  const change = (next: typeof typed) => {
    setTyped(next);
    setPicked(null);
  };
  const unlock = () => {
    draft.change({ source: 'people', ...typed, picked, limit: null, title: null });
    navigate('/pipelines/new');
  };
  return (
    <SearchSection
      title="Find people"
      sentence="Matches the start of each word. Emails and phones stay hidden until unlocked."
      nouns={peopleNouns}
      total={total}
      field={peopleField}
      typed={typed}
      onTyped={change}
      action={
        <Button size="xs" disabled={!total || !search.isSettled} onClick={unlock}>
          {picked === null
            ? 'Unlock these people'
            : `Unlock ${countOf(picked.length, ...peopleNouns)}`}
        </Button>
      }
    >
      <FoundList
        search={search}
        typed={typed}
        generation={generation}
        picked={picked}
        onTyped={change}
        onPicked={setPicked}
      />
    </SearchSection>
  );
}
