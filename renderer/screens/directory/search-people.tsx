/** Searches people of the directory by name, company, email, domain and job. */
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { countOf } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { useDraft } from '../pipelines/draft.tsx';
import { FoundList, usePeopleSearch } from './found-list.tsx';
import { noSearch, readKept, useKept } from './kept-search.ts';
import { SearchField } from './search-field.tsx';
import { filtersOf } from './search-filters.tsx';

const keptName = 'people-search';

/** @param generation of the directory; a new one refreshes the results */
export function SearchPeople({ generation }: { generation: number }) {
  const [typed, setTyped] = useState(() => readKept(keptName));
  useKept(keptName, typed);
  const { text, chosen } = typed;
  const search = usePeopleSearch(chosen, generation, text);
  const draft = useDraft();
  const [, navigate] = useLocation();
  const { total } = search.found;
  const hasText = text.trim() !== '';
  const isNarrowed = hasText || Object.keys(filtersOf(chosen)).length > 0;
  const unlock = () => {
    draft.change({ source: 'people', chosen, limit: null, title: null });
    navigate('/pipelines/new');
  };
  return (
    <Section
      title="Find people"
      sentence={
        hasText
          ? 'To unlock these people, clear the search and use the filters.'
          : 'Matches the start of each word. Emails and phones stay hidden until unlocked.'
      }
      action={
        <Group gap="sm">
          <Text size="sm" className="numbers" role="status">
            {total === undefined ? '' : `${countOf(total, 'person', 'people')} found`}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={!isNarrowed}
            onClick={() => setTyped(noSearch)}
          >
            Clear filters
          </Button>
          <Button size="xs" disabled={!total || hasText} onClick={unlock}>
            Unlock these people
          </Button>
        </Group>
      }
    >
      <SearchField
        label="Name, company, email or domain"
        example="ada love, acme, ada@acme.com, acme.com"
        text={text}
        onText={(next) => setTyped({ ...typed, text: next })}
      />
      <FoundList
        search={search}
        chosen={chosen}
        generation={generation}
        onChange={(next) => setTyped({ ...typed, chosen: next })}
        onClearText={() => setTyped({ ...typed, text: '' })}
      />
    </Section>
  );
}
