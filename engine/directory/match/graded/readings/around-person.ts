// Words around a name: those of rows about a widow, an office or a foundation, which mean nobody,
// and titles, greetings and labels.
import { readWordSets, readWords } from '../../../../platform/read-words.ts';
import {
  givenPerMillion,
  numberOfName,
  surnamePerMillion,
} from '../../../names/name-frequencies.ts';
import { classifyTitle } from '../../../normalize/classify-title.ts';
import { foldToAscii } from '../../../normalize/fold-text.ts';
import { bareWord, isNameAddition, nameWords } from '../../../normalize/messy/name-parts.ts';
import { particles } from '../../../normalize/name-words.ts';
import { isRareTitle } from '../../../normalize/split-name.ts';

const lists = readWordSets('around-names');
const wordsOf = (name: string): ReadonlySet<string> => lists.get(name)!;
const others = wordsOf('others');
const negations = wordsOf('negations');
const before = wordsOf('before');
const compounds = wordsOf('compounds');
const behind = new Set([...wordsOf('behind'), ...compounds]);
const wrong = wordsOf('wrong');
const another = wordsOf('another');
const who = wordsOf('who');
const gone = wordsOf('gone');
const goneWords = new Set([...gone].flatMap((phrase) => phrase.split(' ')));
/** What relates to the name behind it. */
const relations = new Set([...others, ...negations, ...before]);
const joints = wordsOf('joints');
const particleJoints = wordsOf('particles');
const greetings = wordsOf('greetings');
/** What stands before a name and a colon. */
const labels = new Set([...wordsOf('labels'), ...wordsOf('topics')]);
/** What ends a letter, before the name of who wrote it. */
const closings = wordsOf('closings');
const nothing = new Set([...greetings, ...wordsOf('labels'), ...wordsOf('nothing')]);

/** What the words around a name say: something else is meant, or nobody knows what. */
export type AroundName = 'something' | 'unknown';

/** What a word of a row is to the person that the row may mean. */
export interface NamedWords {
  /** How well a word agrees with a given name of the person; 0 for not at all. */
  given(word: string): number;
  surname(word: string): number;
  /** Whether any given name was read. */
  readonly hasGiven: boolean;
  /** Whether people have a given name, and whether enough have a surname. */
  isGiven(word: string): boolean;
  isSurname(word: string): boolean;
  /** Whether a word is one of the row's employer, and of an employer in a cell of the name. */
  isEmployers(word: string): boolean;
  isOrganisations(word: string): boolean;
}

const fold = (word: string): string => bareWord(foldToAscii(word));

interface Word {
  readonly text: string;
  readonly written: string;
  readonly given: number;
  readonly surname: number;
}

