// Reads the people for an index: the forms of their names, their employments, URLs and emails.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { readEmailKey, readUrlKey } from '../normalize/match-address.ts';
import { type NameHint, readEmailHint, readUrlHint } from '../normalize/name-hints.ts';
import type { Nicknames } from '../normalize/nicknames.ts';
import {
  generationCode,
  type NormalizedName,
  nameKey,
  normalizeName,
} from '../normalize/normalize-name.ts';
import { isFreeMailDomain } from '../normalize/reference-tables.ts';
import { addFunction, codeOfFunction } from '../normalize/title-functions.ts';
import type { GatheredCompanies } from './index-companies.ts';
import {
  createDictionaryBuilder,
  type DictionaryBuilder,
  hashText,
  type KeysBuilder,
  tagOf,
} from './index-dictionary.ts';
import {
  addLocal,
  addOtherFacts,
  addPersonFacts,
  addSpelledFacts,
  type GatheredFacts,
  phoneKey,
  startFacts,
} from './index-facts.ts';
import { formKinds, jobFlags, personFlags } from './index-layout.ts';
import { type IdRange, readRows, readRowsOf } from './index-lists.ts';
import { createNumberList, type NumberList } from './index-postings.ts';

export interface KeyLists {
  readonly keys: NumberList;
  readonly tags: NumberList;
  readonly people: NumberList;
}

export interface GatheredPeople {
  readonly ids: NumberList;
  readonly flags: NumberList;
  readonly generations: NumberList;
  readonly middles: NumberList;
  /** Functions of titles (title-functions.ts). */
  readonly titles: NumberList;
  readonly names: DictionaryBuilder;
  readonly mainFirsts: NumberList;
  readonly mainLasts: NumberList;
  readonly forms: Record<'people' | 'firsts' | 'lasts' | 'kinds', NumberList>;
  readonly jobs: Record<'people' | 'packed', NumberList>;
  readonly urls: KeyLists;
  readonly emails: KeyLists;
  readonly phones: KeyLists;
  readonly facts: GatheredFacts;
}

const newKeyLists = (): KeyLists => ({
  keys: createNumberList(),
  tags: createNumberList(),
  people: createNumberList(),
});

function addKeyOf(lists: KeyLists, text: string, person: number): void {
  if (text === '') return;
  lists.keys.push(hashText(text));
  lists.tags.push(tagOf(text));
  lists.people.push(person);
}

function addForms(
  gathered: GatheredPeople,
  person: number,
  name: NormalizedName,
  kind: number,
): void {
  const { names, forms } = gathered;
  const add = (first: string, last: string, formKind: number): void => {
    if (first === '' && last === '') return;
    forms.people.push(person);
    forms.firsts.push(names.add(first));
    forms.lasts.push(names.add(last));
    forms.kinds.push(formKind);
  };
  const firsts = name.firstKeys.length > 0 ? name.firstKeys : [''];
  firsts.forEach((first, at) => {
    add(first, name.last, at === 0 ? kind : formKinds.derived);
    for (const part of name.lastParts) add(first, part, formKinds.derived);
  });
  if (name.peerage !== '') add('', name.peerage, formKinds.peerage);
  if (name.middle.length >= 3) add(name.middle, name.last, formKinds.derived);
}

/** Adds another name of a person; a peer's title may have been cut anywhere. */
function readOtherName(first: string, last: string): NormalizedName {
  const whole = normalizeName(`${first} ${last}`, '');
  return whole.isPeer ? whole : normalizeName(first, last);
}

/** Adds the name that an address spells if it agrees with exactly one half of the person's. */
function addHint(gathered: GatheredPeople, person: number, hint: NameHint | null): void {
  if (!hint) return;
  const { names, forms } = gathered;
  const sharesFirst = names.find(hint.first) === gathered.mainFirsts.at(person);
  const sharesLast = names.find(hint.last) === gathered.mainLasts.at(person);
  if (sharesFirst === sharesLast) return;
  forms.people.push(person);
  forms.firsts.push(names.add(hint.first));
  forms.lasts.push(names.add(hint.last));
  forms.kinds.push(formKinds.derived);
}

export function startPeople(): GatheredPeople {
  const newLists = <Name extends string>(...names: Name[]): Record<Name, NumberList> =>
    Object.fromEntries(names.map((name) => [name, createNumberList()])) as Record<Name, NumberList>;
  return {
    ids: createNumberList(),
    flags: createNumberList(),
    generations: createNumberList(),
    middles: createNumberList(),
    titles: createNumberList(),
    names: createDictionaryBuilder(),
    mainFirsts: createNumberList(),
    mainLasts: createNumberList(),
    forms: newLists('people', 'firsts', 'lasts', 'kinds'),
    jobs: newLists('people', 'packed'),
    urls: newKeyLists(),
    emails: newKeyLists(),
    phones: newKeyLists(),
    facts: startFacts(),
  };
}

