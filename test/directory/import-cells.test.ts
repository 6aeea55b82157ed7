// The cells of imported lists as people have them: which are read, and with what values.
import { expect, test } from 'vitest';
import type { ImportOptions } from '../../engine/contract/directory.ts';
import { listOptedOut } from '../../engine/suppression/hidden-people.ts';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

/** The values of the only person in a directory. */
function readPerson({ db }: ListFolder): Record<string, unknown> {
  const sql = `SELECT first_name, last_name, opted_out, person.profile_url, title, job_level, email
    FROM person LEFT JOIN employment ON employment.person_id = person.id`;
  return db.prepare(sql).get() as Record<string, unknown>;
}

test('the report says what each column became, and which columns were not read', async () => {
  using folder = openListFolder();
  const text =
    'Vorname;Nachname;E-Mail (Arbeit);Lieblingsfarbe;Xing\nUta;Ahlers;u@ahl.example;rot;x\n';
  const { columns } = await folder.importPeople(text);
  expect(columns.map(({ header, field }) => ({ header, field }))).toEqual([
    { header: 'Vorname', field: 'first_name' },
    { header: 'Nachname', field: 'last_name' },
    { header: 'E-Mail (Arbeit)', field: 'email' },
    { header: 'Lieblingsfarbe', field: null },
    { header: 'Xing', field: null },
  ]);
  expect(new Set(columns.map(({ file, kind }) => `${file} ${kind}`))).toEqual(
    new Set(['people.csv people']),
  );
});

test.each<[title: string, row: Row, email: string]>([
  ['an empty first column', { Email: '', 'Email 2': 'b@ola.example' }, 'b@ola.example'],
  ['both', { 'Email 2': 'b@ola.example', 'Work email': 'a@ola.example' }, 'a@ola.example'],
])(
  'of several columns for an email the first filled one is read: %s',
  async (_title, row, email) => {
    using folder = openListFolder();
    await folder.importPeople([{ Name: 'Ann Lee', ...row }]);
    expect(readPerson(folder)).toMatchObject({ email });
  },
);

test('zero-width characters are no part of headers and cells, joiners of letters are', async () => {
  using folder = openListFolder();
  const row = {
    'First\u200b Name': '\u2060Ann\u200b',
    '\u200eLast Name': 'Le\u00ade\u200d',
    'Job\u00a0Ti\u00adtle\u200c': 'مدیر می\u200cانی\ufeff',
    Email: '\u202aann@ola.example\u202c',
  };
  await folder.importPeople([row]);
  expect(readPerson(folder)).toMatchObject({
    first_name: 'Ann',
    last_name: 'Lee',
    title: 'مدیر می\u200cانی',
    email: 'ann@ola.example',
  });
  const empty = await folder.importPeople([{ 'First name': '\u200b', 'Last name': '\u200c' }]);
  expect(empty).toMatchObject({ people_added: 0, rows_refused: 1 });
});

test('of several values between ":::" the first is read, and the first valid address', async () => {
  using folder = openListFolder();
  await folder.importPeople([
    {
      'First Name': 'Ann',
      'Last Name': 'Lee',
      'Organization Title': 'Buyer ::: Board member',
      'E-mail 1 - Value': 'ann@ ::: ann@ola.example',
    },
  ]);
  expect(readPerson(folder)).toMatchObject({ title: 'Buyer', email: 'ann@ola.example' });
});

// Name, email, profile and title as programs write them.
test.each<[kind: string, cells: string[]]>([
  [
    'HTML',
    [
      '<b>J&uuml;rgen</b> M&amp;uuml;ller',
      '<a href="mailto:j@ola.example">Mail</a>',
      '<a href="https://www.linkedin.com/in/jm">Profile</a>',
      'Buyer &amp; Planner<br/>',
    ],
  ],
  [
    'Markdown',
    [
      '[Jürgen Müller](https://ola.example/jm)',
      '[Mail](mailto:j@ola.example)',
      '[Profile](https://www.linkedin.com/in/jm)',
      'Buyer & Planner',
    ],
  ],
  [
    'formulas',
    [
      '=HYPERLINK("mailto:j@ola.example","Jürgen Müller")',
      '=HYPERLINK("mailto:j@ola.example";"Mail")',
      '=HYPERLINK("https://www.linkedin.com/in/jm","Profile")',
      'Buyer & Planner',
    ],
  ],
])('cells are read as they are shown, and addresses from their links: %s', async (_kind, cells) => {
  using folder = openListFolder();
  const [name = '', email = '', profile = '', title = ''] = cells;
  await folder.importPeople([{ Name: name, Email: email, LinkedIn: profile, 'Job title': title }]);
  expect(readPerson(folder)).toMatchObject({
    first_name: 'Jürgen',
    last_name: 'Müller',
    email: 'j@ola.example',
    profile_url: 'https://www.linkedin.com/in/jm',
    title: 'Buyer & Planner',
  });
});

test('words for nothing are empty cells, and Null and None are names', async () => {
  using folder = openListFolder();
  const words = [
    ...'%COMPANY%|{{ company }}|<<Company>>|NULL|n/a|#N/A|(blank)|undefined|-'.split('|'),
    ...'\\N|keine Angabe|<NA>|NaT|—|[]|n.v.t.|なし|无'.split('|'),
  ];
  const rows = words.map((word) => ({ Name: 'Jo Null', Email: word, Company: word, Phone: word }));
  const { remarks, companies_added } = await folder.importPeople([
    ...rows,
    {
      Name: 'undefined undefined',
      Email: 'none@ola.example',
      Company: 'Ola',
      Phone: '=+33142685300',
    },
  ]);
  expect([remarks, companies_added]).toEqual([[], 1]);
  const people = folder.db.prepare('SELECT DISTINCT first_name, last_name FROM person').all();
  expect(people).toContainEqual({ first_name: 'Jo', last_name: 'Null' });
  expect(folder.db.prepare('SELECT number FROM person_phone').pluck().all()).toEqual([
    '+33142685300',
  ]);
});

