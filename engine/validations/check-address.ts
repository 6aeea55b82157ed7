/**
 * What an address comes to, from all that is known of it: a pure rule (docs/decisions,
 * "What makes an email valid").
 */

import { bounceKeptDays, verifiedKeptDays } from '../contract/limits/directory.ts';
import { type ValidationReason, validationReasons } from '../contract/validations.ts';
import type { EmailReport } from '../directory/read/find-email-reports.ts';
import type { DomainOutcome, NetworkProblem } from './check-mail-domain.ts';

/** What is known of an address whose syntax is right. */
export interface AddressFacts {
  readonly isDisposable: boolean;
  readonly isRole: boolean;
  /** The newest word of a source; null without one. */
  readonly report: EmailReport | null;
  /** What was found out of its domain, or why nothing could be. */
  readonly domain: DomainOutcome | Exclude<NetworkProblem, null>;
}

const dayMs = 86_400_000;

/** How long each word of a source counts. */
const keptDays: Readonly<Record<EmailReport['status'], number>> = {
  valid: verifiedKeptDays,
  catch_all: verifiedKeptDays,
  invalid: bounceKeptDays,
  disposable: Number.POSITIVE_INFINITY,
  role: Number.POSITIVE_INFINITY,
};

/** Whether a source's word is too old to count; so is one whose day is not known. */
export function isTooOld(report: EmailReport, now: Date): boolean {
  const ageDays = Math.floor((now.getTime() - Date.parse(report.observedOn)) / dayMs);
  return !(ageDays <= keptDays[report.status]);
}

/**
 * Decides what is sure whatever the network says; null where the domain has to be asked for.
 * @param facts `report` only where it is not too old
 */
export function decideOffline(
  facts: Pick<AddressFacts, 'isDisposable' | 'report'>,
): ValidationReason | null {
  if (facts.isDisposable) return 'disposable_domain';
  if (facts.report?.status === 'disposable') return 'reported_disposable';
  return facts.report?.status === 'invalid' ? 'reported_invalid' : null;
}

/**
 * Decides with what is known of the domain. A source's good word counts only where the domain takes
 * mail today; that an address is an office's is plain from the address alone.
 * @param facts `report` only where it is not too old
 * @param hadOldReport whether there was one that is
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
