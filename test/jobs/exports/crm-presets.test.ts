// Presets of an export for a CRM: the column of the record id, the columns, and what is refused.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CrmName, crmNames } from '../../../engine/contract/exports/crm-export.ts';
import { crmPresets, guessRecordId } from '../../../engine/contract/exports/crm-presets.ts';
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
    'Id,FirstName,LastName,Account Name,Title,Email,MailingCity,MailingState,MailingCountry,' +
      `MobilePhone,Phone\r\n${ann},,,Acme,'=cmd(),ann@acme.example,,,,,+41 79 123 45 67\r\n` +
      `${bob},,,,,,,,,,\r\n`,
  );
  const preset = { crm: 'pipedrive', record_id: 'Notes', records: 'known' } as const;
  // Pipedrive skips a line without a name, also of a known person.
  expect(textOf(write(jobId, { preset })).split('\r\n').slice(0, 2)).toEqual([
    'Person - ID,Person - Name,Organization - Name,Person - Job title,Person - Email - Work,' +
      'Person - Phone - Mobile,Person - Phone - Work',
    `"Line one\nline two",Anna,Acme,'=cmd(),ann@acme.example,,+41 79 123 45 67`,
  ]);
});

test('with rules, own columns that a rule may change follow the record id under the names of the CRM', async () => {
  const { finish, write } = await openExportFixture();
  const jobId = await finish(headers, rows, mapping, found);
  const title = { Title: { rule: 'trusted' as const, sources: ['CRM'] } };
  const overwrite = OverwriteSchema.parse({ columns: title });
  const preset = { crm: 'hubspot', record_id: 'Contact ID', records: 'known' } as const;
  expect(textOf(write(jobId, { preset, overwrite }))).toBe(
    `Record ID,Email,Job Title\r\n${ann},ann@old.example,'=cmd()\r\n${bob},,\r\n`,
  );
  const both = { ...overwrite, found_columns: true };
  expect(textOf(write(jobId, { preset, overwrite: both })).split('\r\n')[0]).toBe(
    'Record ID,Email,Job Title,Company Name,Job Title (found),Email (found),LinkedIn URL,City,' +
      'State/Region,Country/Region',
  );
  // A match renames a contact only if a rule names the column.
  const named = OverwriteSchema.parse({ columns: { Name: { rule: 'fill_empty' } } });
  const people = { ...preset, crm: 'pipedrive' } as const;
  expect(textOf(write(jobId, { preset: people, overwrite: named })).split('\r\n')[0]).toBe(
    'Person - ID,Person - Name,Person - Email - Work,Person - Job title',
  );
  // One name for each value: new records have theirs in the same columns.
  const all = { preset: { ...preset, records: undefined }, overwrite };
  expect(textOf(write(jobId, all)).split('\r\n')[0]).toBe(
    'Record ID,Email,Job Title,First Name,Last Name,Company Name,LinkedIn URL,Country/Region,' +
      'Phone Number',
  );
});

test('columns of the list for which the CRM has none are added when they are asked for', async () => {
  const { finish, write } = await openExportFixture();
  const names = ['Name', 'Firm', 'Contact ID', 'Notes', 'title', ''];
  const cells = [['Ann Lee', 'Acme', ann, 'VIP', 'x', 'y']];
  const jobId = await finish(names, cells, { first_name: 0, company_name: 1 }, [found[0] ?? null]);
  const write1 = (crm: CrmName, more: object = {}) => {
    const preset = { crm, record_id: 'Contact ID', list_columns: true, records: 'known' } as const;
    return textOf(write(jobId, { preset, ...more })).split('\r\n');
  };
  expect(write1('salesforce')).toEqual([
    'Id,Account Name,Title,Email,MailingCity,MailingState,MailingCountry,Notes,title (list)',
    `${ann},Acme,'=cmd(),ann@acme.example,,,,VIP,x`,
    '',
  ]);
  expect(write1('hubspot')[0]).toMatch(/Country\/Region,Notes,title$/);
  // A column that a rule changes is written once.
  const overwrite = OverwriteSchema.parse({});
  expect(write1('salesforce', { overwrite })[0]).toBe('Id,Account Name,Notes,title');
});

test.each(crmNames)(
  'the preset %s takes a list of people, and one of companies or says what to choose',
  async (crm) => {
    const { finish, write } = await openExportFixture();
    const names = ['Full name', 'Mail', 'Job title', 'Firm', 'Number of employees', 'Booth'];
    const cells = [['Ann Lee', 'a@b.example', 'Buyer', 'Acme', '50', '7']];
    const preset = { crm, list_columns: true } as const;
    const headersOf = (jobId: string, more: object = {}) =>
      textOf(write(jobId, { preset, ...more }))
        .split('\r\n')[0]
        ?.split(',') ?? [];
    const people = await finish(
      names,
      cells,
      { first_name: 0, email: 1, title: 2, company_name: 3 },
      [],
    );
    const isOfPeople = crmPresets[crm].kind === 'people';
    const written = headersOf(people);
    expect(written.includes('Booth')).toBe(isOfPeople);
    expect(written.includes('Number of employees')).toBe(true);
    const overwrite = OverwriteSchema.parse({});
    const ruled = headersOf(people, { overwrite });
    const ofPerson = /^(?:full name|mail|e-?mail|job title|title|booth)$/i;
    if (!isOfPeople)
      expect([...written, ...ruled].filter((name) => ofPerson.test(name))).toEqual([]);
    const companies = await finish(
      names.slice(3),
      cells.map((row) => row.slice(3)),
      { company_name: 0 },
      [],
    );
    if (isOfPeople)
      expect(() => headersOf(companies)).toThrow(/no people.*Salesforce accounts.*record ids/);
    else expect(headersOf(companies)).toContain('Booth');
  },
);