// Cells of a row by header, the phones by kind, the email of work and the private one.
test.each<[row: Row, phones: string[], emails: (string | null)[]]>([
  [
    { 'Phone 1 - Label': 'Work Fax', 'Phone 1 - Value': '+44 20 7946 0101' },
    [],
    ['a@ola.example', null],
  ],
  [
    {
      'Phone 1 - Type': 'Home',
      'Phone 1 - Value': '+44 20 7946 0102',
      'Phone 2 - Type': 'Work',
      'Phone 2 - Value': '+44 20 7946 0103',
      'Phone 3 - Type': '* Mobile',
      'Phone 3 - Value': '+44 7700 900123',
    },
    ['direct +442079460103', 'mobile +447700900123'],
    ['a@ola.example', null],
  ],
  [
    { 'Phone 1': '+44 7700 900123', 'Phone 1 Type': 'Mobile' },
    ['mobile +447700900123'],
    ['a@ola.example'],
  ],
  [
    { 'Telefone 1 - Valor': '+44 7700 900123', 'Telefone 1 - Rótulo': 'Celular' },
    ['mobile +447700900123'],
    ['a@ola.example'],
  ],
  [
    { 'phones.number': '+44 7700 900123', 'phones.type': 'mobile' },
    ['mobile +447700900123'],
    ['a@ola.example'],
  ],
  [
    { 'Phone 1': '+44 20 7946 0104', 'Phone 1 Type': 'Grand' },
    ['direct +442079460104'],
    ['a@ola.example'],
  ],
  [
    {
      'E-mail 1 - Label': '* Home',
      'E-mail 1 - Value': 'ann@home.example',
      'E-mail 2 - Label': 'Work',
      'E-mail 2 - Value': 'ann@ola.example',
    },
    [],
    ['ann@ola.example', 'ann@home.example'],
  ],
])('a label says what a number or an address is: %j', async (row, phones, emails) => {
  using folder = openListFolder();
  const [work = null, home = null] = emails;
  await folder.importPeople([
    { Name: 'Ann Lee', Email: home === null ? 'a@ola.example' : '', ...row },
  ]);
  const held = folder.db.prepare("SELECT kind || ' ' || number FROM person_phone ORDER BY 1");
  expect(held.pluck().all()).toEqual(phones);
  const keys = folder.db.prepare("SELECT value FROM person_key WHERE kind = 'email' ORDER BY 1");
  expect(keys.pluck().all()).toEqual([home].filter(Boolean));
  expect(readPerson(folder)).toMatchObject({ email: work });
});

test('a number is no job level, and the public page precedes that of a member’s number', async () => {
  using folder = openListFolder();
  await folder.importPeople([
    {
      Name: 'Ann Lee',
      Email: 'a@ola.example',
      'Job Title Hierarchy Level': '3',
      'Management Level': 'Director',
      'LinkedIn profile': 'https://www.linkedin.com/in/ACwAAB2xyz',
      'Profile URL': 'https://www.linkedin.com/in/annlee',
    },
  ]);
  expect(readPerson(folder)).toMatchObject({
    job_level: 'Director',
    profile_url: expect.stringMatching(/\/in\/annlee/),
  });
});

test.each([
  ['Vp', 'VP'],
  ['CxO', 'C-Level'],
  ['c_suite', 'C-Level'],
  ['Entry', 'Staff'],
  ['Non-Manager', 'Staff'],
  ['VP-Level', 'VP'],
  ['Head', 'Director'],
  ['director', 'Director'],
  ['Elected Official', 'Elected Official'],
  ['Band 7', 'Band 7'],
])('the level %j of a data service is %j', async (level, known) => {
  using folder = openListFolder();
  await folder.importPeople([{ Name: 'Ann Lee', Email: 'a@ola.example', Seniority: level }]);
  expect(readPerson(folder).job_level).toBe(known);
});

test('a salutation is no job title, and a page of a company no profile', async () => {
  using folder = openListFolder();
  await folder.importPeople([
    {
      Title: 'Frau Dr.',
      Position: 'Buyer',
      Name: 'Ann Lee',
      'Profile URL': 'https://www.linkedin.com/company/ola',
      LinkedIn: 'https://www.linkedin.com/in/annlee',
    },
  ]);
  expect(readPerson(folder)).toMatchObject({
    title: 'Buyer',
    profile_url: expect.stringMatching(/\/in\/annlee/),
  });
});

