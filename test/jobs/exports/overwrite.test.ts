// Overwrite rules: the columns that correspond, equal values, and what each rule writes.
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import {
  type ColumnRule,
  type Overwrite,
  OverwriteSchema,
} from '../../../engine/contract/exports/overwrite.ts';
import type { LayerCode } from '../../../engine/contract/jobs/layers.ts';
import type { ColumnMapping } from '../../../engine/contract/jobs/row-input.ts';
import { parseWith } from '../../../engine/http/bodies/parse-with.ts';
import { readColumnRules } from '../../../engine/jobs/overwrite/column-rules.ts';
import { listCorrespondences } from '../../../engine/jobs/overwrite/corresponding-fields.ts';
import { areSame, createRowDecider } from '../../../engine/jobs/overwrite/overwrite-rows.ts';
import { compactInferred } from '../../../engine/jobs/results/inferred-email.ts';
import { type ResultRecord, setInferredEmail } from '../../../engine/jobs/results/result.table.ts';
import { createSuppressionCommands } from '../../../engine/suppression/change-suppressions.ts';
import { writePieces } from '../../spreadsheet/export/read-exported.ts';
import { openExportFixture } from './export-fixture.ts';

const rulesOf = (
  columns: Readonly<Record<string, ColumnRule>> = {},
  more: Partial<Overwrite> = {},
): Overwrite => OverwriteSchema.parse({ columns, ...more });

const record = (values: Readonly<Record<string, string>>, source = 'CRM', day = '2026-06-15') =>
  ({
    fields: JSON.stringify(values),
    provenance: JSON.stringify(
      Object.fromEntries(Object.keys(values).map((name) => [name, [source, 0.8, day]])),
    ),
  }) as ResultRecord;

/** The outcome of a rule for one cell of the column Title. */
function decide(
  rule: ColumnRule,
  { own = '', found = 'Director', source = 'CRM', day = '2026-06-15', lastChanged = '' },
) {
  const job = {
    codes: ['L1'] as LayerCode[],
    headers: ['Title', 'Updated'],
    mapping: { title: 0 },
  };
  const columns = readColumnRules(job, rulesOf({ Title: rule }));
  const row = found === '' ? {} : { 'Current title': found };
  const [decision] = createRowDecider(
    job,
    columns,
    new Set(['CRM', 'Old list']),
  )(record(row, source, day), [own, lastChanged]);
  return decision?.outcome;
}

const newer = { rule: 'newer', date_column: 'Updated' } as const;
const trust = (...sources: string[]) => ({ rule: 'trusted', sources }) as const;

test.each<[string, ColumnRule, Parameters<typeof decide>[1], string]>([
  ['fill_empty fills an empty cell', { rule: 'fill_empty' }, { own: ' ' }, 'filled'],
  ['fill_empty keeps a value', { rule: 'fill_empty' }, { own: 'Buyer' }, 'kept'],
  ['fill_empty keeps the same value', { rule: 'fill_empty' }, { own: 'DIRECTOR ' }, 'same'],
  ['fill_empty has nothing to write', { rule: 'fill_empty' }, { found: '' }, 'not_found'],
  ['newer fills an empty cell without a day', newer, {}, 'filled'],
  ['newer replaces an older value', newer, { own: 'B', lastChanged: '2026-06-14' }, 'replaced'],
  ['newer keeps a value of the same day', newer, { own: 'B', lastChanged: '2026-06-15' }, 'kept'],
  ['newer keeps a newer value', newer, { own: 'B', lastChanged: '2026-06-16' }, 'kept'],
  [
    'newer reads the day of a time',
    newer,
    { own: 'B', lastChanged: '2026-06-14T23:59:00Z' },
    'replaced',
  ],
  ['newer reads 14.06.2026', newer, { own: 'B', lastChanged: '14.06.2026' }, 'replaced'],
  // 05/07/2026 is 5 July or 7 May; 05/04/2026 is before 15 June in both readings.
  ['newer keeps what may be newer', newer, { own: 'B', lastChanged: '05/07/2026' }, 'kept'],
  ['newer replaces what is older', newer, { own: 'B', lastChanged: '05/04/2026' }, 'replaced'],
  ['newer keeps a value of the same month', newer, { own: 'B', lastChanged: '2026-06' }, 'kept'],
  ['newer replaces a value of last month', newer, { own: 'B', lastChanged: '2026-05' }, 'replaced'],
  ['newer keeps a value without a day', newer, { own: 'B', lastChanged: '' }, 'kept'],
  ['newer keeps a value with an unreadable day', newer, { own: 'B', lastChanged: 'soon' }, 'kept'],
  [
    'newer keeps a value if ours has no day',
    newer,
    { own: 'B', lastChanged: '2020-01-01', day: '' },
    'kept',
  ],
  ['trusted replaces by a source on the list', trust('crm'), { own: 'B' }, 'replaced'],
  ['trusted fills from a source on the list', trust('CRM'), {}, 'filled'],
  ['trusted keeps what no source on the list says', trust('Other'), { own: 'B' }, 'kept'],
  ['trusted leaves empty what no source on the list says', trust('Other'), {}, 'kept'],
  ['trusted accepts any import as the directory', trust('directory'), { own: 'B' }, 'replaced'],
  [
    'trusted knows a provider from the directory',
    trust('directory'),
    { own: 'B', source: 'Hunter' },
    'kept',
  ],
  [
    'trusted accepts a source that a provider names',
    trust('Hunter'),
    { own: 'B', source: 'Hunter: web' },
    'replaced',
  ],
  ['trusted needs the whole name', trust('Hunt'), { own: 'B', source: 'Hunter' }, 'kept'],
  ['never writes nothing', { rule: 'never' }, {}, 'kept'],
])('%s', (_title, rule, facts, expected) => {
  expect(decide(rule, facts)).toBe(expected);
});

