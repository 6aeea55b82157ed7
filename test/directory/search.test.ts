// search_contacts and search_companies over HTTP: every filter over an imported directory, and
// changes of the directory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine } from '../../engine/app/main.ts';
import { searchLimitDefault, searchLimitMax } from '../../engine/contract/limits/directory.ts';
import type { FoundContact, SearchContacts } from '../../engine/contract/search.ts';
import { type Answer, expectRefusal, send, sessionToken } from '../http/open-api-desk.ts';
import { type Row, toCsv } from './list-folder.ts';
import { lettersOf, searchCompanies, searchPeople } from './search-people.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'desk-search-'));
const config = { dataDir, port: 0, socket: false, uiDir: null, sessionToken };
let engine: Awaited<ReturnType<typeof startEngine>>;

const app = (method: string, path: string, json?: unknown): Promise<Answer> =>
  send(`${engine.url}/app/v1/directory/${path}`, method, {
    headers: { 'x-desk-session': sessionToken },
    json,
  });

async function importLists(people: readonly Row[], companies: readonly Row[]): Promise<number> {
  const write = (name: string, rows: readonly Row[]) => {
    const path = join(dataDir, name);
    writeFileSync(path, toCsv(rows));
    return path;
  };
  const { data } = await app('POST', 'imports?wait=1', {
    people_path: write('people.csv', people),
    ...(companies.length > 0 && { companies_path: write('companies.csv', companies) }),
  });
  expect(data).toMatchObject({ status: 'completed', rows_refused: 0 });
  return data.import_id;
}

const findPeople = (filters: object) => app('POST', 'search/contacts', filters);
const findCompanies = (filters: object) => app('POST', 'search/companies', filters);

beforeAll(async () => {
  engine = await startEngine(config);
  const empty = await findPeople({});
  expect(empty.data).toEqual({ total: 0, results: [] });
  await importLists(searchPeople, searchCompanies);
});
afterAll(async () => {
  await engine.close();
  rmSync(dataDir, { recursive: true });
});

