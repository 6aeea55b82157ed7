// Tells the name of an organisation from that of a person, by its words alone.
import { classifyTitle } from '../normalize/classify-title.ts';
import { foldText, isAscii } from '../normalize/fold-text.ts';
import { formOfWord, isKindWord } from '../normalize/messy/organisation-words.ts';
import { courtesyTitles } from '../normalize/name-words.ts';
import { legalFormOf, mayStateForm, normalizeCompany } from '../normalize/normalize-company.ts';
import { isDegree } from '../normalize/split-name.ts';
import { givenPerMillion, numberOfName, surnamePerMillion } from './name-frequencies.ts';

/** Of a million people, so many have a word as a given name, or it counts as none. */
const givenMin = 16;
/** A surname that is so many times more often one than a given name is no given name. */
const surnameFactor = 20;
/** A word that fewer people of a million have as a name may be a word of organisations. */
const rareName = 16;

function isGivenName(word: string): boolean {
  const number = numberOfName(word);
  const given = givenPerMillion(number);
  return given >= givenMin && given * surnameFactor >= surnamePerMillion(number);
}

function countHolders(word: string): number {
  const number = numberOfName(word);
  return givenPerMillion(number) + surnamePerMillion(number);
}

/** The folded words of a text, without titles in front: "Prof.Dr. Uwe Berg". */
function wordsOf(text: string): string[] {
  const words: string[] = foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  while (courtesyTitles.has(words[0] ?? '') && words[0] !== 'the') words.shift();
  return words;
}

/** Kinds of organisations that the table of their words lacks. */
const moreKinds: ReadonlySet<string> = new Set(
  `verlag kanzlei praxis apotheke sparkasse volksbank stadtwerke feuerwehr verein verband autohaus
  maschinenbau backerei brauerei druckerei spedition restaurant gasthof stadtverwaltung finanzamt
  landratsamt pfarramt rathaus gymnasium grundschule kindergarten kita klinik mairie prefecture
  boulangerie pharmacie caisse ayuntamiento alcaldia farmacia comune gemeente apotheek uitgeverij
  gmina kancelaria apteka kommun forlag bokforlag bakery brewery pharmacy nursery clinic surgery
  publishers publishing amt`.split(/\s+/),
);

/** Legal forms that stand behind people too: Privy Council, physical therapist, "Bob Private". */
const alsoBehindPeople = /^(?:pc|pt|sc|do|rl|private|public)$/i;

/** Whether a word can say what an organisation is: shorter ones are parts of names. */
const isKind = (word: string): boolean =>
  moreKinds.has(word) ||
  (word.length > 3 && isKindWord(formOfWord(word)) && !alsoBehindPeople.test(word));

/** A legal form of two letters may be a surname; written so, it is none. */
const isMarkedForm = (word: string, text: string): boolean =>
  /[./]|^\p{Ll}|\p{Ll}\p{Lu}/u.test(word) ||
  (/^\p{Lu}{2,}$/u.test(word) && text !== text.toUpperCase()) ||
  !/^[A-Za-z\u00c0-\u024f]/.test(word);
function statesForm(text: string): boolean {
  if (legalFormOf(text) === '') return false;
  const written = text.split(/[\s,()]+/).filter(Boolean);
  const last = written.at(-1) ?? '';
  const isLast = legalFormOf(`Xq ${last}`) !== '';
  const form = isLast ? last : (written[0] ?? '');
  // A form of several words, or one inside the name.
  if (!isLast && legalFormOf(`${form} Xq`) === '') return true;
  const bare = foldText(form).replace(/[^\p{L}]/gu, '');
  // "B.Sc." is written like a form.
  if (isDegree(form) && legalFormOf(`Xq ${bare}`) === '') return false;
  if (isMarkedForm(form, text) && !alsoBehindPeople.test(form)) return true;
  const [first = '', ...rest] = wordsOf(text).filter((word) => word !== bare);
  const isPerson =
    first.length === 1 ||
    isGivenName(first) ||
    (rest.length === 0 && countHolders(first) >= rareName);
  if (!isPerson) return true;
  const isTitleCase = bare.length < 3 && text !== text.toUpperCase();
  return countHolders(bare) === 0 && !isTitleCase && !alsoBehindPeople.test(bare);
}

