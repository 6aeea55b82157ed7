/** Whether the account spends only the credits of its wallet. */
import { Card, Switch } from '@mantine/core';
import { accounts } from '../../../engine/contract/accounts.ts';
import { ask } from '../../api/client.ts';
import { useAppState, useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';

export function Budget() {
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
