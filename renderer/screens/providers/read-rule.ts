/** Between a rule and what the fields of its form hold. */
import type { EmailStatus } from '../../../engine/contract/jobs/job.ts';
import type { ProviderField } from '../../../engine/contract/provider.ts';
import { type StepRule, StepRuleSchema } from '../../../engine/contract/providers.ts';
import { usualStatuses } from './rule-words.ts';

/** What the fields hold. */
export interface TypedRule {
  readonly statuses: readonly EmailStatus[];
  /** In percent. */
  readonly confidence: string;
  readonly days: string;
  readonly missing: readonly ProviderField[];
  readonly countries: string;
  readonly domains: string;
}

/** The rule in the fields. Without statuses, those that are accepted then. */
export const showRule = (rule: StepRule): TypedRule => ({
  statuses: rule.statuses ?? usualStatuses,
  confidence:
    rule.confidence_min === undefined ? '' : String(Math.round(rule.confidence_min * 10_000) / 100),
  days: String(rule.age_days_max ?? ''),
  missing: rule.only_if_missing ?? [],
  countries: (rule.only_countries ?? []).join(', '),
  domains: (rule.only_domains ?? []).join(', '),
});

const splitList = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');

/** Why a field cannot be sent, by its name. */
export type RuleFaults = Partial<Record<keyof TypedRule, string>>;

/** Says which fields cannot be sent. */
export function findRuleFaults(typed: TypedRule): RuleFaults {
  const confidence = typed.confidence.trim();
  const days = typed.days.trim();
  const isShare = /^\d{1,3}(\.\d{1,2})?$/.test(confidence) && Number(confidence) <= 100;
  const isOtherCode = (code: string) => !/^[a-z]{2}$/i.test(code);
  const isOtherDomain = (domain: string) => !/^[\p{L}\p{N}]([\p{L}\p{N}.-]*)$/u.test(domain);
  return {
    ...(typed.statuses.length === 0 && { statuses: 'Select at least one.' }),
    ...(confidence !== '' && !isShare && { confidence: 'Enter 0 to 100, or leave this empty.' }),
    ...(days !== '' &&
      !/^[1-9]\d{0,4}$/.test(days) && {
        days: 'Enter a whole number of days, or leave this empty.',
      }),
    ...(splitList(typed.countries).some(isOtherCode) && {
      countries: 'Enter codes of two letters, such as FR, DE.',
    }),
    ...(splitList(typed.domains).some(isOtherDomain) && {
      domains: 'Enter domains or their endings, such as acme.com, fr.',
    }),
  };
}

const isUsual = (statuses: readonly EmailStatus[]): boolean =>
  statuses.length === usualStatuses.length &&
  statuses.every((status) => usualStatuses.includes(status));

/** The rule of fields without faults. The usual statuses are no rule. */
export function readRule(typed: TypedRule): StepRule {
  const countries = splitList(typed.countries).map((code) => code.toUpperCase());
  const domains = splitList(typed.domains).map((domain) => domain.toLowerCase());
  const { confidence, days, missing, statuses } = typed;
  return StepRuleSchema.parse({
    ...(!isUsual(statuses) && { statuses }),
    ...(confidence.trim() !== '' && { confidence_min: Number(confidence) / 100 }),
    ...(days.trim() !== '' && { age_days_max: Number(days) }),
    ...(missing.length > 0 && { only_if_missing: missing }),
    ...(countries.length > 0 && { only_countries: countries }),
    ...(domains.length > 0 && { only_domains: domains }),
  });
}