// Header, cell, whether the person may not be contacted.
test.each<[header: string, cell: string, isOptedOut: boolean]>([
  ['HasOptedOutOfEmail', 'true', true],
  ['HasOptedOutOfEmail', '0', false],
  ['Email Opt Out', '1', true],
  ['Unsubscribed from all email', 'Yes', true],
  ['Do Not Email', 'x', true],
  ['DNC', 'WAHR', true],
  ['Marketing opt out', 'no', false],
  ['Abgemeldet', 'Ja', true],
  ['Abgemeldet', 'Nein', false],
  ['Désinscrit', 'oui', true],
  ['Uitgeschreven', 'ja', true],
  ['Opt-out date', '', false],
  ['Unsubscribed at', '2024-01-01 10:00', true],
  ['Unsubscribed', '2024-02-03', true],
  ['UNSUB_TIME', 'Jan 5, 2024', true],
  ['Unsubscribed at', '1700000000000', true],
  ['Unsubscribed at', '45231.5', true],
  ['Unsubscribed at', '0000-00-00 00:00:00', false],
  ['Unsubscribed at', 'never', false],
  ['opted_out', 't', true],
  ['opted_out', 'f', false],
  ['opted_out', '☑', true],
  ['opted_out', 'unchecked', false],
  ['Newsletter status', 'Unsubscribed', true],
  ['Newsletter status', 'Subscribed', false],
  ['Marketing consent', 'No', true],
  ['Marketing consent', 'Yes', false],
  ['May we contact you?', 'No', true],
  ['May we contact you?', 'Yes', false],
  ['Dürfen wir Sie kontaktieren?', 'Nein', true],
  ['Einwilligung', 'nein', true],
  ['Opt-in', 'withdrawn', true],
  ['GDPR consent', '', false],
  ['RGPD', 'Refus', true],
  ['RGPD', 'Accord', false],
  ['DSGVO', 'Widerspruch', true],
  ['GDPR', 'Yes', false],
  ['GDPR', 'No', true],
  ['state', 'Unsubscribed', true],
  ['state', 'Connected', false],
  ['Consent to marketing', 'denied', true],
  ['Allow marketing', 'false', true],
  ['Bulk email', 'Do Not Allow', true],
  ['Bulk email', 'Allow', false],
  ['Rifiuta e-mail', 'Sì', true],
  ['Ei markkinointia', 'Kyllä', true],
  ['Interdit de prospection', 'Oui', true],
  ['Geen mail', 'Ja', true],
  ['Reklam izni', 'Hayır', true],
  ['メルマガ配信', '停止', true],
  ['Status', 'Unsubscribed', true],
  ['Status', 'Contacted', false],
  ['Status', 'Baja', true],
  ['Email status', 'Opted-Out', true],
  ['Email status', 'do_not_mail', false],
  ['Email status', 'Blocked', false],
  ['Lead status', 'Lost - do not contact', true],
  ['Lead status', 'Never contacted', false],
  ['Lead status', 'No contact', false],
  ['Leadstatus', 'Hat sich abgemeldet', true],
  ['Statut', 'Ne plus contacter', true],
  ['Estado', 'Dada de baja', true],
  ['Estado', 'Baja California', false],
  ['Stato', 'Disiscritto', true],
  ['Situação', 'Descadastrado', true],
  ['Stav', 'Odhlášen', true],
  ['Статус', 'Отписался', true],
  ['ステータス', '配信停止', true],
  ['状态', '已退订', true],
  ['상태', '수신거부', true],
  ['Tags', 'fair 2024; do not contact', true],
  ['Tags', 'Unsubscribed: no', false],
  ['Labels', '* myContacts ::: Opted out', true],
  ['Notes', 'Please do not contact', true],
  ['Notes', 'Not unsubscribed', false],
])('a column %j with %j: opted out %s', async (header, cell, isOptedOut) => {
  using folder = openListFolder();
  await folder.importPeople([{ Name: 'Ann Lee', Email: 'a@ola.example', [header]: cell }]);
  expect(readPerson(folder).opted_out).toBe(isOptedOut ? 1 : 0);
});

test('any of several opt-outs counts, whatever kind of email it is about', async () => {
  using folder = openListFolder();
  const row = {
    'Unsubscribed from all email': 'false',
    'Opted out of email: One to One': 'Yes',
    'Newsletter abbestellt': '',
  };
  await folder.importPeople([{ Name: 'Ann Lee', Email: 'a@ola.example', ...row }]);
  expect(readPerson(folder).opted_out).toBe(1);
});

test('a column of statuses stays what it is, and its opt-outs are counted on every row', async () => {
  using folder = openListFolder();
  const statusOf = (at: number) => (at % 300 === 250 ? 'Unsubscribed' : 'Customer');
  const rows = Array.from({ length: 600 }, (_row, at) => ({
    Name: `Ann Lee${at}`,
    Email: `a${at}@ola.example`,
    Status: statusOf(at),
  }));
  const { columns, rows_opted_out } = await folder.importPeople(rows, { keep: ['Status'] });
  expect(columns.map(({ field }) => field)).toEqual(['full_name', 'email', 'kept']);
  expect(rows_opted_out).toBe(2);
  expect(listOptedOut(folder.db).map(({ value }) => value)).toEqual(
    expect.arrayContaining(['a250@ola.example', 'a550@ola.example']),
  );
});

/** The stored value of a one-row list, and the messages of its remarks. */
async function importOne(row: Row, sql: string) {
  using folder = openListFolder();
  const { remarks } = await folder.importPeople([{ Id: '1', Name: 'Ann Lee', ...row }]);
  const value = folder.db.prepare(sql).pluck().get();
  return { value, remarks: remarks.map(({ message }) => message) };
}

test.each<[cell: string, email: string, remark: RegExp | null]>([
  ['a@ola.example; b@ola.example', 'a@ola.example', /2 email addresses; a@ola.example was taken/],
  ['a@ola.example, b@ola.example', 'a@ola.example', /2 email addresses/],
  ['a@ola.example / b@ola.example', 'a@ola.example', /2 email addresses/],
  ['a@ola.example\nb@ola.example', 'a@ola.example', /2 email addresses/],
  ['a@ola.example ::: b@ola.example', 'a@ola.example', /2 email addresses/],
  ['a@ola.example or b@ola.example', 'a@ola.example', /2 email addresses/],
  ['a@ola.example a@ola.example', 'a@ola.example', null],
  ['"Lee, Ann" <a@ola.example>', 'a@ola.example', null],
  ['a@ola.example (work)', 'a@ola.example', null],
  ['Work: a@ola.example', 'a@ola.example', null],
  ['mailto:a@ola.example', 'a@ola.example', null],
  ["'a@ola.example'", 'a@ola.example', null],
  ['a@ola.example.', 'a@ola.example', null],
  ['="a@ola.example"', 'a@ola.example', null],
  ['none; b@ola.example', 'b@ola.example', null],
  ['jörg@müller.example', 'jörg@müller.example', null],
])('the email in the cell %j is %j', async (cell, email, remark) => {
  const { value, remarks } = await importOne({ Email: cell }, 'SELECT email FROM employment');
  expect(value).toBe(email);
  expect(remarks).toEqual(remark === null ? [] : [expect.stringMatching(remark)]);
});

