// Input repairs: one row of each kind, clean rows, and that a repaired row needs no repair.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type InputRepair, inputRepairRules } from '../../engine/contract/jobs/input-repairs.ts';
import {
  type FoundNames,
  isPlainRow,
  listRepairs,
  namesOf,
  type RowCells,
  readCells,
} from '../../engine/directory/repairs/list-repairs.ts';
import { runsOf } from '../property-runs.ts';

const ada: FoundNames = { first: 'Ada', last: 'King', company: 'Acme University' };
const brief = (repairs: readonly InputRepair[]): string[] =>
  repairs.map(({ field, rule, from, to }) => `${field} ${rule}: ${from} → ${to}`);
const applied = (cells: RowCells, repairs: readonly InputRepair[]): RowCells =>
  Object.assign({}, cells, ...repairs.map(({ field, to }) => ({ [field]: to })));

const rows: readonly (readonly [cells: RowCells, found: FoundNames | null, notes: string[]])[] = [
  [{ last_name: 'GarcÃ­a' }, null, ['last_name text_encoding: GarcÃ­a → García']],
  [
    { first_name: 'Tara', last_name: 'LujÃ¡n' },
    { first: 'Tara', last: 'Luján', company: '' },
    ['last_name text_encoding: LujÃ¡n → Luján'],
  ],
  [
    { company_name: 'Smith &amp; Co' },
    null,
    ['company_name text_encoding: Smith &amp; Co → Smith & Co'],
  ],
  [{ first_name: '"Ada"' }, null, ['first_name text_marks: "Ada" → Ada']],
  [{ first_name: 'Ada', company_name: 'n/a' }, null, ['company_name placeholder: n/a → ']],
  [
    { email: 'mailto:ada@acme.example' },
    null,
    ['email email_link: mailto:ada@acme.example → ada@acme.example'],
  ],
  [
    { first_name: 'Ada', email: 'Ada King <ada@acme.example>' },
    null,
    ['email email_display_name: Ada King <ada@acme.example> → ada@acme.example'],
  ],
  [
    { email: 'Ada King <ada@acme.example>' },
    null,
    [
      'email email_display_name: Ada King <ada@acme.example> → ada@acme.example',
      'first_name email_display_name:  → Ada King',
      'first_name full_name: Ada King → Ada',
      'last_name full_name:  → King',
    ],
  ],
  [
    { first_name: 'Ada', email: 'Ada King [ada@acme.example]' },
    null,
    ['email email_display_name: Ada King [ada@acme.example] → ada@acme.example'],
  ],
  [
    { email: 'Ada King [ada@acme.example]' },
    null,
    [
      'email email_display_name: Ada King [ada@acme.example] → ada@acme.example',
      'first_name email_display_name:  → Ada King',
      'first_name full_name: Ada King → Ada',
      'last_name full_name:  → King',
    ],
  ],
  [{ email: 'ada @ acme.con' }, null, ['email email_text: ada @ acme.con → ada@acme.com']],
  [
    { email: 'ada (at) acme (dot) com' },
    null,
    ['email email_text: ada (at) acme (dot) com → ada@acme.com'],
  ],
  [
    { profile_url: 'htps:/linkedin.com/in/ada-king' },
    null,
    ['profile_url url_text: htps:/linkedin.com/in/ada-king → https://linkedin.com/in/ada-king'],
  ],
  [
    { first_name: 'Ada', last_name: 'King', phone: 'ada@acme.example' },
    null,
    ['phone identifier_moved: ada@acme.example → ', 'email identifier_moved:  → ada@acme.example'],
  ],
  [
    { last_name: 'King', email: '+1 555 010 2030' },
    null,
    ['email identifier_moved: +1 555 010 2030 → ', 'phone identifier_moved:  → +1 555 010 2030'],
  ],
  [
    { last_name: 'King', company_name: 'www.acme.com' },
    null,
    [
      'company_name company_web_address: www.acme.com → ',
      'company_domain company_web_address:  → acme.com',
    ],
  ],
  [
    { last_name: 'King', company_name: '@acme.com' },
    null,
    [
      'company_name company_web_address: @acme.com → ',
      'company_domain company_web_address:  → acme.com',
    ],
  ],
  [
    { last_name: 'Ada King, Acme University' },
    null,
    [
      'last_name name_and_company: Ada King, Acme University → Ada King',
      'company_name name_and_company:  → Acme University',
      'first_name full_name:  → Ada',
      'last_name full_name: Ada King → King',
    ],
  ],
  [
    { first_name: 'Dr. Ada van der Berg, PhD' },
    null,
    [
      'first_name full_name: Dr. Ada van der Berg, PhD → Ada',
      'last_name full_name:  → van der Berg',
    ],
  ],
  [
    { last_name: 'King, Ada' },
    null,
    ['first_name full_name:  → Ada', 'last_name full_name: King, Ada → King'],
  ],
  [
    { first_name: 'Ana García López' },
    null,
    ['first_name full_name: Ana García López → Ana García', 'last_name full_name:  → López'],
  ],
  [
    { first_name: 'Ana García López' },
    { first: 'Ana', last: 'García López', company: '' },
    ['first_name full_name: Ana García López → Ana', 'last_name full_name:  → García López'],
  ],
  [
    { last_name: 'García López Ana' },
    { first: 'Ana', last: 'García López', company: '' },
    ['first_name full_name:  → Ana', 'last_name full_name: García López Ana → García López'],
  ],
  [
    { first_name: 'King', last_name: 'ADA' },
    ada,
    ['first_name names_exchanged: King → ADA', 'last_name names_exchanged: ADA → King'],
  ],
  [
    { last_name: 'Ada', company_name: 'King', email: 'Acme University' },
    ada,
    [
      'first_name columns_shifted:  → Ada',
      'last_name columns_shifted: Ada → King',
      'company_name columns_shifted: King → Acme University',
      'email columns_shifted: Acme University → ',
    ],
  ],
  [
    { first_name: 'Acme University', company_name: 'Ada King' },
    ada,
    [
      'first_name columns_shifted: Acme University → Ada',
      'last_name columns_shifted:  → King',
      'company_name columns_shifted: Ada King → Acme University',
    ],
  ],
  [
    {
      first_name: 'Ada',
      last_name: 'King',
      company_name: 'Acme University, Department of Physics',
    },
    null,
    ['company_name company_part: Acme University, Department of Physics → Acme University'],
  ],
  [
    { first_name: 'Ada', last_name: 'King', company_name: 'Acme University - Boston' },
    ada,
    ['company_name company_part: Acme University - Boston → Acme University'],
  ],
  [
    { first_name: 'Ada', last_name: 'King', company_name: 'Department of Law, Acme University' },
    null,
    ['company_name company_part: Department of Law, Acme University → Acme University'],
  ],
  [{ first_name: 'Test', last_name: 'User' }, null, ['first_name test_row: Test → ']],
  [{ first_name: 'Ann & Bob', last_name: 'King' }, null, ['first_name two_people: Ann & Bob → ']],
];

