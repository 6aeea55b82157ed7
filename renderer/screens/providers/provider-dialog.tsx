// Everything about one data service: its key, caps, spending, stored answers and removal.
import {
  Button,
  Checkbox,
  Group,
  Modal,
  Stack,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { spendDaysMax } from '../../../engine/contract/limits/providers.ts';
import {
  type ProviderChange,
  providerCalls,
  type UserProvider,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showDay, showTime } from '../../components/numbers.ts';
import { Caption, Note } from '../../components/text.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { readAmount } from '../../preferences/locale.ts';
import { KeyForm, KeyTest } from './provider-key.tsx';
import { showCost, showProviderCredits } from './provider-words.ts';
import classes from './providers.module.css';

/** A typed number; null if empty, undefined if it is not a number. */
function readNumber(text: string): number | null | undefined {
  const typed = readAmount(text);
  if (typed === '') return null;
  return /^\d{1,9}(\.\d{1,4})?$/.test(typed) ? Number(typed) : undefined;
}

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text.trim().toUpperCase());

interface Typed {
  readonly job: string;
  readonly day: string;
  readonly month: string;
  readonly perCredit: string;
  readonly currency: string;
  readonly repeats: boolean;
}

const showTyped = ({ caps, price, repeats_uncertain: repeats }: UserProvider): Typed => ({
  job: String(caps.job ?? ''),
  day: String(caps.day ?? ''),
  month: String(caps.month ?? ''),
  perCredit: String(price?.per_credit ?? ''),
  currency: price?.currency ?? '',
  repeats,
});

/** The typed settings; null while one of them cannot be sent. */
function readChange({ currency, repeats, ...typed }: Typed): ProviderChange | null {
  const job = readNumber(typed.job);
  const day = readNumber(typed.day);
  const month = readNumber(typed.month);
  const cost = readNumber(typed.perCredit);
  if (job === undefined || day === undefined || month === undefined || cost === undefined)
    return null;
  if (cost !== null && !isCurrency(currency)) return null;
  const price =
    cost === null ? null : { per_credit: cost, currency: currency.trim().toUpperCase() };
  return { caps: { job, day, month }, price, repeats_uncertain: repeats };
}

const capFields = [
  ['job', 'Credits per job'],
  ['day', 'Credits per day'],
  ['month', 'Credits per month'],
] as const;