test('a new record has phones, emails and pages as the directory stores them, if they can be read', async () => {
  const { finish, write } = await openExportFixture();
  const names = ['First', 'Last', 'Mail', 'Page', 'Phone', 'Country'];
  const columns = { first_name: 0, last_name: 1, email: 2, profile_url: 3, phone: 4, country: 5 };
  const list = [
    ['A', 'A', 'A@HOOLI.example', 'LinkedIn.com/in/a/', '0176 4160529', 'Germany'],
    ['B', 'B', '', '', '0044 20 7946 0958', ''],
    ['E', 'E', '', '', '+44 20 7946 0958 / 0176 4160529', 'Germany'],
    // Neither the country nor the number is known.
    ['C', 'C', 'c at hooli', 'n/a', '0176 4160529', ''],
    ['D', 'D', '-', '', 'ask Eve', 'Deutschland'],
    // Importers refuse a cell of two emails, and the code of a country.
    ['F', 'F', 'f@a.example; g@a.example', '', '0176 4160529', 'DE'],
  ];
  const jobId = await finish(names, list, columns, []);
  const [, ...lines] = textOf(write(jobId, { preset: { crm: 'hubspot' } }))
    .trimEnd()
    .split('\r\n');
  expect(lines.map((line) => (parse(line)[0] as string[]).filter((cell) => cell !== ''))).toEqual([
    ['A', 'A', 'A@hooli.example', 'https://LinkedIn.com/in/a/', 'Germany', '+491764160529'],
    ['B', 'B', '+442079460958'],
    ['E', 'E', 'Germany', '+44 20 7946 0958 / 0176 4160529'],
    ['C', 'C', '0176 4160529'],
    ['D', 'D', 'Deutschland', 'ask Eve'],
    ['F', 'F', 'f@a.example', 'Germany', '+491764160529'],
  ]);
});

test('no importer meets a record twice, by its id, email, name and company, or all that a row says', async () => {
  const { finish, write } = await openExportFixture();
  const list = [
    ['Ann', ann, 'ann@a.example'],
    ['Ann', ann, 'other@a.example'],
    ['Bo', '', 'bo@a.example'],
    ['BO', '', 'BO@a.example'],
    // A shared address.
    ['Di', '', 'bo@a.example'],
    ['Cy', '', ''],
    ['CY', '', ''],
    ['Cy', '', 'cy@a.example'],
    ['Ed', '', '', 'Acme'],
    ['Ed', '', 'ed@a.example', 'ACME'],
    // Another of the name.
    ['Ed', '', 'ed@b.example', 'Acme'],
    // It is one of two.
    ['Ed', '', '', 'Acme'],
    ['Fay', '', '', 'Acme'],
    ['Fay', '', 'n/a', 'Other'],
    ['Fay', '', 'none', 'n/a'],
  ];
  const columns = { last_name: 0, email: 2, company_name: 3 };
  const jobId = await finish(['Last', 'Id', 'Mail', 'Firm'], list, columns, []);
  const written = textOf(write(jobId, { preset: { crm: 'salesforce', record_id: 'Id' } }));
  const names = (parse(written, { columns: true }) as Record<string, string>[]).map(
    ({ Id, LastName, Email }) => [Id, LastName, Email].filter(Boolean).join(' '),
  );
  expect(names).toEqual([
    ann,
    'Bo bo@a.example',
    'Di bo@a.example',
    'Cy',
    'Cy cy@a.example',
    'Ed ed@a.example',
    'Ed ed@b.example',
    'Ed',
    'Fay',
    'Fay',
    'Fay',
  ]);
});

test('a shared mailbox makes no second record of a row that repeats one, however many share it', async () => {
  const { finish, write } = await openExportFixture();
  const colleagues = Array.from({ length: 40 }, (_, at) => `Colleague ${at}`);
  const names = ['Ann', 'Bo', '', 'ANN', '', ...colleagues, ...colleagues];
  const list = names.map((name) => [name, 'office@a.example']);
  const jobId = await finish(['Last', 'Mail'], list, { last_name: 0, email: 1 }, []);
  const written = textOf(write(jobId, { preset: { crm: 'hubspot' } }));
  const records = parse(written, { columns: true }) as Record<string, string>[];
  expect(records.map((record) => record['Last Name'])).toEqual(['Ann', 'Bo', ...colleagues]);
});

