// `desk providers add`, `set`, `status`, … : your accounts at data services.
import {
  type KeyPlace,
  type ProviderChange,
  type ProviderLog,
  providerCalls,
  type RequestDecision,
  type UserProvider,
  type UserProviders,
} from '../../contract/providers.ts';
import { answerOf, type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import { formatCount, formatNumber, formatTable } from '../kit/format-text.ts';
import { readBefore } from '../kit/read-limit.ts';
import { badUsage, exitCodes } from '../kit/refusal.ts';
import { describeOrders, readProviderId } from './provider-order.ts';

type LoggedRequest = ProviderLog['requests'][number];

const idOf = (call: Call): string => readProviderId(call.positionals[0] ?? '');

function requireProvider({ providers }: UserProviders, id: string): UserProvider {
  const found = providers.find((one) => one.id === id);
  if (!found) throw badUsage(`There is no provider ${id}. See desk providers list.`);
  return found;
}

/** Credits of a service: "1 credit", "0.25 credits". */
const countCredits = (credits: number): string =>
  `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

const describeSpent = (period: string, spent: number, cap: number | null): string =>
  cap === null ? `${period} ${spent}` : `${period} ${spent} of ${cap}`;

const keyWords: Readonly<Record<KeyPlace, string>> = {
  keychain: 'key in the keychain',
  file: 'key sealed by engine.key',
  missing: 'key missing',
  unavailable: 'keychain locked',
};

function adviseOnKeys(providers: readonly UserProvider[]): string[] {
  const at = (place: KeyPlace) => providers.filter(({ key_place }) => key_place === place);
  const names = (place: KeyPlace) => at(place).map(({ id }) => id);
  return [
    ...names('missing').map(
      (id) => `The key of ${id} is not on this machine. Enter it again: desk providers add ${id}`,
    ),
    ...(names('unavailable').length > 0
      ? [
          'The keychain is locked or does not respond. Unlock it. Until then, no request is sent ' +
            `to ${names('unavailable').join(', ')}.`,
        ]
      : []),
    ...(names('file').length > 0
      ? [
          `No keychain is used, so the keys of ${names('file').join(', ')} are in engine.db, ` +
            'sealed by engine.key. Keep the data folder private.',
        ]
      : []),
  ];
}

function describeState(provider: UserProvider): string[] {
  const { id, is_on: isOn, has_key: hasKey, origin, caps, spend, balance, breaker } = provider;
  const { key_place: keyPlace, price, repeats_uncertain: repeats } = provider;
  const isUsable = hasKey || origin === 'built_in';
  const [note] = provider.notes;
  return [
    id,
    isUsable ? (isOn ? 'on' : 'off') : 'no key',
    keyPlace ? keyWords[keyPlace] : '',
    describeSpent('today', spend.today, caps.day),
    describeSpent('month', spend.month, caps.month),
    caps.job === null ? 'no job cap' : `job cap ${caps.job}`,
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
  const advice = adviseOnKeys([provider]);
  return {
    json: provider,
    lines: [...advice, ...lines, ...formatTable([describeState(provider)])],
  };
};

function describePlace({ engine }: UserProvider): string[] {
  if (!engine || engine.place === 'internet') return [];
  const where = engine.place === 'this_machine' ? 'on this machine' : 'on a private network';
  return [`${engine.address} is ${where}.`];
}

const addCommand: Command = {
  name: 'providers add',
  summary: 'Store your key for a data service; the service stays off until you switch it on',
  args: '<NAME>',
  options: {
    address: { value: 'URL', summary: 'the address of another Enrichment Desk; only for desk' },
    local: { summary: 'its host name may have an address of a private network' },
  },
  notes: [
    "The key is read from standard input, stored in the system's keychain, and never shown again.",
    'With --address, the prices of the other engine are read with the key.',
  ],
  async run(call) {
    const id = call.positionals[0] ?? '';
    const address = readOption(call, 'address');
    if (call.values.local && address === undefined) throw badUsage('Give --local with --address.');
    const key = (await call.terminal.readSecret(`Your key at ${id}: `)).trim();
    if (key === '')
      throw badUsage('Send the key on standard input, such as: desk providers add NAME < key.txt');
    const engine = await call.openEngine();
    const all = await engine.ask(providerCalls.setKey, {
      id,
      key,
      ...(address !== undefined && { address }),
      ...(call.values.local && { is_local: true }),
    });
    const place = describePlace(requireProvider(all, id));
    return answerWith(all, id, ...place, `Switch it on with: desk providers set ${id} --on`);
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
    const all = await engine.ask(providerCalls.change, { id, ...change });
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
    const all = await engine.ask(providerCalls.list);
    const shown = all.providers.filter((one) => one.has_key || one.is_on);
    const empty = 'No data service has a key. Add one with: desk providers add NAME';
    const rows = formatTable(shown.map(describeState));
    const lines =
      shown.length === 0 ? [empty] : [...rows, ...describeOrders(all), ...adviseOnKeys(shown)];
    return { json: all, lines };
  },
};

const removeCommand: Command = {
  name: 'providers remove',
  summary: 'Remove the key and the settings of a data service, and a definition of your own',
  args: '<NAME>',
  notes: ['Its answers stay until desk providers forget NAME, and its requests stay in the log.'],
  async run(call) {
    const engine = await call.openEngine();
    const all = await engine.ask(providerCalls.remove, { id: idOf(call) });
    const { keys_to_delete: left } = all;
    const locked =
      'The keychain is locked or does not respond. ' +
      `${formatNumber(left, 'removed key')} will be deleted from it when it responds again.`;
    return {
      json: all,
      lines: [
        ...(left > 0 ? [locked] : []),
        `The key and the settings of ${call.positionals[0]} are removed.`,
      ],
    };
  },
};

const forgetCommand: Command = {
  name: 'providers forget',
  summary: 'Delete every stored answer of a data service',
  args: '<NAME>',
  notes: ['Results of jobs keep their values. Later jobs pay again for what is deleted.'],
  run: (call) =>
    answerOf(call, providerCalls.forget, { id: idOf(call) }, (forgotten) => [
      `${formatNumber(forgotten.deleted, 'answer')} deleted.`,
    ]),
};

function describeRequest(request: LoggedRequest): string[] {
  const { at, provider, rows, fields, state, cost, cost_max: costMax, detail } = request;
  const paid = cost === null ? `up to ${countCredits(costMax)}` : countCredits(cost);
  const counted = formatNumber(rows, 'row');
  return [at, provider, counted, fields.join(','), state, paid, detail ?? ''];
}

const logCommand: Command = {
  name: 'providers log',
  summary: 'List the latest requests to data services: time, rows, fields and cost',
  options: { before: { value: 'ID', summary: 'only requests before this id of --json' } },
  async run(call) {
    const before = readBefore(call);
    const engine = await call.openEngine();
    const log = await engine.ask(providerCalls.log, { before });
    const more = log.next === null ? [] : [`More: desk providers log --before ${log.next}`];
    const rows = formatTable(log.requests.map(describeRequest));
    const lines = rows.length ? [...rows, ...more] : ['No request has been sent yet.'];
    return { json: log, lines };
  },
};

function describeHint({ uncertain }: LoggedRequest): string {
  const balance = uncertain?.balance;
  if (!balance) return 'the balance was not read';
  const { before, fell_by: fell, other_requests: others } = balance;
  if (!before || fell === null) return `the balance is ${balance.after.credits}`;
  const change = fell < 0 ? `rose by ${-fell}` : `fell by ${fell}`;
  const shared = others === 0 ? '' : `, with ${formatNumber(others, 'other request')} in between`;
  return `the balance ${change} since ${before.read_at}${shared}`;
}

/** The decision of the options; null if there is none. Throws bad usage. */
function readDecision(call: Call): RequestDecision | null {
  const charged = readOption(call, 'charged');
  const isFree = call.values['not-charged'] === true;
  if (charged !== undefined && isFree) throw badUsage('Give --charged or --not-charged, not both.');
  if (isFree) return { outcome: 'not_charged' };
  if (charged === undefined) return null;
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(charged))
    throw badUsage(`--charged is ${charged}, but must be a number of credits such as 3.`);
  return { outcome: 'charged', credits: Number(charged) };
}

async function listUncertain(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const log = await engine.ask(providerCalls.log, { state: 'uncertain' });
  const rows = log.requests.map((request) => [
    String(request.id),
    request.at,
    request.provider,
    formatNumber(request.rows, 'row'),
    `up to ${countCredits(request.uncertain?.cost_max ?? 0)}`,
    describeHint(request),
  ]);
  const empty = 'No request has an unknown outcome.';
  return { json: log, lines: rows.length ? formatTable(rows) : [empty] };
}

const uncertainCommand: Command = {
  name: 'providers uncertain',
  summary: 'List requests with an unknown outcome, or decide about one of them',
  args: '[ID]',
  options: {
    charged: { value: 'CREDITS', summary: 'the service charged this for it' },
    'not-charged': { summary: 'the service charged nothing: later jobs ask again' },
  },
  notes: [
    'Compare the balance at the service. A later decision replaces the cost of an earlier one.',
  ],
  async run(call) {
    const [id] = call.positionals;
    const decision = readDecision(call);
    if (id === undefined && decision === null) return listUncertain(call);
    if (id === undefined || !/^[1-9]\d{0,14}$/.test(id))
      throw badUsage('Give the id of a request. See desk providers uncertain.');
    if (decision === null) throw badUsage('Give --charged CREDITS or --not-charged.');
    const engine = await call.openEngine();
    const decided = await engine.ask(providerCalls.decide, { id: Number(id), ...decision });
    const next = decision.outcome === 'charged' ? 'It counts as a miss' : 'Later jobs ask again';
    const lines = [
      `Request ${id} to ${decided.provider} cost ${countCredits(decided.cost ?? 0)}. ${next}.`,
    ];
    return { json: decided, lines };
  },
};

export async function testStored(call: Call): Promise<Outcome> {
  const engine = await call.openEngine();
  const tested = await engine.ask(providerCalls.test, { id: idOf(call) });
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

export const providerSettingCommands: readonly Command[] = [
  addCommand,
  setCommand,
  statusCommand,
  removeCommand,
  forgetCommand,
  logCommand,
  uncertainCommand,
];