test.each([
  ['Mobile phone', '+1 603-271-3661', '(603) 271-3661', 'US', true],
  ['Mobile phone', '0171 1234567', '+49 171 1234567', 'Germany', true],
  ['Mobile phone', '0171 1234567', '+49 171 1234568', 'Germany', false],
  ['Profile URL', 'HTTPS://www.linkedin.com/in/Ada/?trk=x', 'linkedin.com/in/ada', '', true],
  ['Company website', 'http://www.acme.example/', 'acme.example', '', true],
  ['Email', 'Ada@Acme.example', 'ada@acme.example', '', true],
  ['Email', 'ada@acme.example', 'a.da@acme.example', '', false],
  ['Contact country', 'US', 'United States', '', true],
  ['Current title', 'VP  Sales', 'vp sales', '', true],
  ['Current title', 'VP Sales', 'VP of Sales', '', false],
  ['Last name', 'Muller', 'Müller', '', false],
] as const)('%s: %s and %s (%s) are the same: %s', (field, one, other, country, expected) => {
  expect(areSame(field, one, other, country)).toBe(expected);
});

test.each<[string, string[], ColumnMapping, LayerCode[], Record<string, string[]>]>([
  [
    'columns that the import recognised have their fields',
    ['Id', 'First', 'Last', 'Firm', 'Mail', 'Tel', 'Note'],
    { client_reference_id: 0, first_name: 1, last_name: 2, company_name: 3, email: 4, phone: 5 },
    ['L1', 'MPA'],
    {
      First: ['First name'],
      Last: ['Last name'],
      Firm: ['Current company name'],
      Mail: ['Email'],
      Tel: ['Mobile phone', 'Direct phone'],
    },
  ],
  ['only layers of the job count', ['Tel', 'Web'], { phone: 0, company_domain: 1 }, ['L1'], {}],
  [
    'a column with the name of a found field corresponds to it',
    ['company CITY', 'Email'],
    { email: 1 },
    ['L1', 'L2'],
    { 'company CITY': ['Company city'], Email: ['Email'] },
  ],
  [
    'a column of whole names has both names',
    ['Full name'],
    { first_name: 0 },
    ['L1'],
    { 'Full name': ['First name', 'Last name'] },
  ],
  [
    'a column of first names without one of last names may have both',
    ['First name'],
    { first_name: 0 },
    ['L1'],
    { 'First name': ['First name', 'Last name'] },
  ],
])('%s', (_title, headers, mapping, codes, expected) => {
  const found = listCorrespondences({ headers, mapping, codes });
  expect(Object.fromEntries(found.map((one) => [headers[one.column], one.fields]))).toEqual(
    expected,
  );
});

const job = { codes: ['L1', 'L2', 'L3', 'MPA'] as LayerCode[], headers: ['A', 'B'] };
const firstDecision = (mapping: ColumnMapping, values: Record<string, string>, own: string[]) => {
  const columns = readColumnRules({ ...job, mapping }, rulesOf());
  return createRowDecider({ mapping }, columns, new Set())(record(values), own)[0];
};

