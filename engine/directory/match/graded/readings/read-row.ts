// The readings of a row: every way in which its cells may hold a name and an organisation. Which
// one is right is for the weights of their kinds to say.
import {
  givenPerMillion,
  numberOfName,
  surnamePerMillion,
} from '../../../names/name-frequencies.ts';
import { classifyTitle } from '../../../normalize/classify-title.ts';
import { foldToAscii } from '../../../normalize/fold-text.ts';
import {
  bareWord,
  isAfterO,
  isNameAddition,
  type NameParts,
  nameWords,
  readNameParts,
  surnameKey,
  surnameWords,
} from '../../../normalize/messy/name-parts.ts';
import { organisationTokens } from '../../../normalize/messy/organisation-tokens.ts';
import { generations, particles } from '../../../normalize/name-words.ts';
import type { RowGiven } from '../compare-first.ts';
import { type ReadingBase, type ReadingVariant, readingKind } from '../levels.ts';
import type { RowSurname, Vocabulary } from '../row-words.ts';
import type { RowText } from './read-identifiers.ts';
import { organisationPart, organisationWord } from './row-signs.ts';

/** One way to read a row. */
export interface Reading extends RowGiven {
  readonly kind: number;
  readonly surname: RowSurname | null;
  readonly organisation: string;
  readonly generation: number;
  readonly isPeer: boolean;
  /** The place in the title of a peer, folded; '' if the title has none. */
  readonly territory: string;
}

/** What reading a row asks of the index. */
export interface ReadingSources {
  readonly vocabulary: Vocabulary;
  /** How surely a text names an organisation, 0 to 1. */
  orgScore(text: string): number;
}

const readingsMax = 26;
const nameWordsMax = 8;
const sureOrg = 0.75;
const likelyOrg = 0.7;
const clearOrg = 0.85;
/** No text names an organisation more surely than this, but for rounding. */
const wholeOrg = 1 - 1e-9;

/** A salutation that stands alone for a given name; "MS" may be initials as well. */
const salutation =
  /^(?:(?:dear|liebe[rs]?|cher|ch[eè]re|estimad[oa]|caro|cara) +)?(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|sr|sra|mme|monsieur|madame|signor|signora)\.?$/i;

/** A number before a name is one of a list. */
const letter = /\p{L}/u;

type Extras = Pick<NameParts, 'nicknames' | 'generation' | 'isPeer'> &
  Partial<Pick<Reading, 'territory'>>;

/** What a peer is of: "Baroness Morris of Yardley". */
function territoryOf(words: readonly string[]): string {
  const at = words.indexOf('of');
  return at > 0
    ? words
        .slice(at + 1)
        .map(bareWord)
        .join('')
    : '';
}

/** Whether a word is a number or a salutation. */
const isNoName = (bare: string): boolean => !letter.test(bare) || isNameAddition(bare);

/** Whether words are the particles of a surname, and at least one. */
const areParticles = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => particles.has(bareWord(word)));

/** Letters of the shortest name that is read out of a longer word: "li". */
const partLettersMin = 2;
const joinedReadingsMax = 2;

/** Collects the readings of one row. */
class Readings {
  readonly found: Reading[] = [];
  readonly sources: ReadingSources;
  constructor(sources: ReadingSources) {
    this.sources = sources;
  }

  add(
    base: ReadingBase,
    variant: ReadingVariant,
    given: readonly string[],
    family: readonly string[],
    organisation: string,
    extras: Extras,
  ): void {
    const { vocabulary } = this.sources;
    const givenWords = given.map(bareWord).filter((word) => letter.test(word));
    let familyWords = family.filter((word) => bareWord(word) !== '');
    if (givenWords.length === 0 && familyWords.length === 0 && extras.nicknames.length === 0)
      return;
    if (this.found.length >= readingsMax) return;
    // An initial before or behind a surname is a middle name that slipped over: "C. Turner".
    const tokens = surnameWords(familyWords);
    const [head, tail] = [tokens[0] ?? '', tokens.at(-1) ?? ''];
    const isPrefix = head === 'd' || (head === 'o' && isAfterO(tokens[1] ?? ''));
    if (tokens.length > 1 && head.length === 1 && !isPrefix) {
      if (!givenWords.includes(head)) givenWords.push(head);
      familyWords = tokens.slice(1);
    } else if (tokens.length > 1 && tail.length === 1) {
      if (!givenWords.includes(tail)) givenWords.push(tail);
      familyWords = tokens.slice(0, -1);
    }
    const key = surnameKey(familyWords);
    this.found.push({
      kind: readingKind(base, variant),
      given: givenWords.map(vocabulary.word),
      nicknames: extras.nicknames.map(vocabulary.word),
      surname: key.whole === '' ? null : vocabulary.surname(key),
      organisation,
      generation: extras.generation,
      isPeer: extras.isPeer,
      territory: extras.territory ?? '',
    });
  }

