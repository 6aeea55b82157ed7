/** `desk providers add`, `set`, `status`, … : your accounts at data services. */
import {
  ForgottenAnswersSchema,
  type ProviderChange,
  type ProviderLog,
  ProviderLogSchema,
  ProviderTestSchema,
  type UserProvider,
  type UserProviders,
  UserProvidersSchema,
} from '../../contract/providers.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import { formatCount, formatNumber, formatTable } from '../kit/format-text.ts';
import { badUsage, exitCodes } from '../kit/refusal.ts';
import { describeOrders } from './provider-order.ts';

const pathOf = (call: Call): string => `providers/${encodeURIComponent(call.positionals[0] ?? '')}`;

function requireProvider({ providers }: UserProviders, id: string): UserProvider {
  const found = providers.find((one) => one.id === id);
  if (!found) throw badUsage(`There is no provider ${id}. See desk providers list.`);
  return found;
}

const credits = (amount: number | null): string => (amount === null ? 'none' : String(amount));

/** A line of the list: id, state, spend against caps, balance, what keeps it from answering. */
function describeState(provider: UserProvider): string[] {
  const { id, is_on: isOn, has_key: hasKey, origin, caps, spend, balance, breaker } = provider;
  const { price, repeats_uncertain: repeats } = provider;
  const isUsable = hasKey || origin === 'built_in';
  const [note] = provider.notes;
  return [
    id,
    isUsable ? (isOn ? 'on' : 'off') : 'no key',
    `today ${spend.today} of ${credits(caps.day)}`,
    `month ${spend.month} of ${credits(caps.month)}`,
    `job cap ${credits(caps.job)}`,
    balance ? `balance ${balance.credits}` : 'balance unknown',
    price ? `${price.per_credit} ${price.currency} a credit` : 'no price',
    [
      repeats ? 'repeats uncertain.' : '',
      breaker.state === 'closed' ? (note?.detail ?? '') : 'paused after failures',
    ]
      .filter(Boolean)
      .join(' '),
  ];
}

/** The keys and answers of providers that were ever set up, or the named one. */
const answerWith = (all: UserProviders, id: string, ...lines: string[]): Outcome => {
  const provider = requireProvider(all, id);
  return { json: provider, lines: [...lines, ...formatTable([describeState(provider)])] };
};

const addCommand: Command = {
  name: 'providers add',
  summary: 'Store your key at a data service; the service stays off until you switch it on',
  args: '<NAME>',
  notes: ['The key is read from standard input. It is sealed, and never shown again.'],
  async run(call) {
    const id = call.positionals[0] ?? '';
    const key = (await call.terminal.readSecret(`Your key at ${id}: `)).trim();
    if (key === '')
      throw badUsage('Send the key on standard input, such as: desk providers add NAME < key.txt');
    const engine = await call.openEngine();
    const path = `${pathOf(call)}/key`;
    const all = await engine.request(UserProvidersSchema, 'PUT', path, { key });
    return answerWith(all, id, `Switch it on with: desk providers set ${id} --on`);
  },
};

/** The credits or the price of an option, or null for "none". Throws bad usage. */
function readAmount(call: Call, name: string): number | null | undefined {
  const text = readOption(call, name);
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(text))
    throw badUsage(`--${name} is ${text}, but must be a number such as 200 or 0.05, or none.`);
  return Number(text);
}

/** The price of a credit, null for none. Throws bad usage. */
function readPrice(call: Call): ProviderChange['price'] {
  const amount = readAmount(call, 'price');
  const currency = readOption(call, 'currency')?.toUpperCase();
  if (amount === undefined && currency !== undefined)
    throw badUsage('--currency needs --price: what one credit costs in it.');
  if (amount === undefined || amount === null) return amount;
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency))
    throw badUsage('--price needs --currency with three letters, such as EUR.');
  return { per_credit: amount, currency };
}

/** Whether unknown outcomes are asked again. Throws bad usage. */
function readRepeats(call: Call): boolean | undefined {
  const text = readOption(call, 'repeat-uncertain');
  if (text === undefined) return undefined;
  if (text === 'on' || text === 'off') return text === 'on';
  throw badUsage(`--repeat-uncertain is ${text}, but must be on or off.`);
}

function readCaps(call: Call): NonNullable<ProviderChange['caps']> {
  const given = { job: 'cap-job', day: 'cap-day', month: 'cap-month' } as const;
  return Object.fromEntries(
    Object.entries(given).flatMap(([what, name]) => {
      const cap = readAmount(call, name);
      return cap === undefined ? [] : [[what, cap]];
    }),
  );
}

function readChange(call: Call): ProviderChange {
  const { on, off } = call.values;
  if (on && off) throw badUsage('Give --on or --off, not both.');
  const caps = readCaps(call);
  const price = readPrice(call);
  const repeats = readRepeats(call);
  const change: ProviderChange = {
    ...(on && { is_on: true }),
    ...(off && { is_on: false }),
    ...(Object.keys(caps).length > 0 && { caps }),
    ...(price !== undefined && { price }),
    ...(repeats !== undefined && { repeats_uncertain: repeats }),
  };
  if (Object.keys(change).length === 0)
    throw badUsage(
      'Say what to change: --on, --off, --cap-job, --cap-day, --cap-month, --price or ' +
        '--repeat-uncertain.',
    );
  return change;
}

