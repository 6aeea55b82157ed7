// What two names share, and of what kind the words are that only one of them has: "Cisco" and
// "Cisco Systems" share a word of their own, and only a kind is missing.

import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { readWordSets } from '../../../platform/read-words.ts';
import { foldToAscii } from '../../normalize/fold-text.ts';
import { organisationTokens } from '../../normalize/messy/organisation-tokens.ts';
import { isKindWord, isSectorWord, legalWords } from '../../normalize/messy/organisation-words.ts';
import {
  createForms,
  type FormedWord,
  formedDistance,
} from '../../normalize/messy/weighted-distance.ts';
import { letterMaskOf } from '../../normalize/similarity.ts';
import { likenessOf, type OrgRowWord } from '../graded/organisations/align-organisation.ts';
import type { NameWord } from '../graded/row-words.ts';
import { endingUnits, qualifiers, unitWords } from './name-kinds.ts';
import { readNumbers } from './name-numbers.ts';
import { isElsewhere, markPlaces } from './named-places.ts';
import { findInitialsRun } from './profile-words.ts';

/**
 * The words that only one name has: none, the place where the company is, also other places, also
 * kinds of organisations, also sectors, also words of their own.
 */
export const restLevels = ['none', 'home', 'place', 'kind', 'sector', 'own'] as const;
type RestLevel = (typeof restLevels)[number];

/** What is shared: kinds alone, a word of their own, or that word at the start of both names. */
export const sharedLevels = ['kind', 'own', 'start'] as const;
type SharedLevel = (typeof sharedLevels)[number];

/**
 * How a row holds the whole name of a company: not, alone, before the company's place, before
 * another place or an address, next to the name of a part of it, behind that and before the
 * company's place, or among other words.
 */
export const insideLevels = ['no', 'alone', 'home', 'place', 'unit', 'unitHome', 'more'] as const;
type InsideLevel = (typeof insideLevels)[number];

/** The words of two names that have no counterpart, and what has one. */
export interface NameRests {
  readonly ofRow: RestLevel;
  readonly ofHeld: RestLevel;
  readonly shared: SharedLevel;
  readonly inside: InsideLevel;
  /** Names of the index that have the rarest shared word. */
  readonly holders: number;
  /** Words of both names. */
  readonly rowCount: number;
  readonly heldCount: number;
  /** The row is the name's first word, and kinds follow: "Cisco" of "Cisco Systems". */
  readonly isHead: boolean;
  /** The row has only words of the place, or of the name's rarest word only a few letters. */
  readonly isVague: boolean;
  /** The row ends with a city or a region where the company is not: "Acme (Dubai)". */
  readonly endsElsewhere: boolean;
  /** The row is about something around the company, such as its foundation. */
  readonly isAround: boolean;
  /**
   * The row is about a neighbour: on another side ("Southern Light", "Northern Light"), or named
   * for a spot between the words of the name ("Hilbert Valley College") or a word in front of it
   * ("New Hilbert College").
   */
  readonly isBeside: boolean;
  /**
   * The row is likely a neighbour of the company: words of its own stand next to the whole name
   * ("Acme Charity Run"), the name says another kind of what the company is ("Hilbert State
   * College"), or its rarest word begins with another letter. Only the place or the domain says
   * that the company is meant.
   */
  readonly isNeighbour: boolean;
  /**
   * Where the name states a sector, the row has a word that other names have: "Acme Elementary" for
   * "Acme University". A word that no name has may be a slip in the sector.
   */
  readonly isOtherThing: boolean;
  /** The row joins a word of the name to one of its own: "Acme-Tarn Foods", "Acme Tarn Foods". */
  readonly isDouble: boolean;
  /** The row has all of the other name's words, which few have, and slips of a legal form. */
  readonly isFormLeft: boolean;
  /** Each word of both names has a counterpart, spelled alike or translated. */
  readonly isSame: boolean;
}

