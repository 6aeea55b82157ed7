/** What forbids an answer, however likely a candidate is. */

import { surnamePerMillion } from '../../names/name-frequencies.ts';
import { nameWords, surnameKey } from '../../normalize/messy/name-parts.ts';
import { compareFirst } from './compare-first.ts';
import { compareLast } from './compare-last.ts';
import type { Comparison } from './comparison.ts';
import { isKnownGiven } from './known-names.ts';
import { first, firstGroup, groupOfFirst, identifierBit, last, org } from './levels.ts';
import { type AroundName, readAroundName } from './readings/around-person.ts';
import { isTestRow, isTwoPeople } from './readings/row-signs.ts';
import type { WeighedRow } from './weigh-identifiers.ts';
import type { Weighed } from './weigh-pair.ts';

/** Why no one is answered. */
export type Veto =
  /** A test row, a header, or two people in a cell. */
  | 'not_a_person'
  /** An identifier of the row belongs to another person than its name, or its parts contradict. */
  | 'conflicting_evidence'
  /** Another middle name, an unknown nickname or an unknown word: a decision is needed. */
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

/** Qualities of compare-first.ts and compare-last.ts from which a word is a name of the person. */
const namedMin = { given: 5.9, initial: 4.9, surname: 3.5 } as const;
/** Two words have nothing around them. */
const onlyTwoWords = /^[\p{sc=Latin}.'’]+ [\p{sc=Latin}.'’]+$/u;

/** What the words of a row's name say besides the name of a person. */
function aroundName(
  { index, sources: { vocabulary }, readPerson }: Comparison,
  { text }: WeighedRow,
  { person, reading }: Weighed,
): AroundName | null {
  const cells = [text.first, text.last].filter((cell) => cell !== '');
  if (onlyTwoWords.test(cells.join(' '))) return null;
  const view = readPerson(person);
  const employers = new Set(nameWords(text.company));
  const organisation = text.company === '' ? (reading?.organisation ?? '') : '';
  const organisations = new Set(nameWords(organisation));
  return readAroundName(cells, {
    given: (word) =>
      compareFirst(index, { given: [vocabulary.word(word)], nicknames: [] }, view).quality -
      (word.length > 1 ? namedMin.given : namedMin.initial),
    surname: (word) =>
      compareLast(index, vocabulary.surname(surnameKey([word])), view).quality - namedMin.surname,
    isGiven: (word) => isKnownGiven(index, vocabulary.word(word)),
    isSurname(word) {
      const { id, known } = vocabulary.word(word);
      return surnamePerMillion(known) > 0 || (id >= 0 && index.sections.lastCounts[id]! > 0);
    },
    isEmployers: (word) => employers.has(word),
    isOrganisations: (word) => organisations.has(word),
  });
}

/** @param best the likeliest candidate; null if there is none */
export function findVeto(
  comparison: Comparison,
  row: WeighedRow,
  best: Weighed | null,
  hasName: boolean,
): Veto | null {
  const { text, identified } = row;
  const { known } = comparison;
  if (isTestRow(text) || isTwoPeople(text, known)) return 'not_a_person';
  const around = best === null ? null : aroundName(comparison, row, best);
  if (around === 'something') return 'not_a_person';
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
  if (around === 'unknown' && !isDecided) return 'other_name';
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
