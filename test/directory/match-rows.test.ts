// The rules of matching: what finds a person, what never decides, and when it abstains.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BatchCandidates } from '../../engine/directory/index/match-batch.ts';
import {
  createMatcher,
  createRowMatcher,
  emptyBatch,
} from '../../engine/directory/match/match-rows.ts';
import { defaultMatchThreshold } from '../../engine/directory/match/match-threshold.ts';
import { formatRecords } from '../../engine/spreadsheet/format-record.ts';
import { runsOf } from '../property-runs.ts';
import { indexOf, matchOne, type Person, type Row } from './small-directory.ts';

const ada: Person = {
  first: 'Elizabeth',
  middle: 'Rose',
  last: 'Vásquez-Levy',
  url: 'https://www.linkedin.com/in/evlevy',
  jobs: [
    { at: 'Northwind Research Institute, Inc.', email: 'elizabeth@northwind.example' },
    { at: 'Old Harbor University', left: true },
  ],
};
const others: Person[] = [
  { first: 'Elise', last: 'Vance', jobs: [{ at: 'Northwind Research Institute, Inc.' }] },
  { first: 'Walter', last: 'Levin', jobs: [{ at: 'Old Harbor University' }] },
  { first: 'Priya', last: 'Raman', jobs: [{ at: 'Contoso Foods Ltd', left: true }] },
];
const index = indexOf(
  [ada, ...others],
  [
    {
      name: 'Northwind Research Institute, Inc.',
      domain: 'northwind.example',
      aliases: ['NRI Labs'],
    },
  ],
);
const firm = 'Northwind Research Institute';

test.each<[string, Row]>([
  ['her name and employer', { first_name: 'Elizabeth', last_name: 'Vásquez-Levy' }],
  ['without accents', { first_name: 'Elizabeth', last_name: 'Vasquez-Levy' }],
  ['in capitals', { first_name: 'ELIZABETH', last_name: 'VASQUEZ LEVY' }],
  ['a nickname', { first_name: 'Liz', last_name: 'Vasquez-Levy' }],
  ['a written short form', { first_name: 'Elizth.', last_name: 'Vasquez-Levy' }],
  ['an initial', { first_name: 'E.', last_name: 'Vasquez-Levy' }],
  ['her middle name', { first_name: 'Rose', last_name: 'Vasquez-Levy' }],
  ['a middle initial', { first_name: 'Elizabeth R.', last_name: 'Vasquez-Levy' }],
  ['titles and degrees', { first_name: 'Dr. Elizabeth', last_name: 'Vasquez-Levy, Ph.D.' }],
  ['a part of her surname', { first_name: 'Elizabeth', last_name: 'Levy' }],
  ['a typing error', { first_name: 'Elizabeht', last_name: 'Vasquez-Levy' }],
  ['another in the surname', { first_name: 'Elizabeth', last_name: 'Vasqez-Levy' }],
  ['first and last name exchanged', { first_name: 'Vasquez-Levy', last_name: 'Elizabeth' }],
  ['everything in one field', { first_name: 'Elizabeth Vasquez-Levy' }],
  ['the surname first', { last_name: 'Vasquez-Levy, Elizabeth' }],
])('a person is found by %s', (_what, row) => {
  const found = matchOne(index, { ...row, company_name: firm });
  expect(found).toMatchObject({ person: 1, status: 'Current', reason: '' });
  expect(found.matchedOn).toEqual(['first_name', 'last_name', 'company_name']);
});

test.each([
  firm,
  'northwind research inst.',
  'The Northwind Research Institute LLC',
  'NRI Labs',
  'Northwind Reserch Institute',
])('an employer is found as %s', (company) => {
  const row = { first_name: 'Elizabeth', last_name: 'Vasquez-Levy', company_name: company };
  expect(matchOne(index, row)).toMatchObject({ person: 1, company: 1, status: 'Current' });
});

test('a row that names a former employer says Changed, one whose person works nowhere says Left', () => {
  const former = { first_name: 'Liz', last_name: 'Levy', company_name: 'Old Harbor University' };
  expect(matchOne(index, former)).toMatchObject({ person: 1, company: 2, status: 'Changed' });
  const gone = { first_name: 'Priya', last_name: 'Raman', company_name: 'Contoso Foods' };
  expect(matchOne(index, gone)).toMatchObject({ person: 4, status: 'Left' });
});

test('a row without a company says where by the domain of its email, if it is an employer’s', () => {
  const companies = [
    { name: 'Old Harbor University', domain: 'oldharbor.example' },
    { name: 'Northwind Research Institute, Inc.', domain: 'northwind.example' },
  ];
  const jobs = [
    { at: 'Northwind Research Institute, Inc.', email: 'liz@northwind.example' },
    { at: 'Old Harbor University', email: 'liz@oldharbor.example', left: true },
    { at: 'Contoso Foods Ltd', email: 'liz@gmail.com', left: true },
  ];
  const moved = indexOf([{ ...ada, jobs }], companies);
  const statusOf = (email: string) => matchOne(moved, { email }).status;
  expect(statusOf('liz@oldharbor.example')).toBe('Changed');
  expect(statusOf('liz@northwind.example')).toBe('Current');
  expect(statusOf('liz@gmail.com')).toBe('Current');
  expect(matchOne(moved, { profile_url: ada.url! }).status).toBe('Current');
});