  /** Whether a word is a surname rather than a given name. */
  isSurname(written: string): boolean {
    const { known } = this.sources.vocabulary.word(bareWord(written));
    return surnamePerMillion(known) > givenPerMillion(known);
  }

  /**
   * How many words at the beginning may be a name, if those behind are no one's: "Ann King Hiring
   * Globally".
   */
  countNamed(words: readonly string[]): number {
    const { vocabulary } = this.sources;
    const isName = (written: string): boolean => {
      const bare = bareWord(written);
      const { id, known } = vocabulary.word(bare);
      return bare.length < 2 || id >= 0 || known >= 0 || particles.has(bare);
    };
    let count = words.length;
    while (count > 0 && !isName(words[count - 1]!)) count--;
    // A rare surname is unknown as well, and only a known name before it has an end.
    return words.length - count > 1 || !words.slice(0, count).every(isName) ? count : words.length;
  }

  /** "annlee" as a known given name and a known surname, the likeliest first. */
  splitKnown(word: string): readonly (readonly [given: string, family: string])[] {
    if (!/^[a-z]{5,}$/i.test(word)) return [];
    const found: { readonly names: readonly [string, string]; readonly share: number }[] = [];
    for (let at = partLettersMin; at <= word.length - partLettersMin; at++) {
      const names = [word.slice(0, at), word.slice(at)] as const;
      const [given, family] = names.map((part) => numberOfName(bareWord(part)));
      const share = givenPerMillion(given!) * surnamePerMillion(family!);
      if (share > 0) found.push({ names, share });
    }
    found.sort((one, other) => other.share - one.share);
    return found.slice(0, joinedReadingsMax).map(({ names }) => names);
  }

  /** "Ann-King" as a known given name and a known surname. */
  splitHyphen(text: string): string[] | null {
    const words = text.split('-').map(foldToAscii);
    return words.length === 2 && isWholeName(words) && this.isSurname(words[1]!) ? words : null;
  }

  /** A whole name in one text. */
  addWhole(base: ReadingBase, text: string, organisation: string): void {
    const read = readNameParts(text);
    const { parts } = read;
    const territory = read.isPeer ? territoryOf(parts.flat()) : '';
    const extras: Extras = { ...read, territory };
    const add = (variant: ReadingVariant, given: readonly string[], family: readonly string[]) =>
      this.add(base, variant, given, family, organisation, extras);
    if (parts.length >= 2) {
      const [family, given, behind] = parts as [string[], string[], string[]?];
      let end = given.length;
      while (end > 1 && particles.has(bareWord(given[end - 1]!))) end--;
      // "Hoeven, van der, Beatrix"; before no other name, "Van" may be the given one.
      if (behind && areParticles(given)) add('comma', behind, [...given, ...family]);
      // "Hoeven, Beatrix van der"
      else add('comma', given.slice(0, end), [...given.slice(end), ...family]);
      if (parts.length === 2 && parts[0]!.length === 1) add('reversed', parts[0]!, parts[1]!);
      return;
    }
    let words = parts.flat();
    if (words.length === 1) words = splitJoined(text) ?? this.splitHyphen(text) ?? words;
    if (read.isPeer && words.length > 0) {
      const ofAt = words.indexOf('of');
      add('plain', [], ofAt > 0 ? words.slice(0, ofAt) : words.slice(-1));
      if (words.length > 1 && ofAt < 0) add('plain', words.slice(0, 1), words.slice(1));
      return;
    }
    if (words.length === 1) {
      if (read.nicknames.length === 1) add('plain', words, read.nicknames);
      add('lone', [], words);
      add('lone', words, []);
      for (const [given, family] of this.splitKnown(words[0]!)) add('plain', [given], [family]);
      return;
    }
    if (words.length === 0 || words.length > nameWordsMax) return;
    const named = words.length > 2 ? this.countNamed(words) : words.length;
    if (named > 1 && named < words.length) {
      add('plain', words.slice(0, named - 1), words.slice(named - 1, named));
      return;
    }
    let cut = words.length - 1;
    while (cut > 1 && particles.has(bareWord(words[cut - 1]!))) cut--;
    add('plain', words.slice(0, cut), words.slice(cut));
    if (words.length > 2 && cut === words.length - 1)
      add('two_surnames', words.slice(0, cut - 1), words.slice(cut - 1));
    let family = 1;
    while (family < words.length - 1 && particles.has(bareWord(words[family - 1]!))) family++;
    add('reversed', words.slice(family), words.slice(0, family));
    if (words.length > 2) add('reversed_long', words.slice(2), words.slice(0, 2));
  }

