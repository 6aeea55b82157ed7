// The values by which everything about one person is found, and the test of a text for them.
import { foldText } from '../directory/normalize/fold-text.ts';
import { normalizeCompany } from '../directory/normalize/normalize-company.ts';
import { listAddressKeys, listPlainReadings } from '../suppression/value-keys.ts';

export interface SubjectName {
  readonly first: string;
  readonly last: string;
}

/** The values of one person, in the forms in which they are compared. No other person has them. */
export interface Subject {
  /** UUIDs of the directories and of the answers of data services. */
  readonly uuids: readonly string[];
  /** In lower case. */
  readonly emails: readonly string[];
  /** profileUrlKey of each page. */
  readonly profiles: readonly string[];
  /** E.164 without an extension. */
  readonly phones: readonly string[];
  readonly names: readonly SubjectName[];
  /** Names and domains of employers. A name of the person counts only together with one of them. */
  readonly employers: readonly string[];
}

const listNames = ['uuids', 'emails', 'profiles', 'phones', 'employers'] as const;

export const emptySubject: Subject = {
  uuids: [],
  emails: [],
  profiles: [],
  phones: [],
  names: [],
  employers: [],
};

export function mergeSubjects(one: Subject, other: Subject): Subject {
  const lists = listNames.map((name) => [name, [...new Set([...one[name], ...other[name]])]]);
  const names = new Map(
    [...other.names, ...one.names].map((name) => [foldWords(`${name.first} ${name.last}`), name]),
  );
  return { ...(Object.fromEntries(lists) as Omit<Subject, 'names'>), names: [...names.values()] };
}

/** How many values a subject has. It only grows while a person is searched for. */
export const countValues = (subject: Subject): number =>
  subject.names.length + listNames.reduce((sum, name) => sum + subject[name].length, 0);

/** Letters and digits of a text, folded, with single spaces around every word. */
export const foldWords = (text: string): string =>
  ` ${foldText(text)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()} `;

export interface Matcher {
  /** Whether a text has an identifier of the person: a UUID, an email, a page or a number. */
  hasIdentifier(text: string): boolean;
  names(text: string): boolean;
  hasName(text: string): boolean;
  hasPart(text: string): boolean;
  hasEmployer(text: string): boolean;
}

const escapeText = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function compileIdentifiers({ uuids, emails, profiles }: Subject): RegExp | null {
  const parts = [
    ...uuids.map((uuid) => `(?<![0-9a-f])${escapeText(uuid)}(?![0-9a-f])`),
    ...emails.map(
      (email) =>
        `(?<![\\p{L}\\p{N}._%+'-])${escapeText(email)}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    ),
    ...profiles.map((key) => `(?<![\\p{L}\\p{N}-])${escapeText(key)}(?![\\p{L}\\p{N}_%-])`),
  ];
  return parts.length === 0 ? null : new RegExp(parts.join('|'), 'iu');
}

/** Arguments in logs are cut, and end with "…". */
const cutMark = '…';
const cutCharactersMin = 6;

function endsWithin(text: string, { uuids, emails, profiles }: Subject): boolean {
  if (!text.endsWith(cutMark)) return false;
  const end = text.slice(0, -cutMark.length).toLowerCase();
  return [...uuids, ...emails, ...profiles].some((value) => {
    for (let length = value.length - 1; length >= cutCharactersMin; length -= 1)
      if (end.endsWith(value.slice(0, length).toLowerCase())) return true;
    return false;
  });
}

const numberShape = /\+?\(?\d[\d\s()./-]{6,}\d/g;
/** The last digits of numbers with any separators: a text without them need not be split. */
const endingDigits = 7;
const compileEndings = (phones: readonly string[]): RegExp | null =>
  phones.length === 0
    ? null
    : new RegExp(
        phones.map((phone) => [...phone.slice(-endingDigits)].join('[\\s()./-]*')).join('|'),
      );

/** A number without its country code has at least so many digits. */
const nationalDigitsMin = 9;

function hasPhone(text: string, phones: readonly string[]): boolean {
  for (const [shape] of text.matchAll(numberShape)) {
    const digits = shape.replace(/\D/g, '').replace(/^0+/, '');
    for (const phone of phones) {
      const known = phone.slice(1);
      if (digits === known) return true;
      // A leading zero after the country code: +41 (0)79 …
      if (digits.length >= nationalDigitsMin && known.endsWith(digits)) return true;
    }
  }
  return false;
}

/** The words of each employer: as they are, and without the legal form. */
const listEmployerWords = ({ employers }: Subject): string[] =>
  employers
    .flatMap((name) => [foldWords(name), foldWords(normalizeCompany(name).tokens.join(' '))])
    .filter((words) => words.trim() !== '');

/** Compiles a subject. Texts are tested in any case and spelling of numbers. */
export function createMatcher(subject: Subject): Matcher {
  const identifiers = compileIdentifiers(subject);
  const endings = compileEndings(subject.phones);
  const names = subject.names.map(({ first, last }) => [foldWords(first), foldWords(last)]);
  const employers = listEmployerWords(subject);
  const employerKeys = new Set(subject.employers.map((name) => normalizeCompany(name).key));
  const hasPlain = (text: string) =>
    identifiers?.test(text) === true ||
    endsWithin(text, subject) ||
    (endings?.test(text) === true && hasPhone(text, subject.phones));
  const hasAddress = (text: string) =>
    text.includes('@') && listAddressKeys(text).some((email) => subject.emails.includes(email));
  const hasIdentifier = (text: string) =>
    hasPlain(text) || listPlainReadings(text).some((read) => hasPlain(read) || hasAddress(read));
  const nameIn = (words: string) =>
    names.some(([first = '', last = '']) => words.includes(last) && words.includes(first));
  const employerIn = (words: string) => employers.some((employer) => words.includes(employer));
  return {
    hasIdentifier,
    names(text) {
      if (hasIdentifier(text)) return true;
      if (names.length === 0 || employers.length === 0) return false;
      const words = foldWords(text);
      return nameIn(words) && employerIn(words);
    },
    hasName: (text) => nameIn(foldWords(text)),
    hasPart: (text) => names.flat().some((part) => foldWords(text).includes(part)),
    hasEmployer: (text) =>
      employerIn(foldWords(text)) || employerKeys.has(normalizeCompany(text).key || ' '),
  };
}
