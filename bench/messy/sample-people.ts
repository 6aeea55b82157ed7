// The people and companies of the bundled sample in the form from which messy lists are made.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { sampleFiles } from '../../engine/directory/import/sample.ts';
import { loadNicknames } from '../../engine/directory/normalize/nicknames.ts';
import { foldJoined, foldWords, hashText } from './text.ts';

/** A row of a CSV file by its headers. */
export type CsvRow = Record<string, string>;

/** An employment of a person. */
export interface Job {
  readonly companyId: string;
  readonly company: string;
  readonly title: string;
  readonly isCurrent: boolean;
}

/** A person of the directory; '' if a part is unknown. */
export interface Person {
  readonly id: string;
  readonly given: string;
  readonly middle: string;
  readonly last: string;
  readonly suffix: string;
  /** Nickname and other recorded names in full. */
  readonly otherNames: readonly string[];
  readonly nickname: string;
  readonly jobs: readonly Job[];
  readonly emails: readonly string[];
  readonly urls: readonly string[];
  readonly phones: readonly string[];
}

/** A company of the directory. */
export interface Company {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly kind: string;
  readonly city: string;
  readonly state: string;
  readonly phone: string;
  /** Host name of the website without www. */
  readonly domain: string;
}

/** The splits of the people: to train, to choose thresholds, and to report. */
export const splitNames = ['train', 'choose', 'report'] as const;
/** A split of the people. */
export type Split = (typeof splitNames)[number];

/** The folder of the development lists and their truth. */
export const fixturesDir = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'matching');

/** Reads a CSV file with headers, gzipped or not. */
export function readCsv(path: string): CsvRow[] {
  const bytes = readFileSync(path);
  return parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true });
}

const splitList = (text: string): string[] => text.split('|').filter((part) => part !== '');
const unique = (values: readonly string[]): string[] => [...new Set(values)].filter(Boolean);

/** Host name of a web address without www; '' if there is none. */
export const hostOf = (address: string): string =>
  /^(?:https?:\/\/)?(?:www\.)?([^/\s]+\.[^/\s]+)/i.exec(address.trim())?.[1]?.toLowerCase() ?? '';

function toPerson(rows: readonly CsvRow[]): Person {
  const first = rows[0]!;
  return {
    id: first.person_id!,
    given: first.first_name!,
    middle: first.middle_name!,
    last: first.last_name!,
    suffix: first.suffix!,
    nickname: first.nickname!,
    otherNames: splitList(first.other_names!),
    jobs: rows.map((row) => ({
      companyId: row.org_id!,
      company: row.organization!,
      title: row.title!,
      isCurrent: row.is_current === '1',
    })),
    emails: unique(rows.map((row) => row.email!.toLowerCase())),
    urls: unique(rows.map((row) => row.profile_url!)),
    phones: unique(rows.map((row) => row.phone!)),
  };
}

/** The people of a directory in the form of the sample's people.csv. */
export function readPeople(rows: readonly CsvRow[]): Person[] {
  const byId = Map.groupBy(rows, (row) => row.person_id!);
  return [...byId.values()].map(toPerson);
}

/** The companies of a directory in the form of the sample's companies.csv. */
export const readCompanies = (rows: readonly CsvRow[]): Company[] =>
  rows.map((row) => ({
    id: row.org_id!,
    name: row.name!,
    aliases: splitList(row.aliases!),
    kind: row.kind!,
    city: row.city!,
    state: row.state!,
    phone: row.phone!,
    domain: hostOf(row.website!),
  }));

