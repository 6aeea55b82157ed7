/** Searches people of the directory by their job. Emails and phones are only marked as known. */
import { Button, Card, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { countOf } from '../../components/numbers.ts';
import { useDraft } from '../pipelines/draft.tsx';
import { noFilters } from './chosen-filters.ts';
import { FoundList, usePeopleSearch } from './found-list.tsx';
import { filtersOf } from './search-filters.tsx';

/** @param generation of the directory; a new one refreshes the results */
export function SearchPeople({ generation }: { generation: number }) {
  const [chosen, setChosen] = useState(noFilters);
  const search = usePeopleSearch(chosen, generation);
  const draft = useDraft();
  const [, navigate] = useLocation();
  const { total } = search.found;
  const isFiltered = Object.keys(filtersOf(chosen)).length > 0;
  const unlock = () => {
    draft.change({ source: 'people', chosen, limit: null, title: null });
    navigate('/pipelines/new');
  };
  return (
    <Card component="section" aria-labelledby="search-title">
      <Group justify="space-between" gap="lg" mb="md">
        <div>
          <Title order={2} id="search-title">
            Find people
          </Title>
          <Text size="sm" c="dimmed">
            Words match by prefix. Emails and phones are only marked as on file.
          </Text>
        </div>
        <Group gap="sm">
          <Text size="sm" className="numbers" role="status">
            {total === undefined ? '' : `${countOf(total, 'person', 'people')} found`}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={!isFiltered}
            onClick={() => setChosen(noFilters)}
          >
            Clear filters
          </Button>
          <Button size="xs" disabled={!total} onClick={unlock}>
            Unlock these people
          </Button>
        </Group>
      </Group>
      <FoundList search={search} chosen={chosen} generation={generation} onChange={setChosen} />
    </Card>
  );
}
