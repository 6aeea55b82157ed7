/** The caps of a data service, the price of its credits, and what to do about unknown outcomes. */
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { ProviderChange, UserProvider } from '../../../engine/contract/providers.ts';
import { useChange } from '../../api/live.ts';
import { changeProvider } from '../../api/providers.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showSuccess } from '../../components/toast.ts';

/** A typed number; null if empty, undefined if it is not a number. */
function readNumber(text: string): number | null | undefined {
  const typed = text.replaceAll(',', '').trim();
  if (typed === '') return null;
  return /^\d{1,9}(\.\d{1,4})?$/.test(typed) ? Number(typed) : undefined;
}

const textOf = (value: number | null | undefined): string => (value == null ? '' : String(value));

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
        readNumber(props.value) === undefined && 'Enter a number such as 500 or 12.5, or nothing.'
      }
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

/** The typed settings; `change` is null while one of them cannot be sent. */
function useSettings({ caps, price, repeats_uncertain }: UserProvider) {
  const [job, setJob] = useState(textOf(caps.job));
  const [day, setDay] = useState(textOf(caps.day));
  const [month, setMonth] = useState(textOf(caps.month));
  const [perCredit, setPerCredit] = useState(textOf(price?.per_credit));
  const [currency, setCurrency] = useState(price?.currency ?? '');
  const [repeats, setRepeats] = useState(repeats_uncertain);
  const [jobCap, dayCap, monthCap, cost] = [job, day, month, perCredit].map(readNumber);
  const code = currency.trim().toUpperCase();
  const isWhole =
    jobCap !== undefined && dayCap !== undefined && monthCap !== undefined && cost !== undefined;
  const change: ProviderChange | null =
    isWhole && (cost === null || /^[A-Z]{3}$/.test(code))
      ? {
          caps: { job: jobCap, day: dayCap, month: monthCap },
          price: cost === null ? null : { per_credit: cost, currency: code },
          repeats_uncertain: repeats,
        }
      : null;
  const typed = { job, day, month, perCredit, currency, repeats };
  return {
    ...{ typed, change, setJob, setDay, setMonth, setPerCredit, setCurrency, setRepeats },
    needsCurrency: perCredit.trim() !== '' && !/^[A-Z]{3}$/.test(code),
  };
}

function Fields({ settings }: { settings: ReturnType<typeof useSettings> }) {
  const { typed } = settings;
  return (
    <>
      <div>
        <Group gap="md" align="flex-start">
          <NumberField
            label="Credits per job"
            placeholder="no cap"
            value={typed.job}
            onChange={settings.setJob}
          />
          <NumberField
            label="Credits per day"
            placeholder="no cap"
            value={typed.day}
            onChange={settings.setDay}
          />
          <NumberField
            label="Credits per month"
            placeholder="no cap"
            value={typed.month}
            onChange={settings.setMonth}
          />
        </Group>
        <Text size="xs" c="dimmed" mt={4}>
          A job stops asking this provider at a cap and goes on with the others. Days and months are
          in UTC.
        </Text>
      </div>
      <Group gap="md" align="flex-start">
        <NumberField
          label="Price of a credit"
          placeholder="not shown as money"
          value={typed.perCredit}
          onChange={settings.setPerCredit}
        />
        <TextInput
          flex="1 1 130px"
          label="Currency"
          placeholder="EUR"
          autoComplete="off"
          value={typed.currency}
          error={settings.needsCurrency && 'Enter three letters such as EUR.'}
          onChange={(event) => settings.setCurrency(event.currentTarget.value)}
        />
      </Group>
      <Checkbox
        label="Ask again if the outcome of a request is unknown"
        description="The first request may have been charged. Later jobs may then pay twice."
        checked={typed.repeats}
        onChange={(event) => settings.setRepeats(event.currentTarget.checked)}
      />
    </>
  );
}

export function CapsForm({ provider }: { provider: UserProvider }) {
  const settings = useSettings(provider);
  const save = useChange(
    (body: ProviderChange) => changeProvider(provider.id, body),
    ['providers', 'estimate'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (settings.change)
      save.mutate(settings.change, {
        onSuccess: () => showSuccess(`The settings of ${provider.title} were saved.`),
      });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Fields settings={settings} />
        {save.error && <ErrorPanel title="The settings were not saved" error={save.error} />}
        <Group justify="flex-end">
          <Button type="submit" disabled={!settings.change} loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
