/** How old the data of people is, and which source added them, as bars in tables. */

import { SimpleGrid, Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AgeName } from '../../../engine/contract/records/people-origins.ts';
import { directorySearch } from '../../../engine/contract/records/record-search.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount, showShare } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import classes from './directory.module.css';

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

function Bars({
  label,
  what,
  bars,
  all,
}: {
  label: string;
  what: string;
  bars: readonly Bar[];
  all: number;
}) {
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

/** The largest sources; the others together. */
function groupSources(sources: readonly { source: string; people: number }[]): Bar[] {
  const bars = sources.map(({ source, people }) => ({ label: source, people }));
  if (bars.length <= sourcesShown + 1) return bars;
  const rest = bars.slice(sourcesShown);
  const people = rest.reduce((sum, bar) => sum + bar.people, 0);
  return [...bars.slice(0, sourcesShown), { label: countOf(rest.length, 'other source'), people }];
}

/** @param generation of the directory; a new one refreshes the counts */
export function Origins({ generation }: { generation: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['found-people', 'origins', generation],
    queryFn: () => ask(directorySearch.origins),
  });
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
      <Section title="Freshness" sentence="When a source last observed a value of the person.">
        {data ? (
          <Bars
            label="People by age of their data"
            what="Last observed"
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