test.each<[title: string, filters: Partial<SearchContacts>, letters: string]>([
  ['no filter finds everyone who is not suppressed, in the order of the import', {}, 'abcdef'],
  ['job_title matches a word', { job_title: 'sales' }, 'abd'],
  ['job_title matches beginnings of words', { job_title: 'dir' }, 'a'],
  ['job_title matches no middle of a word', { job_title: 'ector' }, ''],
  ['all words of one text must match, in any order', { job_title: 'sales director' }, 'a'],
  ['any of several texts matches', { job_title: ['vp', 'developer', 'nobody'] }, 'bd'],
  ['words are compared in any case', { job_title: 'SALES' }, 'abd'],
  ['accents make no difference', { job_title: 'ingenieure DONNEES' }, 'c'],
  ['accents make no difference in the filter either', { job_title: 'dírector' }, 'a'],
  ['words are the text between other signs', { job_title: 'R&D' }, 'e'],
  ['a past title is not looked at', { job_title: 'director', company_name: 'acme' }, 'a'],
  ['a title other than the primary one is ignored', { job_title: 'board' }, ''],
  ['where the last job has ended it is looked at', { job_title: 'head' }, 'e'],
  ['name matches beginnings of words of the name, in any order', { name: 'lee an' }, 'a'],
  ['name matches no employer', { name: 'acme' }, ''],
  ['name takes several', { name: ['noel', 'oak'] }, 'cd'],
  ['email matches a whole address', { email: 'Ann@acme.example' }, 'a'],
  ['email and name hold together', { email: 'ann@acme.example', name: 'bob' }, ''],
  ['job_level matches a whole value', { job_level: 'director' }, 'ae'],
  ['job_level takes several', { job_level: ['VP', 'Staff'] }, 'bd'],
  ['company_name matches words and beginnings', { company_name: 'glob cred' }, 'c'],
  ['company_name matches any of several', { company_name: ['Acme', 'init'] }, 'abde'],
  ['industry is that of the company, in any case', { industry: 'SOFTWARE' }, 'abde'],
  ['industry takes several', { industry: ['pharma', 'financial  services'] }, 'c'],
  ['a country is found by its code', { contact_office_country: 'de' }, 'a'],
  ['a country is found by its name', { contact_office_country: 'Austria' }, 'b'],
  [
    'a country is found by its name in another language',
    { contact_office_country: 'Frankreich' },
    'c',
  ],
  [
    'where the contact has no country, the company’s counts',
    { contact_office_country: 'USA' },
    'd',
  ],
  ['an unknown country is matched as written', { contact_office_country: 'NARNIA' }, 'f'],
  ['a country without people finds no one', { contact_office_country: 'Japan' }, ''],
  ['nor does the country of who is suppressed', { contact_office_country: 'IS' }, ''],
  ['employee_range is that of the company', { employee_range: '1001-5000' }, 'ab'],
  ['revenue_range is that of the company', { revenue_range: ['$1B+', '$50M-$100M'] }, 'abc'],
  ['filters all hold together', { industry: 'software', job_level: 'director' }, 'ae'],
  [
    'every filter at once',
    {
      industry: 'Software',
      job_title: 'sales',
      job_level: 'Director',
      company_name: 'acme',
      contact_office_country: 'Germany',
      employee_range: '1001-5000',
      revenue_range: '$50M-$100M',
    },
    'a',
  ],
  ['limit and offset take a piece of them', { limit: 2, offset: 1 }, 'bc'],
  ['the last piece is shorter', { limit: 4, offset: 4 }, 'ef'],
  ['an offset beyond the end finds no one', { offset: 1_000_000 }, ''],
])('%s', async (_title, filters, letters) => {
  const { status, data } = await findPeople(filters);
  expect(status).toBe(200);
  expect(lettersOf(data.results)).toBe(letters);
  const { limit, offset, ...rest } = filters;
  const isPage = limit !== undefined || offset !== undefined;
  expect(data.total).toBe(isPage ? (await findPeople(rest)).data.total : letters.length);
});

test.each<[title: string, search: object, letters: string]>([
  ['words of a name in any order, by their beginnings', { query: 'lee AN' }, 'a'],
  ['without accents', { query: 'noel cleo' }, 'c'],
  ['words of the employer', { query: 'acme' }, 'ab'],
  ['a name and an employer', { query: 'init poe' }, 'e'],
  ['no middle of a word', { query: 'ee' }, ''],
  ['a whole email in any case', { query: ' Ann@Acme.Example ' }, 'a'],
  ['an email of a past job, and one that bounced', { query: 'eve@initech.example' }, 'e'],
  ['no part of an email', { query: 'ann@acme.exampl' }, ''],
  ['the domain of an employer', { query: 'acme.example' }, 'ab'],
  ['a domain after @, and a website', { query: '@acme.example' }, 'ab'],
  ['a text without a letter or digit finds no one', { query: '&' }, ''],
  ['an empty text is no restriction', { query: ' ' }, 'abcdef'],
  ['filters hold as well', { query: 'acme', job_level: 'VP' }, 'b'],
  ['no one who is suppressed by name', { query: 'zoe' }, ''],
  ['no one who is suppressed by employer', { query: 'hidden' }, ''],
  ['the people of a company', { company_id: '00000000-0000-4000-8000-000000000003' }, 'de'],
  ['an unknown company has no people', { company_id: '10000000-0000-4000-8000-000000000003' }, ''],
])('a text finds people: %s', async (_title, search, letters) => {
  const { data } = await findPeople(search);
  expect(lettersOf(data.results)).toBe(letters);
  expect(data.total).toBe(letters.length);
});

