// The fields of a key: label, rate limit, spending limits and approvals.
import { Checkbox, Group, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseCredits, unitsPerCredit } from '../../../engine/contract/credits.ts';
import type { Key } from '../../../engine/contract/keys.ts';
import {
  keyRequestsPerMinuteMax,
  labelCharactersMax,
} from '../../../engine/contract/limits/accounts.ts';
import { rateLimitRequestsMax } from '../../../engine/contract/limits/http-server.ts';
import { keyCapCreditsMax } from '../../../engine/contract/limits/ledger.ts';
import { DialogForm, type DialogFormProps } from '../../components/dialogs.tsx';
import { showCount } from '../../components/numbers.ts';
import { Caption } from '../../components/text.tsx';
import { readAmount } from '../../preferences/locale.ts';

export type KeyFields = Pick<
  Key,
  | 'label'
  | 'requests_per_minute'
  | 'cap_per_day'
  | 'cap_per_month'
  | 'cap_per_call'
  | 'ask_above'
  | 'self_approval'
  | 'provider_cap'
>;

const usual: KeyFields = {
  label: '',
  requests_per_minute: rateLimitRequestsMax,
  cap_per_day: null,
  cap_per_month: null,
  cap_per_call: null,
  ask_above: null,
  self_approval: false,
  provider_cap: 0,
};

/** Parses a typed cap; empty means none. */
export const readCap = (text: string): string | null => readAmount(text) || null;

/** The error of a typed cap; null if it is valid. */
export function findCapProblem(text: string): string | null {
  const cap = readCap(text);
  if (cap === null) return null;
  const units = parseCredits(cap);
  if (units === null || units < 0)
    return 'Enter a number such as 500 or 12.5, or leave this empty for no cap.';
  return units > keyCapCreditsMax * unitsPerCredit
    ? `A cap is at most ${showCount(keyCapCreditsMax)} credits.`
    : null;
}

interface CapInputProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}

export function CapInput({ label, placeholder = 'no cap', value, onChange }: CapInputProps) {
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      inputMode="decimal"
      value={value}
      error={findCapProblem(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
      flex="1 1 160px"
    />
  );
}

export function useGuard(
  start: Pick<Key, 'cap_per_call' | 'ask_above' | 'self_approval' | 'provider_cap'>,
) {
  const [call, setCall] = useState(start.cap_per_call ?? '');
  const [ask, setAsk] = useState(start.ask_above ?? '');
  const [isSelf, setSelf] = useState(start.self_approval);
  const [services, setServices] = useState(String(start.provider_cap ?? ''));
  const isWhole = ![call, ask, services].some(findCapProblem);
  const serviceCap = readCap(services);
  const fields = {
    cap_per_call: readCap(call),
    ask_above: readCap(ask),
    self_approval: isSelf,
    provider_cap: serviceCap === null ? null : Number(serviceCap),
  };
  return { call, setCall, ask, setAsk, services, setServices, isSelf, setSelf, isWhole, fields };
}

const selfApprovalWords =
  'An assistant that can show questions then asks you there. Enable this only for assistants ' +
  'that you trust: they could answer without asking you.';

export function GuardInputs({ typed }: { typed: ReturnType<typeof useGuard> }) {
  return (
    <>
      <div>
        <Group gap="md" align="flex-start">
          <CapInput
            label="Maximum credits per request"
            value={typed.call}
            onChange={typed.setCall}
          />
          <CapInput
            label="Ask me above"
            placeholder="never ask"
            value={typed.ask}
            onChange={typed.setAsk}
          />
        </Group>
        <Caption mt={4}>
          Both apply to every request of the key, by tools and REST. Above the second amount the app
          asks you. Each approval allows one request.
        </Caption>
      </div>
      <div>
        <CapInput
          label="Maximum data service credits per request"
          value={typed.services}
          onChange={typed.setServices}
        />
        <Caption mt={4}>
          At each data service, in its own credits. 0: only what is free or stored.
        </Caption>
      </div>
      <Checkbox
        label="The assistant may ask me itself"
        description={selfApprovalWords}
        checked={typed.isSelf}
        onChange={(event) => typed.setSelf(event.currentTarget.checked)}
      />
    </>
  );
}

const isRate = (rate: number | string): boolean =>
  Number.isInteger(rate) && Number(rate) >= 1 && Number(rate) <= keyRequestsPerMinuteMax;

/** The form's fields, and the resulting values: null while any field is invalid. */
function useFields(initial: Key | null) {
  const start = initial ?? usual;
  const [label, setLabel] = useState(start.label);
  const [rate, setRate] = useState<number | string>(start.requests_per_minute);
  const [day, setDay] = useState(start.cap_per_day ?? '');
  const [month, setMonth] = useState(start.cap_per_month ?? '');
  const guard = useGuard(start);
  const isWhole =
    label.trim() !== '' &&
    isRate(rate) &&
    !findCapProblem(day) &&
    !findCapProblem(month) &&
    guard.isWhole;
  const fields: KeyFields | null = isWhole
    ? {
        label: label.trim(),
        requests_per_minute: Number(rate),
        cap_per_day: readCap(day),
        cap_per_month: readCap(month),
        ...guard.fields,
      }
    : null;
  return { label, setLabel, rate, setRate, day, setDay, month, setMonth, guard, fields };
}

function LimitInputs({ typed }: { typed: ReturnType<typeof useFields> }) {
  const most = showCount(keyRequestsPerMinuteMax);
  return (
    <>
      <NumberInput
        label="Requests per minute"
        description={`1 to ${most}; ${rateLimitRequestsMax} is the default.`}
        min={1}
        max={keyRequestsPerMinuteMax}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="none"
        thousandSeparator=","
        value={typed.rate}
        error={isRate(typed.rate) ? null : `Enter a number from 1 to ${most}.`}
        onChange={typed.setRate}
      />
      <div>
        <Group gap="md" align="flex-start">
          <CapInput label="Credits per day" value={typed.day} onChange={typed.setDay} />
          <CapInput label="Credits per month" value={typed.month} onChange={typed.setMonth} />
        </Group>
        <Caption mt={4}>
          Days and months are in UTC. A running job counts with all its reserved credits, a finished
          one with its charge.
        </Caption>
      </div>
      <GuardInputs typed={typed.guard} />
    </>
  );
}

/** The form. `initial` is the key to change, null for a new one. */
export function KeyForm({
  initial,
  onSubmit,
  ...form
}: {
  initial: Key | null;
  onSubmit: (fields: KeyFields) => void;
} & Pick<DialogFormProps, 'act' | 'change' | 'failed' | 'onClose'>) {
  const typed = useFields(initial);
  const { fields } = typed;
  return (
    <DialogForm {...form} isWhole={fields !== null} onSubmit={() => fields && onSubmit(fields)}>
      <TextInput
        label="Label"
        description="What the key is for."
        placeholder="nightly import"
        data-autofocus
        maxLength={labelCharactersMax}
        value={typed.label}
        onChange={(event) => typed.setLabel(event.currentTarget.value)}
      />
      <LimitInputs typed={typed} />
    </DialogForm>
  );
}
