// Scores a candidate by URL, email, name and employer together.
import { matchFields } from '../../contract/jobs/job.ts';
import { jobFlags, type MatchIndex } from '../index/index-layout.ts';
import { isRoleMailbox } from '../normalize/normalize-email.ts';
import { fitOfEither, sharesHalf } from './match-name.ts';
import { domainGroupsOf, type Holders, type Query } from './match-query.ts';
import type { CompanyResolver } from './match-resolve.ts';

/** Bit of each field in MatchBatch.matchedOn. */
const fieldBits = Object.fromEntries(matchFields.map((field, at) => [field, 1 << at])) as Record<
  (typeof matchFields)[number],
  number
>;

export interface EmployerFit {
  /** 0 to 1; 0 if the person is not known to have worked there. */
  readonly fit: number;
  /** Dense number of the company + 1; 0 if none fits by name. */
  readonly company: number;
  readonly isCurrent: boolean;
  readonly bits: number;
}

export interface Judgement {
  readonly person: number;
  readonly score: number;
  /** Fit of the name alone, 0 to 1. */
  readonly nameFit: number;
  readonly bits: number;
  readonly employer: EmployerFit;
}

const scores = {
  keyAndName: 0.995,
  keyAlone: 0.97,
  keyHalfNameAndEmployer: 0.95,
  keyHalfName: 0.8,
  sharedKey: 0.95,
  sharedKeyAlone: 0.9,
  wholeNameAlone: 0.85,
} as const;

const domainFit = 0.95;
const domainAgainstCompanyFit = 0.8;
const wideFitMin = 0.72;
const compatibleNameMin = 0.78;
const employerWeight = 0.2;
/** Without other evidence, only the name as written counts, not its nicknames. */
const wholeNameMin = 0.98;
/** If chance gives a name to more people than this, the name alone proves nothing. */
const namesakesMax = 0.05;

/** Value of a common name alone, relative to a rare one. */
const commonNameFactor = 0.9;

const noEmployer: EmployerFit = { fit: 0, company: 0, isCurrent: false, bits: 0 };
const rejected: Judgement = { person: -1, score: 0, nameFit: 0, bits: 0, employer: noEmployer };

/**
 * The employer of a person that fits best to the one that the row names.
 * @param isWide compare the words of every employer, not only companies that the name resolved to
 */
export function findEmployer(
  index: MatchIndex,
  resolver: CompanyResolver,
  query: Query,
  person: number,
  isWide: boolean,
): EmployerFit {
  const { jobStarts, jobs, companyGroups } = index.sections;
  const { groups, scores: groupScores, words } = query.company;
  let best = noEmployer;
  for (let job = jobStarts[person]!; job < jobStarts[person + 1]!; job++) {
    const company = jobs[job]! >>> 2;
    if (company === 0) continue;
    const group = companyGroups[company - 1]!;
    const isCurrent = (jobs[job]! & jobFlags.current) !== 0;
    const at = groups.indexOf(group);
    let fit = at >= 0 ? groupScores[at]! : 0;
    if (at < 0 && isWide && words.length > 0) {
      const wide = resolver.compareWith(query.company, group);
      if (wide >= wideFitMin) fit = wide;
    }
    let bits: number = fieldBits.company_name;
    // A domain says less than a name that fits.
    const isOpen = fit < domainFit && best.fit <= domainFit;
    if (isOpen && domainGroupsOf(index, query).includes(group)) {
      const isContradicted = words.length > 0 && groups.length > 0 && fit === 0;
      const ofDomain = isContradicted ? domainAgainstCompanyFit : domainFit;
      if (ofDomain > fit) {
        fit = ofDomain;
        bits = fieldBits.company_domain;
      }
    }
    if (fit > best.fit || (fit === best.fit && fit > 0 && isCurrent && !best.isCurrent)) {
      const isNamed = bits === fieldBits.company_name || query.companyDomain !== '';
      best = { fit, company: isNamed ? company : 0, isCurrent, bits };
    }
  }
  return best;
}

