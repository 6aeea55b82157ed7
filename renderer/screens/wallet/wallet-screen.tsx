// The wallet: balances, credits to add, spending over time, and every movement.
import {
  ActionIcon,
  Button,
  Card,
  Group,
  Select,
  Skeleton,
  Stack,
  Switch,
  Table,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChevronRight, IconReceipt } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { accounts } from '../../../engine/contract/accounts.ts';
import { parseCredits, unitsPerCredit } from '../../../engine/contract/credits.ts';
import { type LedgerEntry, wallet } from '../../../engine/contract/ledger.ts';
import { grantCreditsMax } from '../../../engine/contract/limits/ledger.ts';
import {
  type WalletClient,
  type WalletLine,
  type WalletLineKind,
  type WalletPage,
  walletLineKinds,
  walletLines,
} from '../../../engine/contract/wallet/wallet-lines.ts';
import { nameWalletLine, walletLineWords } from '../../../engine/contract/wallet/wallet-words.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useAppState, useChange } from '../../api/live.ts';
import { exportWallet, readWalletLines, type WalletFilters } from '../../api/wallet.ts';
import { oneOf, useAddressQuery } from '../../components/address/address-query.ts';
import { DateField } from '../../components/date-field.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import {
  countUnits,
  showCount,
  showCredits,
  showDate,
  showTime,
  unitsOf,
} from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { describeFormat, SaveRows } from '../../components/save/save-dialog.tsx';
import { Section } from '../../components/section.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note, ScreenLink } from '../../components/text.tsx';
import { showSuccess } from '../../components/toast.ts';
import { creditsSentence, presentEntry } from '../../components/words.ts';
import { readAmount } from '../../preferences/locale.ts';
import { SpendSection } from './spend-section.tsx';
import classes from './wallet.module.css';

const workPaths: Partial<Record<WalletLineKind, string>> = {
  job: '/jobs',
  pipeline: '/directory/contacts',
  monitor_job: '/monitors/jobs',
};

const isZero = (credits: string): boolean => Number(credits) === 0;
const showAmount = (credits: string): string => (isZero(credits) ? '–' : showCredits(credits));
/** "+10", "−2.5", "0". */
const showSigned = (credits: string): string =>
  isZero(credits)
    ? '0'
    : credits.startsWith('-')
      ? `−${showCredits(credits.slice(1))}`
      : `+${showCredits(credits)}`;

const signs: Record<LedgerEntry['kind'], string> = {
  grant: '+',
  release: '+',
  refund: '+',
  hold: '−',
  charge: '−',
  settle: '',
};

