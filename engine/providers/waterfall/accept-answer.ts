/** When an answer meets the rule of its step, and for which rows a step is asked. */
import type { EmailStatus } from '../../contract/jobs/job.ts';
import type { FieldHit, FieldTerms, ProviderRow } from '../../contract/provider.ts';
import type { StepRule } from '../../contract/providers.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import { emailDomain } from '../../directory/normalize/normalize-email.ts';

const badStatuses: readonly EmailStatus[] = ['invalid', 'disposable'];
const dayMs = 86_400_000;

const isOlder = (at: string, days: number, now: Date): boolean =>
  now.getTime() - Date.parse(at) > days * dayMs;

/** Whether a value is accepted. */
export function meetsRule(hit: FieldHit, fetchedAt: string, rule: StepRule, now: Date): boolean {
  const { confidence, observedOn } = hit;
  // What a verifier says about an address is always an answer.
  const hasEmail = 'email' in hit.values;
  const status = hasEmail ? hit.status : undefined;
  const { statuses, confidence_min: confidenceMin = 0, age_days_max: daysMax } = rule;
  if (status && (statuses ? !statuses.includes(status) : badStatuses.includes(status)))
    return false;
  // A rule that names statuses refuses an email without one.
  if (statuses && !status && hasEmail) return false;
  if (confidence !== null && confidence < confidenceMin) return false;
  return daysMax === undefined || !isOlder(observedOn ?? fetchedAt, daysMax, now);
}

/** Whether an answer was fetched so long ago that the rule asks for a newer one. */
export const isStale = (fetchedAt: string, rule: StepRule, now: Date): boolean =>
  rule.age_days_max !== undefined && isOlder(fetchedAt, rule.age_days_max, now);

const domainOf = (row: ProviderRow): string =>
  (row.company_domain ?? emailDomain(row.email ?? '')).trim().toLowerCase();

/** Whether a step is asked for a row, apart from `only_if_missing`. */
export function appliesTo(rule: StepRule, row: ProviderRow): boolean {
  const { only_countries: countries, only_domains: domains } = rule;
  const code = countryCode(row.country ?? '');
  if (countries && !(code && countries.some((one) => one.toUpperCase() === code))) return false;
  const domain = domainOf(row);
  return (
    !domains ||
    domains.some((one) => domain === one.toLowerCase() || domain.endsWith(`.${one.toLowerCase()}`))
  );
}

/** Whether a row has what a field needs. */
export const hasNeeds = ({ needs }: FieldTerms, row: ProviderRow): boolean =>
  needs.some((names) => names.every((name) => (row[name] ?? '').trim() !== ''));
