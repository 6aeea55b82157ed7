/** The cells of imported lists as people have them: which columns are read, and with what values. */
import { expect, test } from 'vitest';
import { type ListFolder, openListFolder, type Row } from './list-folder.ts';

/** The values of the only person in a directory. */
function readPerson({ db }: ListFolder): Record<string, unknown> {
  const sql = `SELECT first_name, last_name, opted_out, person.profile_url, title, email
    FROM person LEFT JOIN employment ON employment.person_id = person.id`;
  return db.prepare(sql).get() as Record<string, unknown>;
}

test('the report says what each column became, and which columns were not read', async () => {
  using folder = openListFolder();
  const text =
    'Vorname;Nachname;E-Mail (Arbeit);Lieblingsfarbe;Xing\nUta;Ahlers;u@ahl.example;rot;x\n';
  const { columns } = await folder.importPeople(text);
  expect(columns).toEqual([
    { file: 'people.csv', header: 'Vorname', field: 'first_name' },
    { file: 'people.csv', header: 'Nachname', field: 'last_name' },
    { file: 'people.csv', header: 'E-Mail (Arbeit)', field: 'email' },
    { file: 'people.csv', header: 'Lieblingsfarbe', field: null },
    { file: 'people.csv', header: 'Xing', field: null },
  ]);
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
  ['Unsubscribed', '2024-02-03', true],
  ['Newsletter status', 'Unsubscribed', true],
  ['Newsletter status', 'Subscribed', false],
  ['Marketing consent', 'No', true],
  ['Marketing consent', 'Yes', false],
  ['Einwilligung', 'nein', true],
  ['Opt-in', 'withdrawn', true],
  ['GDPR consent', '', false],
])('a column %j with %j: opted out %s', async (header, cell, isOptedOut) => {
  using folder = openListFolder();
  await folder.importPeople([{ Name: 'Ann Lee', Email: 'a@ola.example', [header]: cell }]);
  expect(readPerson(folder).opted_out).toBe(isOptedOut ? 1 : 0);
});