/** Words of what belongs to an organisation and is another one. */
export const aroundWords: ReadonlySet<string> = new Set(
  (
    'foundation alumni alumnae alum alums alumnus endowment bond bonds debentures friends ' +
    'pension retirees ' +
    'boosters auxiliary union bookstore press museum library stadium arena near opposite ' +
    'competitor competitors supplier suppliers client clients customer customers students ' +
    'graduates student volunteers benevolent gala commencement lawsuit against across ' +
    'not vendor vendors parking plaintiffs creditors shareholders bondholders victims tenants ' +
    'fans donors employees workers betriebsrat personalrat versus vs boycott anti ex ' +
    'employee tenant donor creditor shareholder'
  ).split(' '),
);
let denials: ReadonlySet<string> | null = null;
/** Words before a name that say that it is not meant, or was once: "formerly at Acme". */
const negations = (): ReadonlySet<string> =>
  (denials ??= readWordSets('around-names').get('negations')!);
/** More companies may have a name in two ways: "Acme Holdings", "Acme Holding Trust". */
const formHolders = 2;
const cutLettersMax = 3;
const sameWordMin = 0.7;
/** A word that fewer names have may be a slip in them. */
const knownHolders = 3;
const headLettersMin = 4;

const side = /^((?:north|south)?(?:east|west)?)(?:ern)?$/;
const spots: ReadonlySet<string> = new Set(
  (
    'valley hill hills grove park lake lakes beach heights springs ridge creek river island bay ' +
    'forest canyon falls mountain meadows shore shores'
  ).split(' '),
);

const isFront = (text: string): boolean => side.test(text) || fronts.has(text);
const fronts: ReadonlySet<string> = new Set('new old upper lower little'.split(' '));

function isBeside(row: Words, ofRow: readonly boolean[], held: Words): boolean {
  const sidesOf = (words: Words): string[] =>
    words.map(({ text }) => side.exec(text)?.[1] ?? '').filter(Boolean);
  const [ofName, ofOther] = [sidesOf(row), sidesOf(held)];
  // "N.west" may be west or north-west.
  const isApart = (one: string): boolean =>
    ofOther.every((other) => !other.includes(one) && !one.includes(other));
  const isOtherSide = ofOther.length > 0 && ofName.some(isApart);
  const [first, last] = [ofRow.indexOf(true), ofRow.lastIndexOf(true)];
  const isSpot = row.some(
    ({ text }, at) => at > first && at < last && !ofRow[at] && spots.has(text),
  );
  const isInFront = first === 1 && isFront(row[0]!.text) && !held.some(({ text }) => isFront(text));
  return isOtherSide || isSpot || isInFront;
}

/** Schools before college. "High" and the like are such words before "school" alone. */
const lowerSchools: ReadonlySet<string> = new Set(
  'elementary primary preschool kindergarten nursery montessori'.split(' '),
);
const higherSchools: ReadonlySet<string> = new Set('universities colleges seminary'.split(' '));
const beforeSchool: ReadonlySet<string> = new Set('high middle secondary grammar'.split(' '));
const isLowerSchool = ({ text }: { readonly text: string }, at: number, words: Words): boolean =>
  lowerSchools.has(text) || (beforeSchool.has(text) && words[at + 1]?.text === 'schools');

/** The words behind "Saint", by whether they have a counterpart. */
const listSaints = (words: Words, has: readonly boolean[]): boolean[] =>
  words.flatMap(({ text }, at) =>
    text === 'sainte' && at + 1 < words.length ? [has[at + 1]!] : [],
  );

/** Whether two names are of two of a kind: "St. Ann Clinic", "St. Paul Clinic". */
function areTwoOfKind(
  row: Words,
  ofRow: readonly boolean[],
  held: Words,
  ofHeld: readonly boolean[],
): boolean {
  const [ofName, ofOther] = [listSaints(row, ofRow), listSaints(held, ofHeld)];
  const isOtherSaint = ofName.includes(false) && ofOther.includes(false) && !ofName.includes(true);
  const isHigherSchool = held.some(({ text }, at) => !ofHeld[at] && higherSchools.has(text));
  return isOtherSaint || (isHigherSchool && row.some(isLowerSchool));
}

/** Whether what is called after a company ends a row: "Acme Hospital Gift Shop". */
function endsBehind(
  row: Words,
  ofRow: readonly boolean[],
  placeOf: readonly PlaceOfWord[],
): boolean {
  const end = row.length - 1;
  const { text } = row[end]!;
  if (ofRow[end] || placeOf[end] !== '') return false;
  behindWords ??= readWordSets('around-names').get('behind')!;
  const isOfName = legalWords.has(text) || unitWords.has(text) || addressWords.has(text);
  return behindWords.has(text) && !isOfName && (isSectorWord(text) || !isKindWord(text));
}
let behindWords: ReadonlySet<string> | null = null;