const setCommand: Command = {
  name: 'providers set',
  summary: 'Switch a data service on or off, cap what it may cost, and set the price of a credit',
  args: '<NAME>',
  options: {
    on: { summary: 'ask it for what the directory does not know' },
    off: { summary: 'send nothing to it' },
    'cap-job': { value: 'CREDITS', summary: 'the most that one job may cost there, or none' },
    'cap-day': { value: 'CREDITS', summary: 'the most that a day (UTC) may cost, or none' },
    'cap-month': { value: 'CREDITS', summary: 'the most that a month (UTC) may cost, or none' },
    price: { value: 'AMOUNT', summary: 'what one credit costs, to show money, or none' },
    currency: { value: 'CODE', summary: 'the currency of --price, such as EUR' },
    'repeat-uncertain': {
      value: 'on|off',
      summary: 'whether later jobs ask again after an unknown outcome, and may pay twice',
    },
  },
  notes: [
    'Credits are those of the service. --on lists the columns that are sent and the hosts that ' +
      'receive them.',
  ],
  async run(call) {
    const change = readChange(call);
    const id = call.positionals[0] ?? '';
    const engine = await call.openEngine();
    const all = await engine.request(UserProvidersSchema, 'PATCH', pathOf(call), change);
    const { sends, hosts } = requireProvider(all, id);
    const sent = `Rows without a match are sent to ${hosts.join(', ')}: ${sends.join(', ')}.`;
    return answerWith(all, id, ...(change.is_on && hosts.length > 0 ? [sent] : []));
  },
};

const statusCommand: Command = {
  name: 'providers status',
  summary: 'Show the data services with a key: state, spend, caps, balance and order',
  async run(call) {
    const engine = await call.openEngine();
    const all = await engine.request(UserProvidersSchema, 'GET', 'providers');
    const shown = all.providers.filter((one) => one.has_key || one.is_on);
    const empty = 'No data service has a key. Add one with: desk providers add NAME';
    const rows = formatTable(shown.map(describeState));
    return { json: all, lines: shown.length === 0 ? [empty] : [...rows, ...describeOrders(all)] };
  },
};

const removeCommand: Command = {
  name: 'providers remove',
  summary: 'Remove the key and the settings of a data service, and a definition of your own',
  args: '<NAME>',
  notes: ['Its answers stay until desk providers forget NAME, and its requests stay in the log.'],
  async run(call) {
    const engine = await call.openEngine();
    const all = await engine.request(UserProvidersSchema, 'DELETE', pathOf(call));
    return {
      json: all,
      lines: [`The key and the settings of ${call.positionals[0]} are removed.`],
    };
  },
};

const forgetCommand: Command = {
  name: 'providers forget',
  summary: 'Delete every stored answer of a data service',
  args: '<NAME>',
  notes: ['Results of jobs keep their values. Later jobs pay again for what is deleted.'],
  async run(call) {
    const engine = await call.openEngine();
    const path = `${pathOf(call)}/forget`;
    const forgotten = await engine.request(ForgottenAnswersSchema, 'POST', path);
    return { json: forgotten, lines: [`${formatNumber(forgotten.deleted, 'answer')} deleted.`] };
  },
};

function describeRequest(request: ProviderLog['requests'][number]): string[] {
  const { at, provider, rows, fields, state, cost, cost_max: costMax } = request;
  const paid = cost === null ? `up to ${costMax} credits` : `${cost} credits`;
  return [at, provider, formatNumber(rows, 'row'), fields.join(','), state, paid];
}

const logCommand: Command = {
  name: 'providers log',
  summary: 'List the latest requests to data services: time, rows, fields and cost',
  options: { before: { value: 'ID', summary: 'only requests before this id of --json' } },
  async run(call) {
    const before = readOption(call, 'before');
    if (before !== undefined && !/^[1-9]\d{0,14}$/.test(before))
      throw badUsage(`--before is ${before}, but must be the id of a request.`);
    const query = before === undefined ? '' : `?before=${before}`;
    const engine = await call.openEngine();
    const log = await engine.request(ProviderLogSchema, 'GET', `provider-log${query}`);
    const more = log.next === null ? [] : [`More: desk providers log --before ${log.next}`];
    const rows = formatTable(log.requests.map(describeRequest));
    return { json: log, lines: rows.length ? [...rows, ...more] : ['No request was sent yet.'] };
  },
};

/** Tests a data service with its stored key, in the engine. */
export async function testStored(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const tested = await engine.request(ProviderTestSchema, 'POST', `${pathOf(call)}/test`);
  const rows = tested.checks.map(({ assumption, is_ok: isOk, detail }) => [
    isOk ? 'ok' : 'wrong',
    [assumption, detail].filter((text) => text !== '').join(' '),
  ]);
  const passed = tested.checks.filter(({ is_ok: isOk }) => isOk).length;
  return {
    exitCode: passed === tested.checks.length ? exitCodes.done : exitCodes.failed,
    json: tested,
    lines: [
      ...formatTable(rows),
      `${formatCount(passed)} of ${formatNumber(rows.length, 'check')} passed.`,
    ],
  };
}

/** `desk providers add`, `set`, `status`, `remove`, `forget` and `log`. */
export const providerSettingCommands: readonly Command[] = [
  addCommand,
  setCommand,
  statusCommand,
  removeCommand,
  forgetCommand,
  logCommand,
];
