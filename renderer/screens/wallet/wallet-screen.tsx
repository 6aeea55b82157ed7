/** The wallet: available, held and spent credits, grants, and all ledger entries. */
import {
  Anchor,
  Button,
  Card,
  Group,
  Skeleton,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { parseCredits, unitsPerCredit } from '../../../engine/contract/credits.ts';
import type { LedgerEntry } from '../../../engine/contract/ledger.ts';
import { grantCreditsMax } from '../../../engine/contract/limits/ledger.ts';
import { grantCredits, readEntries, readWallet } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { countUnits, showCount, showCredits, showTime, unitsOf } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { showSuccess } from '../../components/toast.ts';
import { presentEntry } from '../../components/words.ts';
import { readAmount } from '../../preferences/locale.ts';

const pageEntries = 50;

function Balances() {
  const { data, error, refetch } = useQuery({ queryKey: ['wallet'], queryFn: readWallet });
  if (error)
    return (
      <ErrorPanel
        title="The wallet could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return (
    <Figures
      figures={[
        { label: 'Available', value: data && showCredits(data.available) },
        { label: 'Held', value: data && showCredits(data.held) },
        { label: 'Spent', value: data && showCredits(data.spent) },
      ]}
    />
  );
}

/** The error of an amount; null if it can be granted. */
function findAmountProblem(text: string): string | null {
  const units = parseCredits(readAmount(text));
  if (units === null) return 'Enter a number such as 5000 or 12.5, with at most four decimals.';
  if (units <= 0) return 'Enter an amount above zero.';
  if (units > grantCreditsMax * unitsPerCredit)
    return `One grant has at most ${showCount(grantCreditsMax)} credits.`;
  return null;
}

function GrantForm() {
  const [amount, setAmount] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const grant = useChange(grantCredits, ['wallet', 'entries', 'state', 'estimate']);
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
      <Text size="sm" c="dimmed" mb="md">
        Credits are a local budget for enrichment. Adding them costs nothing.
      </Text>
      <form onSubmit={submit} noValidate>
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label="Credits to add"
            placeholder="5,000"
            inputMode="decimal"
            value={amount}
            error={problem}
            onChange={(event) => setAmount(event.currentTarget.value)}
            w={220}
          />
          <Button type="submit" loading={grant.isPending}>
            Add credits
          </Button>
        </Group>
      </form>
      {grant.error && <ErrorPanel title="The credits were not added" error={grant.error} />}
    </Card>
  );
}

/** What an entry does to the available credits. */
const signs: Record<LedgerEntry['kind'], string> = {
  grant: '+',
  release: '+',
  hold: '−',
  settle: '',
  charge: '−',
  refund: '+',
};

/** The screen of each kind of subject. */
const subjectPaths: Partial<Record<LedgerEntry['subject_kind'], string>> = {
  job: '/jobs',
  review: '/jobs',
  pipeline: '/pipelines',
  monitor_job: '/monitors/jobs',
};

/** The subject of an entry, with a link if it has a screen. */
function Subject({ entry, text }: { entry: LedgerEntry; text: string }) {
  const path = subjectPaths[entry.subject_kind];
  if (path)
    return (
      <Anchor component={Link} href={`${path}/${entry.subject_id}`} size="xs">
        {text}
      </Anchor>
    );
  return (
    <Text size="xs" c="dimmed" span>
      {text}
    </Text>
  );
}

function EntryRow({ entry }: { entry: LedgerEntry }) {
  const { what, about } = presentEntry(entry);
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.number} ta="left">
        {showTime(entry.at)}
      </Table.Td>
      <Table.Td>{what}</Table.Td>
      <Table.Td className={tableClasses.name} title={entry.reference}>
        <Subject entry={entry} text={about} />
        {entry.key_label !== null && (
          <Text size="xs" c="dimmed">
            by the key “{entry.key_label}”
          </Text>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        {entry.kind === 'settle' ? (
          // The hold has left the balance already, so that the column adds up without this entry.
          <Text size="sm" c="dimmed" span>
            {showCredits(entry.amount)} of the hold
          </Text>
        ) : (
          signs[entry.kind] + showCredits(entry.amount)
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Ledger() {
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey: ['entries', offset],
    queryFn: () => readEntries({ limit: pageEntries, offset }),
    placeholderData: keepPreviousData,
  });
  if (error)
    return (
      <ErrorPanel
        title="The ledger could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Skeleton height={240} />;
  if (data.count === 0)
    return (
      <EmptyState
        Icon={IconReceipt}
        title="The ledger is empty"
        sentence="Add credits above. Every movement is recorded here permanently."
      />
    );
  return (
    <>
      <TableCard
        label="Ledger"
        columns={['When', 'What', 'Reference', '>Credits']}
        widthMinPx={600}
      >
        {data.results.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </TableCard>
      <Pager count={data.count} offset={offset} limit={pageEntries} onOffset={setOffset} />
    </>
  );
}

export function WalletScreen() {
  return (
    <Page
      title="Wallet"
      sentence={
        'A job holds its maximum price when it starts. ' +
        'When it ends, enriched rows are charged and the rest is released. ' +
        'A phone or email lookup is charged once; you then own the value.'
      }
    >
      <Balances />
      <GrantForm />
      <Title order={2}>Ledger</Title>
      <Ledger />
    </Page>
  );
}