test.each(['ann lee@ola.example', 'ann at ola', 'a@ola'])(
  'a cell from which an address would be guessed is omitted: %j',
  async (cell) => {
    const { value, remarks } = await importOne({ Email: cell }, 'SELECT email FROM employment');
    expect(value).toBeUndefined();
    expect(remarks).toEqual([expect.stringMatching(/is not an email address and was omitted/)]);
  },
);

// Cell, country, number.
test.each<[cell: string, country: string, number: string | undefined, remark: RegExp | null]>([
  ['+49 421 123456; +49 170 1234567', '', '+49421123456', /2 phone numbers/],
  ['+49 421 123456 ::: +49 170 1234567', '', '+49421123456', /2 phone numbers/],
  ['0421 123456 / 0170 1234567', 'Deutschland', '+49421123456', /2 phone numbers/],
  ['0421/123456', 'DEU', '+49421123456', null],
  ['00 33 6 12 34 57 01', '', '+33612345701', null],
  ['+44 (0)20 7946 0018', '', '+442079460018', null],
  ['(020) 7946 0018', 'England', '+442079460018', null],
  ['20 794 60 18', 'Nederland', '+31207946018', null],
  ['22 345 67 89', 'Polska', '+48223456789', null],
  ['02-312-3456', 'Korea, Republic of', '+8223123456', null],
  ['495 123-45-67', 'Russian Federation', '+74951234567', null],
  ['2345 6789', 'Hong Kong', '+85223456789', null],
  ['212-555-0123 ext. 45', 'USA', '+12125550123 x45', null],
  ['+1-212-555-0123, 45', '', '+12125550123 x45', null],
  ['+49 421 123456 Durchwahl 9', '', '+49421123456 x9', null],
  ['+33 1 23 45 67 89 poste 12', '', '+33123456789 x12', null],
  ['+7 495 123-45-67 доб. 12', '', '+74951234567 x12', null],
  ['+442079460018;ext=12', '', '+442079460018 x12', null],
  ['Tel.: +49 421 123456 (mobil)', '', '+49421123456', null],
  ["'+447700900123", '', '+447700900123', null],
  ['1-800-FLOWERS', '', '+18003569377', null],
  ['+491701234567.0', '', '+491701234567', null],
  ['07700 900123', '', undefined, /without a country.*names no country/],
  ['07700 900123', 'Wakanda', undefined, /without a country.*"Wakanda" is not known/],
  ['4.47701E+11', 'GB', undefined, /shortened by a spreadsheet/],
  ['call me', 'GB', undefined, /is not a valid phone number and was omitted/],
])('the phone in the cell %j with the country %j is %j', async (cell, country, number, remark) => {
  const row = { Phone: cell, Country: country };
  const { value, remarks } = await importOne(row, 'SELECT number FROM person_phone');
  expect(value).toBe(number);
  expect(remarks).toEqual(remark === null ? [] : [expect.stringMatching(remark)]);
});

/** The people of a one-row list with their emails, and the remarks. */
async function importRow(row: Row) {
  using folder = openListFolder();
  const { remarks } = await folder.importPeople([row]);
  const sql = `SELECT first_name, last_name, email FROM person
    LEFT JOIN employment ON employment.person_id = person.id ORDER BY person.id`;
  const people = folder.db.prepare(sql).raw().all() as (string | null)[][];
  return {
    people: people.map((cells) =>
      cells
        .map((cell) => cell ?? '')
        .join(' ')
        .trim(),
    ),
    remarks: remarks.map(({ line, message }) => `${line} ${message}`),
  };
}

test.each<[row: Row, people: string[]]>([
  [
    { Name: 'Ann Lee / Bo Kim', Email: 'bo.kim@ola.example' },
    ['Ann Lee', 'Bo Kim bo.kim@ola.example'],
  ],
  [
    { Name: 'Ann Lee; Bo Kim', Email: 'bo@ola.example; ann@ola.example' },
    ['Ann Lee ann@ola.example', 'Bo Kim bo@ola.example'],
  ],
  [{ Name: 'Ann & Bo Kim' }, ['Ann Kim', 'Bo Kim']],
  [{ Name: 'Ana Ruiz y Juan Pérez' }, ['Ana Ruiz', 'Juan Pérez']],
  [{ Name: 'Ann Lee, Bo Kim und Cy Poe' }, ['Ann Lee', 'Bo Kim', 'Cy Poe']],
  [{ Name: 'Lee, Ann\nKim, Bo' }, ['Ann Lee', 'Bo Kim']],
  [
    { Name: 'Ann Lee <a@ola.example>, Bo Kim <b@ola.example>' },
    ['Ann Lee a@ola.example', 'Bo Kim b@ola.example'],
  ],
  [{ 'First name': 'Ann & Bo', 'Last name': 'Kim' }, ['Ann Kim', 'Bo Kim']],
  [{ 'First name': 'Ann / Bo', 'Last name': 'Lee / Kim' }, ['Ann Lee', 'Bo Kim']],
  [
    { Email: 'ann@ola.example / bo@ola.example', City: 'Ulm' },
    ['ann@ola.example', 'bo@ola.example'],
  ],
])('each person of a cell becomes a contact, with a remark: %j', async (row, people) => {
  const found = await importRow(row);
  expect(found.people).toEqual(people);
  expect(found.remarks).toEqual([expect.stringMatching(/^2 .* holds (?:two|3) people/)]);
});

