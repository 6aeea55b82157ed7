// Records of the directory that are probably the same.
import {
  Button,
  Group,
  Loader,
  SegmentedControl,
  Skeleton,
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { IconCopyCheck } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Duplicate,
  type DuplicateKind,
  type DuplicateSearch,
  type DuplicatesPage,
  duplicates,
  type RecordMerge,
} from '../../../engine/contract/duplicates/duplicates.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useChange, useTask } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { countOf, showCount, showTime } from '../../components/numbers.ts';
import { Pager } from '../../components/pager.tsx';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note, ScreenLink } from '../../components/text.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { DirectoryPage } from '../directory/directory-page.tsx';
import { wordOfProbability } from './duplicate-words.ts';

const changed = ['duplicates', 'directory', 'state', 'found-people'];

function UndoButton({ merge }: { merge: RecordMerge }) {
  const undo = useChange((id: number) => ask(duplicates.undoMerge, { id }), changed, {
    failed: 'The merge was not undone',
  });
  const name = merge.survivor.name;
  return (
    <ConfirmButton
      size="compact-sm"
      title="Undo the merge"
      sentence={
        'Both records are restored exactly as they were. This is possible as long as nothing has ' +
        'changed the merged record since.'
      }
      act="Undo the merge"
      aria-label={`Undo the merge of ${name}`}
      loading={undo.isPending}
      onConfirm={() =>
        undo.mutate(merge.id, {
          onSuccess: () => showSuccess(`The merge of ${isolate(name)} was undone.`),
        })
      }
    >
      Undo
    </ConfirmButton>
  );
}

function MergeRow({ merge }: { merge: RecordMerge }) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>{merge.survivor.name || '(suppressed)'}</Table.Td>
      <Table.Td className={tableClasses.name}>{merge.other.name || '(suppressed)'}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <div>{merge.merged_by}</div>
        <Caption>{showTime(merge.merged_at)}</Caption>
      </Table.Td>
      <Table.Td ta="right">
        {merge.undone_at === null ? (
          <UndoButton merge={merge} />
        ) : (
          <Note>undone {showTime(merge.undone_at)}</Note>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Nothing if there was no merge. */
function MergeList() {
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const before = befores.at(-1) ?? null;
  const { data } = useAnswer(['duplicates', 'merges', before], duplicates.merges, {
    input: { before: before ?? undefined },
    placeholderData: keepPreviousData,
  });
  if (!data || data.merges.length === 0) return null;
  return (
    <Section title="Merges" sentence="Newest first. A merge can be undone.">
      <Stack gap="md">
        <TableCard
          label="Merged records"
          columns={['Kept', 'Merged into it', 'By', '>Undo']}
          widthMinPx={640}
        >
          {data.merges.map((merge) => (
            <MergeRow key={merge.id} merge={merge} />
          ))}
        </TableCard>
        <NewerOlder befores={befores} next={data.next} onChange={setBefores} />
      </Stack>
    </Section>
  );
}

function describe({ status, is_outdated, ended_at }: DuplicateSearch): string {
  if (status === 'never') return 'The directory has not been searched yet.';
  if (status === 'running') return 'The search continues if you leave this page.';
  if (status === 'stopped') return 'The search was stopped. The next one continues it.';
  const when = ended_at === null ? '' : ` of ${showTime(ended_at)}`;
  return is_outdated
    ? `The directory has changed since the search${when}.`
    : `The search${when} covers the whole directory.`;
}

function Progress() {
  const task = useTask('duplicates');
  const share = task?.total ? `: ${showCount(task.done)} of ${showCount(task.total)} people` : '';
  return (
    <Note role="status">
      <Loader size={14} mr={8} aria-hidden />
      Searching for duplicates{share}
    </Note>
  );
}

function SearchCard({ search }: { search: DuplicateSearch }) {
  const start = useChange(() => ask(duplicates.search, {}), ['duplicates']);
  const stop = useChange(() => ask(duplicates.stopSearch), ['duplicates']);
  const onError = (error: Error) => showFailure('The search was not changed', error);
  const isRunning = search.status === 'running';
  return (
    <Section
      title="Search"
      sentence={describe(search)}
      action={
        isRunning ? (
          <Button loading={stop.isPending} onClick={() => stop.mutate(undefined, { onError })}>
            Stop the search
          </Button>
        ) : (
          <Button
            variant={search.status === 'never' ? 'filled' : 'default'}
            loading={start.isPending}
            onClick={() => start.mutate(undefined, { onError })}
          >
            Search for duplicates
          </Button>
        )
      }
    >
      {isRunning && <Progress />}
      {search.blocks_skipped > 0 && (
        <Note>
          {countOf(search.blocks_skipped, 'group')} of records that share one value were too large
          to compare.
        </Note>
      )}
    </Section>
  );
}

const pagePairs = 50;
const searchPollMs = 2_000;
type Status = Duplicate['status'];

const recordPaths: Record<DuplicateKind, string> = {
  person: '/directory/people',
  company: '/directory/companies',
};

interface RecordCellProps {
  kind: DuplicateKind;
  record: Duplicate['records'][number];
}

/** One record of a pair; its name opens it. */
function RecordCell({ kind, record }: RecordCellProps) {
  return (
    <Table.Td className={tableClasses.name}>
      <ScreenLink href={`${recordPaths[kind]}/${record.id}`} dir="auto">
        {record.name}
      </ScreenLink>
      {record.detail !== '' && <Caption>{record.detail}</Caption>}
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
        <ScreenLink
          href={`/directory/duplicates/${pair.id}`}
          aria-label={`Compare ${one.name} and ${other.name}`}
        >
          Compare
        </ScreenLink>
      </Table.Td>
    </Table.Tr>
  );
}

const nouns: Record<DuplicateKind, string> = { person: 'people', company: 'companies' };

function NoPairs({ kind, status, search }: Pick<DuplicatesPage, 'search'> & Filter) {
  if (status === 'dismissed') return <Note>No pair of {nouns[kind]} was dismissed.</Note>;
  if (search.status === 'running') return null;
  return (
    <EmptyState
      Icon={IconCopyCheck}
      title={search.status === 'never' ? 'Not searched yet' : 'No duplicates'}
      sentence={
        search.status === 'never'
          ? 'A search lists people and companies that are probably the same, with the evidence. ' +
            'Companies of different legal forms or countries are never listed.'
          : `No two ${nouns[kind]} in the directory are likely to be the same.`
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
  const { data, error, refetch } = useAnswer(['duplicates', filter, offset], duplicates.list, {
    input: { ...filter, offset, limit: pagePairs },
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