const streets: ReadonlySet<string> = new Set(
  'street road avenue ave rd boulevard blvd drive lane'.split(' '),
);
/** Whether a row is a street that is named for a company: "Hilbert College Road". */
const isStreet = (row: Words, ofRow: readonly boolean[]): boolean =>
  !ofRow.at(-1) && streets.has(row.at(-1)?.text ?? '') && !row.some(({ text }) => /\d/.test(text));

function isQualified(row: Words, ofRow: readonly boolean[], held: Words): boolean {
  const at = ofRow.lastIndexOf(true) - 1;
  return (
    at > 0 &&
    !ofRow[at] &&
    qualifiers.has(row[at]!.text) &&
    !held.some(({ text }) => qualifiers.has(text))
  );
}

/** Letters that are written or read for each other at the start of a word. */
const likeLetters = ['ckqg', 'fvw', 'szcx', 'iyjl1', 'o0q', 'td', 'bp8', 'mn', 'uvw', 's5', 'h'];

/** Whether the first letter of a respelled word is another one, and neither lost nor added. */
function hasOtherInitial(word: string, own: string): boolean {
  const [first, other] = [word[0]!, own[0]!];
  if (first === other || word[1] === other || own[1] === first) return false;
  return !likeLetters.some((letters) => letters.includes(first) && letters.includes(other));
}

const slipsMax = 1.7;
/** Whether a respelled word has more than one slip: likenessOf takes 0.9 of a letter for each. */
function hasSlips(likeness: number, word: string, own: string): boolean {
  if (word.startsWith(own) || own.startsWith(word)) return false;
  return ((0.97 - likeness) * Math.min(word.length, own.length)) / 0.9 > slipsMax;
}

/** Letters that a word has more or less than a slip adds or takes. */
const endLettersMin = { more: 2, less: 3 } as const;
/**
 * Whether one of two words goes on where the other ends: "Acmer" for "Acme", "Nord" for "Nordwerk".
 * The last word of a row may be cut, and a full stop says that a word is.
 */
function hasOtherEnd(word: string, own: string, isLast: boolean, name: string): boolean {
  if (word.startsWith(own)) return word.length - own.length >= endLettersMin.more;
  if (isLast || !own.startsWith(word) || own.length - word.length < endLettersMin.less)
    return false;
  // "W. Acme" has the word "west", and no letters of it were cut.
  const text = foldToAscii(name);
  return text.includes(word) && !text.includes(`${word}.`);
}

/** A shorter word is what a cut or a mark leaves. */
const ownLettersMin = 3;
/**
 * Words that lists put next to a whole name: a share, a relaunch, a firm, its staff, its parts, a
 * place of it.
 */
const namedAlone: ReadonlySet<string> = new Set(
  (
    'new firma messrs team members member common stock ordinary class share shares voting ' +
    'subordinate die der das the les los foretaget maison ditta care inactive affiliates ' +
    'subsidiaries its site tochtergesellschaften tochterunternehmen filiales filiali ' +
    'from aus'
  ).split(' '),
);
/** Branches in languages that write without spaces. */
const branch = /(?:本社|本店|支店|支社|営業所|事業所|工場|分公司|本部|지점|지사|본사)$/;
const formWord = (text: string): FormedWord => ({
  text,
  mask: letterMaskOf(text),
  forms: createForms(),
});
const formWords = [...legalWords]
  .filter(({ length }) => length >= ownLettersMin)
  .map((text) => formWord(text));
const formDistanceMax = 2.2;
/** Whether a word is a legal form, abbreviated or with slips: "Hldgs", "Cosrp". */
const isLikeForm = createBoundedCache((text: string): boolean => {
  if (legalWords.has(text)) return true;
  const word = formWord(text);
  return formWords.some((form) => {
    const max = Math.min(formDistanceMax, form.text.length / 3);
    return formedDistance(word, form, max) <= max || abbreviates(text, form.text);
  });
}, 4_000);

/** Whether a word has the first half of another one, or letters of it in order with the last. */
function abbreviates(text: string, form: string): boolean {
  if (text.length * 2 < form.length || text[0] !== form[0]) return false;
  if (form.startsWith(text)) return true;
  let at = 0;
  for (const letter of form) if (letter === text[at]) at++;
  return at === text.length && text.at(-1) === form.at(-1);
}