test.each(rows)('%o', (cells, found, notes) => {
  const repairs = listRepairs(cells, found);
  expect(brief(repairs)).toEqual(notes);
  expect(brief(listRepairs(applied(cells, repairs), found))).toEqual([]);
});

test.each([
  [{ first_name: 'Ada King; Ann Lee' }, ['first_name two_people: Ada King; Ann Lee → ']],
  [{ last_name: 'Ada King\nAnn Lee' }, ['last_name two_people: Ada King | Ann Lee → ']],
  [
    { first_name: 'Front', last_name: 'Desk', company_name: 'Acme' },
    ['first_name test_row: Front → ', 'last_name test_row: Desk → '],
  ],
] as const)('%o that matching read as no person says so', (cells, notes) => {
  expect(brief(listRepairs(cells, null, true))).toEqual(expect.arrayContaining([...notes]));
});

test('the table has a row of each kind', () => {
  const shown = rows.flatMap(([cells, found]) => listRepairs(cells, found));
  expect(new Set(shown.map(({ rule }) => rule))).toEqual(new Set(inputRepairRules));
});

test.each([
  [{ company_name: 'Department for Science, Innovation and Technology' }, null],
  [{ company_name: 'Acme, Inc.' }, null],
  [{ profile_url: 'https://www.linkedin.com/in/ada-nu%C3%B1ez-1' }, null],
  [{ profile_url: 'linkedin.com/in/ada?trk=x' }, null],
  [
    { first_name: 'Nan', last_name: 'King' },
    { ...ada, first: 'Nan' },
  ],
  [{ first_name: 'Mary  Ann ', last_name: 'King' }, null],
] as const)('%o with the person %o is read as it is', (cells, found) => {
  expect(brief(listRepairs(cells, found))).toEqual([]);
});

const word = fc.constantFrom(
  'Ada',
  'King',
  "O'Neill",
  'Anne-Marie',
  'Łukasz',
  'José',
  'Núñez',
  'Li',
);
const host = fc.constantFrom(
  'acme.com',
  'mail.acme.example',
  'acme.co.uk',
  'test.com',
  'demo.sample.org',
  'none.fake.example',
);
const clean = fc.record(
  {
    first_name: word,
    last_name: word,
    company_name: fc.constantFrom('Acme', 'Acme, Inc.', 'Smith & Co', 'University of Leeds', '3M'),
    email: fc.tuple(word, host).map(([a, b]) => `${a.toLowerCase().replace(/[^a-z]/g, 'x')}@${b}`),
    profile_url: fc.oneof(
      fc.constantFrom('https://www.linkedin.com/in/ada-king', 'https://acme.com/~ada'),
      host.map((name) => `https://${name}/in/ada-king`),
    ),
    phone: fc.constantFrom('+1 555 010 2030', '(555) 010-2030'),
    company_domain: host,
    title: fc.constantFrom('Head of Test', 'www.title.com'),
  },
  { requiredKeys: ['first_name', 'last_name'] },
);

