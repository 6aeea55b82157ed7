// Random small directories with hot names, and rows about their people.
import type Database from 'better-sqlite3';
import fc from 'fast-check';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import {
  type Company,
  type Job,
  makeDirectory,
  type Person,
} from '../directory/small-directory.ts';

export type RandomRow = Readonly<Record<string, string>>;

export interface RandomDirectory {
  readonly people: readonly RandomPerson[];
  readonly rows: readonly RandomRow[];
}

/** A person with what small directories do not have. */
export interface RandomPerson extends Person {
  readonly phone: string | null;
  readonly otherEmail: string | null;
}

const firsts = 'Ann Anna Bob Robert Katherine Kate José Li J Mary-Jane William Bill Zbigniew'.split(
  ' ',
);
const lasts = ['Smith', 'Smyth', 'Smithe', 'Lee', 'Garcia Lopez', "O'Brien", 'Young', 'Brzezinski'];
const employers = [
  'Acme Inc',
  'Acme Holdings LLC',
  'Texas Senate',
  'Beta Works Ltd',
  'Gamma Partners',
  'University of Northern Vale',
  'Vale University',
  'House of Commons',
];
const companies: readonly Company[] = [
  { name: 'Acme Inc', domain: 'acme.com', aliases: ['Acme Incorporated', 'ACM'] },
  { name: 'Acme Holdings LLC', domain: 'acme.com' },
  { name: 'ACME, Inc.', domain: 'acme.net' },
  { name: 'University of Northern Vale', domain: 'unv.edu', aliases: ['UNV'] },
  // No one works here.
  { name: 'Empty Rooms Ltd', domain: 'empty.com' },
];

const otherNames = [
  ['Annie', 'Smith'],
  ['Lord', 'Young of Cookham'],
  ['Lady', 'Lee of Vale'],
  ['Kate', 'Garcia'],
  ['Bobby', ''],
] as const;
const mailboxes = ['info@acme.com', 'team@gamma.com', 'ann.smith@gmail.com', 'bsmith@unv.edu'];
const numbers = ['+12125550100', '+12125550101', '+442071234567 x12'];
const pages = ['ann-smith', 'bob-lee-7', 'katherine-garcia', 'zbigniew-brzezinski-1'];
const pageOf = (name: string): string => `https://www.linkedin.com/in/${name}`;

const word = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A weighted choice of nothing. */
const maybe = <Value>(value: fc.Arbitrary<Value>, none = 2) =>
  fc.option(value, { nil: null, freq: none });

const job = (first: string, last: string): fc.Arbitrary<Job> =>
  fc.record({
    at: fc.constantFrom(...employers),
    left: fc.boolean(),
    email: maybe(
      fc.oneof(
        fc.constantFrom(...mailboxes),
        fc
          .constantFrom('acme.com', 'unv.edu', 'beta.io')
          .map((host) => `${word(first)}.${word(last)}@${host}`),
      ),
    ).map((email) => email ?? ''),
  });

const person = fc.tuple(fc.constantFrom(...firsts), fc.constantFrom(...lasts)).chain(
  ([first, last]): fc.Arbitrary<RandomPerson> =>
    fc.record({
      first: fc.constant(first),
      last: fc.constant(last),
      middle: maybe(fc.constantFrom('James', 'Q', 'Maria'), 3).map((middle) => middle ?? ''),
      suffix: maybe(fc.constantFrom('Jr', 'III'), 5).map((suffix) => suffix ?? ''),
      url: maybe(fc.constantFrom(...pages).map(pageOf), 3).map((url) => url ?? ''),
      suppressed: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
      otherNames: fc.array(fc.constantFrom(...otherNames), { maxLength: 1 }),
      jobs: fc.array(job(first, last), { maxLength: 3 }),
      phone: maybe(fc.constantFrom(...numbers), 3),
      otherEmail: maybe(fc.constantFrom(...mailboxes), 6),
    }),
);

const misspell = (text: string, at: number): string => {
  const place = at % Math.max(1, text.length);
  return at % 2 === 0
    ? text.slice(0, place) + text.slice(place + 1)
    : `${text.slice(0, place)}${text[place] ?? 'x'}${text.slice(place)}`;
};

const strange = fc.record({
  first_name: fc.constantFrom('', 'Nobody', 'Ann & Bob', ...firsts),
  last_name: fc.constantFrom('', 'Unknown', 'Lord Young of Cookham', ...lasts),
  company_name: fc.constantFrom('', 'Empty Rooms', 'ACM', 'UNV', 'Acme Incorporated', ...employers),
  email: fc.constantFrom(
    '',
    'info@acme.com',
    'someone@empty.com',
    'ann.smith@gmail.com',
    'zz@unv.edu',
  ),
  profile_url: fc.constantFrom('', pageOf('bob-lee-7'), pageOf('no-one')),
  phone: fc.constantFrom('', '(212) 555-0100'),
  company_domain: fc.constantFrom('', '', 'acme.com', 'unv.edu'),
});

/** A row about a person, with some of what is known, perhaps mistyped or in the wrong cell. */
const rowAbout = ({ first, last, url, phone, jobs = [], otherEmail }: RandomPerson) =>
  fc
    .record({
      cells: fc.integer({ min: 0, max: 63 }),
      error: fc.integer({ min: 0, max: 40 }),
      change: fc.constantFrom('none', 'none', 'first', 'last', 'company', 'swapped', 'whole'),
      job: fc.nat(2),
    })
    .map(({ cells, error, change, job: at }): RandomRow => {
      const held = jobs[at % Math.max(1, jobs.length)];
      const company = held?.at ?? '';
      const given = change === 'first' ? misspell(first, error) : first;
      const family = change === 'last' ? misspell(last, error) : last;
      const names =
        change === 'swapped'
          ? [family, given]
          : change === 'whole'
            ? [`${given} ${family}`, '']
            : [given, family];
      return {
        first_name: names[0]!,
        last_name: names[1]!,
        company_name:
          (cells & 1) === 0 ? (change === 'company' ? misspell(company, error) : company) : '',
        email: (cells & 6) === 2 ? held?.email || otherEmail || '' : '',
        profile_url: (cells & 24) === 8 ? (url ?? '') : '',
        phone: (cells & 32) === 32 ? (phone ?? '') : '',
      };
    });

/** @param people how many there are at most */
export const randomDirectory = (people: number): fc.Arbitrary<RandomDirectory> =>
  fc.array(person, { minLength: 1, maxLength: people, size: 'max' }).chain((drawn) =>
    fc.record({
      people: fc.constant(drawn),
      rows: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...drawn).chain(rowAbout) },
          { weight: 1, arbitrary: strange },
        ),
        { minLength: 1, maxLength: people, size: 'max' },
      ),
    }),
  );

export function makeRandomDirectory(people: readonly RandomPerson[]): ReadableDatabase {
  const db = makeDirectory(people, companies) as unknown as Database.Database;
  for (const [at, { phone, otherEmail }] of people.entries()) {
    if (phone)
      db.prepare(
        `INSERT INTO person_phone (person_id, kind, number, import_id, observed_on)
         VALUES (?, 'direct', ?, 1, '2026-01-01')`,
      ).run(at + 1, phone);
    if (otherEmail)
      db.prepare(
        "INSERT INTO person_key (person_id, kind, value, import_id) VALUES (?, 'email', ?, 1)",
      ).run(at + 1, otherEmail);
  }
  return db as unknown as ReadableDatabase;
}
