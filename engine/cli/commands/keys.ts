// `desk keys …`: the API keys of an account and what each may do.
import { parseCredits, unitsPerCredit } from '../../contract/credits.ts';
import { type Key, keys } from '../../contract/keys.ts';
import { keyRequestsPerMinuteMax } from '../../contract/limits/accounts.ts';
import { rateLimitRequestsMax } from '../../contract/limits/http-server.ts';
import { keyCapCreditsMax } from '../../contract/limits/ledger.ts';
import {
  answerOf,
  type Call,
  type Command,
  type Option,
  readOption,
  readSwitch,
  requireOption,
} from '../kit/command.ts';
import { formatAmount, formatTable } from '../kit/format-text.ts';
import { badUsage } from '../kit/refusal.ts';

const describeUse = (key: Key): string => {
  if (key.revoked_at !== null) return `revoked ${key.revoked_at}`;
  return key.last_used_at === null ? 'never used' : `last used ${key.last_used_at}`;
};

const describeSpending = (spent: string, cap: string | null, period: string): string =>
  `${formatAmount(spent)}${cap === null ? '' : ` of ${formatAmount(cap)}`} ${period}`;

/** The limits of one request: its cost, and when a person is asked. */
function describeGuard(key: Key): string {
  const cap = key.cap_per_call === null ? 'no cap' : `at most ${formatAmount(key.cap_per_call)}`;
  const ask = key.ask_above === null ? '' : `, asks above ${formatAmount(key.ask_above)}`;
  const services = key.provider_cap === 0 ? '' : `, data services: ${key.provider_cap ?? 'no cap'}`;
  return `${cap} a request${ask}${key.self_approval ? ', self-approval' : ''}${services}`;
}

const describeKey = (key: Key): string[] => [
  key.id,
  `${key.prefix}…`,
  key.label,
  `created ${key.created_at}`,
  describeUse(key),
  `${key.requests_per_minute} a minute`,
  describeSpending(key.spent_today, key.cap_per_day, 'today'),
  describeSpending(key.spent_this_month, key.cap_per_month, 'this month'),
  describeGuard(key),
];

const limitOptions: Readonly<Record<string, Option>> = {
  rate: { value: 'N', summary: `requests a minute (default: ${rateLimitRequestsMax})` },
  'cap-day': { value: 'C', summary: 'credits it may spend a day (UTC), or "none"' },
  'cap-month': { value: 'C', summary: 'credits it may spend a month (UTC), or "none"' },
  'cap-call': { value: 'C', summary: 'credits one request may cost, or "none"' },
  'ask-above': { value: 'C', summary: 'credits above which a person is asked, or "none"' },
  'provider-cap': {
    value: 'C',
    summary: 'credits of each data service one request may spend, or "none" (default: 0)',
  },
  'self-approval': { value: 'on|off', summary: 'whether its client may ask the person itself' },
};

function readRate(call: Call): number | undefined {
  const text = readOption(call, 'rate');
  if (text === undefined) return undefined;
  const rate = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (rate < 1 || rate > keyRequestsPerMinuteMax)
    throw badUsage(`--rate ${text} is out of range. Give 1 to ${keyRequestsPerMinuteMax}.`);
  return rate;
}

/** Reads a cap: undefined if it is not given, null for "none". Throws bad usage. */
function readCap(call: Call, name: string): string | null | undefined {
  const text = readOption(call, name);
  if (text === undefined) return undefined;
  if (text.toLowerCase() === 'none') return null;
  const units = parseCredits(text);
  if (units === null || units < 0 || units > keyCapCreditsMax * unitsPerCredit)
    throw badUsage(`--${name} ${text} is not a cap. Give credits such as 500, or "none".`);
  return text;
}

/** Reads --provider-cap: undefined if it is not given, null for "none". Throws bad usage. */
function readProviderCap(call: Call): number | null | undefined {
  const text = readOption(call, 'provider-cap');
  if (text === undefined) return undefined;
  if (text.toLowerCase() === 'none') return null;
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(text))
    throw badUsage(`--provider-cap ${text} is not a cap. Give credits such as 20, or "none".`);
  return Number(text);
}

/** The limits that a line gives. An undefined one is absent from the body. */
const readLimits = (call: Call) => ({
  requests_per_minute: readRate(call),
  cap_per_day: readCap(call, 'cap-day'),
  cap_per_month: readCap(call, 'cap-month'),
  cap_per_call: readCap(call, 'cap-call'),
  ask_above: readCap(call, 'ask-above'),
  self_approval: readSwitch(call, 'self-approval'),
  provider_cap: readProviderCap(call),
});

const createCommand: Command = {
  name: 'keys create',
  summary: 'Create an API key, which is shown once',
  options: {
    label: { value: 'L', summary: 'what the key is for', isRequired: true },
    ...limitOptions,
  },
  async run(call) {
    const label = requireOption(call, 'label', 'say what the key is for');
    const body = { label, ...readLimits(call) };
    const engine = await call.openEngine();
    const created = await engine.ask(keys.create, body);
    const { id, key } = created;
    call.terminal.note('Keep this key now: only its hash is stored, and it is never shown again.');
    return { json: { id, key }, lines: [key] };
  },
};

const setCommand: Command = {
  name: 'keys set',
  summary: 'Rename an API key, or change its limits from the next request on',
  args: '<ID>',
  options: { label: { value: 'L', summary: 'its new label' }, ...limitOptions },
  async run(call) {
    const change = { label: readOption(call, 'label'), ...readLimits(call) };
    if (Object.values(change).every((value) => value === undefined))
      throw badUsage(
        `Say what to change: --label or one of ${Object.keys(limitOptions)
          .map((name) => `--${name}`)
          .join(', ')}.`,
      );
    const [id = ''] = call.positionals;
    return answerOf(call, keys.change, { id, ...change }, (key) => formatTable([describeKey(key)]));
  },
};

export const keyCommands: readonly Command[] = [
  createCommand,
  {
    name: 'keys list',
    summary: 'List the API keys of an account, with their limits and spending',
    async run(call) {
      const engine = await call.openEngine();
      const listed = await engine.ask(keys.list);
      const rows = listed.map(describeKey);
      return { json: listed, lines: rows.length ? formatTable(rows) : ['No key yet.'] };
    },
  },
  setCommand,
  {
    name: 'keys revoke',
    summary: 'Revoke an API key at once',
    args: '<ID>',
    async run(call) {
      const [id = ''] = call.positionals;
      return answerOf(call, keys.revoke, { id }, (key) => [
        `Key "${key.label}" (${key.prefix}…) is revoked.`,
      ]);
    },
  },
];
