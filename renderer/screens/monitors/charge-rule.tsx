// The account's rule about what runs of monitors charge.
import { Switch } from '@mantine/core';
import { type Account, accounts } from '../../../engine/contract/accounts.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { useLock } from '../../api/privacy/organisation.ts';

/** The switch. It applies to the runs of all monitors that start from now on. */
export function ChargeRule({ account }: { account: Account }) {
  const change = useChange(
    (monitor_charge: Account['monitor_charge']) =>
      ask(accounts.change, { id: account.id, monitor_charge }),
    ['state', 'monitor', 'monitors'],
    { failed: 'The rule was not changed' },
  );
  const lock = useLock('settings.monitor_charge');
  return (
    <Switch
      label="Charge monitors for changes only"
      // The element of the label contains the description, which would be part of the name.
      aria-label="Charge monitors for changes only"
      description={
        'A contact that has not changed since the last run is free. A contact that is found for ' +
        'the first time is charged. Applies to new runs of every monitor in this account. ' +
        (lock ?? '')
      }
      maw={560}
      checked={account.monitor_charge === 'changes'}
      disabled={change.isPending || lock !== null}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked ? 'changes' : 'answers')}
    />
  );
}