test.each([
  ['Ada Byron', 'same', 'Ada Byron'],
  ['Ada Bryon', 'kept', 'Ada Byron'],
  ['Ada', 'same', 'Ada'],
  ['', 'filled', 'Ada'],
])('a column of first names is compared by what its cell %j holds', (own, outcome, found) => {
  const columns = readColumnRules(
    { codes: ['L1'], headers: ['First name'], mapping: { first_name: 0 } },
    rulesOf(),
  );
  const values = { 'First name': 'Ada', 'Last name': 'Byron' };
  const decide = createRowDecider({ mapping: { first_name: 0 } }, columns, new Set());
  expect(decide(record(values), [own])[0]).toMatchObject({ outcome, found });
});

test('a number that is one of the two phones of a person is the same', () => {
  const values = { 'Mobile phone': '+16032713661', 'Direct phone': '+16032713662' };
  const decision = firstDecision({ phone: 0 }, values, ['603-271-3662']);
  expect(decision).toMatchObject({ outcome: 'same', found: '+16032713662' });
});

test('a whole name is written only if both of its parts are found', () => {
  const ofBoth = firstDecision({ first_name: 0 }, { 'First name': 'Ada', 'Last name': 'King' }, [
    '',
  ]);
  expect(ofBoth).toMatchObject({ outcome: 'filled', found: 'Ada King' });
  expect(firstDecision({ first_name: 0 }, { 'First name': 'Ada' }, [''])?.outcome).toBe(
    'not_found',
  );
});

test('the website of a person who changed jobs is that of the new company', () => {
  const values = { 'Employment status': 'Changed', 'Company website': 'https://old.example' };
  const mapping = { company_domain: 0 };
  expect(firstDecision(mapping, values, [''])?.outcome).toBe('not_found');
  const moved = { ...values, 'New company website': 'https://new.example' };
  expect(firstDecision(mapping, moved, [''])?.found).toBe('https://new.example');
});

test.each<[unknown, RegExp]>([
  [{ columns: { Email: { rule: 'always' } } }, /^columns\.Email\.rule: .*"fill_empty".*"never"/],
  [{ columns: { Email: { rule: 'newer' } } }, /^columns\.Email\.date_column: newer needs/],
  [{ columns: { Email: { rule: 'trusted' } } }, /^columns\.Email\.sources: trusted needs/],
  [
    { columns: { Email: { rule: 'never', sources: ['a'] } } },
    /^columns\.Email\.sources: only trusted/,
  ],
  [{ columns: { Email: { rule: 'fill_empty', date_column: 'D' } } }, /date_column: only newer/],
  [{ columns: { Email: { rule: 'trusted', sources: [] } } }, /^columns\.Email\.sources: /],
  [{ columns: { Email: { rule: 'never', field: 'Mail' } } }, /^columns\.Email\.field: .*"Email"/],
  [{ columns: { Email: { rule: 'never', when: 1 } } }, /^columns\.Email: .*Allowed: rule, field/],
  [{ colums: {} }, /Did you mean "columns"\? Allowed: default, columns, found_columns/],
  [{ default: 'newer' }, /^default: .*"fill_empty"/],
  [{ columns: [] }, /^columns: /],
  ['rules', /expected object/],
])('rules %j are refused with their path and what is allowed', (rules, message) => {
  expect(() => parseWith(OverwriteSchema, rules)).toThrow(message);
});

test.each<[Record<string, ColumnRule>, RegExp]>([
  [{ Mail: { rule: 'never' } }, /columns\["Mail"\]: the sheet has no column "Mail"\. .*"A", "B"/],
  [{ B: { rule: 'fill_empty' } }, /columns\["B"\]: no found field .* Name one as "field"\..*Email/],
  [{ A: { rule: 'newer', date_column: 'C' } }, /columns\["A"\]\.date_column: .* no column "C"/],
  [{ A: { rule: 'never', field: 'New email' } }, /columns\["A"\]\.field: .* no field "New email"/],
])('rules %j that do not fit the job are refused', (columns, message) => {
  const l1 = { codes: ['L1'] as LayerCode[], headers: ['A', 'B'], mapping: { email: 0 } };
  expect(() => readColumnRules(l1, rulesOf(columns))).toThrow(message);
});

test('never needs no field, and default never changes only what is named', () => {
  const l1 = { codes: ['L1'] as LayerCode[], headers: ['A', 'B'], mapping: { email: 0 } };
  expect(readColumnRules(l1, rulesOf({ B: { rule: 'never' } }))).toMatchObject([
    { column: 0, rule: 'fill_empty' },
  ]);
  const named = rulesOf(
    { B: { rule: 'fill_empty', field: 'Current title' } },
    { default: 'never' },
  );
  expect(readColumnRules(l1, named)).toMatchObject([
    { column: 0, rule: 'never' },
    { column: 1, rule: 'fill_empty', fields: ['Current title'] },
  ]);
});

