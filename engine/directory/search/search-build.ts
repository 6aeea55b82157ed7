// Builds the search index from the directory: collects values and members, then lays them out.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { createDictionaryBuilder, type Dictionary } from '../index/index-dictionary.ts';
import { groupByOwner, readRows } from '../index/index-lists.ts';
import { createNumberList, type NumberList } from '../index/index-postings.ts';
import { allocateSections, openSections, type SectionLengths } from '../index/shared-sections.ts';
import { readGeneration } from '../open-directory.ts';
import { gatherOrigins } from './people-origins.ts';
import { isWordField, listKeys, type SearchField, searchFields } from './search-keys.ts';
import { openSearchIndex, type SearchIndex, searchIndexFormat } from './search-layout.ts';
import { listMembers } from './search-members.ts';
import { poolTexts, readText } from './search-texts.ts';
import {
  type SearchedCompany,
  type SearchedPerson,
  searchedCompanies,
  searchedPeople,
} from './searched-records.ts';

type Numbers = Uint16Array | Uint32Array;
type Content = Record<string, Numbers>;

interface GatheredField {
  add(text: string | null, member: number): void;
  finish(membersCount: number): Content;
}

const keptTextsMax = 50_000;

function gatherField(field: SearchField): GatheredField {
  const keys = createDictionaryBuilder();
  const names: string[] = [];
  const [values, members] = [createNumberList(), createNumberList()];
  // Most texts occur many times.
  const known = new Map<string, readonly number[]>();
  const numberValues = (text: string): readonly number[] => {
    const answered = known.get(text);
    if (answered) return answered;
    const numbers = [...new Set(listKeys(field, text).map((key) => keys.add(key)))];
    if (!isWordField(field)) for (const number of numbers) names[number] ??= text.trim();
    if (known.size >= keptTextsMax) known.clear();
    known.set(text, numbers);
    return numbers;
  };
  return {
    add(text, member) {
      if (!text) return;
      for (const value of numberValues(text)) {
        values.push(value);
        members.push(member);
      }
    },
    finish(membersCount) {
      // A company has the country of its head office and those of its contacts.
      const pairs = { values: values.view(), members: members.view() };
      const distinct =
        field === 'companyCountry' ? keepDistinct(pairs, keys.count(), membersCount) : pairs;
      return layField(field, keys.finish(), names, distinct, membersCount);
    },
  };
}

interface Pairs {
  readonly values: Uint32Array;
  readonly members: Uint32Array;
}

/** Drops repeated pairs. The first of each keeps its place among those of its value. */
function keepDistinct(
  { values, members }: Pairs,
  valuesCount: number,
  membersCount: number,
): Pairs {
  const marks = new Uint32Array(membersCount);
  const { starts, order } = groupByOwner(values, valuesCount);
  const kept = { values: createNumberList(), members: createNumberList() };
  for (let value = 0; value < valuesCount; value++) {
    for (let at = starts[value]!; at < starts[value + 1]!; at++) {
      const member = members[order[at]!]!;
      // Values are counted from 1, because a mark of 0 is that of a member without any.
      if (marks[member] === value + 1) continue;
      marks[member] = value + 1;
      kept.values.push(value);
      kept.members.push(member);
    }
  }
  return { values: kept.values.view(), members: kept.members.view() };
}

function layField(
  field: SearchField,
  dictionary: Dictionary,
  names: readonly string[],
  { values, members }: Pairs,
  membersCount: number,
): Content {
  const texts = Array.from({ length: dictionary.starts.length - 1 }, (_, value) =>
    readText(dictionary, value),
  );
  const order = texts.map((_, value) => value);
  order.sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
  const ranks = new Uint32Array(order.length);
  order.forEach((value, rank) => {
    ranks[value] = rank;
  });
  for (let at = 0; at < values.length; at++) values[at] = ranks[values[at]!]!;
  const lists = listMembers(values, members, order.length, membersCount);
  const shownKeys = poolTexts(order.map((value) => texts[value]!));
  const shownNames = poolTexts(isWordField(field) ? [] : order.map((value) => names[value]!));
  return {
    [`${field}KeyStarts`]: shownKeys.starts,
    [`${field}KeyPool`]: shownKeys.pool,
    [`${field}NameStarts`]: shownNames.starts,
    [`${field}NamePool`]: shownNames.pool,
    [`${field}MemberStarts`]: lists.starts,
    [`${field}MemberEntries`]: lists.entries,
  };
}

type Fields = Readonly<Record<SearchField, GatheredField>>;

