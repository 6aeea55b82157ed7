// The rule of a step in words.
import { type EmailStatus, emailStatuses } from '../../../engine/contract/jobs/job.ts';
import type { StepRule } from '../../../engine/contract/providers.ts';
import { countOf, showShare } from '../../components/numbers.ts';
import { providerFieldLabels } from './provider-words.ts';

export const statusWords: Readonly<Record<EmailStatus, string>> = {
  valid: 'Valid',
  invalid: 'Invalid',
  catch_all: 'Catch-all',
  disposable: 'Disposable',
  role: 'Role mailbox',
  unknown: 'Unknown',
};

/** The statuses that a rule without any accepts. */
export const usualStatuses: readonly EmailStatus[] = emailStatuses.filter(
  (status) => status !== 'invalid' && status !== 'disposable',
);

const listWords = (words: readonly string[]): string => words.join(', ').toLowerCase();

/** "Only valid, catch-all; at least 80 % sure"; '' for a rule that accepts any answer. */
export function describeRule({
  statuses,
  confidence_min: confidence,
  age_days_max: days,
  only_if_missing: fields,
  only_countries: countries,
  only_domains: domains,
}: StepRule): string {
  return [
    statuses && `only ${listWords(statuses.map((status) => statusWords[status]))}`,
    confidence !== undefined && `at least ${showShare(confidence)} sure`,
    days !== undefined && `at most ${countOf(days, 'day')} old`,
    fields && `only without ${listWords(fields.map((field) => providerFieldLabels[field]))}`,
    countries && `only in ${countries.join(', ')}`,
    domains && `only at ${domains.join(', ')}`,
  ]
    .filter(Boolean)
    .join('; ');
}