  /** A given name and a surname in cells of their own; either may hold the whole name. */
  addPair(base: ReadingBase, first: string, last: string, organisation: string): void {
    if (first === '' && last === '') return;
    const [given, family] = [readNameParts(first), readNameParts(last)];
    const givenWords = given.parts.flat();
    const familyWords = family.parts[0] ?? [];
    const extras: Extras = {
      nicknames: [...given.nicknames, ...family.nicknames],
      generation: given.generation || family.generation,
      isPeer: given.isPeer,
      territory: given.isPeer ? territoryOf(familyWords) : '',
    };
    if (given.isPeer && givenWords.length === 0) {
      const ofAt = familyWords.indexOf('of');
      const surname = ofAt > 0 ? familyWords.slice(0, ofAt) : familyWords;
      this.add(base, 'plain', [], surname, organisation, extras);
      return;
    }
    if (last === '') {
      this.addWhole(base, first, organisation);
      return;
    }
    if (first === '') {
      this.addWhole(base, last, organisation);
      return;
    }
    if (familyWords.length > 0 && salutation.test(first))
      this.add(
        base,
        familyWords.length === 1 ? 'lone' : 'plain',
        [],
        familyWords,
        organisation,
        extras,
      );
    if (givenWords.length === 0 && familyWords.length > 0) {
      const isSuffix = generations.has(bareWord(foldToAscii(last)));
      this.addWhole(base, isSuffix ? `${first} ${last}` : last, organisation);
      return;
    }
    if (familyWords.length === 0 && givenWords.length > 0) {
      this.addWhole(base, first, organisation);
      return;
    }
    const isTitle = (): boolean => base === 'given' && classifyTitle(last).jobLevel !== null;
    if (
      givenWords.length > 1 &&
      familyWords.length > 1 &&
      (this.countNamed(familyWords) === 0 || isTitle())
    ) {
      this.addWhole(base, first, organisation);
      return;
    }
    if (givenWords.length > 1 && givenWords.join(' ') === familyWords.join(' ')) {
      this.addWhole(base, first, organisation);
      return;
    }
    this.addVariants(base, givenWords, familyWords, family.parts.slice(1).flat(), {
      organisation,
      extras,
    });
  }

  /** Given names and a surname as they are, exchanged, and with a word that slipped over. */
  addVariants(
    base: ReadingBase,
    given: readonly string[],
    family: readonly string[],
    behindComma: readonly string[],
    { organisation, extras }: { organisation: string; extras: Extras },
  ): void {
    const add = (
      variant: ReadingVariant,
      ofGiven: readonly string[],
      ofFamily: readonly string[],
    ) => this.add(base, variant, ofGiven, ofFamily, organisation, extras);
    if (areParticles(behindComma)) add('plain', given, [...behindComma, ...family]);
    else add('plain', [...given, ...behindComma], family);
    const [givenBare, familyBare] = [given.map(bareWord), family.map(bareWord)];
    if (familyBare.every((word) => givenBare.includes(word)) && given.length > family.length) {
      const alone = given.filter((word) => !familyBare.includes(bareWord(word)));
      add('plain', alone, family);
      return;
    }
    if (givenBare.every((word) => familyBare.includes(word)) && family.length > given.length) {
      const alone = family.filter((word) => !givenBare.includes(bareWord(word)));
      add('plain', given, alone);
      return;
    }
    add('swapped', family, given);
    if (family.length > 1)
      add('middle_in_last', [...given, ...family.slice(0, -1)], family.slice(-1));
    const lastGiven = given.at(-1) ?? '';
    if (given.length > 1 && bareWord(lastGiven).length > 1)
      add('surname_in_first', given.slice(0, -1), [lastGiven, ...family]);
    // Of two surnames, neither is a given name: López Fernández is not Fernández López.
    if (family.length === 2 && bareWord(family[0]!).length > 1 && !this.isSurname(family[1]!))
      add('surname_first', [...family.slice(1), ...given], family.slice(0, 1));
  }
}