test.each<[row: Row, person: string]>([
  [{ Name: 'Herr und Frau Ray' }, 'Herr und Frau Ray'],
  [{ Name: 'Mr and Mrs Ray' }, 'Mr and Mrs Ray'],
  [{ Name: 'M. et Mme Durand' }, 'M. et Mme Durand'],
  [{ Name: 'Sig. e Sig.ra Rossi' }, 'Sig. e Sig.ra Rossi'],
  [{ Name: 'Dhr. en Mevr. van den Berg' }, 'Dhr. en Mevr. van den Berg'],
  [{ Name: 'Dr. & Mrs. Ray' }, 'Dr. & Mrs. Ray'],
  [{ Name: 'Familie Ray' }, 'Familie Ray'],
  [{ Name: 'The Ray Family' }, 'The Ray Family'],
  [{ Name: 'The Smiths' }, 'The Smiths'],
  [{ 'First name': 'Herr und Frau', 'Last name': 'Ray' }, 'Herr und Frau Ray'],
  [{ 'First name': 'Familie', 'Last name': 'Ray' }, 'Familie Ray'],
  [{ Name: 'Mr. & Mrs. Bo Lee' }, 'Bo Lee'],
  [{ Name: 'Ann Lee + 1' }, 'Ann Lee'],
  [{ 'First name': 'Ann', 'Last name': 'Lee & family' }, 'Ann Lee'],
])(
  'a couple, a family and a guest without a name stay one contact, with a remark: %j',
  async (row, person) => {
    const found = await importRow(row);
    expect(found.people).toEqual([person]);
    expect(found.remarks).toEqual([
      expect.stringMatching(/^2 .* a couple or a group, and stays one/),
    ]);
  },
);

test.each<[row: Row, person: string]>([
  [{ Name: 'José Ortega y Gasset' }, 'José Ortega y Gasset'],
  [{ Name: 'Ann Lee / Sales Director' }, 'Ann Lee'],
  [{ Name: 'Lopez Garcia, Maria Jose' }, 'Maria Jose Lopez Garcia'],
  [{ Email: 'ann.lee@ola.example; ann@lee.example', City: 'Ulm' }, 'ann.lee@ola.example'],
])('a cell of one person stays one: %j', async (row, person) => {
  expect((await importRow(row)).people).toEqual([person]);
});

test('of two addresses the one that fits the name is taken, and the other is named', async () => {
  const row = { Name: 'Ann Lee', Email: 'bo.kim@ola.example; ann@ola.example' };
  const { people, remarks } = await importRow(row);
  expect(people).toEqual(['Ann Lee ann@ola.example']);
  expect(remarks).toEqual([expect.stringMatching(/bo\.kim@ola\.example .* another person/)]);
});

test.each<[row: Row, person: string, remark: RegExp | null]>([
  [{ Name: 'Ann Lee <a@ola.example>' }, 'Ann Lee a@ola.example', null],
  [{ Name: 'Ann Lee - a@ola.example', Email: '' }, 'Ann Lee a@ola.example', null],
  [{ Name: 'Ann Lee (a@ola.example)', Email: 'a@ola.example' }, 'Ann Lee a@ola.example', null],
  [{ Name: '', Email: '"Lee, Ann" <a@ola.example>' }, 'Ann Lee a@ola.example', null],
  [{ Name: '', Email: 'a@ola.example (Ann Lee)' }, 'Ann Lee a@ola.example', null],
  [{ Attendee: 'Ann Lee <a@ola.example>' }, 'Ann Lee a@ola.example', null],
  [{ Name: '<a@ola.example>' }, 'a@ola.example', null],
  [{ Name: 'a@ola.example' }, 'a@ola.example', null],
  [{ Name: 'Email: a@ola.example' }, 'a@ola.example', null],
  [{ 'First name': '<a@ola.example>', 'Last name': '' }, 'a@ola.example', null],
  [{ Name: 'Ann Lee', Contact: 'Lee Ann <a@ola.example>' }, 'Ann Lee a@ola.example', null],
  [{ Name: 'Ann Lee <x@ola.example>', Email: 'a@ola.example' }, 'Ann Lee a@ola.example', /omitted/],
])('a name and its address in one cell are taken apart: %j', async (row, person, remark) => {
  const found = await importRow({ ...row, Company: 'Ola' });
  expect(found.people).toEqual([person]);
  expect(found.remarks).toEqual(remark === null ? [] : [expect.stringMatching(remark)]);
});

