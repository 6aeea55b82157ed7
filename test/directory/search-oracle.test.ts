// Searches compared with the plain definition, which checks every row; and searches without an
// index, with an outdated one, and limited to their page.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineError } from '../../engine/contract/errors.ts';
import type { ContactFilters } from '../../engine/contract/search.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import { buildSearchIndex } from '../../engine/directory/search/search-build.ts';
import { openSearch } from '../../engine/directory/search/search-directory.ts';
import { runsOf } from '../property-runs.ts';
import { createRandom } from '../random.ts';
import { openListFolder, type Row } from './list-folder.ts';

const words = [
  'Sales',
  'Director',
  'Direktör',
  'Data',
  'Datenbank',
  'R&D',
  'C++',
  'Straße',
  'O’Brien',
  'ΣΟΦΟΣ',
  'Ingénieur',
  '北京',
  '🚀',
  'İzmir',
  'of',
  'the',
  'VP',
  'Vice-President',
  'ﬁrst',
];
const countries: Readonly<Record<string, string>> = {
  Germany: 'DE',
  DE: 'DE',
  Deutschland: 'DE',
  germany: 'DE',
  France: 'FR',
  fr: 'FR',
  USA: 'US',
  'United States': 'US',
  Japan: 'JP',
  Narnia: 'narnia',
};
const levels = ['Director', 'VP', 'vp', 'Manager', 'Staff'];
const industries = ['Software', 'software', 'Food & Beverage', 'Énergie', 'energie', 'Mining'];
const sizes = { '1-10': '7', '11-50': '40', '51-200': '51', '10001+': '20000' };
const revenues = { '<$1M': '$500k', '$1M-$10M': '$5M', '$1B+': '$3B' };
const peopleCount = 400;
const companyCount = 45;

const folder = openListFolder();
afterAll(() => folder[Symbol.dispose]());
const random = createRandom(5);
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)]!;
const sometimes = <Value>(value: Value): Value | '' => (random() < 0.8 ? value : '');
const phrase = (): string => Array.from({ length: 1 + random() * 3 }, () => pick(words)).join(' ');

const makeCompany = (at: number): Row => ({
  id: `c${at}`,
  Name: `${phrase()} Nr${at}`,
  Industry: sometimes(pick(industries)),
  Country: sometimes(pick(Object.keys(countries))),
  Employees: sometimes(pick(Object.values(sizes))),
  Revenue: sometimes(pick(Object.values(revenues))),
});
const makePerson = (at: number): Row => ({
  id: `p${at}`,
  'First name': 'Ann',
  'Last name': `Nr${at}`,
  Title: sometimes(phrase()),
  Level: sometimes(pick(levels)),
  Country: sometimes(pick(Object.keys(countries))),
  'Company id': sometimes(`c${Math.floor(random() * companyCount)}`),
  Current: pick(['yes', 'no']),
  Suppressed: random() < 0.1 ? 'yes' : 'no',
});

type Values = Readonly<Record<string, string | number | null>>;
let people: readonly Values[] = [];
let companies: readonly Values[] = [];
const search = openSearch(folder.db, () => index);
let index: ReturnType<typeof buildSearchIndex> | null = null;

beforeAll(async () => {
  await folder.importCompanies(Array.from({ length: companyCount }, (_, at) => makeCompany(at)));
  await folder.importPeople(Array.from({ length: peopleCount }, (_, at) => makePerson(at)));
  index = buildSearchIndex(folder.db);
  const readAll = (sql: string) => folder.db.prepare(sql).all() as Values[];
  companies = readAll('SELECT * FROM company ORDER BY id');
  people = readAll(
    `SELECT p.*, e.title, e.job_level, e.company_id FROM person p
     LEFT JOIN employment e ON e.person_id = p.id WHERE NOT p.suppressed ORDER BY p.id`,
  );
});

