// What the graded comparison answers for a row: a person, or why not.
import { matchFields } from '../../../contract/jobs/job.ts';
import { candidatesMax } from '../../../contract/limits/directory.ts';
import { jobFlags, type MatchIndex } from '../../index/index-layout.ts';
import type { GradedCandidate, GradedResult } from './graded-matcher.ts';
import { firstGroup, groupOfFirst, groupOfLast, identifierBit, lastGroup, org } from './levels.ts';

const fieldBits = Object.fromEntries(matchFields.map((field, at) => [field, 1 << at])) as Record<
  (typeof matchFields)[number],
  number
>;

const urlMask = identifierBit.url | identifierBit.url_shared;
const phoneMask = identifierBit.phone | identifierBit.phone_shared;
const ownedMask = identifierBit.email | identifierBit.url;
const orgScoreMin = 0.5;

const otherFirsts: ReadonlySet<number> = new Set([
  firstGroup.none,
  firstGroup.missing,
  firstGroup.uncommon,
]);

/** Bits of matchFields: the fields that agree with a candidate. */
export function agreeingFields({ first, last, orgScore, isDomain, identifiers }: GradedCandidate) {
  const ofFirst = groupOfFirst[first];
  const ofLast = groupOfLast[last];
  let bits = 0;
  if ((identifiers & urlMask) !== 0) bits |= fieldBits.profile_url;
  if ((identifiers & ~(urlMask | phoneMask)) !== 0) bits |= fieldBits.email;
  if ((identifiers & phoneMask) !== 0) bits |= fieldBits.phone;
  if (!otherFirsts.has(ofFirst!)) bits |= fieldBits.first_name;
  if (ofLast !== lastGroup.none && ofLast !== lastGroup.missing) bits |= fieldBits.last_name;
  if (orgScore >= orgScoreMin) bits |= isDomain ? fieldBits.company_domain : fieldBits.company_name;
  return bits;
}

/** The employer that a row means, among a person's. */
export interface GradedEmployer {
  /** Dense number of the company + 1; 0 if the row names none of the person's. */
  readonly company: number;
  readonly isCurrent: boolean;
}

/** The company of the group that a row means, a current employment first. */
export function employerOf(
  { sections }: MatchIndex,
  { person, group, orgScore }: GradedCandidate,
): GradedEmployer {
  if (group < 0 || orgScore < orgScoreMin) return { company: 0, isCurrent: false };
  const { jobStarts, jobs, companyGroups } = sections;
  let found: GradedEmployer = { company: 0, isCurrent: false };
  for (let job = jobStarts[person]!; job < jobStarts[person + 1]!; job++) {
    const company = jobs[job]! >>> 2;
    if (company === 0 || companyGroups[company - 1] !== group) continue;
    const isCurrent = (jobs[job]! & jobFlags.current) !== 0;
    if (found.company === 0 || (isCurrent && !found.isCurrent)) found = { company, isCurrent };
  }
  return found;
}

/** Why no one is answered, or who is. */
export type GradedAnswer =
  | { readonly kind: 'match'; readonly candidate: GradedCandidate }
  | {
      readonly kind: 'no_match' | 'ambiguous' | 'conflicting_evidence' | 'not_a_person';
      /** The people that the row may mean, the likeliest first. */
      readonly candidates: readonly GradedCandidate[];
    };

const unnamedFirsts: ReadonlySet<number> = new Set([firstGroup.none, firstGroup.missing]);
const unnamedLasts: ReadonlySet<number> = new Set([lastGroup.none, lastGroup.missing]);

/** Candidates of an ambiguous row are together as likely as this, and the second of a pair too. */
const ambiguous = { together: 0.5, secondShare: 0.3, namedShare: 0.1 } as const;

/**
 * Least probability of a candidate of a row without a match: of the offers below it, more than four
 * of five would be wrong, so that a reviewer would only reject them.
 */
const offeredMin = 0.2;

/** Whether a person has a given name and a surname that a row names. */
const isNamed = ({ first, last }: GradedCandidate): boolean =>
  !unnamedFirsts.has(groupOfFirst[first]!) && !unnamedLasts.has(groupOfLast[last]!);

/**
 * The likeliest person of a conflicting row, the holders of its identifiers, and the likeliest one
 * of its name.
 */