const holdersOf = (people: readonly Person[], list: (person: Person) => readonly string[]) => {
  const counts = new Map<string, number>();
  for (const person of people)
    for (const value of list(person)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

const groupByKeys = (people: readonly Person[], keysOf: (person: Person) => readonly string[]) => {
  const groups = new Map<string, Person[]>();
  for (const person of people)
    for (const key of new Set(keysOf(person))) {
      const group = groups.get(key);
      if (group) group.push(person);
      else groups.set(key, [person]);
    }
  return groups;
};

/** The source of messy lists. */
export interface Directory {
  readonly people: readonly Person[];
  readonly companies: ReadonlyMap<string, Company>;
  /** Whether a person is left out of the directory that a messy list is matched against. */
  isHidden(id: string): boolean;
  /** null for the people of the development truth, who occur in no messy list. */
  splitOf(id: string): Split | null;
  /** People by the folded last name. */
  readonly byLast: ReadonlyMap<string, readonly Person[]>;
  /** People by the folded given name. */
  readonly byGiven: ReadonlyMap<string, readonly Person[]>;
  /** People by the id of an employer, current or former. */
  readonly byCompany: ReadonlyMap<string, readonly Person[]>;
  /** How many people have an email, URL or phone. */
  readonly emailHolders: ReadonlyMap<string, number>;
  readonly urlHolders: ReadonlyMap<string, number>;
  readonly phoneHolders: ReadonlyMap<string, number>;
  /** Folded given name → its nicknames and the names it is a nickname of. */
  readonly nicknames: ReadonlyMap<string, ReadonlySet<string>>;
}

const hiddenPercent = 12;
const trainPercent = 50;
const choosePercent = 20;

/** The split of a person or a company by its id alone. */
export function splitById(id: string): Split {
  const percent = hashText(`split ${id}`) % 100;
  if (percent < trainPercent) return 'train';
  return percent < trainPercent + choosePercent ? 'choose' : 'report';
}

/** Whether a person or a company is hidden, by its id alone. */
export const isHiddenById = (id: string): boolean => hashText(`hide ${id}`) % 100 < hiddenPercent;

/** The parts of a directory of messy lists. */
export interface DirectoryParts {
  readonly people: readonly Person[];
  readonly companies: readonly Company[];
  /** Folded given name → the names that stand for it, in both directions. */
  readonly nicknames: ReadonlyMap<string, ReadonlySet<string>>;
  /** Ids of people who occur in no messy list and are never hidden. */
  readonly reserved: ReadonlySet<string>;
}

/** Indexes a directory to make messy lists. */
export function createDirectory(parts: DirectoryParts): Directory {
  const { people, companies, nicknames, reserved } = parts;
  const ids = people.map(({ id }) => id);
  const hidden = new Set(ids.filter((id) => !reserved.has(id) && isHiddenById(id)));
  return {
    people,
    companies: new Map(companies.map((company) => [company.id, company])),
    isHidden: (id) => hidden.has(id),
    splitOf: (id) => (reserved.has(id) ? null : splitById(id)),
    byLast: groupByKeys(people, (person) => [foldJoined(person.last)]),
    byGiven: groupByKeys(people, (person) => [foldWords(person.given)]),
    byCompany: groupByKeys(people, (person) => person.jobs.map((job) => job.companyId)),
    emailHolders: holdersOf(people, (person) => person.emails),
    urlHolders: holdersOf(people, (person) => person.urls),
    phoneHolders: holdersOf(people, (person) => person.phones),
    nicknames,
  };
}

/** People of the development truth, as the answer or as a candidate. */
export function reservedIds(truth: readonly CsvRow[]): Set<string> {
  const ids = truth.flatMap((row) => [row.person_id!, ...row.candidate_ids!.split(/[|; ]/)]);
  return new Set(ids.filter((id) => id !== ''));
}

/** The directory of the bundled sample. */
export function readSampleDirectory(): Directory {
  const { people, companies } = sampleFiles();
  return createDirectory({
    people: readPeople(readCsv(people)),
    companies: readCompanies(readCsv(companies)),
    nicknames: loadNicknames().direct,
    reserved: reservedIds(readCsv(join(fixturesDir, 'dev_truth.csv'))),
  });
}
