// The account's match threshold, charge policy, days without a second charge, inferred emails.
import { Group, Radio, Skeleton, Stack, Switch, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { type Account, accounts } from '../../../engine/contract/accounts.ts';
import { freeRepeatDaysMax } from '../../../engine/contract/limits/accounts.ts';
import { ask } from '../../api/client.ts';
import { useAppState, useChange } from '../../api/live.ts';
import { useLock } from '../../api/privacy/organisation.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount } from '../../components/numbers.ts';
import { readAmount } from '../../preferences/locale.ts';
import { ChargeRule } from '../monitors/charge-rule.tsx';
import { describeRefusal, SavedNote, SaveError } from './saved-note.tsx';

function useAccountChange(account: Account) {
  return useChange(
    (change: Partial<Omit<Account, 'id' | 'created_at'>>) =>
      ask(accounts.change, { id: account.id, ...change }),
    ['state', 'estimate'],
  );
}

function ChargePolicy({ account }: { account: Account }) {
  const change = useAccountChange(account);
  const lock = useLock('settings.charge_policy');
  const choose = (value: string) =>
    change.mutate({ charge_policy: value as Account['charge_policy'] });
  return (
    <div>
      <Radio.Group
        label={
          <Group gap="sm" component="span" display="inline-flex">
            Price of an enriched row
            <SavedNote saving={change} />
          </Group>
        }
        aria-label="Price of an enriched row"
        description={lock}
        value={account.charge_policy}
        onChange={choose}
      >
        <Stack gap="sm" mt="sm">
          <Radio
            disabled={lock !== null}
            value="row"
            label="The price of every selected layer"
            description="A row costs its full price as soon as one layer has data."
          />
          <Radio
            disabled={lock !== null}
            value="layers_found"
            label="Only the layers with data"
            description="A layer without data costs nothing."
          />
        </Stack>
      </Radio.Group>
      <SaveError saving={change} />
    </div>
  );
}

/** Whether a number has at most this many decimals. */
const isAsExact = (value: number, decimals: number): boolean =>
  Number(value.toFixed(decimals)) === value;

/** A number of the account. It is saved when the field is left, or with Enter. */
function NumberSetting({
  account,
  name,
  label,
  description,
  min,
  max,
  decimals,
}: {
  account: Account;
  name: 'match_threshold' | 'free_repeat_days';
  label: string;
  description: string;
  min: number;
  max: number;
  decimals: number;
}) {
  const change = useAccountChange(account);
  const lock = useLock(`settings.${name}`);
  const [typed, setTyped] = useState<string | null>(null);
  const stored = account[name];
  const value = typed === null ? stored : Number(readAmount(typed) || Number.NaN);
  const isWrong = !(value >= min && value <= max && isAsExact(value, decimals));
  const kind = decimals > 0 ? 'a number' : 'a whole number';
  const wrong = `Enter ${kind} from ${showCount(min)} to ${showCount(max)}.`;
  const save = () => {
    if (isWrong) return;
    if (value === stored) setTyped(null);
    else change.mutate({ [name]: value }, { onSuccess: () => setTyped(null) });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') save();
    if (key === 'Escape') setTyped(null);
  };
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label={label}
        description={lock === null ? description : `${description} ${lock}`}
        readOnly={lock !== null}
        variant={lock === null ? 'default' : 'filled'}
        inputMode="decimal"
        w={360}
        maw="100%"
        value={typed ?? showCount(stored)}
        error={isWrong ? wrong : describeRefusal(change)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
      />
      <SavedNote saving={change} />
    </Group>
  );
}

function InferEmails({ account }: { account: Account }) {
  const change = useAccountChange(account);
  const lock = useLock('settings.infer_emails');
  return (
    <div>
      <Group align="flex-start" gap="sm">
        <Switch
          label="Infer work emails"
          // The element of the label contains the description, which would be part of the name.
          aria-label="Infer work emails"
          description={
            'When at least three colleagues share one address form, propose that form for people ' +
            'without a work email. It’s free, never verified, and in its own column. Your ' +
            `system’s name servers are asked whether the domain accepts mail. ${lock ?? ''}`
          }
          maw={560}
          checked={account.infer_emails}
          disabled={change.isPending || lock !== null}
          onChange={({ currentTarget }) => change.mutate({ infer_emails: currentTarget.checked })}
        />
        <SavedNote saving={change} />
      </Group>
      <SaveError saving={change} />
    </div>
  );
}

export function AccountRules() {
  const { data: state, error, refetch } = useAppState();
  if (error && !state)
    return <ErrorPanel title="The account could not be loaded" error={error} onRetry={refetch} />;
  if (!state) return <Skeleton height={160} />;
  const { account } = state;
  return (
    <Stack gap="xl" key={account.id}>
      <NumberSetting
        account={account}
        name="match_threshold"
        label="Match threshold"
        description="0.5 to 1. Higher means fewer matches, and fewer wrong ones."
        min={0.5}
        max={1}
        decimals={3}
      />
      <ChargePolicy account={account} />
      <NumberSetting
        account={account}
        name="free_repeat_days"
        label="Days without a second charge"
        description="Later jobs don’t charge a person’s layers again within them. 0 turns this off."
        min={0}
        max={freeRepeatDaysMax}
        decimals={0}
      />
      <InferEmails account={account} />
      <ChargeRule account={account} />
    </Stack>
  );
}