// A row with an organisation in the place of a name, and what is stored: companies and people.
test.each<[row: Row, companies: string[], people: string[]]>([
  [{ Name: 'Bosch GmbH' }, ['Bosch GmbH'], []],
  [{ Name: 'Smith & Jones LLP' }, ['Smith & Jones LLP'], []],
  [{ 'First name': 'ACME', 'Last name': 'Corporation Ltd.' }, ['ACME Corporation Ltd.'], []],
  [{ Name: 'Deutsche Bank', City: 'Ulm', Phone: '+49 421 123456' }, ['Deutsche Bank'], []],
  [{ Name: 'Ola Ltd', Email: 'info@ola.example' }, ['Ola Ltd'], []],
  [{ Name: 'Ola Ltd <info@ola.example>' }, ['Ola Ltd'], []],
  [{ Name: 'Ola Ltd', Company: 'Elm' }, ['Elm'], []],
  [{ Name: 'Ola Ltd', Email: 'ann.lee@ola.example' }, ['Ola Ltd'], ['ann.lee@ola.example']],
  [{ Name: 'Ola Ltd', Email: '"Ann Lee" <a@ola.example>' }, ['Ola Ltd'], ['Ann Lee a@ola.example']],
])('an organisation in the place of a name is no person: %j', async (row, companies, people) => {
  using folder = openListFolder();
  const person = { Name: 'Cy Poe', 'First name': 'Cy', 'Last name': 'Poe' };
  const names = Object.keys(person).filter((header) => header in row);
  const others = names.map((header) => [header, person[header as keyof typeof person]]);
  const report = await folder.importPeople([{ Id: '7', ...row }, Object.fromEntries(others)]);
  const named = folder.db.prepare('SELECT name FROM company').pluck().all();
  const sql = `SELECT trim(first_name || ' ' || last_name || ' ' || email) FROM person
    JOIN employment ON employment.person_id = person.id`;
  expect([named, folder.db.prepare(sql).pluck().all()]).toEqual([companies, people]);
  const people_added = people.length + 1;
  expect(report).toMatchObject({ rows_refused: 0, companies_added: 1, people_added });
  expect(report.remarks).toEqual([
    expect.objectContaining({ line: 2, message: expect.stringMatching(/name of an organisation/) }),
  ]);
});

test('a row of a company between rows of one person changes neither', async () => {
  using folder = openListFolder();
  await folder.importPeople([
    { Id: '1', Name: 'Ann Lee', Email: 'a@ola.example', Title: 'Buyer' },
    { Id: '1', Name: 'Ola Ltd' },
    { Id: '1', Name: 'Ann Lee', Email: 'a@elm.example', Title: 'Planner' },
  ]);
  expect(folder.db.prepare('SELECT count(*) FROM person').pluck().get()).toBe(1);
  expect(folder.db.prepare('SELECT name, given_id FROM company').raw().all()).toEqual([
    ['Ola Ltd', null],
  ]);
});

test.each<[what: string, content: string, remark: RegExp]>([
  [
    'letters that are not sure',
    'Name,Company\nM\xfcller,Ola\n',
    /^1 The encoding of the file is not sure: it was read as [\w-]+ \(M.ller\)/,
  ],
  [
    'address labels',
    'Ann Lee\nOla Ltd\nann@ola.example\n\nBo Kim\nNord AS\nbo@nord.example\n',
    /^1 The lines between two empty ones were read as a contact/,
  ],
])('the report of an import tells of %s', async (_what, content, remark) => {
  using folder = openListFolder();
  const reading = { header: 'auto', other_lines: 'leave_out', extra_cells: 'refuse' } as const;
  const { remarks } = await folder.importPeople(Buffer.from(content, 'latin1'), { reading });
  expect(remarks.map(({ line, message }) => `${line} ${message}`)).toContainEqual(
    expect.stringMatching(remark),
  );
});

test('full names are split as most of the column writes them', async () => {
  using folder = openListFolder();
  const names = ['Schmidt Thomas', 'Müller Andreas', 'Weber Julia', 'Fischer Anna Maria'];
  await folder.importPeople(names.map((name) => ({ 'Full name': name, Company: 'Ola' })));
  const found = folder.db.prepare('SELECT last_name FROM person ORDER BY id').pluck().all();
  expect(found).toEqual(['Schmidt', 'Müller', 'Weber', 'Fischer']);
});

test('the name next to an address is read on each row', async () => {
  using folder = openListFolder();
  const rows = ['Ann Lee <a@ola.example>', 'b@ola.example', 'Cy Poe <c@ola.example>'];
  await folder.importPeople(rows.map((Email) => ({ Name: '', Email })));
  const sql = 'SELECT last_name FROM person ORDER BY id';
  expect(folder.db.prepare(sql).pluck().all()).toEqual(['Lee', '', 'Poe']);
});

// A day of observation, and what is stored or remarked.
test.each([
  ['2024-03-05T10:00:00.000+0000', '2024-03-05'],
  ['Tue, 05 Mar 2024 10:00:00 GMT', '2024-03-05'],
  ['Mar 5, 2024 3:45 PM', '2024-03-05'],
  ['05.03.24', '2024-03-05'],
  ['45356', '2024-03-05'],
  ['1709632800000', '2024-03-05'],
  ['20240305', '2024-03-05'],
  ['last Tuesday', /is not a date, so the row counts as observed on the day of the import/],
  ['03/05/2024', /may mean two days, so the row counts/],
  ['March 2024', /names no day, so the row counts/],
])(
  'the day in "Last modified" is read, or a remark says that it cannot be: %j',
  async (cell, day) => {
    using folder = openListFolder();
    const row = { Name: 'Ann Lee', Email: 'a@ola.example', 'Last modified': cell };
    const { remarks } = await folder.importPeople([row]);
    const observed = folder.db.prepare('SELECT observed_on FROM person').pluck().get();
    if (typeof day === 'string') expect([observed, remarks]).toEqual([day, []]);
    else
      expect(remarks).toEqual([
        {
          file: 'people.csv',
          line: 2,
          column: 'Last modified',
          message: expect.stringMatching(day),
        },
      ]);
  },
);

