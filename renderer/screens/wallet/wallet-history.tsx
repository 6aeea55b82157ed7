/** Every movement of the wallet: filters, lines with a running balance, and the export. */
import { Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconReceipt } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type WalletClient,
  type WalletLineKind,
  type WalletPage,
  walletLineKinds,
} from '../../../engine/contract/wallet/wallet-lines.ts';
import { walletLineWords } from '../../../engine/contract/wallet/wallet-words.ts';
import { exportWallet, readWalletLines, type WalletFilters } from '../../api/wallet.ts';
import { oneOf, useAddressQuery } from '../../components/address/address-query.ts';
import { DateField } from '../../components/date-field.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showDate } from '../../components/numbers.ts';
import { describeFormat, SaveRows } from '../../components/save/save-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { LineRows } from './line-rows.tsx';

const pageLines = 50;
const filterNames = ['kind', 'client', 'since', 'until', 'name'] as const;
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The filters in the address. A text that is none is ignored. */
function useFilters(): [WalletFilters, (filters: WalletFilters) => void] {
  const [query, changeQuery] = useAddressQuery(filterNames);
  const { kind, client, since, until, name } = query;
  const filters = useMemo<WalletFilters>(
    () => ({
      kind: oneOf(walletLineKinds, kind),
      client: client || null,
      name,
      since: isDay(since) ? since : '',
      until: isDay(until) ? until : '',
    }),
    [kind, client, since, until, name],
  );
  const change = (next: WalletFilters) =>
    changeQuery({ ...next, kind: next.kind ?? '', client: next.client ?? '' });
  return [filters, change];
}

const isFiltered = (filters: WalletFilters): boolean =>
  Object.values(filters).some((value) => value !== null && value !== '');

const nameClient = ({ name, is_assistant }: WalletClient): string =>
  name === null ? 'You, in this app' : is_assistant ? `${name} (assistant)` : name;

interface FilterProps {
  readonly filters: WalletFilters;
  readonly clients: readonly WalletClient[];
  readonly onChange: (filters: WalletFilters) => void;
}

function Filters({ filters, clients, onChange }: FilterProps) {
  return (
    <Group gap="md" align="flex-start">
      <TextInput
        flex="2 1 180px"
        type="search"
        label="Name"
        placeholder="Job, list or monitor"
        value={filters.name}
        onChange={(event) => onChange({ ...filters, name: event.currentTarget.value })}
      />
      <Select
        flex="1 1 150px"
        label="Kind"
        placeholder="All kinds"
        clearable
        data={walletLineKinds.map((value) => ({ value, label: walletLineWords[value] }))}
        value={filters.kind}
        onChange={(kind) => onChange({ ...filters, kind: kind as WalletLineKind | null })}
      />
      <Select
        flex="1 1 170px"
        label="Client"
        placeholder="All clients"
        clearable
        data={clients.map((one) => ({ value: one.id, label: nameClient(one) }))}
        value={filters.client}
        onChange={(client) => onChange({ ...filters, client })}
      />
      {(['since', 'until'] as const).map((end) => (
        <DateField
          key={end}
          flex="0 1 150px"
          label={end === 'since' ? 'From (UTC)' : 'To (UTC)'}
          whenEmpty={end === 'since' ? 'First day' : 'Today'}
          value={filters[end]}
          onDay={(day) => onChange({ ...filters, [end]: day })}
        />
      ))}
    </Group>
  );
}

function Lines({ page, hasFilter }: { page: WalletPage; hasFilter: boolean }) {
  if (page.lines.length === 0 && page.searched_to !== null)
    return (
      <Text size="sm" c="dimmed" role="status">
        No match back to {showDate(page.searched_to)}. Select Older to search further.
      </Text>
    );
  if (page.lines.length === 0)
    return hasFilter ? (
      <Text size="sm" c="dimmed" role="status">
        Nothing matches. Remove a filter.
      </Text>
    ) : (
      <EmptyState
        Icon={IconReceipt}
        title="No transactions yet"
        sentence="Add credits above. Every transaction is recorded here permanently."
      />
    );
  return (
    <TableCard
      label="Wallet history"
      columns={['When', 'What', '>Reserved', '>Charged', '>Returned', '>Net', '>Balance']}
      widthMinPx={820}
    >
      {page.lines.map((line) => (
        <LineRows key={line.id} line={line} />
      ))}
    </TableCard>
  );
}

export function WalletHistory() {
  const [filters, setFilters] = useFilters();
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const before = befores.at(-1) ?? null;
  const [name] = useDebouncedValue(filters.name, 200);
  const asked = { ...filters, name };
  const { data, error, refetch } = useQuery({
    queryKey: ['wallet-lines', asked, before],
    queryFn: () => readWalletLines(asked, before, pageLines),
    placeholderData: keepPreviousData,
  });
  const change = (next: WalletFilters) => {
    setFilters(next);
    setBefores([null]);
  };
  const save = (
    <SaveRows
      name="Wallet"
      sentence="One row per line with its balance, oldest first."
      filter={isFiltered(filters) ? 'the filtered' : null}
      hasOwnCells={false}
      onExport={(path, options) =>
        exportWallet(options.shownOnly ? filters : null, {
          ...(path === undefined ? {} : { path }),
          ...describeFormat(options),
        })
      }
    />
  );
  return (
    <Section
      title="History"
      sentence="Newest first. The balance is what was available after each line."
      action={save}
    >
      <Stack gap="md">
        <Filters filters={filters} clients={data?.clients ?? []} onChange={change} />
        <ErrorPanel title="The history could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={240} />}
        {data && <Lines page={data} hasFilter={isFiltered(asked)} />}
        <NewerOlder befores={befores} next={data?.next ?? null} onChange={setBefores} />
      </Stack>
    </Section>
  );
}
