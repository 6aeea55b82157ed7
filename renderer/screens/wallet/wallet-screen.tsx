/** The wallet: balances, credits to add, spending over time, and every movement. */
import { Button, Card, Group, Switch, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { accounts } from '../../../engine/contract/accounts.ts';
import { parseCredits, unitsPerCredit } from '../../../engine/contract/credits.ts';
import { wallet } from '../../../engine/contract/ledger.ts';
import { grantCreditsMax } from '../../../engine/contract/limits/ledger.ts';
import { ask } from '../../api/client.ts';
import { useAppState, useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { countUnits, showCount, showCredits, unitsOf } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { showSuccess } from '../../components/toast.ts';
import { creditsSentence } from '../../components/words.ts';
import { readAmount } from '../../preferences/locale.ts';
import { SpendSection } from './spend-section.tsx';
import { WalletHistory } from './wallet-history.tsx';

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
      <Text size="sm" c="dimmed" mb="md">
        Adding credits costs nothing.
      </Text>
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
          <Button type="submit" loading={grant.isPending}>
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
            : 'Credits that your own work lacks are added by themselves. Keys, assistants and ' +
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
  const { data, error, refetch } = useQuery({
    queryKey: ['wallet'],
    queryFn: () => ask(wallet.read),
  });
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