function NumberField(props: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      flex="1 1 130px"
      label={props.label}
      placeholder={props.placeholder}
      inputMode="decimal"
      autoComplete="off"
      value={props.value}
      error={
        readNumber(props.value) === undefined &&
        'Enter a number such as 500 or 12.5, or leave this empty.'
      }
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

function Fields({ typed, change }: { typed: Typed; change: (part: Partial<Typed>) => void }) {
  const needsCurrency = typed.perCredit.trim() !== '' && !isCurrency(typed.currency);
  return (
    <>
      <div>
        <Group gap="md" align="flex-start">
          {capFields.map(([name, label]) => (
            <NumberField
              key={name}
              label={label}
              placeholder="no cap"
              value={typed[name]}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
        </Group>
        <Caption mt={4}>
          A job stops asking this service at a cap and continues with the others. Days and months
          are in UTC.
        </Caption>
      </div>
      <Group gap="md" align="flex-start">
        <NumberField
          label="Price of a credit"
          placeholder="not shown as money"
          value={typed.perCredit}
          onChange={(perCredit) => change({ perCredit })}
        />
        <TextInput
          flex="1 1 130px"
          label="Currency"
          placeholder="EUR"
          autoComplete="off"
          value={typed.currency}
          error={needsCurrency && 'Enter three letters such as EUR.'}
          onChange={(event) => change({ currency: event.currentTarget.value })}
        />
      </Group>
      <Checkbox
        label="Ask again if the outcome of a request is unknown"
        description="The first request may have been charged. Later jobs may then pay twice."
        checked={typed.repeats}
        onChange={(event) => change({ repeats: event.currentTarget.checked })}
      />
    </>
  );
}

function CapsForm({ provider }: { provider: UserProvider }) {
  const [typed, setTyped] = useState(() => showTyped(provider));
  const change = readChange(typed);
  const save = useChange(
    (body: ProviderChange) => ask(providerCalls.change, { id: provider.id, ...body }),
    ['providers', 'estimate'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change)
      save.mutate(change, {
        onSuccess: () => showSuccess(`The settings of ${provider.title} were saved.`),
      });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Fields typed={typed} change={(part) => setTyped({ ...typed, ...part })} />
        <ErrorPanel title="The settings were not saved" error={save.error} />
        <Group justify="flex-end">
          <Button variant="filled" type="submit" disabled={!change} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Day = UserProvider['spend']['days'][number];

const describeDay = ({ day, credits, requests }: Day): string =>
  `${showDay(day)}: ${showProviderCredits(credits)} credits, ${countOf(requests, 'request')}`;

/** Every day of the period, oldest first; those without requests have none. */
function listDays(days: readonly Day[], now: number): Day[] {
  return Array.from({ length: spendDaysMax }, (_, nth) => {
    const at = now - (spendDaysMax - 1 - nth) * 86_400_000;
    const day = new Date(at).toISOString().slice(0, 10);
    return days.find((one) => one.day === day) ?? { day, credits: 0, requests: 0 };
  });
}

/** @param now milliseconds since 1970 */
function SpendChart({
  spend,
  price,
  now,
}: Pick<UserProvider, 'spend' | 'price'> & { now: number }) {
  if (spend.days.length === 0)
    return <Note>Nothing was spent in the last {spendDaysMax} days.</Note>;
  const days = listDays(spend.days, now);
  const most = Math.max(...days.map(({ credits }) => credits));
  const credits = days.reduce((sum, day) => sum + day.credits, 0);
  const requests = days.reduce((sum, day) => sum + day.requests, 0);
  return (
    <>
      <ul className={classes.bars} aria-label="Credits per day">
        {days.map((day) => (
          <li key={day.day} title={describeDay(day)}>
            {day.requests > 0 && <VisuallyHidden>{describeDay(day)}</VisuallyHidden>}
            <span
              data-empty={day.requests === 0 || undefined}
              style={{ height: `${most > 0 ? (day.credits / most) * 100 : 0}%` }}
            />
          </li>
        ))}
      </ul>
      <div className={classes.axis} aria-hidden>
        <span>{showDay(days[0]?.day ?? '')}</span>
        <span>{showDay(days.at(-1)?.day ?? '')}</span>
      </div>
      <Caption>
        {showCost(credits, price)} in {spendDaysMax} days, {countOf(requests, 'request')}. The
        tallest day has {showProviderCredits(most)} credits.
      </Caption>
    </>
  );
}

type Balance = UserProvider['balance'];

/** Reads the balance by a free request. Null if the service does not report it. */
async function readBalance(id: string, before: Balance): Promise<Balance> {
  await ask(providerCalls.test, { id });
  const { providers } = await ask(providerCalls.list);
  const after = providers.find((one) => one.id === id)?.balance ?? null;
  return after?.read_at === before?.read_at ? null : after;
}

function BalanceLine({
  provider: { id, title, balance, price, has_key: hasKey },
}: {
  provider: UserProvider;
}) {
  const read = useChange(() => readBalance(id, balance), ['providers'], {
    failed: 'The balance was not read',
  });
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
        size="compact-sm"
        disabled={!hasKey}
        loading={read.isPending}
        leftSection={<IconRefresh size={14} aria-hidden />}
        onClick={() =>
          read.mutate(undefined, {
            onSuccess: show,
          })
        }
      >
        Read it now
      </Button>
    </Group>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={3} mb="sm">
      {title}
    </Title>
    {children}
  </section>
);

function ForgetButton({ provider: { id, title, answers } }: { provider: UserProvider }) {
  const forget = useChange(() => ask(providerCalls.forget, { id }), ['providers'], {
    failed: 'The answers were not deleted',
  });
  return (
    <ConfirmButton
      disabled={answers === 0}
      loading={forget.isPending}
      title={`Forget the answers of ${title}?`}
      sentence={
        `${countOf(answers, 'stored answer')} will be deleted. Later jobs ask ${title} again, ` +
        'and pay again. Results of finished jobs stay as they are.'
      }
      act="Forget the answers"
      onConfirm={() =>
        forget.mutate(undefined, {
          onSuccess: ({ deleted }) =>
            showSuccess(`${countOf(deleted, 'answer')} of ${title} deleted.`),
        })
      }
    >
      Forget its answers
    </ConfirmButton>
  );
}

interface RemoveButtonProps {
  provider: UserProvider;
  onRemoved: () => void;
}

function RemoveButton({ provider: { id, title, origin, answers }, onRemoved }: RemoveButtonProps) {
  const remove = useChange(() => ask(providerCalls.remove, { id }), ['providers', 'estimate']);
  return (
    <ConfirmButton
      loading={remove.isPending}
      title={`Remove ${title}?`}
      sentence={[
        origin === 'own'
          ? 'Its key, its settings and its definition file are deleted.'
          : 'Its key and its settings are deleted.',
        answers > 0 && 'Its stored answers stay. To delete them too, forget them first.',
      ]
        .filter(Boolean)
        .join(' ')}
      act="Remove the data service"
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            onRemoved();
            showSuccess(`${title} was removed.`);
          },
          onError: (error) => showFailure(`${title} was not removed`, error),
        })
      }
    >
      Remove
    </ConfirmButton>
  );
}

function Facts({ provider: { hosts, docs, keep_days } }: { provider: UserProvider }) {
  return (
    <Caption style={{ overflowWrap: 'anywhere' }}>
      Requests go to {hosts.join(', ') || 'no other machine'}.{docs && ` Documentation: ${docs}.`}
      {keep_days !== null &&
        ` Its terms allow answers to be kept for ${countOf(keep_days, 'day')}.`}
    </Caption>
  );
}

interface ContentProps {
  provider: UserProvider;
  now: number;
  onClose: () => void;
}

/** @param now milliseconds since 1970 */
function Content({ provider, now, onClose }: ContentProps) {
  return (
    <Stack gap="lg">
      {provider.origin !== 'built_in' && (
        <Part title="Key">
          <Stack gap="md">
            <KeyForm provider={provider} />
            {provider.has_key && <KeyTest provider={provider} />}
          </Stack>
        </Part>
      )}
      {provider.origin !== 'built_in' && (
        <Part title="Balance">
          <BalanceLine provider={provider} />
        </Part>
      )}
      <Part title="Spending">
        <SpendChart spend={provider.spend} price={provider.price} now={now} />
      </Part>
      <Part title="Caps">
        <CapsForm provider={provider} />
      </Part>
      <Facts provider={provider} />
      <Group gap="sm">
        <ForgetButton provider={provider} />
        {provider.origin !== 'built_in' && <RemoveButton provider={provider} onRemoved={onClose} />}
      </Group>
    </Stack>
  );
}

interface ProviderDialogProps {
  provider: UserProvider | null;
  now: number;
  onClose: () => void;
}

/** The dialog; closed while `provider` is null. @param now milliseconds since 1970 */
export function ProviderDialog({ provider, now, onClose }: ProviderDialogProps) {
  return (
    <Modal opened={provider !== null} onClose={onClose} size="lg" title={provider?.title}>
      {provider && <Content key={provider.id} provider={provider} now={now} onClose={onClose} />}
    </Modal>
  );
}