const bare = (text: unknown): string =>
  String(text ?? '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Script=Inherited}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('’', '');
const wordsOf = (text: unknown) =>
  bare(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
const hasWords = (value: unknown, query: string) =>
  wordsOf(query).every((word) => wordsOf(value).some((one) => one.startsWith(word)));
const isSame = (value: unknown, query: string) => value !== null && bare(value) === bare(query);
const isIn = (value: unknown, query: string) =>
  value !== null && countries[String(value)] === countries[query];

const companyOf = ({ company_id: id }: Values) => companies.find((company) => company.id === id);
const countryOf = (person: Values) => person.country ?? companyOf(person)?.country ?? null;
const isAny = (query: string | string[] | undefined, fits: (one: string) => boolean) =>
  query === undefined || [query].flat().some(fits);

const fitsEmployer = (company: Values | undefined, filters: ContactFilters): boolean =>
  isAny(filters.company_name, (one) => hasWords(company?.name, one)) &&
  isAny(filters.industry, (one) => isSame(company?.industry ?? null, one)) &&
  isAny(filters.employee_range, (one) => company?.employee_range === one) &&
  isAny(filters.revenue_range, (one) => company?.revenue_range === one);
const fitsPerson = (person: Values, filters: ContactFilters): boolean =>
  fitsEmployer(companyOf(person), filters) &&
  isAny(filters.job_title, (one) => hasWords(person.title, one)) &&
  isAny(filters.job_level, (one) => isSame(person.job_level ?? null, one)) &&
  isAny(filters.contact_office_country, (one) => isIn(countryOf(person), one));
const fitsCompany = (company: Values, filters: ContactFilters): boolean =>
  fitsEmployer(company, filters) &&
  isAny(
    filters.contact_office_country,
    (one) =>
      isIn(company.country, one) ||
      people.some((person) => companyOf(person) === company && isIn(countryOf(person), one)),
  );

const oneOrMore = (one: fc.Arbitrary<string>) =>
  fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 4 }));
const queryWord = fc
  .tuple(fc.constantFrom(...words.filter((word) => word !== '🚀')), fc.nat(9), fc.boolean())
  .map(([word, cut, isUpper]) => {
    const start = [...word].slice(0, cut + 1).join('');
    return isUpper ? start.toUpperCase() : start.toLowerCase();
  })
  .filter((word) => wordsOf(word).length > 0);
const queryWords = oneOrMore(
  fc.array(queryWord, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
);
const ofCompanies = {
  company_name: queryWords,
  industry: oneOrMore(fc.constantFrom(...industries)),
  employee_range: oneOrMore(fc.constantFrom(...Object.keys(sizes))),
  revenue_range: oneOrMore(fc.constantFrom(...Object.keys(revenues))),
  contact_office_country: oneOrMore(fc.constantFrom(...Object.keys(countries))),
};
const ofPeople = {
  ...ofCompanies,
  job_title: queryWords,
  job_level: oneOrMore(fc.constantFrom(...levels)),
};
const pages = fc.record({ limit: fc.integer({ min: 1, max: 100 }), offset: fc.nat(120) });

test('a page of people, its total and all ids equal those of the rows', async () => {
  const query = fc.tuple(fc.record(ofPeople, { requiredKeys: [] }), pages);
  const check = async ([filters, page]: [ContactFilters, { limit: number; offset: number }]) => {
    const fitting = people.filter((person) => fitsPerson(person, filters));
    const found = await search.contacts({ ...filters, ...page });
    expect(found.total).toBe(fitting.length);
    expect(found.results.map(({ uuid }) => uuid)).toEqual(
      fitting.slice(page.offset, page.offset + page.limit).map(({ uuid }) => uuid),
    );
    const all = await search.contactIds({ wanted: filters, limit: peopleCount });
    expect(all.personIds).toEqual(fitting.map(({ id }) => id));
  };
  await fc.assert(fc.asyncProperty(query, check), { numRuns: runsOf(800) });
});

test('a page of companies and its total equal those of the rows', async () => {
  const query = fc.tuple(fc.record(ofCompanies, { requiredKeys: [] }), pages);
  const check = async ([filters, page]: [ContactFilters, { limit: number; offset: number }]) => {
    const fitting = companies.filter((company) => fitsCompany(company, filters));
    const found = await search.companies({ ...filters, ...page });
    expect(found.total).toBe(fitting.length);
    expect(found.results.map(({ uuid }) => uuid)).toEqual(
      fitting.slice(page.offset, page.offset + page.limit).map(({ uuid }) => uuid),
    );
  };
  await fc.assert(fc.asyncProperty(query, check), { numRuns: runsOf(600) });
});

test('a search before the first index is refused', async () => {
  const early = openSearch(folder.db, () => null);
  const page = { limit: 25, offset: 0 };
  for (const query of [
    early.contacts(page),
    early.companies(page),
    early.contactIds({ wanted: {}, limit: 1 }),
    early.values(null),
  ]) {
    const error = await query.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code: 'not_ready', detail: expect.stringMatching(/indexed/) });
  }
});