/** "JohnSmith", "john_smith" and "john.smith" as two words; null if a text is none of them. */
function splitJoined(text: string): string[] | null {
  const trimmed = text.trim();
  const found =
    /^([A-Z][\p{Ll}]+)([A-Z][\p{L}]+)$/u.exec(trimmed) ??
    /^([\p{L}]{2,})[_.]([\p{L}]{2,})$/u.exec(trimmed);
  const words = found ? [foldToAscii(found[1]!), foldToAscii(found[2]!)] : null;
  // "VanWinkle" is a surname.
  return words && surnamePerMillion(numberOfName(words.join(''))) > 0 ? null : words;
}

const separators =
  /\s+[-–—|@]\s+|\s*[|;]\s*|\s+at\s+|\s*\/\s*|\s*[([]|\s+from\s+|\s+with\s+|:\s+|,\s*/i;

/** Behind a comma stand given names, of which so many people of a million have one, or a note. */
const noteGivenMax = 3;

/** A name with a title or a note behind a separator, while the organisation has its own cell. */
function addNameWithNote(into: Readings, { first, last, company }: RowText): void {
  const cell = last === '' ? first : first === '' ? last : '';
  if (company === '') return;
  let [name = '', note = '', ...more] = cell.split(/\s*[|;]\s*|\s+(?:--?|[–—/])\s+/);
  if (note === '') {
    const at = cell.indexOf(',');
    if (at < 0) return;
    [name, note] = [cell.slice(0, at), cell.slice(at + 1).trim()];
    const isGiven = (word: string): boolean => givenPerMillion(numberOfName(word)) >= noteGivenMax;
    const words = readNameParts(name).parts.flat();
    if (words.length < 2) return;
    // "Ann King, Paris"
    const isWhole = isWholeName(words) && isGiven(words[0]!) && into.isSurname(words.at(-1)!);
    if (!isWhole && classifyTitle(note).jobLevel === null && nameWords(note).some(isGiven)) return;
  }
  // "Ann | King | President"
  if (nameWords(name).length === 1 && more.length > 0)
    into.addPair('name_and_org', name, note, company);
  else if (nameWords(name).length > 1) into.addWhole('name_and_org', name, company);
}

/** A known given name, an initial or none, and a known surname. */
function isWholeName(words: readonly string[]): boolean {
  const [given, family] = [words[0], words.at(-1)].map((word = '') => numberOfName(word));
  const isLong = words.length === 2 || (words.length === 3 && bareWord(words[1]!).length === 1);
  return isLong && givenPerMillion(given!) > 0 && surnamePerMillion(family!) > 0;
}

/** A name and an organisation in one cell, on two sides of a separator. */
function addNameWithOrg(into: Readings, text: RowText): void {
  const { first, last, company } = text;
  const name = `${first} ${last}`.trim();
  const count = nameWords(name).length;
  // A name that no table has is one too: another person in the employer's cell is not meant.
  const isNamed =
    (first !== '' && last !== '') ||
    (count > 1 &&
      count < nameWordsMax / 2 &&
      company.search(separators) >= 0 &&
      classifyTitle(name).jobLevel === null &&
      into.sources.orgScore(name) < likelyOrg);
  const hasOrgName = organisationWord.test(name);
  for (const cell of ['first', 'last', 'company'] as const) {
    const written = text[cell]
      .split(separators)
      .map((side) => side.replace(/[)\]]+$/, '').trim())
      .filter(Boolean);
    if (written.length < 2 || (cell === 'company' && isNamed && !hasOrgName)) continue;
    // "Acme Inc | Ann King | President"
    const untitled = written.filter(
      (side) => classifyTitle(side).jobLevel === null || into.sources.orgScore(side) >= sureOrg,
    );
    const sides = untitled.length > 1 ? untitled : written;
    const other = cell === 'first' ? last : cell === 'last' ? first : '';
    const [given = '', family = '', third = '', ...more] = sides;
    if (more.length > 0 && nameWords(given).length === 1 && nameWords(family).length <= 2)
      into.addPair('name_and_org', given, family, third);
    for (const cut of sides.length === 2 ? [1] : [1, sides.length - 1]) {
      const [a, b] = [sides.slice(0, cut).join(', '), sides.slice(cut).join(', ')];
      for (const [name, org] of [
        [a, b],
        [b, a],
      ] as const) {
        const count = readNameParts(name).parts.flat().length || nameWords(name).length;
        if ((count < 2 && other === '') || count > nameWordsMax || count === 0) continue;
        if (organisationWord.test(name) || organisationTokens(org).length === 0) continue;
        if (!organisationWord.test(org) && into.sources.orgScore(org) < sureOrg) continue;
        if (cell === 'first' && last !== '' && !organisationWord.test(last))
          into.addPair('name_and_org', name, last, org);
        else if (cell === 'last' && first !== '') into.addPair('name_and_org', first, name, org);
        else into.addWhole('name_and_org', name, org);
      }
    }
  }
  const lone = [first, last, company].filter((cell) => cell !== '');
  const written = (lone[0] ?? '').split(/\s+/);
  const hasOrg = organisationWord.test(lone[0] ?? '') || organisationPart.test(lone[0] ?? '');
  if (lone.length !== 1 || last !== '' || written.length < 4 || !hasOrg) return;
  if (lone[0] === company && into.sources.orgScore(company) >= wholeOrg) return;
  for (const cut of [2, 3]) {
    into.addWhole('joined', written.slice(0, cut).join(' '), written.slice(cut).join(' '));
    into.addWhole('joined', written.slice(-cut).join(' '), written.slice(0, -cut).join(' '));
  }
}

