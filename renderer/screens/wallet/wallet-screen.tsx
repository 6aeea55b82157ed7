/** The wallet: balances, credits to add, spending over time, and every movement. */

import { Card, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accounts } from '../../../engine/contract/accounts.ts';
import { wallet } from '../../../engine/contract/ledger.ts';
import { ask } from '../../api/client.ts';
import { useAppState, useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { showCredits } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { creditsSentence } from '../../components/words.ts';
import { AddCredits } from './add-credits.tsx';
import { SpendSection } from './spend-section.tsx';
import { WalletHistory } from './wallet-history.tsx';

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