function conflictOf({ candidates, identified }: GradedResult): readonly GradedCandidate[] {
  const { emailOwner, urlOwner, people } = identified;
  const isOwner = ({ person }: GradedCandidate): boolean =>
    person === emailOwner || person === urlOwner || people.has(person);
  const [best, ...others] = candidates;
  const named = candidates.find(isNamed);
  return best === undefined ? [] : [best, ...others.filter((one) => one === named || isOwner(one))];
}

/** The answer to a row that means no one surely enough. */
function nobodyOf(result: GradedResult, candidates: readonly GradedCandidate[]): GradedAnswer {
  const isOffice = candidates.length === 0 && result.isOffice();
  return { kind: isOffice ? 'not_a_person' : 'no_match', candidates };
}

const hasEmployer = ({ text }: GradedResult): boolean =>
  text.company !== '' || text.domains.length > 0;

/**
 * Whether a candidate has the very name of a row that says nothing else: more people have that name
 * than the directory holds.
 */
const isNamesakeAlone = ({ first, last, org: ofOrg }: GradedCandidate, isPlaced: boolean) =>
  !isPlaced &&
  ofOrg === org.absent &&
  groupOfLast[last] === lastGroup.exact &&
  (groupOfFirst[first] === firstGroup.exact || groupOfFirst[first] === firstGroup.nickname);

const halfFirsts: ReadonlySet<number> = new Set([firstGroup.missing, firstGroup.initial]);

/** Whether a candidate has the very surname of a row that says little else: A. Lee, or Lee. */
const isHalfNamesake = ({ first, last, org: ofOrg }: GradedCandidate): boolean =>
  ofOrg === org.absent &&
  groupOfLast[last] === lastGroup.exact &&
  halfFirsts.has(groupOfFirst[first]!);

const wholeFirsts: ReadonlySet<number> = new Set([firstGroup.exact, firstGroup.nickname]);

/** Whether a candidate at the row's employer has its given name, and a surname near to it. */
const isNearColleague = ({ first, last, orgScore }: GradedCandidate): boolean =>
  orgScore >= orgScoreMin &&
  groupOfLast[last] === lastGroup.two_names &&
  wholeFirsts.has(groupOfFirst[first]!);

/** @param threshold probability from which a person is answered */
export function answerOf(result: GradedResult, threshold: number): GradedAnswer {
  const { candidates, veto } = result;
  if (veto === 'not_a_person') return { kind: 'not_a_person', candidates: [] };
  if (veto === 'conflicting_evidence')
    return { kind: 'conflicting_evidence', candidates: conflictOf(result) };
  const [best, second] = candidates;
  if (veto === 'no_evidence' || best === undefined) return nobodyOf(result, []);
  if (best.probability >= threshold && veto === null) return { kind: 'match', candidate: best };
  if (second !== undefined && second.probability >= best.probability * ambiguous.secondShare) {
    const together = candidates.reduce((sum, { probability }) => sum + probability, 0);
    const isLikely = ({ probability }: GradedCandidate): boolean =>
      probability >= best.probability * ambiguous.namedShare;
    if (together >= ambiguous.together)
      return { kind: 'ambiguous', candidates: candidates.filter(isLikely) };
  }
  // Who holds the email or the page has another given name, or another surname.
  const isHolder = (best.identifiers & ownedMask) !== 0;
  const ofLast = groupOfLast[best.last];
  if (isHolder && (groupOfFirst[best.first] === firstGroup.none || ofLast === lastGroup.none))
    return { kind: 'conflicting_evidence', candidates: conflictOf(result) };
  const isPlaced = hasEmployer(result);
  // Of many people with a surname, the few that can be shown would be any of them.
  const areHalvesFew = !isPlaced && candidates.filter(isHalfNamesake).length <= candidatesMax;
  const offered = candidates.filter(
    (one) =>
      one.probability >= offeredMin ||
      isNamesakeAlone(one, isPlaced) ||
      isNearColleague(one) ||
      (areHalvesFew && isHalfNamesake(one)),
  );
  if (offered.some((one) => isNamesakeAlone(one, isPlaced)))
    return { kind: 'ambiguous', candidates: offered };
  return nobodyOf(result, offered);
}