interface GatheredCompanies {
  readonly ids: NumberList;
  /** company.id → number + 1. */
  readonly numberOf: Uint32Array;
  readonly countries: (string | null)[];
}

/** The first text that equals a given one, so that rows do not each keep their own. */
function keepOne(texts: Map<string, string>, text: string): string {
  const kept = texts.get(text);
  if (kept === undefined) texts.set(text, text);
  return kept ?? text;
}

function gatherCompanies(db: ReadableDatabase, fields: Fields): GatheredCompanies {
  const idMax = db.prepare('SELECT coalesce(max(id), 0) FROM company').pluck().get() as number;
  const ids = createNumberList();
  const numberOf = new Uint32Array(idMax + 1);
  const countries: (string | null)[] = [];
  const countryTexts = new Map<string, string>();
  for (const row of readRows<SearchedCompany>(
    db,
    searchedCompanies.sql,
    searchedCompanies.columns,
  )) {
    const [id, name, industry, employees, revenue, country] = row;
    const company = ids.length;
    ids.push(id);
    numberOf[id] = ids.length;
    countries.push(country === null ? null : keepOne(countryTexts, country));
    fields.companyName.add(name, company);
    fields.industry.add(industry, company);
    fields.employeeRange.add(employees, company);
    fields.revenueRange.add(revenue, company);
    fields.companyCountry.add(country, company);
  }
  return { ids, numberOf, countries };
}

const progressPeople = 20_000;

function gatherPeople(
  db: ReadableDatabase,
  fields: Fields,
  companies: GatheredCompanies,
  onProgress: (done: number, total: number) => void,
): Content {
  const total = db.prepare('SELECT people FROM generation').pluck().get() as number;
  const ids = createNumberList();
  const [employers, employed] = [createNumberList(), createNumberList()];
  const origins = gatherOrigins();
  for (const row of readRows<SearchedPerson>(db, searchedPeople.sql, searchedPeople.columns)) {
    const [id, name, ownCountry, title, level, companyId, importId, observedOn] = row;
    const person = ids.length;
    ids.push(id);
    const company = companyId === null ? -1 : companies.numberOf[companyId]! - 1;
    const country = ownCountry || (companies.countries[company] ?? null);
    origins.add(importId, observedOn);
    fields.personName.add(name, person);
    fields.jobTitle.add(title, person);
    fields.jobLevel.add(level, person);
    fields.contactCountry.add(country, person);
    if (company >= 0) {
      fields.companyCountry.add(country, company);
      employers.push(company);
      employed.push(person);
    }
    if (ids.length % progressPeople === 0) onProgress(ids.length, total);
  }
  onProgress(total, total);
  const companiesCount = companies.ids.length;
  const byCompany = listMembers(employers.view(), employed.view(), companiesCount, ids.length);
  return {
    personIds: ids.view(),
    companyPeopleStarts: byCompany.starts,
    companyPeople: byCompany.entries,
    ...origins.finish(),
  };
}

const peopleFields: ReadonlySet<SearchField> = new Set([
  'personName',
  'jobTitle',
  'jobLevel',
  'contactCountry',
]);

function gatherContent(
  db: ReadableDatabase,
  onProgress: (done: number, total: number) => void,
): Content {
  const fields = Object.fromEntries(
    searchFields.map((field) => [field, gatherField(field)]),
  ) as Fields;
  const companies = gatherCompanies(db, fields);
  const people = gatherPeople(db, fields, companies, onProgress);
  const content: Content = { ...people, companyIds: companies.ids.view() };
  for (const field of searchFields) {
    const members = peopleFields.has(field) ? people.personIds! : content.companyIds!;
    Object.assign(content, fields[field].finish(members.length));
  }
  return content;
}

/** Everything in the directory, in one shared buffer. @param onProgress people read, and all */
export function buildSearchIndex(
  db: ReadableDatabase,
  onProgress: (done: number, total: number) => void = () => {},
): SearchIndex {
  const read = db.transaction(() => ({
    generation: readGeneration(db),
    content: gatherContent(db, onProgress),
  }));
  const { generation, content } = read();
  const lengths = Object.fromEntries(
    Object.entries(content).map(([name, numbers]) => [name, numbers.length]),
  ) as SectionLengths<typeof searchIndexFormat.kinds>;
  const count = lengths.personIds;
  const buffer = allocateSections(searchIndexFormat, generation, count, lengths);
  const { view } = openSections(searchIndexFormat, buffer);
  for (const [name, numbers] of Object.entries(content))
    view(name as keyof typeof lengths).set(numbers);
  return openSearchIndex(buffer);
}
