/**
 * Decides the verdict of an address from everything that is known about it. Pure functions
 * (docs/decisions, "What makes an email valid").
 */

import { bounceKeptDays, verifiedKeptDays } from '../contract/limits/directory.ts';
import { type ValidationReason, validationReasons } from '../contract/validations.ts';
import type { EmailReport } from '../directory/read/find-email-reports.ts';
import type { DomainOutcome, NetworkProblem } from './check-mail-domain.ts';

/** What is known about an address with valid syntax. */
export interface AddressFacts {
  readonly isDisposable: boolean;
  readonly isRole: boolean;
  /** The newest report of a source; null without one. */
  readonly report: EmailReport | null;
  /** The outcome of the domain's lookup, or the network problem that prevented it. */
  readonly domain: DomainOutcome | Exclude<NetworkProblem, null>;
}

const dayMs = 86_400_000;

/** How long each status of a report is valid. */
const keptDays: Readonly<Record<EmailReport['status'], number>> = {
  valid: verifiedKeptDays,
  catch_all: verifiedKeptDays,
  invalid: bounceKeptDays,
  disposable: Number.POSITIVE_INFINITY,
  role: Number.POSITIVE_INFINITY,
};

/** Whether a report is too old to count. A report without a valid day is too old. */
export function isTooOld(report: EmailReport, now: Date): boolean {
  const ageDays = Math.floor((now.getTime() - Date.parse(report.observedOn)) / dayMs);
  return !(ageDays <= keptDays[report.status]);
}

/**
 * Decides verdicts that do not depend on the network; null if the domain has to be looked up.
 * @param facts `report` only if it is not too old
 */
export function decideOffline(
  facts: Pick<AddressFacts, 'isDisposable' | 'report'>,
): ValidationReason | null {
  if (facts.isDisposable) return 'disposable_domain';
  if (facts.report?.status === 'disposable') return 'reported_disposable';
  return facts.report?.status === 'invalid' ? 'reported_invalid' : null;
}

/**
 * Decides with the outcome of the domain's lookup. A positive report counts only if the domain
 * accepts mail today. A role address is recognised by the address alone.
 * @param facts `report` only if it is not too old
 * @param hadOldReport whether there is a report that is too old
 */
export function decideByDomain(
  facts: Omit<AddressFacts, 'isDisposable'>,
  hadOldReport: boolean,
): ValidationReason {
  const { domain, report } = facts;
  if (validationReasons[domain].status === 'invalid') return domain;
  const takesMail = domain === 'domain_accepts_mail';
  if (takesMail && report?.status === 'valid') return 'verified_by_source';
  if (takesMail && report?.status === 'catch_all') return 'reported_catch_all';
  if (facts.isRole) return 'role_mailbox';
  if (report?.status === 'role') return 'reported_role';
  return takesMail && hadOldReport ? 'report_too_old' : domain;
}
