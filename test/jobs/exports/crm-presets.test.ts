// Presets of an export for a CRM: the column of the record id, the columns, and what is refused.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CrmName,
  crmNames,
  crmPresets,
  guessRecordId,
} from '../../../engine/contract/exports/crm-presets.ts';
import { OverwriteSchema } from '../../../engine/contract/exports/overwrite.ts';
import { layers } from '../../../engine/contract/jobs/layers.ts';
import { runsOf } from '../../property-runs.ts';
import { type FoundRow, openExportFixture } from './export-fixture.ts';

const [ann, bob] = ['0035g00000AbCdEAAV', '0035g00000FgHiJ'];
const headers = ['Name', 'Mail', 'Contact ID', 'Notes', 'Title'];
const rows = [
  ['Ann', 'ann@old.example', ann, 'Line one\nline two', 'Chief'],
  ['Bob', '', bob, '=1+1', ''],
];
const mapping = { first_name: 0, email: 1, title: 4 };
const found: FoundRow[] = [
  {
    'First name': ['Anna', 'CRM', '2026-01-01'],
    'Current company name': ['Acme', 'CRM', '2026-01-01'],
    'Current title': ['=cmd()', 'CRM', '2026-01-01'],
    Email: ['ann@acme.example', 'CRM', '2026-01-01'],
    'Direct phone': ['+41 79 123 45 67', 'CRM', '2026-01-01'],
  },
  null,
];
const textOf = (pieces: readonly unknown[]) => pieces.join('');

test('a file for a CRM has the record id first, then the found values under its names', async () => {
  const { finish, write } = await openExportFixture();
  const jobId = await finish(headers, rows, mapping, found, ['L1', 'MPA']);
  expect(textOf(write(jobId, { preset: { crm: 'salesforce' } }))).toBe(
    'Id,FirstName,LastName,Title,Email,MailingCity,MailingState,MailingCountry,MobilePhone,Phone' +
      `\r\n${ann},,,'=cmd(),ann@acme.example,,,,,+41 79 123 45 67\r\n` +
      `${bob},,,,,,,,,\r\n`,
  );
  const preset = { crm: 'pipedrive', record_id: 'Notes', records: 'known' } as const;
  expect(textOf(write(jobId, { preset })).split('\r\n')[0]).toBe(
    'Person - ID,Organization - Name,Person - Job title,Person - Email - Work,' +
      'Person - Phone - Mobile,Person - Phone - Work',
  );
});

test('with rules the file has the record id and the columns that rules may change', async () => {
  const { finish, write } = await openExportFixture();
  const jobId = await finish(headers, rows, mapping, found);
  const overwrite = OverwriteSchema.parse({
    columns: { Name: { rule: 'never' }, Title: { rule: 'trusted', sources: ['CRM'] } },
  });
  const preset = { crm: 'salesforce', records: 'known' } as const;
  expect(textOf(write(jobId, { preset, overwrite }))).toBe(
    `Id,Mail,Title\r\n${ann},ann@old.example,'=cmd()\r\n${bob},,\r\n`,
  );
  const both = { ...overwrite, found_columns: true };
  expect(textOf(write(jobId, { preset, overwrite: both })).split('\r\n')[0]).toBe(
    'Id,Mail,Title,Title (found),Email,MailingCity,MailingState,MailingCountry',
  );
});

test('a list without a column of ids is never refused: rows that name a person become new records', async () => {
  const { finish, write } = await openExportFixture();
  const jobId = await finish(headers, rows, mapping, found);
  expect(textOf(write(jobId, { preset: { crm: 'hubspot' } }))).toBe(
    'Record ID,First Name,Last Name,Company Name,Job Title,Email,LinkedIn URL,City,State/Region,' +
      'Country/Region,Phone Number\r\n' +
      `,Anna,,Acme,'=cmd(),ann@acme.example,,,,,\r\n`,
  );
});

test('a column or a list that is named and missing is refused with those that are there', async () => {
  const { finish, write } = await openExportFixture();
  const jobId = await finish(headers, rows, mapping, found);
  expect(() => write(jobId, { preset: { crm: 'hubspot', id_list: 'CRM' } })).toThrow(
    /no list "CRM" with ids was imported\. Import your CRM export first/,
  );
  expect(() => write(jobId, { preset: { crm: 'hubspot', record_id: 'x' } })).toThrow(
    /the list has no column "x"\. Its columns: "Name", "Mail"/,
  );
});

test.each<[string, CrmName, string[], string[][], number | null]>([
  ['the form alone tells a Salesforce id', 'salesforce', ['A', 'B'], [['x', ann]], 1],
  ['a lead is no contact', 'salesforce_leads', ['Id'], [[ann]], null],
  ['the better header wins', 'salesforce', ['Id', 'Contact ID'], [[ann, bob]], 1],
  ['a number needs a header', 'hubspot', ['Amount'], [['12']], null],
  ['the header of HubSpot', 'hubspot', ['Amount', 'Record ID - Contact'], [['12', '51']], 1],
  ['a header whose cells are no ids', 'hubspot', ['Record ID'], [['twelve']], null],
  ['a header without cells', 'pipedrive', ['Person - ID'], [['']], null],
  ['ids that repeat', 'pipedrive', ['ID'], [['1'], ['1']], null],
])('%s', (_what, crm, names, cells, column) => {
  expect(guessRecordId(crm, names, cells)).toBe(column);
});

test('each preset has columns for fields that exist, each once', () => {
  const fields = layers.flatMap((layer) => layer.fields as readonly string[]);
  for (const crm of crmNames) {
    const { columns, idHeader } = crmPresets[crm];
    expect(fields).toEqual(expect.arrayContaining(Object.keys(columns)));
    const names = [idHeader, ...Object.values(columns)];
    expect(new Set(names).size).toBe(names.length);
  }
});

test('a file for a CRM has a line for each row with an id, and the same number of cells in each', async () => {
  const { finish, write } = await openExportFixture();
  const cell = fc.stringMatching(/^[a-z,"\n=+ ]{0,8}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...crmNames),
      fc.boolean(),
      async (pairs, crm, hasRules) => {
        const jobId = await finish(['Key', 'Note'], pairs, { first_name: 1 }, []);
        const overwrite = hasRules ? OverwriteSchema.parse({}) : null;
        const preset = { crm, record_id: 'Key' };
        const text = textOf(write(jobId, { preset, overwrite }));
        const lines: string[][] = parse(text);
        const keys = pairs.map(([key]) => key).filter((key) => key.trim() !== '');
        expect(lines.slice(1).map(([key]) => key)).toEqual(keys);
      },
    ),
    { numRuns: runsOf(15) },
  );
});