test.each<[query: string, digits: string]>([
  ['acme', '14'],
  ['partners UMB', '4'],
  ['acme.example', '1'],
  ['https://www.acme.example/about', '1'],
  ['someone@acme.example', '1'],
])('a text finds companies: %s', async (query, digits) => {
  const { data } = await findCompanies({ query });
  expect(lettersOf(data.results)).toBe(digits);
});

test('the ages and sources of people come from the index', async () => {
  const { data } = await app('GET', 'origins');
  expect(data).toEqual({
    people: 6,
    ages: ['under_3_months', 'under_6_months', 'under_1_year', 'under_2_years', 'older'].map(
      (age, at) => ({ age, people: at === 0 ? 6 : 0 }),
    ),
    sources: [{ source: 'people.csv', people: 6 }],
  });
});

test('a person of the own directory has the job, the email and the phone', async () => {
  const { data } = await findPeople({});
  expect(data.results[0]).toEqual({
    uuid: '00000000-0000-4000-8000-00000000000a',
    first_name: 'Ann',
    last_name: 'Lee',
    title: 'Director of Sales',
    job_level: 'Director',
    company_name: 'Acme GmbH',
    country: 'Germany',
    has_email: true,
    has_phone: true,
    email: 'ann@acme.example',
    phone: '+491710000001',
  });
  expect(data.results[5]).toMatchObject({ title: null, job_level: null, company_name: null });
});

test.each([
  ['a valid address and an own number', 'a', true, true],
  ['an invalid address, and the company’s number', 'b', false, false],
  ['an address of a job that ended', 'e', false, false],
])(
  'what a search marks as known equals what an unlock returns: %s',
  async (_title, letter, email, phone) => {
    const { data } = await findPeople({});
    const found = data.results.find((one: FoundContact) => one.uuid.endsWith(letter));
    expect(found).toMatchObject({ has_email: email, has_phone: phone });
  },
);

test.each<[title: string, filters: object, digits: string]>([
  ['no filter finds every company', {}, '12345'],
  ['company_name matches words and beginnings', { company_name: 'acm' }, '14'],
  ['industry', { industry: ['Pharma', 'SOFTWARE'] }, '134'],
  ['employee_range', { employee_range: '11-50' }, '2'],
  ['revenue_range', { revenue_range: '$50M-$100M' }, '1'],
  ['a country by its head office', { contact_office_country: 'CH' }, '4'],
  ['a country by its contacts', { contact_office_country: ['Austria', 'France'] }, '12'],
  ['each company comes once', { contact_office_country: ['DE', 'AT', 'US'] }, '123'],
  ['limit and offset', { limit: 2, offset: 1 }, '23'],
])('companies: %s', async (_title, filters, digits) => {
  const { data } = await findCompanies(filters);
  expect(lettersOf(data.results)).toBe(digits);
});

test('a company has all its known fields', async () => {
  const { data } = await findCompanies({ company_name: 'acme gmbh' });
  expect(data).toEqual({
    total: 1,
    results: [
      {
        uuid: '00000000-0000-4000-8000-000000000001',
        name: 'Acme GmbH',
        website: 'https://acme.example',
        industry: 'Software',
        country: 'Germany',
        employee_range: '1001-5000',
        revenue_range: '$50M-$100M',
        employees: '1200',
        revenue: '$80M',
      },
    ],
  });
});

test('a company without a website has its domain', async () => {
  const { data } = await findCompanies({ company_name: 'umbrella' });
  expect(data.results).toMatchObject([{ website: 'umbrella.example' }]);
});

test.each<[filter: string, value: string, held: string]>([
  ['industry', 'Sofware', '“Software”, “Financial Services”, “Pharma”'],
  ['job_level', 'Boss', '“VP”, “Director”, “Senior”, “Staff”'],
  ['employee_range', '250', '“11-50”, “1001-5000”'],
  // Ranges stay in order, although a later one has the same start.
  ['employee_range', '1001-5001', '“11-50”, “1001-5000”'],
  ['revenue_range', 'much', '“$50M-$100M”, “$1B+”'],
])('%s: an unknown value is refused with the list of known ones', async (filter, value, held) => {
  const answer = await findPeople({ [filter]: value });
  expectRefusal(answer, 'validation_error');
  expect(answer.body.detail).toBe(
    `${filter}: “${value}” is not in the directory. Send one or more of ${held}.`,
  );
  expectRefusal(await findPeople({ [filter]: [value] }), 'validation_error');
});

