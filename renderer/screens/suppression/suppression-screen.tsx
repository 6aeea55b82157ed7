/** The suppression list: who and what must never be matched, shown, exported or sent. */

import { Group, Select, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconShieldOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type SuppressionEntry,
  type SuppressionKind,
  suppression,
  suppressionKinds,
} from '../../../engine/contract/suppression/suppression.ts';
import { ask } from '../../api/client.ts';
import { useCall } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showCount, showTime } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { DirectoryPage } from '../directory/directory-page.tsx';
import { AddValues } from './add-values.tsx';
import { kindLabels, sourceLabels } from './suppression-words.ts';

const pageEntries = 50;
const typingPauseMs = 200;

/** Removes all entries that refusals of data services in a job made. */
function RemoveOfJob({ job }: { job: string }) {
  const remove = useCall(suppression.remove, ['suppression']);
  const confirm = () =>
    remove.mutate(
      { job_id: job },
      {
        onSuccess: ({ removed }) =>
          showSuccess(`${showCount(removed)} entries of the job were removed.`),
        onError: (error) => showFailure('The entries were not removed', error),
      },
    );
  return (
    <ConfirmButton
      size="compact-sm"
      title="Remove the entries of the job"
      sentence={
        'All entries that refusals of data services in this job made are removed. The people are ' +
        'then matched, shown, exported and sent again.'
      }
      act="Remove all"
      loading={remove.isPending}
      onConfirm={confirm}
    >
      Remove all of its job
    </ConfirmButton>
  );
}

function EntryRow({ entry }: { entry: SuppressionEntry }) {
  const remove = useCall(suppression.remove, ['suppression']);
  const confirm = () =>
    remove.mutate(
      { ids: [entry.id] },
      {
        onSuccess: () => showSuccess(`${isolate(entry.value)} is no longer suppressed.`),
        onError: (error) => showFailure('The entry was not removed', error),
      },
    );
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>{entry.value}</Table.Td>
      <Table.Td>{kindLabels[entry.kind]}</Table.Td>
      <Table.Td className={tableClasses.name}>{entry.reason || '–'}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <div>{entry.author}</div>
        <Text size="xs" c="dimmed">
          from {sourceLabels[entry.source]}
        </Text>
      </Table.Td>
      <Table.Td className={tableClasses.steady}>{showTime(entry.added_at)}</Table.Td>
      <Table.Td ta="right">
        {entry.job_id !== null && <RemoveOfJob job={entry.job_id} />}
        <ConfirmButton
          size="compact-sm"
          title="Remove from the suppression list"
          sentence={`${entry.value} is then matched, shown, exported and sent again.`}
          act="Remove"
          loading={remove.isPending}
          aria-label={`Remove ${entry.value}`}
          onConfirm={confirm}
        >
          Remove
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}

interface EntryFilters {
  readonly search: string;
  readonly kind: SuppressionKind | null;
}

function Filters({
  filters,
  onChange,
}: {
  filters: EntryFilters;
  onChange: (filters: EntryFilters) => void;
}) {
  return (
    <Group gap="md">
      <TextInput
        flex="1 1 240px"
        label="Search"
        placeholder="Value, reason or author"
        value={filters.search}
        onChange={(event) => onChange({ ...filters, search: event.currentTarget.value })}
      />
      <Select
        flex="0 1 200px"
        label="Filter by kind"
        placeholder="All kinds"
        clearable
        data={suppressionKinds.map((value) => ({ value, label: kindLabels[value] }))}
        value={filters.kind}
        onChange={(kind) => onChange({ ...filters, kind: kind as SuppressionKind | null })}
      />
    </Group>
  );
}

/** The entries that match a search, page by page. */
function Entries() {
  const [filters, setFilters] = useState<EntryFilters>({ search: '', kind: null });
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const { kind } = filters;
  const [search] = useDebouncedValue(filters.search.trim(), typingPauseMs);
  const before = befores.at(-1) ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ['suppression', search, kind, before],
    queryFn: () =>
      ask(suppression.list, {
        search,
        kind: kind ?? undefined,
        before: before ?? undefined,
        limit: pageEntries,
      }),
    placeholderData: keepPreviousData,
  });
  const change = (next: EntryFilters) => {
    setFilters(next);
    setBefores([null]);
  };
  if (data?.total === 0)
    return (
      <EmptyState
        Icon={IconShieldOff}
        title="Nothing is suppressed"
        sentence={
          'Add people, emails, domains, companies, phones or profile URLs that must never be ' +
          'matched, shown, exported, monitored or sent to a data service.'
        }
      />
    );
  return (
    <Section
      title={data ? `${showCount(data.total)} in the list` : 'The list'}
      sentence="Applies to every account and to staging. Newest first."
    >
      <Stack gap="md">
        <Filters filters={filters} onChange={change} />
        <ErrorPanel title="The list could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={120} />}
        {data?.entries.length === 0 && (
          <Text size="sm" c="dimmed">
            No entry matches.
          </Text>
        )}
        {data && data.entries.length > 0 && (
          <TableCard
            label="Suppressed values"
            columns={['Value', 'Kind', 'Reason', 'Added by', 'Time', '>Action']}
            widthMinPx={860}
          >
            {data.entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </TableCard>
        )}
        <NewerOlder befores={befores} next={data?.next ?? null} onChange={setBefores} />
      </Stack>
    </Section>
  );
}

export function SuppressionScreen() {
  return (
    <DirectoryPage
      part="suppressed"
      sentence="Entries are never matched, shown, exported, monitored or sent."
    >
      <Entries />
      <AddValues />
    </DirectoryPage>
  );
}
