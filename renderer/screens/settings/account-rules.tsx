/** The account's match threshold, charge policy, days without a second charge, inferred emails. */
import { Button, Group, NumberInput, Radio, Skeleton, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import type { Account } from '../../../engine/contract/accounts.ts';
import { freeRepeatDaysMax } from '../../../engine/contract/limits/accounts.ts';
import { changeAccount } from '../../api/engine.ts';
import { useAppState, useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { ChargeRule } from '../monitors/charge-rule.tsx';

function useAccountChange(account: Account) {
  return useChange(
    (change: Parameters<typeof changeAccount>[1]) => changeAccount(account.id, change),
    ['state', 'estimate'],
  );
}

function ChargePolicy({ account }: { account: Account }) {
  const change = useAccountChange(account);
  const choose = (value: string) =>
    change.mutate(
      { charge_policy: value as Account['charge_policy'] },
      { onError: (error) => showFailure('The rule was not changed', error) },
    );
  return (
    <Radio.Group label="Price of an enriched row" value={account.charge_policy} onChange={choose}>
      <Stack gap="sm" mt="sm">
        <Radio
          value="row"
          label="the price of every selected layer"
          description="One layer with data is enough for the row's full price."
        />
        <Radio
          value="layers_found"
          label="only the layers with data"
          description="A layer without data costs nothing."
        />
      </Stack>
    </Radio.Group>
  );
}

function Threshold({ account }: { account: Account }) {
  const change = useAccountChange(account);
  const [value, setValue] = useState<number | string>(account.match_threshold);
  const save = () =>
    change.mutate(
      { match_threshold: Number(value) },
      {
        onSuccess: () => showSuccess('The match threshold was changed.'),
        onError: (error) => showFailure('The threshold was not changed', error),
      },
    );
  return (
    <Group align="flex-end" gap="sm">
      <NumberInput
        label="Match threshold"
        description="0.5 to 1. A higher threshold gives fewer matches, and fewer wrong ones."
        min={0.5}
        max={1}
        step={0.01}
        decimalScale={3}
        w={320}
        value={value}
        onChange={setValue}
      />
      <Button
        variant="default"
        disabled={value === '' || Number(value) === account.match_threshold}
        loading={change.isPending}
        onClick={save}
      >
        Save
      </Button>
    </Group>
  );
}

function FreeRepeats({ account }: { account: Account }) {
  const change = useAccountChange(account);
  const [value, setValue] = useState<number | string>(account.free_repeat_days);
  const save = () =>
    change.mutate(
      { free_repeat_days: Number(value) },
      {
        onSuccess: () => showSuccess('The free days were changed.'),
        onError: (error) => showFailure('The free days were not changed', error),
      },
    );
  return (
    <Group align="flex-end" gap="sm">
      <NumberInput
        label="Days without a second charge"
        description={
          "A later job does not charge a person's layers again for this many days. " +
          'With 0 every job charges them.'
        }
        min={0}
        max={freeRepeatDaysMax}
        allowDecimal={false}
        w={320}
        value={value}
        onChange={setValue}
      />
      <Button
        variant="default"
        disabled={value === '' || Number(value) === account.free_repeat_days}
        loading={change.isPending}
        onClick={save}
      >
        Save the days
      </Button>
    </Group>
  );
}

function InferEmails({ account }: { account: Account }) {
  const change = useAccountChange(account);
  return (
    <Switch
      label="Infer work emails"
      // The element of the label contains the description, which would be part of the name.
      aria-label="Infer work emails"
      description={
        'A person without a work email gets a probable one if at least three colleagues have ' +
        'addresses of one form. It is free, never verified, and in a column of its own. Checking ' +
        'that the domain accepts mail asks the name servers of your system for the domain.'
      }
      maw={560}
      checked={account.infer_emails}
      disabled={change.isPending}
      onChange={({ currentTarget }) =>
        change.mutate(
          { infer_emails: currentTarget.checked },
          { onError: (error) => showFailure('The rule was not changed', error) },
        )
      }
    />
  );
}

export function AccountRules() {
  const { data: state, error, refetch } = useAppState();
  if (error && !state)
    return (
      <ErrorPanel
        title="The account could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!state) return <Skeleton height={160} />;
  return (
    <Stack gap="xl">
      <Threshold key={state.account.match_threshold} account={state.account} />
      <ChargePolicy account={state.account} />
      <FreeRepeats key={`days ${state.account.free_repeat_days}`} account={state.account} />
      <InferEmails account={state.account} />
      <ChargeRule account={state.account} />
    </Stack>
  );
}
