// Table of keys: label, last use, limits and spending.
import { Button, Code, Group, Progress, Table, Text } from '@mantine/core';
import { creditUnits } from '../../../engine/contract/credits.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { type Key, keys } from '../../../engine/contract/keys.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { Ago } from '../../components/ago.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showCount, showCredits, showUnits, unitsOf } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showSuccess } from '../../components/toast.ts';
import classes from './connections.module.css';

interface SpendingProps {
  spent: string;
  cap: string | null;
  period: string;
}

export function Spending({ spent, cap, period }: SpendingProps) {
  if (cap === null)
    return (
      <>
        {showCredits(spent)}
        <Caption>no cap</Caption>
      </>
    );
  const [spentUnits, capUnits] = [unitsOf(spent), unitsOf(cap)];
  const leftUnits = creditUnits(Math.max(0, capUnits - spentUnits));
  const share = capUnits > 0 ? Math.min(1, spentUnits / capUnits) : 1;
  return (
    <>
      {showCredits(spent)} of {showCredits(cap)}
      <Progress
        value={share * 100}
        size={4}
        my={4}
        color={leftUnits === 0 ? 'red' : 'indigo'}
        aria-label={`Spent of the cap per ${period}`}
      />
      <Text size="xs" c={leftUnits === 0 ? 'var(--desk-failed)' : 'dimmed'}>
        {leftUnits === 0 ? 'cap reached' : `${showUnits(leftUnits)} left`}
      </Text>
    </>
  );
}

function RequestLimits({ item }: { item: Key }) {
  const { cap_per_call: cap, ask_above: ask } = item;
  return (
    <>
      {cap === null ? 'no cap' : showCredits(cap)}
      {ask !== null && <Caption>asks above {showCredits(ask)}</Caption>}
    </>
  );
}

export function RevokeButton({ item, environment }: { item: Key; environment: EnvironmentName }) {
  const revoke = useChange(
    (id: string) => ask(keys.revoke, { id }, { environment }),
    ['keys', 'connections'],
    { failed: 'The key was not revoked' },
  );
  return (
    <ConfirmButton
      size="compact-sm"
      title={`Revoke “${item.label}”?`}
      sentence="Programs that use it are refused at once. Their jobs and results stay."
      act="Revoke key"
      loading={revoke.isPending}
      onConfirm={() =>
        revoke.mutate(item.id, {
          onSuccess: () => showSuccess(`“${isolate(item.label)}” was revoked.`),
        })
      }
    >
      Revoke
    </ConfirmButton>
  );
}

interface KeysTableProps {
  readonly label: string;
  readonly keys: readonly Key[];
  /** Reference time of "3 min ago", milliseconds since 1970. */
  readonly now: number;
  readonly environment: EnvironmentName;
  /** Null if the keys can no longer be changed. */
  readonly onEdit: ((key: Key) => void) | null;
}

function KeyRow({
  item,
  now,
  environment,
  onEdit,
}: { item: Key } & Omit<KeysTableProps, 'keys' | 'label'>) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.label}</div>
        <Code fz="xs">{item.prefix}…</Code>
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        <Ago time={item.created_at} now={now} />
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        {item.last_used_at ? <Ago time={item.last_used_at} now={now} /> : 'never'}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(item.requests_per_minute)}</Table.Td>
      <Table.Td className={tableClasses.number}>
        <RequestLimits item={item} />
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <Spending spent={item.spent_today} cap={item.cap_per_day} period="day" />
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <Spending spent={item.spent_this_month} cap={item.cap_per_month} period="month" />
      </Table.Td>
      <Table.Td>
        {onEdit && item.revoked_at === null ? (
          <Group gap="sm" justify="flex-end" wrap="nowrap">
            <Button
              size="compact-sm"
              aria-label={`Edit ${item.label}`}
              onClick={() => onEdit(item)}
            >
              Edit
            </Button>
            <RevokeButton item={item} environment={environment} />
          </Group>
        ) : (
          <Note ta="right">
            revoked {item.revoked_at && <Ago time={item.revoked_at} now={now} />}
          </Note>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

export function KeysTable({ label, keys, ...rest }: KeysTableProps) {
  return (
    <TableCard
      label={label}
      columns={[
        'Key',
        'Made',
        'Last used',
        '>Per minute',
        '>Credits per request',
        '>Credits today (UTC)',
        '>This month',
        '>Actions',
      ]}
      widthMinPx={880}
    >
      {keys.map((item) => (
        <KeyRow key={item.id} item={item} {...rest} />
      ))}
    </TableCard>
  );
}