type PersonRow = [
  id: number,
  first: string,
  middle: string | null,
  last: string,
  suffix: string | null,
  nickname: string | null,
  url: string | null,
  suppressed: number,
  urlKey: string | null,
];
const pageNumber = /^(?:-[0-9a-z]*\d[0-9a-z]*)?\/?$/;
const personColumns =
  'id, first_name, middle_name, last_name, suffix, nickname, profile_url, suppressed, profile_key';

function addPerson(gathered: GatheredPeople, row: PersonRow): void {
  const [id, first, middle, last, suffix, nickname, url, suppressed, urlKey] = row;
  const person = gathered.ids.length;
  const name = normalizeName(first, last);
  const middleKey = middle ? nameKey(middle) : name.middle;
  gathered.ids.push(id);
  gathered.flags.push(suppressed ? personFlags.suppressed : 0);
  gathered.generations.push((suffix ? generationCode(suffix) : 0) || name.generation);
  gathered.middles.push(middleKey === '' ? 0 : gathered.names.add(middleKey) + 1);
  gathered.titles.push(0);
  gathered.mainFirsts.push(gathered.names.add(name.firstKeys[0] ?? ''));
  gathered.mainLasts.push(gathered.names.add(name.last));
  addForms(gathered, person, middle ? { ...name, middle: middleKey } : name, formKinds.main);
  if (nickname) addForms(gathered, person, normalizeName(nickname, last), formKinds.other);
  addPersonFacts(gathered, person, { first, middle: middle ?? '', last, nickname: nickname ?? '' });
  if (url) {
    addSpelledName(gathered, person, url.toLowerCase(), memberName);
    addKeyOf(gathered.urls, urlKey ?? readUrlKey(url), person);
    // Most pages spell the person's name; only a different one is added.
    const usual = `/${name.firstKeys[0] ?? ''}-${name.last}`;
    const usualAt = url.indexOf(usual);
    const isUsual = usualAt > 0 && pageNumber.test(url.slice(usualAt + usual.length));
    if (!isUsual) addHint(gathered, person, readUrlHint(url));
  }
}

