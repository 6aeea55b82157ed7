/** All accounts of this installation: the selected one, their names, and a new one. */
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { Account } from '../../../engine/contract/accounts.ts';
import { chooseAccount } from '../../api/account.ts';
import { useAccounts, useAppState } from '../../api/live.ts';
import { AccountDialog } from '../../components/account-dialog.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showTime } from '../../components/numbers.ts';

function AccountLine({
  account,
  isCurrent,
  onRename,
}: {
  account: Account;
  isCurrent: boolean;
  onRename: () => void;
}) {
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
          {account.name}
        </Text>
        <Text size="xs" c="dimmed">
          created {showTime(account.created_at)}
        </Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        {isCurrent ? (
          <Badge variant="default" tt="none" flex="none">
            in use
          </Badge>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Use ${account.name}`}
            onClick={() => chooseAccount(account.id)}
          >
            Use
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Rename ${account.name}`}
          onClick={onRename}
        >
          Rename
        </Button>
      </Group>
    </Group>
  );
}

export function Accounts() {
  const { data: accounts, error, refetch } = useAccounts();
  const { data: state } = useAppState();
  const [renamed, setRenamed] = useState<Account | null>(null);
  const [isAsked, dialog] = useDisclosure(false);
  const ask = (account: Account | null) => {
    setRenamed(account);
    dialog.open();
  };
  if (error)
    return <ErrorPanel title="The accounts could not be loaded" error={error} onRetry={refetch} />;
  if (!accounts) return <Skeleton height={80} />;
  return (
    <Stack gap="md">
      {accounts.map((account) => (
        <AccountLine
          key={account.id}
          account={account}
          isCurrent={account.id === state?.account.id}
          onRename={() => ask(account)}
        />
      ))}
      <Button variant="default" w="fit-content" onClick={() => ask(null)}>
        New account
      </Button>
      <AccountDialog account={renamed} opened={isAsked} onClose={dialog.close} />
    </Stack>
  );
}
