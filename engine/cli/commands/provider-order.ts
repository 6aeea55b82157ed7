// `desk providers order` and `rule`: which data service is asked, and when its answer counts.
import { providerIdPattern } from '../../contract/ids.ts';
import { emailStatuses } from '../../contract/jobs/job.ts';
import { type ProviderField, providerFieldNames } from '../../contract/provider.ts';
import {
  providerCalls,
  type StepRule,
  StepRuleSchema,
  type UserProviders,
} from '../../contract/providers.ts';
import { type Call, type Command, readOption } from '../kit/command.ts';
import { badUsage } from '../kit/refusal.ts';

function readField(text: string): ProviderField {
  const field = providerFieldNames.find((name) => name === text);
  if (field) return field;
  throw badUsage(`There is no field ${text}. Choose from ${providerFieldNames.join(', ')}.`);
}

/** The id of a data service as typed. Throws bad usage for what no service can be called. */
export function readProviderId(text: string): string {
  if (providerIdPattern.test(text)) return text;
  throw badUsage(`"${text}" is not the name of a data service. See desk providers list.`);
}

/** A rule in the words of the options that set it; '' for a rule that accepts any answer. */
function describeRule(rule: StepRule): string {
  const parts: [string, string | number | readonly string[] | undefined][] = [
    ['status', rule.statuses],
    ['confidence', rule.confidence_min],
    ['age', rule.age_days_max],
    ['only-if-missing', rule.only_if_missing],
    ['countries', rule.only_countries],
    ['domains', rule.only_domains],
  ];
  return parts
    .flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${String(value)}`]))
    .join(' ');
}

function describeOrder({ waterfall }: UserProviders, field: ProviderField): string {
  const steps = waterfall.find((one) => one.field === field)?.steps ?? [];
  const shown = steps.map(({ provider, rule }) => {
    const words = describeRule(rule);
    return words === '' ? provider : `${provider} (${words})`;
  });
  return `${field}: ${['the directory', ...shown].join(', ')}`;
}

export const describeOrders = (all: UserProviders): string[] =>
  all.waterfall.map(({ field }) => describeOrder(all, field));

const fieldNote = `FIELD is one of ${providerFieldNames.join(', ')}.`;

const orderCommand: Command = {
  name: 'providers order',
  summary: 'Show or set the data services that are asked for a field, after the directory',
  args: '[FIELD] [NAME...]',
  notes: [
    fieldNote,
    'Without a NAME, the order is shown. With "none" in place of names, no service is asked.',
  ],
  async run(call) {
    const [text, ...names] = call.positionals;
    const field = text === undefined ? null : readField(text);
    const ids = names.join() === 'none' ? [] : names;
    const steps = ids.map((id) => ({ provider: readProviderId(id) }));
    const engine = await call.openEngine();
    const all =
      field === null || names.length === 0
        ? await engine.ask(providerCalls.list)
        : await engine.ask(providerCalls.order, { field, steps });
    const lines = field === null ? describeOrders(all) : [describeOrder(all, field)];
    const empty = ['No data service has a key. Add one with: desk providers add NAME'];
    return { json: all.waterfall, lines: lines.length > 0 ? lines : empty };
  },
};

const ruleOptions = {
  status: {
    value: 'STATUSES',
    summary: `accept an email only with one of these: ${emailStatuses.join(', ')}`,
  },
  confidence: { value: 'SHARE', summary: 'accept an answer from this confidence, 0 to 1' },
  age: { value: 'DAYS', summary: 'accept an answer that was observed within these days' },
  'only-if-missing': { value: 'FIELDS', summary: 'ask only if none of these fields was found' },
  countries: { value: 'CODES', summary: 'ask only for rows of these countries, such as FR,DE' },
  domains: { value: 'DOMAINS', summary: 'ask only for these domains or endings, such as fr' },
} as const;
type RuleOption = keyof typeof ruleOptions;

const splitList = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');

const readers: Readonly<
  Record<RuleOption, readonly [read: (text: string) => object, accepts: string]>
> = {
  status: [(text) => ({ statuses: splitList(text) }), emailStatuses.join(', ')],
  confidence: [(text) => ({ confidence_min: Number(text) }), 'a number from 0 to 1'],
  age: [(text) => ({ age_days_max: Number(text) }), 'a whole number of days, such as 90'],
  'only-if-missing': [
    (text) => ({ only_if_missing: splitList(text) }),
    providerFieldNames.join(', '),
  ],
  countries: [
    (text) => ({ only_countries: splitList(text.toUpperCase()) }),
    'codes of two letters, such as FR,DE',
  ],
  domains: [(text) => ({ only_domains: splitList(text.toLowerCase()) }), 'domains, such as fr'],
};

/** The rule with the options of the call; null without any. Throws bad usage. */
function readRule(call: Call, before: StepRule): StepRule | null {
  const names = Object.keys(ruleOptions) as RuleOption[];
  const given = names.filter((name) => readOption(call, name) !== undefined);
  if (given.length === 0) return null;
  let rule: object = before;
  for (const name of given) {
    const text = readOption(call, name) ?? '';
    const [read, accepts] = readers[name];
    const part = read(text);
    const removed = Object.fromEntries(Object.keys(part).map((key) => [key, undefined]));
    if (text !== 'none' && !StepRuleSchema.safeParse(part).success)
      throw badUsage(`--${name} ${text} is no rule. Give ${accepts}, or none.`);
    rule = { ...rule, ...(text === 'none' ? removed : part) };
  }
  return StepRuleSchema.parse(JSON.parse(JSON.stringify(rule)));
}

function requireSteps({ waterfall }: UserProviders, field: string, id: string) {
  const steps = waterfall.find((one) => one.field === field)?.steps ?? [];
  const step = steps.find(({ provider }) => provider === id);
  if (step) return { steps, step };
  throw badUsage(`${id} is not asked for ${field}. See desk providers order.`);
}

const ruleCommand: Command = {
  name: 'providers rule',
  summary: 'Show or set for which rows a data service is asked, and which answers are accepted',
  args: '<FIELD> <NAME>',
  options: ruleOptions,
  notes: [
    fieldNote,
    'Options that are not given stay as they are; "none" removes one. Without options, the rule ' +
      'is shown.',
  ],
  async run(call) {
    const [text = '', id = ''] = call.positionals;
    const field = readField(text);
    const engine = await call.openEngine();
    const all = await engine.ask(providerCalls.list);
    const { steps, step } = requireSteps(all, field, id);
    const rule = readRule(call, step.rule);
    if (rule)
      await engine.ask(providerCalls.order, {
        field,
        steps: steps.map(({ provider }) => (provider === id ? { provider, rule } : { provider })),
      });
    const words = describeRule(rule ?? step.rule) || 'any answer that is not known to be bad';
    return { json: rule ?? step.rule, lines: [`${field}, ${id}: ${words}`] };
  },
};

export const providerOrderCommands: readonly Command[] = [orderCommand, ruleCommand];
