/** What forbids an answer, however likely a candidate is. */
import { first, firstGroup, groupOfFirst, identifierBit, last, org } from './levels.ts';
import { isAroundPerson, isTestRow, isTwoPeople, type KnownWords } from './readings/row-signs.ts';
import type { WeighedRow } from './weigh-identifiers.ts';
import type { Weighed } from './weigh-pair.ts';

/** Why no one is answered. */
export type Veto =
  /** A test row, a header, or two people in a cell. */
  | 'not_a_person'
  /** An identifier of the row belongs to another person than its name, or its parts contradict. */
  | 'conflicting_evidence'
  /** Another middle name, or a given name that may be an unknown nickname: a decision is needed. */
  | 'other_name'
  /** Another given name, or nothing that could decide. */
  | 'no_evidence';

const decidingMask =
  identifierBit.email |
  identifierBit.email_shared |
  identifierBit.email_near |
  identifierBit.url |
  identifierBit.url_shared;

/** Levels of a surname that is the person's, or a part of it, without slips. */
const sameLasts: ReadonlySet<number> = new Set([
  last.exact,
  last.other,
  last.core,
  last.part_held,
  last.part_given,
  last.part_both,
]);

/** @param best the likeliest candidate; null if there is none */
export function findVeto(
  row: WeighedRow,
  best: Weighed | null,
  hasName: boolean,
  known: KnownWords,
): Veto | null {
  const { text, identified } = row;
  if (isTestRow(text) || isTwoPeople(text, known) || isAroundPerson(text, known))
    return 'not_a_person';
  if (identified.hasTwoOwners) return 'conflicting_evidence';
  const { emailOwner, urlOwner } = identified;
  if (emailOwner >= 0 && urlOwner >= 0 && emailOwner !== urlOwner) return 'conflicting_evidence';
  if (best === null) return null;
  if (best.isOtherInLast) return 'not_a_person';
  const owner = emailOwner >= 0 ? emailOwner : urlOwner;
  if (owner >= 0 && owner !== best.person) return 'conflicting_evidence';
  // The holder of the email or the page has neither name of the row. A phone decides nothing.
  const isOtherFirst = best.first === first.different || best.first === first.uncommon;
  const isDecided = (best.identifiers & decidingMask) !== 0;
  if (isOtherFirst && best.last === last.none)
    return isDecided ? 'conflicting_evidence' : 'no_evidence';
  // A surname with slips is hardly the person's where the given name is another.
  if (isOtherFirst && !isDecided && !sameLasts.has(best.last)) return 'no_evidence';
  if (best.isSuffixConflict) return 'conflicting_evidence';
  if (best.isOtherMiddle && best.identifiers === 0) return 'other_name';
  if (best.first === first.uncommon && !isDecided) return 'other_name';
  // Of all people, too many have a surname and an initial.
  const isHalf = groupOfFirst[best.first] === firstGroup.initial && best.org === org.absent;
  if (isHalf && best.identifiers === 0) return 'other_name';
  if (best.first === first.similar && best.identifiers === 0) return 'no_evidence';
  // A phone is evidence with a name, never alone. So is a mailbox that several people may read.
  if (!hasName && !isDecided) return 'no_evidence';
  return null;
}