test('a record has its empty cells from later rows about it, and what each says in columns of the list', async () => {
  const { finish, write } = await openExportFixture();
  const names = ['Last', 'Mail', 'Id', 'Title', 'Phone', 'Notes'];
  const columns = { last_name: 0, email: 1, title: 3, phone: 4 };
  const list = [
    ['Lee', 'lee@a.example', '', '', '', ''],
    ['May', 'may@a.example', bob, '', '', 'first'],
    ['LEE', 'lee@a.example', '', 'Chief', '', 'second; also'],
    ['Fox', 'fox@a.example', '', '', '', ''],
    ['May', 'may@a.example', bob, 'Buyer', '', 'later'],
    ['Lee', 'lee@a.example', '', 'Clerk', '+41791234567', 'third'],
    ['Lee', 'lee@a.example', '', '', '', 'also; second'],
    ['Lee', 'lee@a.example', '', '', '', 'x'.repeat(32_767)],
    ['Fox', 'fox@b.example', '', 'Nobody', '', 'another'],
  ];
  const jobId = await finish(names, list, columns, [
    null,
    null,
    null,
    null,
    { 'Current title': ['Head of Purchasing', 'CRM', '2026-01-01'] },
  ]);
  const preset = { crm: 'salesforce', record_id: 'Id', list_columns: true } as const;
  const read = (change: object) =>
    (parse(textOf(write(jobId, change)), { columns: true }) as Record<string, string>[]).map(
      ({ Id, LastName, Title, Phone, Notes }) => [Id || LastName, Title, Phone, Notes].join(),
    );
  expect(read({ preset })).toEqual([
    'Lee,Chief,+41791234567,second; also; third',
    `${bob},Head of Purchasing,,first; later`,
    'Fox,,,',
    'Fox,Nobody,,another',
  ]);
  // Rows that are not in the file fill nothing.
  expect(read({ preset, list: Uint32Array.of(5, 1, 0) })).toEqual([
    'Lee,Clerk,+41791234567,third',
    `${bob},,,first`,
  ]);
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

test('a row without what the importer of a CRM needs becomes no new record', async () => {
  const { finish, write } = await openExportFixture();
  const names = ['First', 'Last', 'Firm', 'Mail', 'Page', 'Site'];
  const columns = {
    first_name: 0,
    last_name: 1,
    company_name: 2,
    email: 3,
    profile_url: 4,
  };
  const list = [
    ['A', 'Lee', 'Acme', 'a@a.example', '', ''],
    ['B', 'Fox', '', '', '', ''],
    ['', '', '', 'c@a.example', '', ''],
    ['', '', '', '', 'https://linkedin.com/in/d', ''],
  ];
  const people = await finish(names, list, columns, []);
  const companies = await finish(
    ['Firm', 'Site'],
    [
      ['Acme', ''],
      ['', 'umbra.example'],
    ],
    { company_name: 0, company_domain: 1 },
    [],
  );
  const added = Object.fromEntries(
    crmNames.map((crm) => {
      const jobId = crmPresets[crm].kind === 'people' ? people : companies;
      const lines = textOf(write(jobId, { preset: { crm } }))
        .trimEnd()
        .split('\r\n');
      return [crm, lines.length - 1];
    }),
  );
  expect(added).toEqual({
    salesforce: 2,
    salesforce_leads: 1,
    hubspot: 3,
    pipedrive: 2,
    salesforce_accounts: 1,
    hubspot_companies: 2,
    pipedrive_organizations: 1,
  });
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
    // The parts of an address are one cell of Pipedrive.
    const ofField = Object.entries(columns).flatMap(([field, name]) =>
      /^Company (?:postal|city|state|country)/i.test(field) && crm === 'pipedrive_organizations'
        ? []
        : [name],
    );
    const names = [idHeader, ...ofField];
    expect(new Set(names).size).toBe(names.length);
  }
});

const firstOf = (keys: readonly string[], key: string) =>
  keys.findIndex((other) => other.trim() === key.trim());

test('a file for a CRM has a line for each id, and the same number of cells in each', async () => {
  const { finish, write } = await openExportFixture();
  const cell = fc.stringMatching(/^[a-z,"\n=+ ]{0,8}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...crmNames.filter((crm) => !crmPresets[crm].isFormTelling)),
      fc.boolean(),
      async (pairs, crm, hasRules) => {
        const jobId = await finish(['Key', 'Note'], pairs, { first_name: 1 }, []);
        const overwrite = hasRules ? OverwriteSchema.parse({}) : null;
        const preset = { crm, record_id: 'Key' };
        const text = textOf(write(jobId, { preset, overwrite }));
        const lines: string[][] = parse(text);
        const keys = pairs.map(([key]) => key).filter((key) => key.trim() !== '');
        const ids = lines.slice(1).map(([key]) => key ?? '');
        expect(ids).toEqual(keys.filter((key, at) => firstOf(keys, key) === at));
      },
    ),
    { numRuns: runsOf(15) },
  );
});
