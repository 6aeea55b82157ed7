/** Records of the directory that are probably the same. */

import { Anchor, Group, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconCopyCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import {
  type Duplicate,
  type DuplicateKind,
  type DuplicatesPage,
  duplicates,
} from '../../../engine/contract/duplicates/duplicates.ts';
import { ask } from '../../api/client.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Pager } from '../../components/pager.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { DirectoryPage } from '../directory/directory-page.tsx';
import { wordOfProbability } from './duplicate-words.ts';
import { MergeList } from './merge-list.tsx';
import { SearchCard } from './search-card.tsx';

const pagePairs = 50;
const searchPollMs = 2_000;
type Status = Duplicate['status'];

const recordPaths: Record<DuplicateKind, string> = {
  person: '/directory/people',
  company: '/directory/companies',
};

/** One record of a pair; its name opens it. */
function RecordCell({
  kind,
  record,
}: {
  kind: DuplicateKind;
  record: Duplicate['records'][number];
}) {
  return (
    <Table.Td className={tableClasses.name}>
      <Anchor component={Link} href={`${recordPaths[kind]}/${record.id}`} size="sm" dir="auto">
        {record.name}
      </Anchor>
      {record.detail !== '' && (
        <Text size="xs" c="dimmed">
          {record.detail}
        </Text>
      )}
    </Table.Td>
  );
}

function PairRow({ pair }: { pair: Duplicate }) {
  const [one, other] = pair.records;
  return (
    <Table.Tr>
      <RecordCell kind={pair.kind} record={one} />
      <RecordCell kind={pair.kind} record={other} />
      <Table.Td className={tableClasses.steady}>{wordOfProbability(pair)}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <Text size="sm">{pair.agrees.join(', ') || '–'}</Text>
      </Table.Td>
      <Table.Td className={tableClasses.name}>
        <Text size="sm">{pair.differs.join(', ') || '–'}</Text>
      </Table.Td>
      <Table.Td ta="right">
        <Anchor
          component={Link}
          href={`/directory/duplicates/${pair.id}`}
          size="sm"
          aria-label={`Compare ${one.name} and ${other.name}`}
        >
          Compare
        </Anchor>
      </Table.Td>
    </Table.Tr>
  );
}

const nouns: Record<DuplicateKind, string> = { person: 'people', company: 'companies' };

function NoPairs({ kind, status, search }: Pick<DuplicatesPage, 'search'> & Filter) {
  if (status === 'dismissed')
    return (
      <Text size="sm" c="dimmed">
        No pair of {nouns[kind]} was dismissed.
      </Text>
    );
  if (search.status === 'running') return null;
  return (
    <EmptyState
      Icon={IconCopyCheck}
      title={search.status === 'never' ? 'Not searched yet' : 'No duplicates'}
      sentence={
        search.status === 'never'
          ? 'A search lists people and companies that are probably the same, with the evidence. ' +
            'Companies of different legal forms or countries are never listed.'
          : `No two ${nouns[kind]} in the directory are probably the same.`
      }
    />
  );
}

interface Filter {
  readonly kind: DuplicateKind;
  readonly status: Status;
}

function Pairs({ data, filter }: { data: DuplicatesPage; filter: Filter }) {
  if (data.duplicates.length === 0) return <NoPairs {...filter} search={data.search} />;
  return (
    <TableCard
      label="Duplicates"
      columns={['One', 'Other', 'Probability', 'Agrees', 'Differs', '>Decide']}
      widthMinPx={900}
    >
      {data.duplicates.map((pair) => (
        <PairRow key={pair.id} pair={pair} />
      ))}
    </TableCard>
  );
}

export function DuplicatesScreen() {
  const [filter, setFilter] = useState<Filter>({ kind: 'person', status: 'open' });
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: ['duplicates', filter, offset],
    queryFn: () => ask(duplicates.list, { ...filter, offset, limit: pagePairs }),
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.search.status === 'running' ? searchPollMs : false,
  });
  const change = (next: Partial<Filter>) => {
    setFilter({ ...filter, ...next });
    setOffset(0);
  };
  return (
    <DirectoryPage
      part="duplicates"
      sentence={'Records that are probably the same. Nothing is merged until you decide.'}
    >
      <ErrorPanel title="The duplicates could not be loaded" error={error} onRetry={refetch} />
      {data && <SearchCard search={data.search} />}
      <Stack gap="md">
        <Group gap="md">
          <SegmentedControl
            aria-label="Kind"
            value={filter.kind}
            onChange={(kind) => change({ kind: kind as DuplicateKind })}
            data={[
              { value: 'person', label: 'People' },
              { value: 'company', label: 'Companies' },
            ]}
          />
          <SegmentedControl
            aria-label="Status"
            value={filter.status}
            onChange={(status) => change({ status: status as Status })}
            data={[
              { value: 'open', label: 'Open' },
              { value: 'dismissed', label: 'Dismissed' },
            ]}
          />
        </Group>
        {!data && !error && <Skeleton height={120} />}
        {data && <Pairs data={data} filter={filter} />}
        {data && (
          <Pager count={data.total} offset={offset} limit={pagePairs} onOffset={setOffset} />
        )}
      </Stack>
      <MergeList />
    </DirectoryPage>
  );
}
