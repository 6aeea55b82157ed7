// Decides for one row which fields have an accepted answer, and which provider is asked next for
// each of the others. It only reads: the caller asks, stores what was answered, and plans again
// until nothing is left to ask.
import type { EmailStatus } from '../../contract/jobs/job.ts';
import { missKeptDays } from '../../contract/limits/waterfall.ts';
import {
  type FieldHit,
  type FieldTerms,
  type ProviderField,
  type ProviderRow,
  type ProviderTerms,
  providerFieldNames,
} from '../../contract/provider.ts';
import type { StepRule } from '../../contract/providers.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import { emailDomain } from '../../directory/normalize/normalize-email.ts';
import { findShared } from './cost-terms.ts';
import type { StoredAnswer } from './provider-answer.table.ts';
import type { ProviderSetting, ProviderStep } from './provider-setting.table.ts';

const badStatuses: readonly EmailStatus[] = ['invalid', 'disposable'];
const dayMs = 86_400_000;

const isOlder = (at: string, days: number, now: Date): boolean =>
  now.getTime() - Date.parse(at) > days * dayMs;

function meetsRule(hit: FieldHit, fetchedAt: string, rule: StepRule, now: Date): boolean {
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
const isStale = (fetchedAt: string, rule: StepRule, now: Date): boolean =>
  rule.age_days_max !== undefined && isOlder(fetchedAt, rule.age_days_max, now);

const domainOf = (row: ProviderRow): string =>
  (row.company_domain ?? emailDomain(row.email ?? '')).trim().toLowerCase();

/** Whether a step is asked for a row, apart from `only_if_missing`. */
function appliesTo(rule: StepRule, row: ProviderRow): boolean {
  const { only_countries: countries, only_domains: domains } = rule;
  const code = countryCode(row.country ?? '');
  if (countries && !(code && countries.some((one) => one.toUpperCase() === code))) return false;
  const domain = domainOf(row);
  return (
    !domains ||
    domains.some((one) => domain === one.toLowerCase() || domain.endsWith(`.${one.toLowerCase()}`))
  );
}

const hasNeeds = ({ needs }: FieldTerms, row: ProviderRow): boolean =>
  needs.some((names) => names.every((name) => (row[name] ?? '').trim() !== ''));

export interface WaterfallOrder {
  readonly terms: ReadonlyMap<string, ProviderTerms>;
  readonly settings: ReadonlyMap<string, ProviderSetting>;
  /** Steps of providers that are on and answer the field, in order. */
  readonly steps: readonly ProviderStep[];
}

export interface AcceptedAnswer {
  readonly provider: string;
  readonly hit: FieldHit;
  readonly fetchedAt: string;
}

export interface PlannedAsk {
  readonly provider: string;
  readonly fields: readonly ProviderField[];
  /** The row, completed with accepted values. */
  readonly row: ProviderRow;
}

export interface PersonPlan {
  readonly accepted: ReadonlyMap<ProviderField, AcceptedAnswer>;
  /** Providers whose outcome for a field is unknown; the field is not asked any more. */
  readonly uncertain: readonly string[];
  readonly asks: readonly PlannedAsk[];
}

export interface PersonState {
  readonly row: ProviderRow;
  readonly wanted: readonly ProviderField[];
  /** Answers for the row, and for the status of its email. */
  readonly stored: readonly StoredAnswer[];
  /** `provider field` pairs that failed or were skipped in this run. */
  readonly tried: ReadonlySet<string>;
  /** Requests of this run: what they left uncertain is never asked again. */
  readonly ownRequests: ReadonlySet<number>;
  readonly now: Date;
}

/** The name of a pair in `PersonState.tried`. */
export const triedName = (provider: string, field: ProviderField): string => `${provider} ${field}`;

const noRule: StepRule = {};

/** The first accepted answer in the order of the steps, then of providers without a step. */
function findAccepted(
  order: WaterfallOrder,
  { stored, now }: PersonState,
  field: ProviderField,
): AcceptedAnswer | null {
  const steps = order.steps.filter((step) => step.field === field);
  const rank = (provider: string) => {
    const at = steps.findIndex((step) => step.provider === provider);
    return at < 0 ? steps.length : at;
  };
  const ruleOf = (provider: string) => steps[rank(provider)]?.rule ?? noRule;
  const best = stored
    .filter((answer) => answer.field === field)
    .filter(({ hit, fetchedAt, provider }) => {
      return hit && meetsRule(hit, fetchedAt, ruleOf(provider), now);
    })
    .sort((a, b) => rank(a.provider) - rank(b.provider))[0];
  return best?.hit ? { ...best, hit: best.hit } : null;
}

function isAnswered(answer: StoredAnswer | undefined, rule: StepRule, now: Date): boolean {
  if (!answer || isStale(answer.fetchedAt, rule, now)) return false;
  if (answer.outcome === 'hit') return true;
  const ageMs = now.getTime() - Date.parse(answer.fetchedAt);
  return answer.outcome !== 'uncertain' && ageMs < missKeptDays * 86_400_000;
}

export function completeRow(
  row: ProviderRow,
  accepted: ReadonlyMap<ProviderField, AcceptedAnswer>,
): ProviderRow {
  const { employment, work_email: email } = {
    employment: accepted.get('employment')?.hit.values,
    work_email: accepted.get('work_email')?.hit.values.email,
  };
  const found = {
    first_name: employment?.first_name,
    last_name: employment?.last_name,
    company_name: employment?.company_name,
    company_domain: employment?.company_domain,
    profile_url: employment?.profile_url,
    title: employment?.title,
    email,
  };
  const filled = Object.entries(found).filter(([, value]) => value);
  return { ...Object.fromEntries(filled), ...row };
}

type NextStep = ProviderStep | 'uncertain' | 'later' | null;

/** The next step of a field without an accepted answer. */
function findNext(
  order: WaterfallOrder,
  state: PersonState,
  field: ProviderField,
  row: ProviderRow,
  canBeFound: (field: ProviderField) => 'yes' | 'no' | 'found',
): NextStep {
  const { stored, tried, ownRequests, now } = state;
  const answers = new Map(
    stored.filter((one) => one.field === field).map((one) => [one.provider, one]),
  );
  for (const { provider, outcome, requestId } of answers.values()) {
    const isRepeated = order.settings.get(provider)?.repeatsUncertain ?? false;
    if (outcome === 'uncertain' && (!isRepeated || ownRequests.has(requestId))) return 'uncertain';
  }
  for (const step of order.steps) {
    const { provider, rule } = step;
    if (step.field !== field || tried.has(triedName(provider, field))) continue;
    const terms = order.terms.get(provider)?.fields[field];
    if (!terms || isAnswered(answers.get(provider), rule, now)) continue;
    if (!appliesTo(rule, row) || !hasNeeds(terms, row)) continue;
    const others = (rule.only_if_missing ?? []).map(canBeFound);
    if (others.includes('found')) continue;
    return others.includes('yes') ? 'later' : step;
  }
  return null;
}

/** Plans the next requests for a row. Without `asks`, the row is done. */
export function planPerson(order: WaterfallOrder, state: PersonState): PersonPlan {
  const accepted = new Map<ProviderField, AcceptedAnswer>();
  for (const field of state.wanted) {
    const answer = findAccepted(order, state, field);
    if (answer) accepted.set(field, answer);
  }
  const complete = completeRow(state.row, accepted);
  const email = accepted.get('work_email')?.hit;
  const needsStatus = email && (email.status === undefined || email.status === 'unknown');
  const open = state.wanted.filter(
    (field) => !accepted.has(field) && (field !== 'email_status' || needsStatus),
  );
  const rowOf = (field: ProviderField): ProviderRow =>
    field === 'email_status' ? { ...complete, email: email?.values.email ?? '' } : complete;
  const next = new Map<ProviderField, NextStep>();
  const canBeFound = (field: ProviderField): 'yes' | 'no' | 'found' => {
    if (accepted.has(field)) return 'found';
    if (!open.includes(field)) return 'no';
    // A field that waits for itself is not asked.
    if (!next.has(field)) {
      next.set(field, 'later');
      next.set(field, findNext(order, state, field, rowOf(field), canBeFound));
    }
    const step = next.get(field);
    return step && step !== 'uncertain' ? 'yes' : 'no';
  };
  for (const field of open) canBeFound(field);
  const { asks, uncertain } = listAsks(open, next, rowOf, state.stored);
  return { accepted, asks: holdBack(order, state, next, asks), uncertain };
}

/**
 * The requests without those to a provider that charges once for the row, or once for several
 * fields, and may be asked for another of them later: it is asked for both at once. If all of them
 * wait for each other, the first is sent.
 */
function holdBack(
  { terms, steps }: WaterfallOrder,
  { tried }: PersonState,
  next: ReadonlyMap<ProviderField, NextStep>,
  asks: readonly PlannedAsk[],
): readonly PlannedAsk[] {
  const isCommon = ({ provider, fields }: PlannedAsk, other: ProviderField): boolean => {
    const of = terms.get(provider);
    const shared = of && findShared(of, other);
    return (
      (of?.rowCostMaxCredits ?? 0) > 0 || fields.some((field) => shared?.fields.includes(field))
    );
  };
  const mayFollow = (ask: PlannedAsk): boolean =>
    steps.some((step) => {
      const { provider, fields } = ask;
      const current = next.get(step.field);
      // The status of an address is a request of its own.
      const isOther =
        step.field !== 'email_status' && step.provider === provider && !fields.includes(step.field);
      const isOpen = !!current && current !== 'uncertain';
      const isUntried = !tried.has(triedName(provider, step.field));
      return isOther && isOpen && isUntried && isCommon(ask, step.field);
    });
  const held = asks.filter(mayFollow);
  const sent = asks.filter((ask) => !held.includes(ask));
  return sent.length > 0 ? sent : held.slice(0, 1);
}

function listAsks(
  open: readonly ProviderField[],
  next: ReadonlyMap<ProviderField, NextStep>,
  rowOf: (field: ProviderField) => ProviderRow,
  stored: readonly StoredAnswer[],
): Pick<PersonPlan, 'asks' | 'uncertain'> {
  const asks = new Map<string, { provider: string; fields: ProviderField[]; row: ProviderRow }>();
  const uncertain = new Set<string>();
  for (const field of providerFieldNames.filter((name) => open.includes(name))) {
    const step = next.get(field);
    if (step === 'uncertain')
      for (const answer of stored)
        if (answer.field === field && answer.outcome === 'uncertain')
          uncertain.add(answer.provider);
    if (!step || typeof step === 'string') continue;
    // The status of an address is asked with that address, apart from the other fields.
    const name = `${step.provider} ${field === 'email_status'}`;
    const ask = asks.get(name) ?? { provider: step.provider, fields: [], row: rowOf(field) };
    ask.fields.push(field);
    asks.set(name, ask);
  }
  return { asks: [...asks.values()], uncertain: [...uncertain] };
}
