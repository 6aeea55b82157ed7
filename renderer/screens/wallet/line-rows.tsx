/** A line of the wallet, and the ledger entries that it is made of. */

import { ActionIcon, Anchor, Skeleton, Table, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { LedgerEntry } from '../../../engine/contract/ledger.ts';
import {
  type WalletLine,
  type WalletLineKind,
  walletLines,
} from '../../../engine/contract/wallet/wallet-lines.ts';
import { nameWalletLine } from '../../../engine/contract/wallet/wallet-words.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCredits, showTime } from '../../components/numbers.ts';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { presentEntry } from '../../components/words.ts';
import classes from './wallet.module.css';

const workPaths: Partial<Record<WalletLineKind, string>> = {
  job: '/jobs',
  pipeline: '/directory/contacts',
  monitor_job: '/monitors/jobs',
};

const isZero = (credits: string): boolean => Number(credits) === 0;
/** An amount, or a dash for none. */
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
                <Text size="xs" c="dimmed">
                  {about}
                  {entry.key_label !== null && `, key “${entry.key_label}”`}
                </Text>
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
  const { data, error, refetch } = useQuery({
    queryKey: ['wallet-entries', id],
    queryFn: () => ask(walletLines.entries, { id }),
  });
  if (error)
    return <ErrorPanel title="The entries could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={56} />;
  return (
    <>
      <EntryList entries={data.entries} />
      {data.has_more && (
        <Text size="xs" c="dimmed">
          The newest {data.entries.length} entries. “desk wallet history” lists all of them.
        </Text>
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
          <Anchor component={Link} href={`${path}/${workId}`} size="sm">
            {name}
          </Anchor>
        ) : (
          name
        )}
      </div>
      <Text size="xs" c="dimmed">
        {nameWalletLine(kind)}
        {client.name !== null && ` · ${client.is_assistant ? 'assistant' : 'key'} ${client.name}`}
      </Text>
    </>
  );
}

/** The rows of a line: its amounts, and below them, once opened, its entries. */
export function LineRows({ line }: { line: WalletLine }) {
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
