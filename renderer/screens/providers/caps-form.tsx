/** The caps of a data service, the price of its credits, and what to do about unknown outcomes. */

import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type ProviderChange,
  providerCalls,
  type UserProvider,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showSuccess } from '../../components/toast.ts';
import { readAmount } from '../../preferences/locale.ts';

/** A typed number; null if empty, undefined if it is not a number. */
function readNumber(text: string): number | null | undefined {
  const typed = readAmount(text);
  if (typed === '') return null;
  return /^\d{1,9}(\.\d{1,4})?$/.test(typed) ? Number(typed) : undefined;
}

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text.trim().toUpperCase());

/** What the form's fields hold. */
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
        <Text size="xs" c="dimmed" mt={4}>
          A job stops asking this service at a cap and continues with the others. Days and months
          are in UTC.
        </Text>
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

export function CapsForm({ provider }: { provider: UserProvider }) {
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
          <Button type="submit" disabled={!change} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
