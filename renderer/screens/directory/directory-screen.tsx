// The people of the directory: figures, search, freshness and sources.
import { Button, SimpleGrid, Skeleton, Table } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { DirectoryStats } from '../../../engine/contract/directory.ts';
import type { AgeName } from '../../../engine/contract/records/people-origins.ts';
import { directorySearch } from '../../../engine/contract/records/record-search.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { useDirectory } from '../../api/directory.ts';
import { useAnswer } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { countOf, showBytes, showCount, showShare } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { useDraft } from '../pipelines/draft.tsx';
import { noFilters } from './chosen-filters.ts';
import classes from './directory.module.css';
import { DirectoryChoice, onlyDirectory } from './directory-choice.tsx';
import { DirectoryPage } from './directory-page.tsx';
import { EmptyDirectory, IndexState } from './directory-state.tsx';
import { FoundList, peopleNouns, usePeopleSearch } from './found-list.tsx';
import { type ChangeSearch, useTypedSearch } from './kept-search.ts';
import type { Picked } from './picked-people.tsx';
import { peopleField } from './search-field.tsx';
import { SearchSection } from './search-section.tsx';

const ageLabels: Readonly<Record<AgeName, string>> = {
  under_3_months: 'Under 3 months',
  under_6_months: '3 to 6 months',
  under_1_year: '6 to 12 months',
  under_2_years: '1 to 2 years',
  older: 'Over 2 years',
};

interface Bar {
  readonly label: string;
  readonly people: number;
}

interface BarsProps {
  label: string;
  what: string;
  bars: readonly Bar[];
  all: number;
}

function Bars({ label, what, bars, all }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ people }) => people));
  return (
    <Table className={classes.bars} aria-label={label} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="36%">{what}</Table.Th>
          <Table.Th aria-hidden />
          <Table.Th ta="right" w={92}>
            People
          </Table.Th>
          <Table.Th ta="right" w={64}>
            Share
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {bars.map(({ label: name, people }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" className={classes.barName} title={name} dir="auto">
              {name}
            </Table.Th>
            <Table.Td aria-hidden>
              {people > 0 && (
                <span
                  className={classes.bar}
                  style={{ width: `max(2px, ${(people / most) * 100}%)` }}
                />
              )}
            </Table.Td>
            <Table.Td ta="right">{showCount(people)}</Table.Td>
            <Table.Td ta="right">{showShare(all === 0 ? 0 : people / all)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const sourcesShown = 6;

function groupSources(sources: readonly { source: string; people: number }[]): Bar[] {
  const bars = sources.map(({ source, people }) => ({ label: source, people }));
  if (bars.length <= sourcesShown + 1) return bars;
  const rest = bars.slice(sourcesShown);
  const people = rest.reduce((sum, bar) => sum + bar.people, 0);
  return [...bars.slice(0, sourcesShown), { label: countOf(rest.length, 'other source'), people }];
}

/** @param generation of the directory; a new one refreshes the counts */
function Origins({ generation }: { generation: number }) {
  const { data, error, refetch } = useAnswer(
    ['found-people', 'origins', generation],
    directorySearch.origins,
  );
  if (error)
    return (
      <ErrorPanel
        title="Freshness and sources could not be loaded"
        error={error}
        onRetry={refetch}
      />
    );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Section title="Freshness" sentence="The date of the newest value of the person.">
        {data ? (
          <Bars
            label="People by age of their data"
            what="Newest value"
            bars={data.ages.map(({ age, people }) => ({ label: ageLabels[age], people }))}
            all={data.people}
          />
        ) : (
          <Skeleton height={190} />
        )}
      </Section>
      <Section title="Sources" sentence="The source that added the person.">
        {data ? (
          <Bars
            label="People by source"
            what="Source"
            bars={groupSources(data.sources)}
            all={data.people}
          />
        ) : (
          <Skeleton height={190} />
        )}
      </Section>
    </SimpleGrid>
  );
}

const keptName = 'people-search';

interface SearchPeopleProps {
  generation: number;
  only: SearchedDirectory | null;
}

/** @param generation a new one refreshes @param only the searched directory; null if chosen */
function SearchPeople({ generation, only }: SearchPeopleProps) {
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
          <Button variant="filled" size="xs" disabled={!total || !search.isSettled} onClick={show}>
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

const countIf = (count: number | undefined) => (count === undefined ? undefined : showCount(count));

function Stats({ data }: { data: DirectoryStats | undefined }) {
  return (
    <Figures
      figures={[
        { label: 'People', value: countIf(data?.people) },
        { label: 'Companies', value: countIf(data?.companies) },
        { label: 'Employments', value: countIf(data?.employments) },
        { label: 'With email', value: countIf(data?.people_with_email) },
        { label: 'With profile', value: countIf(data?.people_with_profile_url) },
        { label: 'With phone', value: countIf(data?.people_with_phone) },
        { label: 'On disk', value: data && showBytes(data.bytes) },
      ]}
    />
  );
}

export function DirectoryScreen() {
  const { data, error, refetch } = useDirectory();
  return (
    <DirectoryPage
      part="people"
      sentence={'Your lists, matched offline. Every value shows its source and date.'}
    >
      <ErrorPanel title="The directory could not be loaded" error={error} onRetry={refetch} />
      {!error && data?.people !== 0 && (
        <div className={classes.stats}>
          <Stats data={data} />
        </div>
      )}
      {data && <IndexState data={data} />}
      {!data && !error && <Skeleton height={420} radius="md" />}
      {data?.people === 0 && <EmptyDirectory />}
      {data && (data.people > 0 || data.has_team) && (
        <SearchPeople
          generation={data.generation}
          only={onlyDirectory(data.has_team, data.people)}
        />
      )}
      {data && data.people > 0 && <Origins generation={data.generation} />}
    </DirectoryPage>
  );
}