const joint = /^(?:of|for|fur|der|des|de|du|d|di|del|della|do|da|dos|van|voor|for|til|av)$/;
const commonKind = /^(?:company|companies)$/;
/** "Marketing Manager"; a word such as "Hospital" alone says a function without a level. */
const isJob = (text: string): boolean => !/^(?:Staff)?$/.test(classifyTitle(text).jobLevel ?? '');
/** A word that so few of a million people have as a name is hardly anyone's here. */
const hardlyName = 2;

/** Whether a name has a word that says what an organisation is: "Deutsche Bank", "Hotel Adler". */
function saysKind(name: string, hasEmployer: boolean): boolean {
  const list = wordsOf(name);
  const [first = ''] = list;
  const kinds = list.filter(isKind).sort((one, other) => countHolders(one) - countHolders(other));
  const [kind = ''] = kinds;
  if (kind === '' || list.length < 2 || isJob(name)) return false;
  const at = list.indexOf(kind);
  const holders = countHolders(kind);
  if (joint.test(list[at + 1] ?? '') && list.length > at + 2) return true;
  // "Allen Hospital" may be a person, "Susan B Allen Memorial Hospital" hardly.
  if (isGivenName(first)) {
    const isShort = list.filter((word) => word.length > 1).length < 3;
    if (isShort && hasEmployer) return false;
    return at === list.length - 1 && holders < (list.length > 2 ? rareName : hardlyName);
  }
  // "Holding Lee" may be a person.
  if (holders < rareName) return at > 0 || holders === 0;
  return first === 'the' || (commonKind.test(kind) && countHolders(first) === 0);
}

/** "Smith & Co.", "Müller & Söhne" */
const andOthers =
  /(?:&|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\bi\b)\s*(?:co|cie|cia|company|sons?|söhne|sohn|fils|hijos|figli|filhos|zonen|partners?|partner|associates|brothers|bros|gebrüder)\.?$/iu;
/** "Johnson & Johnson" */
const twoWords = /^\s*([\p{L}'’-]+)\s*[&+]\s*([\p{L}'’-]+)\s*$/u;

function joinsSurnames(text: string): boolean {
  const [first = ''] = wordsOf(text);
  // "Ann Lee & Partner" are a guest and another one.
  if (andOthers.test(text)) return !isGivenName(first) || !/partner$/i.test(text);
  const [, one = '', other = ''] = twoWords.exec(text) ?? [];
  if (/^\p{Lu}{1,3}[&+]\p{Lu}{1,3}$/u.test(text)) return true;
  return (
    one !== '' &&
    !isGivenName(foldText(one)) &&
    countHolders(foldText(one)) > 0 &&
    countHolders(foldText(other)) > 0
  );
}

/** Whether a text may name an organisation: a quick test, for most names are of people. */
function mayNameOrganisation(text: string): boolean {
  if (!/[ &-]/.test(text) && isAscii(text)) return false;
  if (/[&+./]|(?!\p{sc=Latin})\p{L}/u.test(text)) return true;
  const words = foldText(text).split(/[\s,-]+/);
  return mayStateForm(words) || words.some(isKind);
}

/** What stands behind a name: its employer, a place, a title. */
const behindName = /\s*[,;|].*$|\s+\/\s.*$|\s*\([^()]*\)\s*$|\s+[-–—]\s.*$/u;

/**
 * Whether a text from a column of people's names is the name of an organisation. A word that is a
 * name as well ("Ann Bank", "Maria Sa") leaves the text a person's.
 * @param employer the company of the row; with another one, "Jay Fund" is a person
 */
export function isOrganisationName(text: string, employer = ''): boolean {
  if (!mayNameOrganisation(text)) return false;
  const name = text.replace(behindName, '');
  const behind = text.slice(name.length).replace(/^[\s,]+/, '');
  // "Acme, Inc." is one name, and "Ann Lee, Acme Inc." a person with an employer.
  const isWhole = behind === '' || normalizeCompany(`Xq ${behind}`).tokens.length === 1;
  const hasEmployer = employer !== '' && foldText(employer) !== foldText(text);
  return statesForm(isWhole ? text : name) || saysKind(name, hasEmployer) || joinsSurnames(text);
}