/** Whether a name is so rare that it is evidence by itself. */
function isRareName(index: MatchIndex, query: Query): boolean {
  const [first, last] = [query.name.firsts[0], query.name.lasts[0]];
  if (!first || !last || first.text.length < 2) return false;
  const { firstCounts, lastCounts } = index.sections;
  const ofFirst = first.id < 0 ? 0 : firstCounts[first.id]! - 1;
  const ofLast = last.id < 0 ? 0 : lastCounts[last.id]! - 1;
  const namesakes = (Math.max(0, ofFirst) * Math.max(0, ofLast)) / Math.max(1, index.peopleCount);
  return namesakes <= namesakesMax;
}

const nameBits = fieldBits.first_name | fieldBits.last_name;

/** A URL or an email that only this person holds decides, unless the name contradicts. */
function judgeKey(
  index: MatchIndex,
  query: Query,
  person: number,
  nameFit: number,
  employer: EmployerFit,
  keyBits: number,
): Judgement {
  const hasName = query.name.firsts.length > 0 || query.name.lasts.length > 0;
  if (!hasName) return { person, score: scores.keyAlone, nameFit, bits: keyBits, employer };
  if (nameFit >= compatibleNameMin || (nameFit > 0 && query.name.firsts.length === 0))
    return {
      person,
      score: scores.keyAndName,
      nameFit,
      bits: keyBits | nameBits | employer.bits,
      employer,
    };
  if (!sharesHalf(index, query.name, person)) return rejected;
  if (employer.fit > 0)
    return {
      person,
      score: scores.keyHalfNameAndEmployer,
      nameFit,
      bits: keyBits | employer.bits,
      employer,
    };
  return { person, score: scores.keyHalfName, nameFit, bits: keyBits, employer };
}

/**
 * Whether the row has nothing but a URL or an email that several people hold. They are equally
 * likely, so no one is chosen. A role mailbox identifies no one.
 */
export function isSharedAlone(query: Query, { ofUrl, ofEmail }: Holders): boolean {
  const hasName = query.name.firsts.length > 0 || query.name.lasts.length > 0;
  const isMail = ofEmail.length > 1 && !isRoleMailbox(query.email);
  return !hasName && (ofUrl.length > 1 || isMail);
}

/** Scores one candidate. @param isWide see findEmployer */
export function judge(
  index: MatchIndex,
  resolver: CompanyResolver,
  query: Query,
  holders: Holders,
  person: number,
  isWide: boolean,
): Judgement {
  const nameFit = fitOfEither(index, query, person);
  const hasUrl = holders.ofUrl.includes(person);
  const hasEmail = holders.ofEmail.includes(person);
  if (nameFit === 0 && !hasUrl && !hasEmail) return rejected;
  const employer = findEmployer(index, resolver, query, person, isWide);
  const keyBits = (hasUrl ? fieldBits.profile_url : 0) | (hasEmail ? fieldBits.email : 0);
  const isOwnUrl = hasUrl && holders.ofUrl.length === 1;
  const isOwnEmail = (): boolean =>
    hasEmail && holders.ofEmail.length === 1 && !isRoleMailbox(query.email);
  if (isOwnUrl || isOwnEmail()) return judgeKey(index, query, person, nameFit, employer, keyBits);
  if (isSharedAlone(query, holders))
    return { person, score: scores.sharedKeyAlone, nameFit, bits: keyBits, employer };
  if (nameFit < compatibleNameMin * 0.9) return rejected;
  const employerFit = keyBits === 0 ? employer.fit : Math.max(employer.fit, scores.sharedKey);
  if (employerFit > 0)
    return {
      person,
      score: nameFit * (1 - employerWeight + employerWeight * employerFit),
      nameFit,
      bits: keyBits | nameBits | employer.bits,
      employer,
    };
  const isNameAlone = !query.hasCompany && nameFit >= wholeNameMin;
  if (!isNameAlone) return rejected;
  const isEnough = isRareName(index, query);
  const score = scores.wholeNameAlone * nameFit * (isEnough ? 1 : commonNameFactor);
  return { person, score, nameFit, bits: nameBits, employer };
}