/** The name in the organisation's cell and the other way round. */
function addCrossed(into: Readings, { first, last, company }: RowText): void {
  const name = `${first} ${last}`.trim();
  if (name === '' || company === '') return;
  const isCompanyLike = organisationWord.test(company);
  const looksCrossed =
    organisationWord.test(name) ||
    organisationPart.test(name) ||
    (!isCompanyLike && nameWords(company).length <= 5);
  if (!looksCrossed) return;
  const { orgScore } = into.sources;
  const [ofName, ofCompany] = [orgScore(name), orgScore(company)];
  if (ofName > likelyOrg && (ofName > ofCompany - 0.05 || !isCompanyLike))
    into.addWhole('crossed', company, name);
  if (first === '' || last === '') return;
  for (const [org, other] of [
    [first, last],
    [last, first],
  ] as const) {
    const isLike = organisationWord.test(org) || organisationPart.test(org);
    if (!isLike && ofCompany >= wholeOrg) continue;
    const score = orgScore(org);
    if (score <= sureOrg || (!isLike && score <= ofCompany)) continue;
    const isFirst = org === first;
    into.addPair('crossed', isFirst ? '' : other, isFirst ? other : '', org);
    into.addPair('shifted', isFirst ? company : other, isFirst ? last : company, org);
  }
}

/** What stands between a title and the employer: "Mayor at City of Noblesville". */
const titleBreak = /\s+(?:at|bei|chez|presso)\s+|\s*[@|]\s*|\s+[-–—]\s+|,\s+/i;

/** The employer of a row without a company: a title that names one, and no function or level. */
function employerInTitle({ title }: RowText, { orgScore }: ReadingSources): string {
  if (title === '') return '';
  let behind = title;
  for (let at = behind.search(titleBreak); at >= 0; at = behind.search(titleBreak)) {
    behind = behind.slice(at).replace(titleBreak, '');
    if (orgScore(behind) >= clearOrg) return behind;
  }
  if (orgScore(title) < clearOrg) return '';
  const { jobFunction, jobLevel } = classifyTitle(title);
  return jobFunction === null && jobLevel === null ? title : '';
}

/** What stands between a name and its title. */
const titleBehind = new RegExp(`${titleBreak.source}|\\s*\\(`, 'i');

/** A title that names an organisation, and more surely so than the company's cell. */
function addTitle(into: Readings, { first, last, company, title }: RowText): void {
  if (title === '' || (first === '' && last === '')) return;
  const score = into.sources.orgScore(title);
  if (score < clearOrg || (company !== '' && score <= into.sources.orgScore(company))) return;
  into.addPair('given', first, last, title);
}