test('an email or a profile URL that one person holds decides alone', () => {
  const mail = matchOne(index, { email: 'Elizabeth@Northwind.example' });
  expect(mail).toMatchObject({ person: 1, status: 'Current', matchedOn: ['email'] });
  const page = matchOne(index, { profile_url: 'http://linkedin.com/in/EVLevy/?trk=x' });
  expect(page).toMatchObject({ person: 1, matchedOn: ['profile_url'] });
});

test('an email never decides against a name that contradicts it', () => {
  const row = { first_name: 'Bruno', last_name: 'Hicks', email: 'elizabeth@northwind.example' };
  const found = matchOne(index, row);
  expect(found).toMatchObject({ person: 0, reason: 'conflicting_evidence', candidates: [1] });
});

test.each<[string, Row]>([
  ['another employer', { company_name: 'Contoso Foods' }],
  ['an unknown employer', { company_name: 'Fabrikam Bicycles' }],
  ['another first name', { first_name: 'Margaret', company_name: firm }],
])('a row with %s is no match', (_what, row) => {
  const full = { first_name: 'Elizabeth', last_name: 'Vasquez-Levy', ...row };
  expect(matchOne(index, full)).toMatchObject({ person: 0, reason: 'no_match' });
});

test.each<[Row, string]>([
  [{}, 'too_little_data'],
  [{ first_name: 'Elizabeth' }, 'too_little_data'],
  [{ company_name: firm }, 'too_little_data'],
  [{ last_name: 'Nowhere', first_name: 'Nobody', company_name: firm }, 'no_match'],
])('the row %j is left with the reason %s', (row, reason) => {
  expect(matchOne(index, row)).toMatchObject({ person: 0, reason, candidates: [] });
});

test('a suppressed person is never answered', () => {
  const hidden = indexOf([{ ...ada, suppressed: true }]);
  const row = { email: 'elizabeth@northwind.example' };
  expect(matchOne(hidden, row)).toMatchObject({ person: 0, reason: 'suppressed' });
});

const twin = (at: string, email?: string): Person => ({
  first: 'Sam',
  last: 'Okafor',
  jobs: [email === undefined ? { at } : { at, email }],
});

test('two people who are equal in all evidence are ambiguous, and both are named', () => {
  const twins = indexOf([twin('Contoso'), twin('Contoso'), twin('Fabrikam')]);
  const found = matchOne(twins, {
    first_name: 'Sam',
    last_name: 'Okafor',
    company_name: 'Contoso',
  });
  expect(found).toMatchObject({ person: 0, reason: 'ambiguous' });
  expect([...found.candidates].sort()).toEqual([1, 2]);
});

test('a full name alone finds its only holder, and no one if two people have it', () => {
  const row = { first_name: 'Sam', last_name: 'Okafor' };
  const crowd = Array.from({ length: 30 }, (_, at) => ({ first: `Given${at}`, last: `Name${at}` }));
  expect(matchOne(indexOf([...crowd, twin('Contoso')]), row).person).toBe(31);
  const two = matchOne(indexOf([...crowd, twin('Contoso'), twin('Fabrikam')]), row);
  expect(two).toMatchObject({ person: 0, reason: 'ambiguous' });
  // Only one of them can be meant.
  expect(two.likely[0]).toBe(two.likely[1]);
  expect(two.likely[0]! * 2).toBeLessThanOrEqual(1);
});

test('an email that several people hold never decides alone', () => {
  const shared = 'pat@contoso.example';
  const people: Person[] = [
    { first: 'Pat', last: 'Quill', jobs: [{ at: 'Contoso', email: shared }] },
    { first: 'Lou', last: 'Marsh', jobs: [{ at: 'Contoso', email: shared }] },
  ];
  const alone = matchOne(indexOf(people), { email: shared });
  expect(alone).toMatchObject({ person: 0, reason: 'ambiguous' });
  expect([...alone.candidates].sort()).toEqual([1, 2]);
  expect(alone.likely).toEqual([0.5, 0.5]);
  const named = { first_name: 'Lou', last_name: 'Marsh', email: shared };
  expect(matchOne(indexOf(people), named)).toMatchObject({ person: 2 });
});

test.each(['mayor', 'info', 'office'])('the mailbox %s@ never decides alone', (local) => {
  const email = `${local}@ashford.example`;
  const index = indexOf([
    { first: 'Nora', last: 'Bell', jobs: [{ at: 'City of Ashford', email }] },
  ]);
  expect(matchOne(index, { email }).person).toBe(0);
  const twins = [index, index].map((_, at) => ({
    first: 'Nora',
    last: `Bell${at}`,
    jobs: [{ at: 'City of Ashford', email }],
  }));
  expect(matchOne(indexOf(twins), { email })).toMatchObject({ person: 0, reason: 'no_match' });
  const stranger = { first_name: 'Hugo', last_name: 'Pine', email };
  expect(matchOne(index, { ...stranger, company_name: 'City of Ashford' }).person).toBe(0);
  const herself = { first_name: 'Nora', last_name: 'Bell', email };
  expect(matchOne(index, herself).person).toBe(1);
});