test('an empty directory has no people and no values', async () => {
  using empty = openListFolder();
  const nothing = buildSearchIndex(empty.db);
  const calls = openSearch(empty.db, () => nothing);
  const page = { limit: 25, offset: 0 };
  expect(await calls.contacts({ ...page, job_title: 'a' })).toEqual({ total: 0, results: [] });
  expect(await calls.companies(page)).toEqual({ total: 0, results: [] });
  await expect(calls.contacts({ ...page, industry: 'Software' })).rejects.toThrow(
    /^industry: the directory has no values for this filter/,
  );
});

test('with an outdated index, deleted and suppressed people are not shown', async () => {
  using stale = openListFolder();
  const rows = ['Ann', 'Bob', 'Cid'].map((name) => ({ id: name, Name: `${name} Lee` }));
  await stale.importPeople(rows.slice(0, 2), { source: 'crm', observed: '2026-01-01' });
  const { import_id } = await stale.importPeople(rows.slice(2), { source: 'fair' });
  const before = buildSearchIndex(stale.db);
  const calls = openSearch(stale.db, () => before);
  await stale.importPeople([{ ...rows[0], Suppressed: 'yes' }], { source: 'crm' });
  undoImport(stale.db, import_id);
  const { total, results } = await calls.contacts({ limit: 25, offset: 0 });
  expect(total).toBe(3);
  expect(results.map(({ first_name: name }) => name)).toEqual(['Bob']);
});

test('a refusal lists at most a hundred values, those with the same start first', async () => {
  using many = openListFolder();
  const trades = Array.from({ length: 130 }, (_, at) => `Trade ${String(at).padStart(3, '0')}`);
  await many.importCompanies(
    [...trades, 'Wine Software'].map((Industry, at) => ({ Name: `Nr${at}`, Industry })),
  );
  const built = buildSearchIndex(many.db);
  const refusal = openSearch(many.db, () => built).companies({
    limit: 25,
    offset: 0,
    industry: 'Softwear',
  });
  await expect(refusal).rejects.toThrow(
    /Softwear”.*one or more of “Wine Software”, “Trade 000”, .*“Trade 098” \(and 31 more\)\./,
  );
});

test('a page reads its rows by id, whatever the size of the directory', async () => {
  const prepared: string[] = [];
  const prepare = folder.db.prepare.bind(folder.db);
  using other = openListFolder();
  const built = buildSearchIndex(other.db);
  const spied = other.db.prepare.bind(other.db);
  other.db.prepare = ((sql: string) => {
    prepared.push(sql);
    return spied(sql);
  }) as typeof other.db.prepare;
  const calls = openSearch(other.db, () => built);
  await calls.contacts({ limit: 25, offset: 0 });
  await calls.companies({ limit: 25, offset: 0 });
  const steps = prepared.flatMap((sql) =>
    prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all('[]')
      .map(({ detail }) => detail)
      .filter((detail) => /SCAN|SEARCH/.test(detail)),
  );
  expect(steps).toEqual([
    'SCAN j VIRTUAL TABLE INDEX 1:',
    'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SEARCH l USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SEARCH c USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
    'SCAN j VIRTUAL TABLE INDEX 1:',
    'SEARCH c USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});