const headers = ['Email', 'Note', 'Title'];
const mapping = { email: 0, title: 2 };

test('the export has the own columns in order, and the diff counts and shows the changes', async () => {
  const fixture = await openExportFixture();
  const rows = [
    ['', 'n1', 'Buyer'],
    ['B@acme.example', 'n2', ''],
    ['c@acme.example', 'n3', ''],
  ];
  const at = (value: string) => [value, 'CRM', '2026-01-02'] as const;
  const id = await fixture.finish(headers, rows, mapping, [
    { Email: at('a@acme.example'), 'Current title': at('Director') },
    { Email: at('b@acme.example'), 'Current title': at('=cmd') },
    null,
  ]);
  const overwrite = rulesOf({ Title: { rule: 'trusted', sources: ['CRM'] } });
  expect(parse(fixture.write(id, { overwrite }).join(''))).toEqual([
    headers,
    ['a@acme.example', 'n1', 'Director'],
    ['B@acme.example', 'n2', "'=cmd"],
    rows[2],
  ]);
  const change = { source: 'CRM', observed_on: '2026-01-02' };
  expect(fixture.preview(id, overwrite)).toEqual({
    rows: 3,
    changed_rows: 2,
    changed_cells: 3,
    headers,
    sources: ['CRM'],
    columns: [
      {
        index: 0,
        column: 'Email',
        fields: ['Email'],
        rule: 'fill_empty',
        unread_days: 0,
        counts: { filled: 1, replaced: 0, kept: 0, same: 1, not_found: 1 },
        examples: [{ row: 1, outcome: 'filled', old: '', found: 'a@acme.example', ...change }],
      },
      {
        index: 2,
        column: 'Title',
        fields: ['Current title'],
        rule: 'trusted',
        unread_days: 0,
        counts: { filled: 1, replaced: 1, kept: 0, same: 0, not_found: 1 },
        examples: [
          { row: 1, outcome: 'replaced', old: 'Buyer', found: 'Director', ...change },
          { row: 2, outcome: 'filled', old: '', found: '=cmd', ...change },
        ],
      },
    ],
  });
  const more = parse(
    fixture.write(id, { overwrite: { ...overwrite, found_columns: true } }).join(''),
  );
  expect(more[0]).toEqual(
    expect.arrayContaining([...headers, 'Email (enriched)', 'Current title']),
  );
  expect(more[1]?.slice(0, 3)).toEqual(['a@acme.example', 'n1', 'Director']);
});

test('an inferred email never fills or replaces a value', async () => {
  const { finish, write, preview, read, database } = await openExportFixture();
  const id = await finish(headers, [['', 'n', '']], mapping, [
    { 'Current title': ['Director', 'CRM', '2026-01-02'] },
  ]);
  const { resultBase } = read(id);
  const inferred = compactInferred({
    email: 'a@acme.example',
    probability: 0.9,
    form: '{f}',
    witnesses: 3,
    compared: 3,
    domain_check: 'accepts_mail',
    inferred_on: '2026-11-20',
  });
  setInferredEmail(database, resultBase, inferred);
  expect(preview(id, rulesOf()).columns[0]?.counts.not_found).toBe(1);
  expect(parse(write(id, { overwrite: rulesOf() }).join(''))[1]).toEqual(['', 'n', 'Director']);
});

test('a row that is suppressed later is neither changed nor in the diff', async () => {
  const { finish, write, preview, database } = await openExportFixture();
  const found = { Email: ['hidden@acme.example', 'CRM', '2026-01-02'] } as const;
  const id = await finish(headers, [['', 'private', 'Buyer']], mapping, [found]);
  expect(preview(id, rulesOf()).changed_cells).toBe(1);
  const commands = createSuppressionCommands({
    database,
    now: () => new Date(),
    onChange: () => undefined,
  });
  await commands.suppress({
    values: [{ kind: 'email', value: 'hidden@acme.example' }],
    reason: '',
    source: 'app',
    author: 'Ada',
  });
  const diff = preview(id, rulesOf());
  expect(JSON.stringify(diff)).not.toContain('hidden@');
  expect(diff.changed_cells).toBe(0);
  expect(parse(write(id, { overwrite: rulesOf() }).join(''))).toEqual([headers, ['', '', '']]);
  const { parts } = writePieces(write(id, { overwrite: rulesOf(), format: 'xlsx' }));
  expect(Object.values(parts).join()).not.toMatch(/hidden@|private|Buyer/);
});