test('a clean row has no repairs', () => {
  fc.assert(
    fc.property(clean, (cells) => {
      expect(brief(listRepairs(cells, null))).toEqual([]);
      const found = { first: cells.first_name, last: cells.last_name, company: 'Acme' };
      expect(brief(listRepairs(cells, found))).toEqual([]);
    }),
  );
});

const parts = fc.constantFrom(
  'Ada',
  'King',
  'van',
  'Dr.',
  'PhD',
  'Jr',
  'Test',
  'demo',
  'n/a',
  'Acme',
  'University',
  'Inc.',
  'ada@acme.com',
  'ada @ acme,con',
  'mailto:',
  'www.acme.com',
  'https://x.com/in/ada',
  '(at)',
  'linkedin.com/in/ada',
  '+1 555 010 2030',
  '&',
  'and',
  '/',
  ',',
  ';',
  '-',
  '(',
  ')',
  '<',
  '>',
  '"',
  '|',
  '\n',
  'GarcÃ­a',
  '&eacute;',
  'Department of Law',
  'TX',
  'unknown',
  '-',
  '  ',
  'of',
  'name',
  'Email',
  'company',
  'delete',
  'row 12',
  'yes',
  '1234',
  'x',
  'J.',
  '王',
  '@',
  '.',
  '%40',
);
const messyCell = fc.array(parts, { maxLength: 4 }).map((all) => all.join(' '));
const messy = fc.record(
  {
    first_name: messyCell,
    last_name: messyCell,
    company_name: messyCell,
    email: messyCell,
    profile_url: messyCell,
    phone: messyCell,
    company_domain: messyCell,
  },
  { requiredKeys: [] },
);
const founds = fc.option(
  fc.constantFrom(ada, { first: 'King', last: 'Ada', company: '' }, { ...ada, company: 'Acme' }),
);

test('a host may have any name, so its words are no reason to look for repairs', () => {
  const row = { first_name: 'Ada', last_name: 'King' };
  const cells = [
    { email: 'ada@test.example' },
    { profile_url: 'https://linkedin.example/in/ada-king' },
    { company_domain: 'sample.com' },
  ];
  for (const cell of cells)
    expect(isPlainRow({ ...row, ...cell }), JSON.stringify(cell)).toBe(true);
  const doubtful = [{ email: 'test@acme.com' }, { profile_url: 'https://acme.com/in/test' }];
  for (const cell of doubtful) expect(isPlainRow({ ...row, ...cell })).toBe(false);
});

test.each([
  'Acme Inc.',
  'ACME, INC.',
  'ACME CO.',
  'Acme, PLC',
  'Acme, Co.',
  'Acme, AG',
  'Acme Pvt Ltd',
  'Acme, GmbH & Co. KG',
  'Acme S.L.',
])('the legal form of %s is no reason to look for repairs', (company) => {
  const row = { first_name: 'Ada', last_name: 'King', company_name: company };
  expect(isPlainRow(row)).toBe(true);
  // An address without its scheme needs no repair either, but has all rules look at the row.
  const all = { ...row, profile_url: 'linkedin.com/in/ada-king' };
  expect(isPlainRow(all)).toBe(false);
  for (const found of [null, ada, { ...ada, company }, { ...ada, company: 'Acme' }])
    expect(brief(listRepairs(all, found))).toEqual([]);
});

test('a repaired row has no repairs', () => {
  fc.assert(
    fc.property(messy, founds, (cells, found) => {
      const repairs = listRepairs(cells, found);
      for (const { from, to } of repairs) expect(from).not.toBe(to);
      expect(brief(listRepairs(applied(cells, repairs), found))).toEqual([]);
    }),
    { numRuns: runsOf(2_000) },
  );
});

test('the quick test of clean cells hides no repair', () => {
  const stranger = { first: 'Zoe', last: 'Quill', company: '' };
  fc.assert(
    fc.property(messy, (cells) => {
      expect(brief(listRepairs(cells, null))).toEqual(brief(listRepairs(cells, stranger)));
    }),
    { numRuns: runsOf(2_000) },
  );
});

test('cells and names are read from a row and a result', () => {
  expect(
    readCells([' Ada ', ' ', 'x'], { first_name: 0, last_name: 1, title: 2, email: 9 }),
  ).toEqual({
    first_name: 'Ada',
  });
  expect(namesOf(['Ada', '', 'Acme'])).toEqual({
    first: 'Ada',
    last: '',
    company: 'Acme',
  });
  expect(namesOf(['', '', 'Acme'])).toBeNull();
});