// Whole names that other tools split wrongly, and the orders of lists.
test.each<[header: string, cell: string, first: string | null, last: string, suffix?: string]>([
  ['Name', 'Maria Lopez, MBA', 'Maria', 'Lopez'],
  ['Name', 'Lopez, Maria, MBA', 'Maria', 'Lopez'],
  ['Name', 'Maria Lopez (She/Her)', 'Maria', 'Lopez'],
  ['Name', 'Maria Lopez CISSP', 'Maria', 'Lopez'],
  ['Name', 'MBA Maria Lopez', 'Maria', 'Lopez'],
  ['Name', 'Ph.D. Maria Lopez', 'Maria', 'Lopez'],
  ['Name', 'PhD, MBA Maria Lopez', 'Maria', 'Lopez'],
  ['Name', 'Phil Berg', 'Phil', 'Berg'],
  ['Name', 'Pol Roca Puig', 'Pol Roca', 'Puig'],
  ['Name', 'Med Amine Trabelsi', 'Med Amine', 'Trabelsi'],
  ['Name', 'dr med. phil. Uwe Berg', 'Uwe', 'Berg'],
  ['Name', 'M. Jean DUPONT', 'Jean', 'DUPONT'],
  ['Name', 'M. Anand Rao', 'M. Anand', 'Rao'],
  ['Name', 'Uwe Berg B.Sc.', 'Uwe', 'Berg'],
  ['Name', 'Bo Li 李波', 'Bo', 'Li'],
  ['Name', 'Ann Lee 2nd degree connection', 'Ann', 'Lee'],
  ['Name', 'Maria Lopez, P.E., SHRM-SCP', 'Maria', 'Lopez'],
  ['Name', 'Maria Lopez, Hiring Manager', 'Maria', 'Lopez'],
  ['Name', 'Maria Lopez | Hiring', 'Maria', 'Lopez'],
  ['Name', 'Herr Dr. med. Uwe Berg', 'Uwe', 'Berg'],
  ['Name', 'Prof.Dr. Uwe Berg', 'Uwe', 'Berg'],
  ['Name', 'Ing. Petr Novák, Ph.D.', 'Petr', 'Novák'],
  ['Name', 'Don Johnson', 'Don', 'Johnson'],
  ['Name', 'Yo-Yo Ma', 'Yo-Yo', 'Ma'],
  ['Name', 'García López, María', 'María', 'García López'],
  ['Name', 'de la Vega, Dr. Juan, Jr.', 'Juan', 'de la Vega', 'Jr.'],
  ['Name', 'Juan Q. Xavier de la Vega III', 'Juan Q. Xavier', 'de la Vega', 'III'],
  ['Name', 'José Ortega y Gasset', 'José', 'Ortega y Gasset'],
  ['Name', 'KING/ADA MS', 'ADA', 'KING'],
  ['Name', 'Jean-Luc DUPONT', 'Jean-Luc', 'DUPONT'],
  ['Name', 'GARCÍA LÓPEZ María', 'María', 'GARCÍA LÓPEZ'],
  ['Name', 'Иванов Иван Иванович', 'Иван Иванович', 'Иванов'],
  ['Name', '山田太郎', '太郎', '山田'],
  ['Name', '김철수', '철수', '김'],
  ['Name', 'Nguyễn Thị Mai', 'Thị Mai', 'Nguyễn'],
  ['Name', 'Dijk, Anna van der', 'Anna', 'van der Dijk'],
  ['Name', 'Dipl.-Kfm. Uwe Berg', 'Uwe', 'Berg'],
  ['Name', 'Dipl.-Ing. Uwe Berg', 'Uwe', 'Berg'],
  ['Name', 'Uta Berg geb. Roth', 'Uta', 'Berg'],
  ['Name', 'Zoé Petit née Blanc', 'Zoé', 'Petit'],
  ['Name', 'Ann Lee <ann@ola.example>', 'Ann', 'Lee'],
  ['Name', '"Ann Lee"', 'Ann', 'Lee'],
  ['Name', 'ann.lee', 'ann', 'lee'],
  ['Name', 'Ann Lee & Bo Kim', 'Ann', 'Lee'],
  ['Name', 'Ann Lee; Bo Kim', 'Ann', 'Lee'],
  ['Name', 'Ann & Bo Lee', 'Ann', 'Lee'],
  ['Name', 'z. Hd. Uwe Berg', 'Uwe', 'Berg'],
  ['Name', '12. Ann Lee', 'Ann', 'Lee'],
  ['Name', 'Ann Lee • 2nd', 'Ann', 'Lee'],
  ['Nachname Vorname', 'van Dijk Anna', 'Anna', 'van Dijk'],
  ['ФИО', 'Петров Иван', 'Иван', 'Петров'],
])('the name under %j in the cell %j is %j and %j', async (header, cell, first, last, suffix) => {
  using folder = openListFolder();
  await folder.importPeople([{ [header]: cell, Email: 'a@ola.example' }]);
  const sql = 'SELECT first_name AS first, last_name AS last, suffix FROM person';
  expect(folder.db.prepare(sql).get()).toEqual({ first, last, suffix: suffix ?? null });
});

test.each([
  ['Dr. Ada', 'King, MBA (she/her)', 'Ada', 'King'],
  ['Mr', 'King', '', 'King'],
  ['Ada 🚀', 'King PMP', 'Ada', 'King'],
  ['Ada', 'van der Berg', 'Ada', 'van der Berg'],
  ['Ada', 'Ma', 'Ada', 'Ma'],
])('the cells %j and %j of a name are %j and %j', async (given, family, first, last) => {
  using folder = openListFolder();
  await folder.importPeople([{ 'First name': given, 'Last name': family }]);
  const sql = 'SELECT first_name AS first, last_name AS last FROM person';
  expect(folder.db.prepare(sql).get()).toEqual({ first, last });
});