/** What separates a name from a note; behind a colon stands what a label is for. */
const segmentBreak = /\s*[()[\]{}"“”„«»,;|@→]\s*|\s+(?:[-–—/]|--|\/\/|[-=]>)\s+/;
/** What begins a note that is no title of the person. */
const noteSign = /[([{→]|\s(?:[-–—/]|--|[-=]>)\s/;
const number = /^\d+\p{L}?$/u;
/** What is run: "5K". */
const distance = /^\d+(?:k|km|mi)$/;
/** Letters of two scripts: "King秘書". */
const scriptBreak =
  /(?<=\p{sc=Latin})(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])/gu;
const genitive = /['’]s?$/;
/** A list's mark, a code or an abbreviation, of which no list has all: "zz", "Kfm.", "Dott.ssa" */
const mark = /^[b-df-hj-np-tv-xz]{1,3}$|^(.)\1+$|\d/;
const isShort = (written: string): boolean =>
  /^\p{Lu}{2,4}$/u.test(written) || /^\p{L}[\p{L}-]{0,5}\.(?:\p{Ll}{2,3})?$/u.test(written);

const readWordsOf = (text: string, named: NamedWords): Word[] =>
  text
    .replace(scriptBreak, ' ')
    .split(/\s+/)
    .flatMap((written) => {
      // "King-Preis"
      const at = written.lastIndexOf('-');
      const isThing = at > 0 && compounds.has(fold(written.slice(at + 1)));
      return isThing ? written.split('-') : [written];
    })
    .flatMap((written) =>
      nameWords(written.replace(genitive, '')).map((word) => {
        const text = bareWord(word);
        return { text, written, given: named.given(text), surname: named.surname(text) };
      }),
    );

const isNamed = ({ given, surname }: Word): boolean => given > 0 || surname > 0;
const isIn = ({ text, written }: Word, list: ReadonlySet<string>): boolean =>
  list.has(text) || (written.length < 5 && list.has(written.toLowerCase()));
const says = (words: readonly Word[], list: ReadonlySet<string>): boolean =>
  words.some((word) => isIn(word, list));
/** A word as a name is written, not a common one of most languages. */
const isCapital = ({ written }: Word): boolean => /^[\p{Lu}\P{L}]/u.test(written);
const isTitle = (words: readonly Word[]): boolean =>
  classifyTitle(words.map(({ written }) => written).join(' ')).jobLevel !== null;

/** People of a million who have a surname that is one, whatever else it means. */
const surnameMin = 20;

/** What listed words next to a name say: "Kone" and "Plaza" alone may be a second surname. */
const readListed = ([word, ...more]: readonly Word[], { given, surname }: Word): AroundName =>
  more.length === 0 &&
  surname > 0 &&
  given <= 0 &&
  isCapital(word!) &&
  surnamePerMillion(numberOfName(word!.text)) >= surnameMin
    ? 'unknown'
    : 'something';

/** Whether a word around a name says nothing about who is meant. */
const isNothing = ({ text, written }: Word, { isEmployers }: NamedWords): boolean =>
  text.length < 2 ||
  mark.test(text) ||
  nothing.has(text) ||
  isShort(written) ||
  isNameAddition(text) ||
  isRareTitle(text) ||
  particles.has(text) ||
  isEmployers(text);

/** The sign between the parties of a case in court, which no name ends with. */
const isParty = ({ text, written }: Word): boolean => text === 'v' && /^v\.?$/.test(written);

/** Whether a word around a name may say who is meant. */
const isTelling = (word: Word, named: NamedWords): boolean =>
  isCapital(word) && !isNothing(word, named) && !named.isOrganisations(word.text);

function readBefore(words: readonly Word[], name: Word, named: NamedWords): AroundName | null {
  const last = words.at(-1);
  if (last === undefined || words.some(({ text }) => named.isOrganisations(text))) return null;
  const isGiven = name.given > 0;
  const isParticle = particleJoints.has(last.text) && name.surname <= 0 && words.length > 1;
  const isJoint = joints.has(last.text) && (words.length > 1 || !nothing.has(last.text));
  if (isGiven && (isParticle || isJoint) && !last.written.endsWith('.')) return 'something';
  if (isGiven && isParty(last) && words.length > 1) return 'something';
  if (says([last], relations)) return readListed(words, name);
  if (isTitle(words)) return null;
  if (says(words, relations)) return 'something';
  const isKnown = (word: Word): boolean =>
    isNothing(word, named) ||
    named.isGiven(word.text) ||
    (!isGiven && isCapital(word)) ||
    isTitle([word]);
  return words.every(isKnown) ? null : 'unknown';
}

const foldAll = (words: readonly Word[]): string =>
  ` ${foldToAscii(words.map(({ written }) => written).join(' ')).replace(/[^a-z0-9]+/g, ' ')} `;

/** What a note behind a name says: "(assistant)", "(not him)", "- wrong one", "left the firm". */
function readNote(words: readonly Word[]): AroundName | null {
  const areAll = (...kinds: readonly ReadonlySet<string>[]): boolean =>
    words.every((word) => kinds.some((kind) => isIn(word, kind)));
  if (says(words, others) && areAll(others, nothing)) return 'something';
  if (says(words, negations) && (words.length === 1 || areAll(negations, who, wrong)))
    return 'something';
  if (says(words, wrong) && areAll(wrong, who)) return 'something';
  if (says(words, another) && words.length > 1 && areAll(another, wrong, who)) return 'something';
  const text = foldAll(words);
  return [...gone].some((phrase) => text.includes(` ${phrase} `)) ? 'unknown' : null;
}

function readBehind(written: readonly Word[], name: Word, named: NamedWords): AroundName | null {
  if (written.length === 1 && distance.test(written[0]!.text)) return 'something';
  const words = written.filter(({ text }) => !number.test(text));
  const last = words.at(-1);
  if (last === undefined || words.some(({ text }) => named.isOrganisations(text))) return null;
  if (name.written.endsWith(':')) return null;
  // "Ann King? no"
  if (name.written.endsWith('?')) return 'unknown';
  // "Ann King v. Acme"
  if (words.length > 1 && isParty(words[0]!)) return 'something';
  const isJoint = ({ text }: Word): boolean => joints.has(text) || particleJoints.has(text);
  const isEmployer = (word: Word): boolean => named.isEmployers(word.text);
  if (
    words.length > 1 &&
    isEmployer(last) &&
    words.every((word) => isJoint(word) || isEmployer(word))
  )
    return null;
  if (genitive.test(name.written)) return 'something';
  const note = isCapital(words[0]!) ? null : readNote(words);
  if (note !== null) return note;
  if (behind.has(last.text)) return readListed(words, name);
  const isAlone = words.length === 1;
  if (isAlone && (says(words, others) || says(words, negations))) return readListed(words, name);
  if (isTitle(words)) return null;
  if (says(words, others) || says(words, behind)) return 'something';
  // Behind a given name alone stands a middle name, of which nobody knows all.
  if (name.surname <= 0) return null;
  // "Lindq vist", "Perez Qui_ones"
  const joined = words.map(({ text }) => text).join('');
  if (named.surname(joined) > 0 || named.surname(name.text + joined) > name.surname) return null;
  const isSurname = (word: Word): boolean =>
    named.isSurname(word.text) && isCapital(word) === isCapital(name);
  // A word that says nothing begins a note: "Ann King is hiring".
  const isNote = isNothing(words[0]!, named);
  const isRead = isNote || words.every((word) => isNothing(word, named) || isSurname(word));
  return isRead ? null : 'unknown';
}

/** What the words of a row's name cells say that are no part of the name of a person. */
export function readAroundName(cells: readonly string[], named: NamedWords): AroundName | null {
  const segments = cells
    .flatMap((cell) => cell.split(segmentBreak))
    .map((text) => readWordsOf(text, named))
    .filter((words) => words.length > 0);
  const all = segments.flat();
  if (!all.some(({ surname }) => surname > 0)) return null;
  if (!all.some(({ given }) => given > 0)) {
    // "Dean's deputy, Kim": a surname is read, and a given name is not.
    const isOther = (word: Word): boolean =>
      !isNamed(word) && isTelling(word, named) && named.isGiven(word.text);
    return !named.hasGiven && all.some(isOther) ? 'unknown' : null;
  }
  const hasNote = cells.some((cell) => noteSign.test(cell)) || cells.length > 1;
  let found: AroundName | null = null;
  for (const words of segments) {
    const from = words.findIndex(isNamed);
    if (from < 0) {
      const note = hasNote ? readNote(words) : null;
      if (note === 'something') return note;
      // "Acme Robot - Ann King"
      const isAhead = segments.indexOf(words) < segments.findIndex((one) => one.some(isNamed));
      const isUnknown = isAhead && !isTitle(words) && words.some((word) => isTelling(word, named));
      found ??= note ?? (isUnknown ? 'unknown' : null);
      continue;
    }
    const to = words.findLastIndex(isNamed);
    const [start, end] = [words[from]!, words[to]!];
    // A letter that a decoding lost cuts a word in two.
    const ahead = words.slice(0, from).filter(({ written }) => written !== start.written);
    const rest = words.slice(to + 1).filter(({ written }) => written !== end.written);
    const around = [readBefore(ahead, start, named), readBehind(rest, end, named)];
    if (around.includes('something')) return 'something';
    found ??= around.find((one) => one !== null) ?? null;
  }
  return found;
}

const labelWordsMax = 3;
/** "Table 12:" */
const labelNumber = /\s*#?\d+$/;
/** What a list has before a name: "zz", "ID". */
const listMark = /^(?:([a-z])\1+|[b-df-hj-np-tv-xz]{2,3}|ID)[_.)]?$/;
/** An abbreviated title, of which no list has all: "Kfm.", "PhDr." */
const abbreviation = /^\p{L}[\p{L}-]*\p{L}\.(?:-\p{L}+\.)*$/u;
/** People of a million who have a given name that is one. */
const givenMin = 3;
/** Words of a whole name. */
const wholeMin = 2;

/** Levels of titles that are those of a person named behind them. */
const isOwnTitle = (text: string): boolean => {
  const { jobLevel } = classifyTitle(text);
  return jobLevel !== null && jobLevel !== 'Staff';
};

/** Given names as they are abbreviated: "Wm." */
const shortForms = new Set(readWords('short-forms').flatMap(([, forms]) => forms));
const isUpper = /^\p{Lu}/u;
/** Whether a word before a name is a title rather than a name, as of surnames written first. */
const isUnlistedTitle = (written: string): boolean => {
  const number = numberOfName(fold(written));
  return (
    givenPerMillion(number) < givenMin &&
    surnamePerMillion(number) < surnameMin &&
    !shortForms.has(fold(written)) &&
    (abbreviation.test(written) || isOwnTitle(written))
  );
};

const closingWordsMax = 4;

/** A text without the words that end a letter: "Best regards, Ann King". */
export function dropClosing(text: string): string {
  const words = text.split(/\s+/);
  for (let count = Math.min(closingWordsMax, words.length - wholeMin); count > 0; count--) {
    const phrase = words.slice(0, count).map(fold).join(' ');
    if (closings.has(phrase) && !joints.has(words[count]!.toLowerCase()))
      return words
        .slice(count)
        .join(' ')
        .replace(/^\|\s*/, '');
  }
  return text;
}

/** "ATTENDEE - Ann King" */
const labelDash = /^([\p{L}\s]+?)\s+[-–—]\s+(?=\p{L}+\s\p{L})/u;

/** What a program puts before a subject: "[RESOLVED] Ann King". */
const tag = /^\[(\p{L}+)\]\s+/u;
/** Whether a word says that somebody or something else is meant. */
const isAround = (word: string): boolean =>
  [relations, behind, wrong].some((list) => list.has(word));

/** Words of the names of files that show or describe a person. */
const files = wordsOf('files');
const fileName = /^(.+)\.(?:pdf|docx?|odt|rtf|txt|jpe?g|png|gif|webp|heic|vcf|pages)$/i;

/** The name in that of a file: "King_Ann_CV_2021.pdf". */
export function unpackFile(text: string): string {
  const [, stem] = fileName.exec(text) ?? [];
  if (stem === undefined) return text;
  const words = stem.split(/[\s_.,-]+/).filter((word) => /\p{L}/u.test(word));
  const names = words.filter((word) => !files.has(fold(word)));
  return names.length < words.length && names.length >= wholeMin ? names.join(' ') : text;
}

/** A text without a label before a colon or a dash. */
export function dropLabel(labelled: string): string {
  const [tagged, inTag] = tag.exec(labelled) ?? [];
  const text = tagged && !isAround(fold(inTag!)) ? labelled.slice(tagged.length) : labelled;
  const [dashed, before] = labelDash.exec(text) ?? [];
  if (dashed && before!.split(/\s+/).every((word) => nothing.has(fold(word))))
    return text.slice(dashed.length);
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes(':', colon + 1)) return text;
  const label = text.slice(0, colon);
  const words = label
    .replace(labelNumber, '')
    .split(/[\s-]+/)
    .map(fold);
  const isLabel =
    labels.has(words.join('')) ||
    (words.length <= labelWordsMax &&
      words.some((word) => labels.has(word)) &&
      words.every((word) => !others.has(word) && !negations.has(word) && !joints.has(word))) ||
    isOwnTitle(label.slice(label.lastIndexOf(' ') + 1));
  return isLabel ? text.slice(colon + 1).trim() : text;
}

const westernLetters = /^[\0-\u024f]*$/;

/** Words in letters other than Latin ones: in brackets, behind a slash, before a colon, alone. */
const otherScripts =
  /(?:[([{（【]|\/\s*)?(?<![\p{L}\p{M}])(?:(?!\p{sc=Latin})[\p{L}\p{M}])+(?![\p{L}\p{M}])\s*[)\]}）】:：]?/gu;

/**
 * A whole name in Latin letters without a label, a translation, a title or a form of address in
 * others. Other words may be those of a thing.
 */
export function dropOtherScripts(text: string): string {
  if (westernLetters.test(text)) return text;
  const rest = text.replace(otherScripts, (written) => {
    const words = nameWords(written).map(bareWord);
    const isApart = /^[^\p{L}]|[^\p{L}]$/u.test(written.trim());
    const isTelling = words.some(isAround);
    const isKnown = words.every((word) => nothing.has(word)) || isOwnTitle(written);
    return !isTelling && (isApart || isKnown) ? ' ' : written;
  });
  return rest === text || nameWords(rest).length < wholeMin ? text : rest.trim();
}

/** Whether a cell for a name holds a title alone: "State Senator". */
export const isTitleAlone = (text: string): boolean =>
  nameWords(text).every((word) => givenPerMillion(numberOfName(bareWord(word))) < givenMin) &&
  isOwnTitle(text);

/** A name of so many words without marks and titles before it. Many greetings are surnames too. */
export function dropLeadIn(text: string, least: number): string {
  let words = text.trim().split(' ');
  while (words.length > least) {
    if (relations.has(fold(words[0]!))) break;
    const isGreeting = greetings.has(fold(words[0]!)) && isNameAddition(fold(words[1]!));
    // "Mr. and Mrs. King", "Presidente de Ann King"
    const isTitle = isUpper.test(words[1]!) && isUnlistedTitle(words[0]!);
    if (!isGreeting && !isTitle && !listMark.test(words[0]!)) break;
    words = words.slice(1);
  }
  return words.join(' ');
}

/** Whether a word of a text may say that it is about something around a person. */
export const mayBeAroundPerson = (text: string): boolean =>
  text.includes(' ', text.indexOf(' ') + 1) &&
  nameWords(text).some(
    (word) =>
      relations.has(word) ||
      behind.has(word) ||
      wrong.has(word) ||
      goneWords.has(word) ||
      distance.test(word),
  );