/** The whole row one column to the right or to the left. */
function addShifted(into: Readings, text: RowText): void {
  const { first, last, company, title, inEmail, inUrl, domains, urls } = text;
  const isName = company !== '' && !organisationWord.test(company);
  const count = nameWords(company).length;
  const behind = inEmail || inUrl;
  if (isName && count <= 3 && behind !== '' && last !== '')
    into.addPair('shifted', last, company, behind);
  if (isName && count <= 4 && first === '' && last !== '')
    into.addPair('shifted', last, company, behind);
  const lone = first === '' ? last : last === '' ? first : '';
  if (lone !== '' && isName && count <= 3 && nameWords(lone).length <= 2)
    if (domains.length > 0 || urls.length > 0) {
      into.addPair('shifted', lone, company, '');
      into.addPair('shifted', company, lone, '');
    }
  if (first !== '' && last !== '' && !organisationWord.test(first))
    if (organisationWord.test(last) || into.sources.orgScore(last) > clearOrg)
      into.addWhole('shifted', first, last);
  if (company === '' && nameWords(last).length > 1 && !organisationWord.test(last))
    if (organisationWord.test(first) && into.sources.orgScore(first) > clearOrg)
      into.addWhole('shifted', last, first);
  const isFirstEmpty = last !== '' && nameWords(first).map(bareWord).every(isNoName);
  if (isFirstEmpty && isName && into.sources.orgScore(title) > clearOrg)
    into.addPair('shifted', last, company, title);
  if (first === '' && last === '') {
    const [named = ''] = title.split(titleBehind);
    const words = named.split(' ');
    const [ahead, name] = [words.slice(0, -2).join(' '), words.slice(-2).join(' ')];
    // "President Ann King"
    const isTitled = ahead !== '' && classifyTitle(ahead).jobLevel !== null;
    const employer = company || employerInTitle(text, into.sources);
    if (isWholeName(nameWords(named))) into.addWhole('shifted', named, employer);
    else if (isTitled && isWholeName(nameWords(name))) into.addWhole('shifted', name, employer);
  }
  if (first === '' && last === '' && inEmail !== '') into.addWhole('shifted', inEmail, company);
  if (company === '' && behind !== '' && (first !== '' || last !== ''))
    into.addPair('given', first, last, behind);
  if (first === '' && last === '' && isName && count >= 2)
    into.addWhole('shifted', company, behind);
}

/** The name next to an address, if the cells of the name do not have all of it. */
function addDisplay(into: Readings, { first, last, company, display }: RowText): void {
  const count = display === '' ? 0 : nameWords(display).length;
  if (count < 2 || count >= 6 || organisationWord.test(display)) return;
  const isWhole = first !== '' && last !== '' && bareWord(first).length > 1;
  if (!isWhole) into.addWhole('display', display, company);
}

const noExtras: Extras = { nicknames: [], generation: 0, isPeer: false };

/** The name that an address spells, for a row that has no other. */
function addMailbox(into: Readings, local: string, company: string): void {
  const words = local.split(/[._-]+/).filter((word) => /^[a-z]+$/.test(word));
  const [a = '', b = ''] = words;
  if (words.length === 2) {
    into.add('mailbox', 'plain', [a], [b], company, noExtras);
    if (a.length > 1 && b.length > 1) into.add('mailbox', 'reversed', [b], [a], company, noExtras);
  } else if (words.length === 1 && a.length >= 5)
    into.add('mailbox', 'plain', [a.slice(0, 1)], [a.slice(1)], company, noExtras);
}

/** The readings of a row whose cells hold what their columns say, the usual one first. */
export function listPlainReadings(text: RowText, sources: ReadingSources): readonly Reading[] {
  const into = new Readings(sources);
  into.addPair('given', text.first, text.last, text.company || employerInTitle(text, sources));
  return into.found;
}

/**
 * The readings of a row with a name, an organisation or an address where its columns do not say so.
 * @param isNamePlain the cells of the name hold a name surely: only the organisation is looked for
 * @param plainCount how many plain readings the row has
 * @param mailbox local part of an email of an employer that the row's name may be read from; '' if
 * there is none
 */
export function listOtherReadings(
  text: RowText,
  sources: ReadingSources,
  isNamePlain: boolean,
  plainCount: number,
  mailbox: string,
): readonly Reading[] {
  const into = new Readings(sources);
  addTitle(into, text);
  if (isNamePlain) return into.found;
  addNameWithNote(into, text);
  addNameWithOrg(into, text);
  addCrossed(into, text);
  addShifted(into, text);
  addDisplay(into, text);
  // The employer's own cell is crossed with that of the name, but holds none.
  const hasNoName = text.first === '' && text.last === '';
  if (mailbox !== '' && (hasNoName || plainCount + into.found.length === 0))
    addMailbox(into, mailbox, text.company);
  return into.found;
}