function EntryList({ entries }: { entries: readonly LedgerEntry[] }) {
  return (
    <Table verticalSpacing={4} className={tableClasses.table} aria-label="Ledger entries">
      <Table.Tbody>
        {entries.map((entry) => {
          const { what, about } = presentEntry(entry);
          return (
            <Table.Tr key={entry.id}>
              <Table.Td className={tableClasses.steady}>{showTime(entry.at)}</Table.Td>
              <Table.Td>{what}</Table.Td>
              <Table.Td className={tableClasses.name}>
                <Caption>
                  {about}
                  {entry.key_label !== null && `, key “${entry.key_label}”`}
                </Caption>
              </Table.Td>
              <Table.Td className={tableClasses.number}>
                {entry.kind === 'settle'
                  ? // The hold has left the balance already.
                    `${showCredits(entry.amount)} of the reserved`
                  : signs[entry.kind] + showCredits(entry.amount)}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

function Entries({ id }: { id: number }) {
  const { data, error, refetch } = useAnswer(['wallet-entries', id], walletLines.entries, {
    input: { id },
  });
  if (error)
    return <ErrorPanel title="The entries could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={56} />;
  return (
    <>
      <EntryList entries={data.entries} />
      {data.has_more && (
        <Caption>
          The newest {data.entries.length} entries. “desk wallet history” lists all of them.
        </Caption>
      )}
    </>
  );
}

function LineName({ line }: { line: WalletLine }) {
  const { kind, work_id: workId, client } = line;
  const path = workPaths[kind];
  const name = line.name ?? (workId === null ? nameWalletLine(kind) : 'Deleted');
  return (
    <>
      <div>
        {path && line.name !== null ? (
          <ScreenLink href={`${path}/${workId}`}>{name}</ScreenLink>
        ) : (
          name
        )}
      </div>
      <Caption>
        {nameWalletLine(kind)}
        {client.name !== null && ` · ${client.is_assistant ? 'assistant' : 'key'} ${client.name}`}
      </Caption>
    </>
  );
}

/** The rows of a line: its amounts, and below them, once opened, its entries. */
function LineRows({ line }: { line: WalletLine }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const name = line.name ?? nameWalletLine(line.kind);
  return (
    <>
      <Table.Tr>
        <Table.Td className={`${tableClasses.steady} ${classes.toggle}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={`Entries of ${name}`}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
          <span>{showTime(line.at)}</span>
        </Table.Td>
        <Table.Td className={tableClasses.name}>
          <LineName line={line} />
        </Table.Td>
        <Table.Td className={tableClasses.number}>
          {showAmount(line.held)}
          {!isZero(line.open) && <StatusChip status="running" label="reserved" />}
        </Table.Td>
        <Table.Td className={tableClasses.number}>{showAmount(line.charged)}</Table.Td>
        <Table.Td className={tableClasses.number}>{showAmount(line.returned)}</Table.Td>
        <Table.Td className={tableClasses.number}>{showSigned(line.net)}</Table.Td>
        <Table.Td className={`${tableClasses.number} ${classes.balance}`}>
          {showCredits(line.balance)}
        </Table.Td>
      </Table.Tr>
      <Table.Tr id={id} hidden={!isOpen} className={classes.entries}>
        <Table.Td colSpan={7}>{isOpen && <Entries id={line.id} />}</Table.Td>
      </Table.Tr>
    </>
  );
}

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
      <Note role="status">
        No match back to {showDate(page.searched_to)}. Select Older to search further.
      </Note>
    );
  if (page.lines.length === 0)
    return hasFilter ? (
      <Note role="status">Nothing matches. Remove a filter.</Note>
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

function WalletHistory() {
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

/** The error of an amount; null if it can be granted. */
function findAmountProblem(text: string): string | null {
  const units = parseCredits(readAmount(text));
  if (units === null) return 'Enter a number such as 5000 or 12.5, with at most four decimals.';
  if (units <= 0) return 'Enter an amount above zero.';
  if (units > grantCreditsMax * unitsPerCredit)
    return `Enter at most ${showCount(grantCreditsMax)} credits.`;
  return null;
}

function AddCredits() {
  const [amount, setAmount] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const grant = useChange(
    (credits: string) => ask(wallet.grant, { credits }),
    ['wallet', 'wallet-lines', 'state', 'estimate'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findAmountProblem(amount);
    setProblem(found);
    if (found) return;
    const credits = readAmount(amount);
    grant.mutate(credits, {
      onSuccess: () => {
        showSuccess(`${countUnits(unitsOf(credits))} were added.`);
        setAmount('');
      },
    });
  };
  return (
    <Card component="section" aria-labelledby="grant-title">
      <Title order={2} id="grant-title">
        Add credits
      </Title>
      <Note mb="md">Adding credits costs nothing.</Note>
      <form onSubmit={submit} noValidate>
        <Group align="flex-start" gap="sm" mb={grant.error ? 'md' : 0}>
          <TextInput
            aria-label="Credits to add"
            placeholder="5,000"
            inputMode="decimal"
            value={amount}
            error={problem}
            onChange={(event) => setAmount(event.currentTarget.value)}
            w={220}
          />
          <Button variant="filled" type="submit" loading={grant.isPending}>
            Add credits
          </Button>
        </Group>
      </form>
      <ErrorPanel title="The credits were not added" error={grant.error} />
    </Card>
  );
}

function Budget() {
  const account = useAppState().data?.account;
  const change = useChange(
    (has_budget: boolean) => ask(accounts.change, { id: account?.id ?? '', has_budget }),
    ['state', 'estimate', 'wallet'],
  );
  if (!account) return null;
  return (
    <Card component="section" aria-label="Budget">
      <Switch
        label="Limit this account to its credits"
        description={
          account.has_budget
            ? 'Work that needs more credits than are available is refused.'
            : 'Credits that your own work lacks are added automatically. Keys, assistants and ' +
              'services stay limited.'
        }
        checked={account.has_budget}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      <ErrorPanel title="The budget was not changed" error={change.error} />
    </Card>
  );
}

function Balances() {
  const { data, error, refetch } = useAnswer(['wallet'], wallet.read);
  if (error)
    return <ErrorPanel title="The wallet could not be loaded" error={error} onRetry={refetch} />;
  return (
    <Figures
      figures={[
        { label: 'Available', value: data && showCredits(data.available) },
        { label: 'Reserved for running jobs', value: data && showCredits(data.held) },
        { label: 'Spent', value: data && showCredits(data.spent) },
      ]}
    />
  );
}

export function WalletScreen() {
  return (
    <Page title="Wallet" sentence={creditsSentence}>
      <Balances />
      <Budget />
      <AddCredits />
      <SpendSection />
      <WalletHistory />
    </Page>
  );
}