// The start dates of a list with a decisive date or without, and what is stored of 05/04/2020.
test.each<[title: string, dates: string[], options: ImportOptions, date: string]>([
  ['31/12 shows that the day comes first', ['05/04/2020', '31/12/2020'], {}, '2020-04-05'],
  ['12/31 shows that the month comes first', ['05/04/2020', '12/31/2020'], {}, '2020-05-04'],
  ['the caller says it', ['05/04/2020'], { day_order: 'day_first' }, '2020-04-05'],
  [
    'a date that shows it overrules',
    ['05-04-2020', '31-12-2020'],
    { day_order: 'month_first' },
    '2020-04-05',
  ],
  ['nothing shows it', ['05/04/2020', '07/08/2020'], {}, '2020'],
  ['dates contradict each other', ['05/04/2020', '31/12/2020', '12/31/2020'], {}, '2020'],
  ['full stops write the day first', ['05.04.2020'], {}, '2020-04-05'],
  ['ISO dates are clear', ['2020-04-05'], {}, '2020-04-05'],
])('the order of days and months is the column’s: %s', async (_title, dates, options, date) => {
  using folder = openListFolder();
  const rows = dates.map((start, at) => ({
    Id: `${at}`,
    Name: `Ann Lee${at}`,
    Start: start,
    Title: 'x',
  }));
  const { remarks } = await folder.importPeople(rows, options);
  const sql =
    "SELECT start_on FROM employment JOIN person ON person.id = person_id WHERE given_id = '0'";
  expect(folder.db.prepare(sql).pluck().get()).toBe(date);
  const doubts = remarks.filter(({ message }) => /may mean two days/.test(message));
  expect(doubts.length > 0).toBe(date === '2020');
});

test('a decisive date far below the first rows decides as well', async () => {
  using folder = openListFolder();
  const dates = [...Array.from({ length: 500 }, () => '05/04/2020'), '31/12/2020'];
  await folder.importPeople(
    dates.map((Start, at) => ({ Id: `${at}`, Name: `P Q${at}`, Start, Title: 'x' })),
  );
  const sql = 'SELECT DISTINCT start_on FROM employment ORDER BY 1';
  expect(folder.db.prepare(sql).pluck().all()).toEqual(['2020-04-05', '2020-12-31']);
});

test('rows of people who opted out are counted, and listed for the suppression list', async () => {
  using folder = openListFolder();
  const report = await folder.importPeople([
    { Name: 'Ann Lee', Email: 'a@ola.example', 'Do Not Email': 'Yes' },
    { Name: 'Bo Li', Email: 'b@ola.example', 'Do Not Email': 'No' },
    { Name: 'Cy Poe', 'Profile URL': 'https://www.linkedin.com/in/cypoe', 'Do Not Email': '1' },
  ]);
  expect(report).toMatchObject({ people_added: 3, rows_opted_out: 2 });
  expect(listOptedOut(folder.db)).toEqual([
    { kind: 'email', value: 'a@ola.example' },
    { kind: 'profile_url', value: expect.stringMatching(/in\/cypoe/) },
  ]);
});

test('a number of employees or a revenue that reaches over several ranges is kept, with a remark', async () => {
  using folder = openListFolder();
  const row = { Name: 'Ann Lee', Company: 'Ola', Employees: '51-200', Revenue: '€50-200M' };
  const { remarks } = await folder.importPeople([row]);
  const sql = 'SELECT employees, employee_range, revenue, revenue_range FROM company';
  expect(folder.db.prepare(sql).get()).toEqual({
    employees: '51-200',
    employee_range: '51-200',
    revenue: '€50-200M',
    revenue_range: '$100M-$500M',
  });
  expect(remarks).toMatchObject([
    {
      column: 'Revenue',
      message:
        '"€50-200M" reaches over several ranges. It is kept as it is, and filters find it under ' +
        '100M-500M.',
    },
  ]);
});

test('a location fills the parts of the place that have no cell, of people and of companies', async () => {
  using folder = openListFolder();
  const row = { Location: 'Berlin, Germany', City: '', Phone: '030 5684962', Company: 'Ola' };
  await folder.importPeople([
    { Name: 'Ann Lee', ...row },
    { Name: 'Bo Kim', ...row, City: 'Potsdam' },
  ]);
  const sql = `SELECT city, country, number
    FROM person LEFT JOIN person_phone ON person_phone.person_id = person.id ORDER BY person.id`;
  expect(folder.db.prepare(sql).raw().all()).toEqual([
    ['Berlin', 'Germany', '+49305684962'],
    ['Potsdam', 'Germany', '+49305684962'],
  ]);
  await folder.importCompanies([{ Company: 'Nyx', 'Company location': 'Lyon, France' }]);
  const company = "SELECT city, country FROM company WHERE name = 'Nyx'";
  expect(folder.db.prepare(company).raw().all()).toEqual([['Lyon', 'France']]);
});

test('child rows continue the company above, whose mailbox is no contact’s', async () => {
  using folder = openListFolder();
  const ola = { Name: 'Ola GmbH', Email: 'info@ola.example', Phone: '+49 30 5684962', City: 'Ulm' };
  const nyx = { Name: 'Nyx SAS', Email: 'info@nyx.example', Phone: '', City: 'Lyon' };
  const none = { Name: '', Email: '', Phone: '', City: '' };
  await folder.importPeople([
    { ...ola, 'Contacts/Name': 'Ann Lee', 'Contacts/Email': '' },
    { ...none, 'Contacts/Name': 'Bo Kim', 'Contacts/Email': 'bo@ola.example' },
    { ...none, 'Contacts/Name': 'Cy Poe', 'Contacts/Email': '' },
    { ...nyx, 'Contacts/Name': 'Di Ray', 'Contacts/Email': '' },
  ]);
  const sql = `SELECT person.last_name, person.city, company.name, email FROM person
    JOIN employment ON employment.person_id = person.id
    JOIN company ON company.id = employment.company_id ORDER BY person.last_name`;
  expect(folder.db.prepare(sql).raw().all()).toEqual([
    ['Kim', null, 'Ola GmbH', 'bo@ola.example'],
    ['Lee', null, 'Ola GmbH', null],
    ['Poe', null, 'Ola GmbH', null],
    ['Ray', null, 'Nyx SAS', null],
  ]);
});