test.each<[title: string, filters: object, detail: RegExp]>([
  [
    'an unknown country',
    { contact_office_country: 'Atlantis' },
    /“Atlantis” is not a known country/,
  ],
  ['a text without a word', { job_title: '&' }, /^job_title: “&” has no letter or digit/],
  ['an empty text', { company_name: ' ' }, /^company_name: an empty string matches nothing/],
  ['an empty array', { industry: [] }, /^industry: an empty array matches nothing/],
  ['neither text nor array', { industry: 7 }, /^industry: send a string, or an array of 1 to 100/],
  ['too many values', { industry: Array(101).fill('a') }, /^industry: .*100/],
  ['a value too long', { job_title: 'a'.repeat(201) }, /^job_title: .*200/],
  ['a filter that there is not', { jobtitle: 'ceo' }, /Unrecognized key: "jobtitle"/],
  ['a limit of 0', { limit: 0 }, /^limit: /],
  ['a limit above the largest', { limit: searchLimitMax + 1 }, /^limit: .*100/],
  ['a limit that is no integer', { limit: 2.5 }, /^limit: /],
  ['an offset below 0', { offset: -1 }, /^offset: /],
])('%s is refused', async (_title, filters, detail) => {
  expectRefusal(await findPeople(filters), 'validation_error', detail);
});

test('companies have neither title nor level', async () => {
  for (const filters of [{ job_title: 'ceo' }, { job_level: 'VP' }])
    expectRefusal(await findCompanies(filters), 'validation_error', /Unrecognized key/);
});

test('the values of filters are those of the directory, ranges in order', async () => {
  expect((await app('GET', 'search/values')).data).toEqual({
    industry: ['Financial Services', 'Pharma', 'Software'],
    job_level: ['VP', 'Director', 'Senior', 'Staff'],
    employee_range: ['11-50', '1001-5000'],
    revenue_range: ['$50M-$100M', '$1B+'],
    contact_office_country: ['AT', 'France', 'Germany', 'Narnia', 'uk', 'United States'],
  });
});

test('a search requires a session', async () => {
  const url = `${engine.url}/app/v1/directory/search/contacts`;
  expect((await send(url, 'POST', { json: {} })).status).toBe(401);
});

test('a search follows imports, undo and restarts; its default page has 25 entries', async () => {
  const more = Array.from({ length: 40 }, (_, at) => ({
    id: `more-${at}`,
    Name: `Gil Nr${at}`,
    Title: 'Zeppelin Pilot',
    Company: 'Airship',
    Current: 'yes',
  }));
  const importId = await importLists(more, []);
  const pilots = (await findPeople({ job_title: 'zeppelin' })).data;
  expect(pilots.total).toBe(40);
  expect(pilots.results).toHaveLength(searchLimitDefault);
  const rest = await findPeople({ job_title: 'zeppelin', offset: 25 });
  const uuids = [...pilots.results, ...rest.data.results].map(({ uuid }: FoundContact) => uuid);
  expect(new Set(uuids).size).toBe(40);
  await engine.close();
  engine = await startEngine(config);
  expect((await findPeople({ job_title: 'zeppelin' })).data).toEqual(pilots);
  await app('POST', `imports/${importId}/undo`);
  expect((await findPeople({ job_title: 'zeppelin' })).data).toEqual({ total: 0, results: [] });
  expect((await findCompanies({ company_name: 'airship' })).data.total).toBe(0);
  expect(lettersOf((await findPeople({})).data.results)).toBe('abcdef');
});
