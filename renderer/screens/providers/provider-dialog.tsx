/** Everything about one data service: its key, caps, spending, stored answers and removal. */
import { Button, Group, Modal, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { spendDaysMax } from '../../../engine/contract/limits/providers.ts';
import { providerCalls, type UserProvider } from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { countOf, showDay, showTime } from '../../components/numbers.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { CapsForm } from './caps-form.tsx';
import { KeyForm, KeyTest } from './provider-key.tsx';
import { showCost, showProviderCredits } from './provider-words.ts';
import classes from './providers.module.css';

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
    return (
      <Text size="sm" c="dimmed">
        Nothing was spent in the last {spendDaysMax} days.
      </Text>
    );
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
      <Text size="xs" c="dimmed">
        {showCost(credits, price)} in {spendDaysMax} days, {countOf(requests, 'request')}. The
        tallest day has {showProviderCredits(most)} credits.
      </Text>
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

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Title order={3} mb="sm">
      {title}
    </Title>
    {children}
  </section>
);

function ForgetButton({ provider: { id, title, answers } }: { provider: UserProvider }) {
  const forget = useChange(() => ask(providerCalls.forget, { id }), ['providers']);
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
          onError: (error) => showFailure('The answers were not deleted', error),
        })
      }
    >
      Forget its answers
    </ConfirmButton>
  );
}

function RemoveButton({
  provider: { id, title, origin, answers },
  onRemoved,
}: {
  provider: UserProvider;
  onRemoved: () => void;
}) {
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
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Requests go to {hosts.join(', ') || 'no other machine'}.{docs && ` Documentation: ${docs}.`}
      {keep_days !== null &&
        ` Its terms allow answers to be kept for ${countOf(keep_days, 'day')}.`}
    </Text>
  );
}

/** @param now milliseconds since 1970 */
function Content({
  provider,
  now,
  onClose,
}: {
  provider: UserProvider;
  now: number;
  onClose: () => void;
}) {
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

/**
 * The dialog; closed while `provider` is null.
 * @param now milliseconds since 1970
 */
export function ProviderDialog({
  provider,
  now,
  onClose,
}: {
  provider: UserProvider | null;
  now: number;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={provider !== null}
      onClose={onClose}
      size="lg"
      title={provider?.title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {provider && <Content key={provider.id} provider={provider} now={now} onClose={onClose} />}
    </Modal>
  );
}
