/** The credits at a data service when they were read last, and a button that reads them again. */

import { Button, Group, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { providerCalls, type UserProvider } from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { showTime } from '../../components/numbers.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { showCost } from './provider-words.ts';

type Balance = UserProvider['balance'];

/** Reads the balance by a free request. Null if the service does not report it. */
async function readBalance(id: string, before: Balance): Promise<Balance> {
  await ask(providerCalls.test, { id });
  const { providers } = await ask(providerCalls.list);
  const after = providers.find((one) => one.id === id)?.balance ?? null;
  return after?.read_at === before?.read_at ? null : after;
}

export function BalanceLine({
  provider: { id, title, balance, price, has_key: hasKey },
}: {
  provider: UserProvider;
}) {
  const read = useChange(() => readBalance(id, balance), ['providers']);
  const show = (now: Balance) => {
    if (now) showSuccess(`${title} has ${showCost(now.credits, price)} left.`);
    else showFailure('The balance was not read', `${title} did not report it.`);
  };
  return (
    <Group gap="md">
      <Text size="sm" className="numbers">
        {balance
          ? `${showCost(balance.credits, price)} left, read on ${showTime(balance.read_at)}.`
          : 'Not read yet.'}
      </Text>
      <Button
        variant="default"
        size="compact-sm"
        disabled={!hasKey}
        loading={read.isPending}
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={() =>
          read.mutate(undefined, {
            onSuccess: show,
            onError: (error) => showFailure('The balance was not read', error),
          })
        }
      >
        Read it now
      </Button>
    </Group>
  );
}