const memberName = /linkedin\.com\/in\/([^/?#]+)/;
const localName = /^([^@]+)@/;

const raiseFlag = (gathered: GatheredPeople, person: number, flag: number): void =>
  gathered.flags.set(person, gathered.flags.at(person) | flag);

function addSpelledName(
  gathered: GatheredPeople,
  person: number,
  text: string,
  pattern: RegExp,
): void {
  const name = pattern.exec(text)?.[1];
  if (name === undefined) return;
  const isMail = pattern === localName;
  raiseFlag(gathered, person, isMail ? personFlags.hasEmail : personFlags.hasMemberPage);
  if (isMail) addLocal(gathered.facts, person, name);
  const [first, last] = [gathered.mainFirsts.at(person), gathered.mainLasts.at(person)].map((id) =>
    gathered.names.text(id),
  );
  const words = name.split(isMail ? /[^a-z]+/ : '-').filter((word) => word !== '');
  addSpelledFacts(gathered, person, words, first!, last!);
}

type JobRow = [
  id: number,
  personId: number,
  companyId: number | null,
  email: string | null,
  isCurrent: number,
  isPrimary: number,
  jobFunction: string | null,
  /** Only if the function does not tell a president from a director of something. */
  executiveTitle: string | null,
];

/** The number of a domain; -1 for free mail. A domain that has a number is not free mail. */
function findWorkDomain(domains: KeysBuilder, domain: string): number {
  const known = domains.find(domain);
  return known >= 0 || isFreeMailDomain(domain) ? known : domains.add(domain);
}

interface PeopleRows {
  readonly idFrom: number;
  readonly idTo: number;
  readonly count: number;
  rowsOf<Row extends [id: number, ...unknown[]]>(table: string, columns: string): Iterable<Row>;
}

function readPeopleRows(db: ReadableDatabase, range: IdRange | null): PeopleRows {
  if (range)
    return {
      idFrom: range.from,
      idTo: range.to,
      count: range.to - range.from + 1,
      rowsOf: (table, columns) =>
        readRowsOf(db, table, columns, table === 'person' ? 'id' : 'person_id', range),
    };
  const counts = db.prepare('SELECT coalesce(max(id), 0), count(*) FROM person').raw();
  const [idTo, count] = counts.get() as [number, number];
  return { idFrom: 0, idTo, count, rowsOf: (table, columns) => readRows(db, table, columns) };
}

type NumberOf = (personId: number) => number;

/** Adds employments, the newest last. An email is a person's, and its domain the company's. */
function gatherJobs(
  { rowsOf }: PeopleRows,
  gathered: GatheredPeople,
  numberOf: NumberOf,
  companies: GatheredCompanies,
): void {
  const columns =
    'id, person_id, company_id, email, is_current, is_primary, job_function, ' +
    "CASE WHEN job_function = 'Executive' THEN title END";
  for (const row of rowsOf<JobRow>('employment', columns)) {
    const [, personId, companyId, email, isCurrent, isPrimary, jobFunction, title] = row;
    const person = numberOf(personId);
    const company = companyId === null ? 0 : companies.denseOf[companyId]!;
    gathered.jobs.people.push(person);
    const flags = (isCurrent ? jobFlags.current : 0) | (isPrimary ? jobFlags.primary : 0);
    gathered.jobs.packed.push(company * 4 + flags);
    if (isCurrent) raiseFlag(gathered, person, personFlags.hasCurrentJob);
    if (jobFunction) {
      const { titles } = gathered;
      titles.set(person, addFunction(titles.at(person), codeOfFunction(jobFunction, title)));
    }
    if (!email) continue;
    const text = readEmailKey(email);
    addKeyOf(gathered.emails, text, person);
    addHint(gathered, person, readEmailHint(text));
    addSpelledName(gathered, person, text, localName);
    if (company > 0) addWorkDomain(companies, company, text);
  }
}

/** Adds the domain of a work email to the company's. @param company its dense number + 1 */
export function addWorkDomain(
  { domains, domainPairs, groups }: GatheredCompanies,
  company: number,
  emailKey: string,
): void {
  const domain = findWorkDomain(domains, emailKey.slice(emailKey.lastIndexOf('@') + 1));
  if (domain < 0) return;
  domainPairs.domains.push(domain);
  domainPairs.groups.push(groups[company - 1]!);
}

/** @param onProgress people read, and all @param range the people; null for everyone */
export function gatherPeople(
  db: ReadableDatabase,
  companies: GatheredCompanies,
  nicknames: Nicknames,
  onProgress: (done: number, total: number) => void,
  range: IdRange | null = null,
): GatheredPeople {
  const gathered = startPeople();
  for (const name of nicknames.numbered.names) gathered.names.add(name);
  const rows = readPeopleRows(db, range);
  const { idFrom, count, rowsOf } = rows;
  const denseOf = new Uint32Array(rows.idTo - idFrom + 1);
  for (const row of rowsOf<PersonRow>('person', personColumns)) {
    addPerson(gathered, row);
    denseOf[row[0] - idFrom] = gathered.ids.length;
    if (gathered.ids.length % 20_000 === 0) onProgress(gathered.ids.length, count);
  }
  const numberOf: NumberOf = (personId) => denseOf[personId - idFrom]! - 1;
  type NameRow = [id: number, personId: number, first: string, last: string];
  const nameColumns = 'id, person_id, first_name, last_name';
  for (const row of rowsOf<NameRow>('person_name', nameColumns)) {
    const [, personId, first, last] = row;
    const name = readOtherName(first, last);
    const person = numberOf(personId);
    addForms(gathered, person, name, formKinds.other);
    const main = gathered.names.text(gathered.mainLasts.at(person));
    addOtherFacts(gathered, person, `${first} ${last}`.trim(), main);
  }
  type KeyRow = [id: number, personId: number, kind: 'profile_url' | 'email', value: string];
  for (const row of rowsOf<KeyRow>('person_key', 'id, person_id, kind, value')) {
    const [, personId, kind, value] = row;
    const person = numberOf(personId);
    if (kind === 'email') {
      addKeyOf(gathered.emails, readEmailKey(value), person);
      addSpelledName(gathered, person, readEmailKey(value), localName);
    } else addKeyOf(gathered.urls, readUrlKey(value), person);
  }
  gatherJobs(rows, gathered, numberOf, companies);
  type PhoneRow = [id: number, personId: number, number: string];
  for (const row of rowsOf<PhoneRow>('person_phone', 'id, person_id, number')) {
    const person = numberOf(row[1]);
    addKeyOf(gathered.phones, phoneKey(row[2]), person);
    raiseFlag(gathered, person, personFlags.hasPhone);
  }
  onProgress(count, count);
  return gathered;
}
