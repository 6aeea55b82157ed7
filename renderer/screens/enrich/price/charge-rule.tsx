// The account's rule about layers without data, where its effect on the price is shown.
import { Switch } from '@mantine/core';
import { accounts } from '../../../../engine/contract/accounts.ts';
import { ask } from '../../../api/client.ts';
import { useAppState, useChange } from '../../../api/live.ts';

/** The switch; nothing until the account is known. */
export function ChargeRule() {
  const { data: state } = useAppState();
  const change = useChange(
    (chargePolicy: 'row' | 'layers_found') =>
      ask(accounts.change, { id: state?.account.id ?? '', charge_policy: chargePolicy }),
    ['state', 'estimate'],
    { failed: 'The rule was not changed' },
  );
  if (!state) return null;
  const isOn = state.account.charge_policy === 'layers_found';
  return (
    <Switch
      label="Charge found layers only"
      // The element of the label contains the description, which would be part of the name.
      aria-label="Charge found layers only"
      description={
        isOn
          ? 'An enriched row pays only for the layers that return data. Applies to all new jobs.'
          : 'An enriched row pays for every selected layer. Turn this on to pay only for the ' +
            'layers that return data, in all new jobs.'
      }
      maw={640}
      checked={isOn}
      disabled={change.isPending}
      onChange={() => change.mutate(isOn ? 'row' : 'layers_found')}
    />
  );
}