const word = fc.stringMatching(/^[A-Z][bcdfgklmnprst][aeiou][bcdfgklmnprst][aeiou]$/);
const person: fc.Arbitrary<Person> = fc.record({
  first: word,
  last: word,
  jobs: fc.array(fc.record({ at: word, left: fc.boolean() }), { maxLength: 2 }),
});

test('adding people who have nothing to do with it never changes a match by URL', () => {
  fc.assert(
    fc.property(fc.array(person, { maxLength: 12 }), (crowd) => {
      const row = { profile_url: ada.url!, first_name: 'Liz', last_name: 'Levy' };
      expect(matchOne(indexOf([ada, ...crowd]), row).person).toBe(1);
    }),
    { numRuns: 25 },
  );
});

test('a unique person is found whatever the case and the spaces around the cells', () => {
  const casing = fc.constantFrom<(text: string) => string>(
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => `  ${text} `,
  );
  fc.assert(
    fc.property(casing, casing, casing, (first, last, company) => {
      const row = {
        first_name: first('Elizabeth'),
        last_name: last('Vásquez-Levy'),
        company_name: company('Northwind Research Institute, Inc.'),
      };
      expect(matchOne(index, row).person).toBe(1);
    }),
  );
});

test('whatever the cells hold, matching never throws and names only people who exist', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('"', '()', 'Dr.', ', Jr.', '@', 'https://', 'Lord', 'of', '王', ' - ', '.,-'),
    fc.constantFrom('Elizabeth', 'Levy', firm, 'elizabeth@northwind.example'),
  );
  const mapping = { first_name: 0, last_name: 1, company_name: 2, email: 3, profile_url: 4 };
  const matcher = createMatcher(index);
  fc.assert(
    fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 5 }), (rows) => {
      const batch = matcher.matchRows(formatRecords(rows), mapping, defaultMatchThreshold);
      expect(batch.count).toBe(rows.length);
      for (let row = 0; row < rows.length; row++) {
        expect(batch.personIds[row]).toBeLessThanOrEqual(4);
        expect(batch.personIds[row] === 0).toBe(batch.reasons[row] !== 0);
      }
    }),
    { numRuns: runsOf(600) },
  );
});

test('a batch answers each row as the row is answered alone from its texts', () => {
  const crowd: Person[] = [
    { first: 'Ann', last: 'Levy', jobs: [{ at: 'Contoso Ltd', email: 'ann@contoso.example' }] },
    { first: 'Ann', last: 'Raman', jobs: [{ at: 'Söhne' }] },
    { first: 'Liz', last: 'Raman', jobs: [{ at: firm, email: 'ann@contoso.example' }] },
    { first: 'Theodora', last: 'Haverkamp', jobs: [{ at: 'Söhne', email: 'th@soehne.example' }] },
    { first: 'Test', last: 'Levy', jobs: [{ at: 'Söhne', email: 'test@soehne.example' }] },
  ];
  const held = indexOf([ada, ...others, ...crowd]);
  const writing = fc.oneof(
    { weight: 8, arbitrary: fc.constant((text: string) => text) },
    fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.slice(0, -1),
      (text) => ` ${text}\t`,
      (text) => `"${text}"`,
      (text) => text.repeat(600),
    ),
  );
  const cellOf = (...texts: string[]) =>
    fc.tuple(fc.constantFrom(...texts), writing).map(([text, write]) => write(text));
  const firstName = cellOf('Ann', 'Theodora', 'Theodra', 'Test', 'Lord', 'E');
  const lastName = cellOf('Levy', 'Raman', 'Haverkamp', 'Haverkmp', 'Vásquez-Levy');
  const company = cellOf('', 'Contoso Ltd', 'Contso', 'Söhne', 'SÃ¶hne');
  const email = cellOf('', '', 'ann@contoso.example', 'th@soehne.example', 'test@soehne.example');
  const url = cellOf('', '', ada.url!, 'no page');
  const domain = cellOf('', '', 'soehne.example');
  const row = fc.tuple(firstName, lastName, company, email, url, domain, email, fc.string());
  const mapping = {
    first_name: 0,
    last_name: 1,
    company_name: 2,
    email: 3,
    profile_url: 4,
    company_domain: 5,
    email_2: 6,
  };
  const matcher = createMatcher(held);
  const matchAlone = createRowMatcher(held);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const candidates: BatchCandidates[] = [];
      const alone = emptyBatch(rows.length, candidates);
      for (const [at, cells] of rows.entries()) {
        const found = matchAlone(cells, mapping, defaultMatchThreshold, alone, at);
        if (found) candidates.push(found);
      }
      const batch = matcher.matchRows(formatRecords(rows), mapping, defaultMatchThreshold);
      expect(batch).toEqual(alone);
    }),
    { numRuns: runsOf(500) },
  );
});