const partMarks = /[,;|()[\]/:–—_<>*"“”„«»@]|\s-+\s?|-+\s| via /i;

/** Whether words of a row's own stand in one part of its name with words of the whole name. */
function isExtended(
  row: Words,
  ofRow: readonly boolean[],
  held: Words,
  isOwn: (at: number) => boolean,
  name: string,
): boolean {
  const [first, last] = [ofRow.indexOf(true), ofRow.lastIndexOf(true)];
  const texts = held.map(({ text }) => text);
  // "Division of Law" before the name or behind it.
  const isOfUnit = (at: number): boolean =>
    row
      .slice(at < first ? 0 : last + 1, at < first ? first : at)
      .some(({ text }) => unitWords.has(text));
  // "4870 Main Street"
  const isOfStreet = (at: number): boolean =>
    row.slice(0, at).some(({ text }) => /^\d/.test(text)) &&
    row.slice(at).some(({ text }) => addressWords.has(text));
  // "Acme University Hospital"
  const statesSector = held.some(({ text }) => isSectorWord(text));
  const isOtherSector = (at: number): boolean =>
    statesSector && at > last && isSectorWord(row[at]!.text) && !unitWords.has(row[at]!.text);
  const extra = row.filter(
    ({ text }, at) =>
      !ofRow[at] &&
      (isOwn(at) || isOtherSector(at)) &&
      text.length >= ownLettersMin &&
      !/\d/.test(text) &&
      !namedAlone.has(text) &&
      !addressWords.has(text) &&
      !branch.test(text) &&
      findInitialsRun(text, texts) === null &&
      !isOfUnit(at) &&
      !isOfStreet(at) &&
      !isLikeForm(text),
  );
  if (extra.length === 0) return false;
  const [shared, own] = [
    new Set(row.flatMap(({ text }, at) => (ofRow[at] ? [text] : []))),
    new Set(extra.map(({ text }) => text)),
  ];
  return name.split(partMarks).some((part) => {
    const words = organisationTokens(part);
    return words.some((word) => own.has(word)) && words.some((word) => shared.has(word));
  });
}

/** Words of an address, as organisationTokens has them. */
const addressWords: ReadonlySet<string> = new Set(
  (
    'street road avenue ave rd boulevard blvd drive lane square suite floor building po box ' +
    'state sainte strasse str rue via calle campus'
  ).split(' '),
);

/** Two words of organisationTokens. */
type WordPair = readonly [one: string, other: string];

const hyphened = /(\p{L}{3,})-(?=(\p{L}{3,}))/gu;

const preposition =
  /(?<!renamed|changed|umbenannt) (?:of|to|for|about|in|with|from|at|by|von|vom|der|des|bei|für|mit|über|de|du|pour|avec|chez|sur|di|del|della|per|con|para|sobre|van|voor|met|bij|av|för|med|hos|na|dla|od) (?:the |die |la |l')?/giu;

/** Whether a word of a name follows a preposition: "Supplier of Acme". */
const followsPreposition = (name: string, word: number): boolean =>
  [...name.matchAll(preposition)].some(
    ({ index, 0: { length } }) => organisationTokens(name.slice(0, index + length)).length === word,
  );

/** The words that a name joins with hyphens, in pairs. */
function listDoubles(name: string): readonly WordPair[] {
  if (!name.includes('-')) return [];
  return Array.from(
    name.matchAll(hyphened),
    ([, one, other]): WordPair => [
      organisationTokens(one!).join(' '),
      organisationTokens(other!).join(' '),
    ],
  );
}

type Words = readonly { readonly text: string; readonly id: number }[];

/** The place of each word: the company's, another, or none. */
type PlaceOfWord = 'home' | 'place' | '';

const sayingOf = (text: string): RestLevel =>
  isSectorWord(text) ? 'sector' : isKindWord(text) ? 'kind' : 'own';

function restOf(
  words: Words,
  hasCounterpart: readonly boolean[],
  placeOf: readonly PlaceOfWord[],
): RestLevel {
  let level = 0;
  for (const [at, { text }] of words.entries()) {
    if (hasCounterpart[at]) continue;
    const own = placeOf[at]! || sayingOf(text);
    level = Math.max(level, restLevels.indexOf(own));
  }
  return restLevels[level]!;
}

function markInitials(short: Words, ofShort: boolean[], long: Words, ofLong: boolean[]): void {
  for (const [at, { text }] of short.entries()) {
    if (ofShort[at]) continue;
    const run = findInitialsRun(
      text,
      long.map((word) => word.text),
    );
    if (run === null || ofLong.slice(run[0], run[1]).includes(true)) continue;
    ofShort[at] = true;
    ofLong.fill(true, run[0], run[1]);
  }
}

function insideOf(
  row: Words,
  ofRow: readonly boolean[],
  ofHeld: readonly boolean[],
  placeOf: readonly PlaceOfWord[],
): InsideLevel {
  if (ofHeld.length === 0 || ofHeld.includes(false)) return 'no';
  const [first, last] = [ofRow.indexOf(true), ofRow.lastIndexOf(true)];
  if (first < 0) return 'no';
  if (ofRow.slice(first, last).includes(false)) return 'no';
  const isUnitBefore = first > 0 && unitWords.has(row[0]!.text);
  if (first > 0 && !isUnitBefore) return 'more';
  const after = row.slice(last + 1);
  const placesAfter = placeOf.slice(last + 1);
  const isPlaceAfter = after.every(
    ({ text }, at) => placesAfter[at] !== '' || /^\d/.test(text) || addressWords.has(text),
  );
  if (!isPlaceAfter) return unitWords.has(after[0]!.text) ? 'unit' : 'more';
  const isHome = placesAfter.includes('home') && !placesAfter.includes('place');
  if (isUnitBefore) return isHome ? 'unitHome' : 'unit';
  if (after.length === 0) return 'alone';
  return isHome ? 'home' : 'place';
}

/**
 * Compares all words of a row with those of a name.
 * @param places words of the places where the company is
 * @param countries codes of its countries
 * @param holdersOf how many names of the index have a word
 * @param name the row's name as it is written; '' if its words are those of the other name
 */
export function compareRests(
  row: readonly OrgRowWord[],
  held: readonly NameWord[],
  places: readonly number[],
  countries: ReadonlySet<string>,
  holdersOf: (word: number) => number,
  name: string,
): NameRests {
  const ofRow = row.map(() => false);
  const ofHeld = held.map(() => false);
  let holders = 0;
  let shared: SharedLevel = 'kind';
  let [isRarestCut, isPlaceCut] = [false, false];
  let [isRespelled, isOtherInitial] = [false, false];
  for (const [at, word] of row.entries())
    for (const [other, own] of held.entries()) {
      if (likenessOf(word, own) < sameWordMin) continue;
      ofRow[at] = true;
      ofHeld[other] = true;
      if (word.id !== own.id) isRespelled = true;
      if (isKindWord(own.text)) continue;
      const isCut =
        word.text.length <= cutLettersMax &&
        word.text !== own.text &&
        own.text.startsWith(word.text);
      if (places.includes(own.id)) {
        if (isCut) isPlaceCut = true;
        continue;
      }
      const count = holdersOf(own.id);
      if (holders === 0 || count < holders) {
        holders = count;
        isRarestCut = isCut;
        isOtherInitial =
          word.id !== own.id &&
          (hasOtherInitial(word.text, own.text) ||
            hasSlips(likenessOf(word, own), word.text, own.text) ||
            (row.length > 1 && hasOtherEnd(word.text, own.text, at === row.length - 1, name)));
      }
      if (at === 0 && other === 0) shared = 'start';
      else if (shared === 'kind') shared = 'own';
    }
  const [rowNumbers, heldNumbers] = [readNumbers(row), readNumbers(held)];
  for (const [at, number] of rowNumbers.entries())
    if (number !== '' && heldNumbers.includes(number)) {
      ofRow[at] = true;
      ofHeld[heldNumbers.indexOf(number)] = true;
    }
  const isFull = (): boolean => !isRespelled && !ofRow.includes(false) && !ofHeld.includes(false);
  const isSameInFull = isFull();
  markInitials(row, ofRow, held, ofHeld);
  markInitials(held, ofHeld, row, ofRow);
  // "Hunt RMC" has a word of its own, "RMC" has none.
  const isSame = isSameInFull || (shared !== 'kind' && isFull());
  const placesOf = (words: Words): PlaceOfWord[] => {
    const marked = markPlaces(words);
    return words.map(({ id }, at) => {
      if (places.includes(id) || countries.has(marked[at]!)) return 'home';
      return marked[at] === '' ? '' : 'place';
    });
  };
  const rowPlaces = placesOf(row);
  const end = row.length - 1;
  const endsAtPlace = !ofRow[end] && rowPlaces[end] === 'place';
  const isPlaceAlone = rowPlaces.every((place) => place === 'home');
  const namesAround = ({ text }: { readonly text: string }): boolean => aroundWords.has(text);
  const first = Math.max(ofRow.indexOf(true), 0);
  const last = ofRow.lastIndexOf(true);
  const isDenied = row.slice(0, first).some(({ text }) => negations().has(text));
  const isWhole = !ofHeld.includes(false);
  const before = row.slice(0, first);
  const isOf =
    isWhole &&
    before.some(({ text }) => !/\d/.test(text)) &&
    // "Office of Acme" and "Physics Department of Acme", not "laid off from Acme".
    !before.some(({ text }, at) => (at === 0 ? unitWords : endingUnits).has(text)) &&
    followsPreposition(name, first);
  // A hyphen further behind joins a site to its parent.
  const isOwn = (at: number): boolean =>
    at >= 0 && rowPlaces[at] === '' && sayingOf(row[at]!.text) === 'own';
  const isJoint = row.some(
    ({ text, id }, at) =>
      at > first &&
      at < last &&
      !ofRow[at] &&
      isOwn(at) &&
      id < 0 &&
      text.length > cutLettersMax &&
      !/\d/.test(text) &&
      !legalWords.has(text),
  );
  const isDouble = listDoubles(name).some(([one, other]) => {
    const at = row.findIndex(({ text }, first) => text === one && row[first + 1]?.text === other);
    const isFirst = row.slice(0, Math.max(at, 0)).every(({ text }) => isKindWord(text));
    return isOwn(at) && isOwn(at + 1) && isFirst && ofRow[at] !== ofRow[at + 1];
  });
  const isMore = isWhole && isExtended(row, ofRow, held, isOwn, name);
  return {
    ofRow: restOf(row, ofRow, rowPlaces),
    ofHeld: restOf(held, ofHeld, placesOf(held)),
    shared,
    inside: insideOf(row, ofRow, ofHeld, rowPlaces),
    holders,
    rowCount: row.length,
    heldCount: held.length,
    isHead:
      row.length === 1 &&
      row[0]!.id === held[0]?.id &&
      row[0]!.text.length >= headLettersMin &&
      shared === 'start' &&
      holders === 1 &&
      rowPlaces[0] === '' &&
      held.slice(1).every(({ text }) => isKindWord(text)),
    isVague:
      isRarestCut || (isPlaceCut && shared === 'kind') || (isPlaceAlone && ofHeld.includes(false)),
    // "Center" is a city too.
    endsElsewhere: endsAtPlace && !isKindWord(row[end]!.text) && isElsewhere(markPlaces(row)[end]!),
    isSame,
    isFormLeft:
      isWhole &&
      shared === 'start' &&
      holders <= formHolders &&
      ofRow.includes(false) &&
      row.every(({ text }, at) => ofRow[at] || (text.length > 2 && isLikeForm(text))),
    isNeighbour: isOtherInitial || isQualified(row, ofRow, held) || isMore,
    isOtherThing:
      held.some(({ text }, at) => !ofHeld[at] && isSectorWord(text)) &&
      row.some(
        ({ id, text }, at) =>
          !ofRow[at] &&
          isOwn(at) &&
          (id < 0 ? /\d\D*\d/.test(text) : holdersOf(id) >= knownHolders) &&
          findInitialsRun(
            text,
            held.map((one) => one.text),
          ) === null,
      ),
    isAround:
      isDenied ||
      isOf ||
      areTwoOfKind(row, ofRow, held, ofHeld) ||
      (isMore && !name.includes('(') && endsBehind(row, ofRow, rowPlaces)) ||
      isStreet(row, ofRow) ||
      (row.some(namesAround) && !held.some(namesAround)),
    isBeside: isBeside(row, ofRow, held),
    isDouble: isDouble || (isWhole && isJoint),
  };
}
