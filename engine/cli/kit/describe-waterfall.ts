/** Describes the order in which data services are asked, and the rules of its steps. */
import { type ProviderField, providerFieldNames } from '../../contract/provider.ts';
import type { StepRule, UserProviders } from '../../contract/providers.ts';
import { badUsage } from './refusal.ts';

/** The field of an argument. Throws bad usage. */
export function readField(text: string): ProviderField {
  const field = providerFieldNames.find((name) => name === text);
  if (field) return field;
  throw badUsage(`There is no field ${text}. Choose from ${providerFieldNames.join(', ')}.`);
}

/** A rule in the words of the options that set it; '' for a rule that accepts any answer. */
export function describeRule(rule: StepRule): string {
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

/** The providers of a field in order, each with its rule. */
export function describeOrder({ waterfall }: UserProviders, field: ProviderField): string {
  const steps = waterfall.find((one) => one.field === field)?.steps ?? [];
  const shown = steps.map(({ provider, rule }) => {
    const words = describeRule(rule);
    return words === '' ? provider : `${provider} (${words})`;
  });
  return `${field}: ${['the directory', ...shown].join(', ')}`;
}

/** The order of every field that a provider answers. */
export const describeOrders = (all: UserProviders): string[] =>
  all.waterfall.map(({ field }) => describeOrder(all, field));
