// Rows with dirt, each of which means one person of a small directory.
import { expect, test } from 'vitest';
import { indexOf, matchOne, type Person, type Row } from '../small-directory.ts';

const institute = 'Northwind Research Institute';
const city = 'City of Ashford';
const people: Person[] = [
  {
    first: 'Theodora',
    middle: 'Jane',
    last: 'Haverkamp',
    url: 'https://www.linkedin.com/in/theodora-haverkamp',
    jobs: [
      { at: institute, email: 'theodora.haverkamp@northwind.example' },
      { at: city, left: true },
    ],
  },
  { first: 'Gordon', last: 'Lindqvist', jobs: [{ at: institute }] },
  { first: 'Salvador', last: 'Ibarra Montes', jobs: [{ at: city }] },
  { first: 'Beatrix', last: 'van der Hoeven', jobs: [{ at: 'Contoso Foods Ltd' }] },
  {
    first: 'Renée',
    last: 'Okafor',
    jobs: [{ at: city }],
    url: 'https://www.linkedin.com/in/ren%C3%A9e-okafor-1',
  },
  { first: 'Mary', middle: 'Ellen', last: 'Jones', jobs: [{ at: city }] },
  { first: 'Jean-Claude', last: 'Delacroix', jobs: [{ at: city }] },
  { first: 'Colin', last: 'Mercer', jobs: [{ at: 'Georgia Department of Roads' }] },
  { first: 'Denise', last: 'Mercer', jobs: [{ at: 'Northern Isles Office' }] },
  { first: 'Wendy', last: 'Perry', jobs: [{ at: city }] },
  { first: 'Amira', middle: 'Noor', last: 'Saif-ud-Din', jobs: [{ at: city }] },
  { first: 'Hans', middle: 'Joachim', last: 'Friedrich', jobs: [{ at: institute }] },
  { first: 'Joseph', otherNames: [['Joe', 'Underhill']], last: 'Underhill', jobs: [{ at: city }] },
];
const index = indexOf(people, [
  { name: institute, domain: 'northwind.example' },
  { name: city, domain: 'ashford.example' },
]);

test.each<[string, Row]>([
  [
    'two typing errors',
    { first_name: 'Theodroa', last_name: 'Haverkmap', company_name: institute },
  ],
  [
    'a doubled letter',
    { first_name: 'Theodora', last_name: 'Haverkammp', company_name: institute },
  ],
  ['misread letters', { first_name: 'The0dora', last_name: 'Haverkarnp', company_name: institute }],
  ['the middle name', { first_name: 'Jane', last_name: 'Haverkamp', company_name: institute }],
  ['exchanged names', { first_name: 'Haverkamp', last_name: 'Theodora', company_name: institute }],
  ['a name in one cell', { first_name: 'HAVERKAMP, Theodora J.', company_name: institute }],
  ['name and organisation', { first_name: `Theodora Haverkamp - ${institute}` }],
  ['the name as company', { first_name: institute, company_name: 'Theodora Haverkamp' }],
  ['shifted columns', { last_name: 'Theodora', company_name: 'Haverkamp', email: institute }],
  ['a former employer', { first_name: 'Teodora', last_name: 'Haverkamp', company_name: city }],
  [
    'a department and a typing error',
    {
      first_name: 'Theodora',
      last_name: 'Haverkampp',
      company_name: `Office of the President, Northwnd Research Inst.`,
    },
  ],
  ['a display name', { email: 'Theodora Haverkamp <theodora.haverkamp@northwind.example>' }],
  ['a broken link', { profile_url: 'hxxp://linkedin.com/in/Theodora-Haverkamp/en).' }],
  [
    'a domain as company',
    { first_name: 'T.', last_name: 'Haverkamp', company_name: 'northwind.example' },
  ],
  [
    'honours that no table has',
    { first_name: 'Dr. Theodora Haverkamp, MD, FACOG', company_name: institute },
  ],
  [
    'the whole name in both cells',
    {
      first_name: 'Theodora Jane Haverkamp',
      last_name: 'Theodora Jane Haverkamp',
      company_name: institute,
    },
  ],
  ['Georgian letters', { first_name: 'თეოდორა', last_name: 'ჰავერკამპ', company_name: institute }],
  ['Armenian letters', { first_name: 'Թեոդորա Հավերկամպ', company_name: institute }],
  ['a salutation', { first_name: 'Ms', last_name: 'Haverkamp', company_name: institute }],
  ['a ticket', { first_name: 'HAVERKAMP/THEODORA MRS', company_name: institute }],
  ['a passport', { first_name: 'P<USAHAVERKAMP<<THEODORA<JANE<<<<', company_name: institute }],
  [
    'a record in JSON',
    {
      first_name: '{"given_name": "Theodora", "surname": "Haverkamp"}',
      company_name: institute,
    },
  ],
  ['the name of a passport', { first_name: 'HAVERKAMP<<THEODORA', company_name: institute }],
  [
    'a ticket with a joined title',
    { first_name: 'HAVERKAMP/THEODORAMRS', company_name: institute },
  ],
  [
    'a record inside another in JSON',
    {
      first_name: '{"name": {"given": "Theodora", "family": "Haverkamp"}}',
      company_name: institute,
    },
  ],
  ['a form', { first_name: 'first=Theodora&last=Haverkamp', company_name: institute }],
  ['a contact card', { first_name: 'N:Haverkamp;Theodora;Jane;;', company_name: institute }],
  [
    'escapes in each cell',
    { first_name: 'Theodora%20Haverkamp', company_name: 'Northwind%20Research%20Institute' },
  ],
  [
    'a space between letters',
    { first_name: 'T h e o d o r a', last_name: 'H a v e r k a m p', company_name: institute },
  ],
  ['an invitation', { first_name: 'Declined: Theodora Haverkamp', company_name: institute }],
  ['an escaped space', { first_name: 'Theodora%20Haverkamp', company_name: institute }],
  [
    'a formula',
    { first_name: '="Theodora"', last_name: '="Haverkamp"', company_name: `="${institute}"` },
  ],
  ['a day', { first_name: 'Theodora', last_name: 'Haverkamp 3/24', company_name: institute }],
  [
    'a person in whose care',
    {
      first_name: 'Theodora',
      last_name: 'Haverkamp c/o Gordon Lindqvist',
      company_name: institute,
    },
  ],
  ['a motto', { first_name: 'Theodora Haverkamp Hiring Globally', company_name: institute }],
  [
    'a motto for a surname',
    { first_name: 'Theodora Haverkamp', last_name: 'Hiring Globally', company_name: institute },
  ],
  [
    'a nickname that no table has, and her email',
    {
      first_name: 'Zubbo',
      last_name: 'Haverkamp',
      email: 'theodora.haverkamp@northwind.example',
    },
  ],
  ['the employer as title', { first_name: 'Theodora', last_name: 'Haverkamp', title: institute }],
  [
    'title and employer exchanged',
    {
      first_name: 'Theodora',
      last_name: 'Haverkamp',
      company_name: 'Vice President',
      title: institute,
    },
  ],
  ['a list in JSON', { first_name: '["Theodora","Haverkamp"]', company_name: institute }],
  [
    'escaped letters',
    { first_name: 'Theodora', last_name: '\\u0048averkamp', company_name: institute },
  ],
  [
    'a record with the employer',
    { first_name: JSON.stringify({ first: 'Theodora', last: 'Haverkamp', employer: institute }) },
  ],
  ['an entry of a directory', { first_name: `CN=Theodora Haverkamp,O=${institute}` }],
  ['keys before the values', { first_name: `name: Theodora Haverkamp, org: ${institute}` }],
  ['a card with the employer', { first_name: `N:Haverkamp;Theodora;;; ORG:${institute}` }],
  ['a line with semicolons', { first_name: `Theodora;Haverkamp;${institute};Director` }],
  [
    'two records with the same values',
    {
      first_name: 'Theodora, Theodora',
      last_name: 'Haverkamp, Haverkamp',
      company_name: institute,
    },
  ],
  [
    'values that were merged',
    { first_name: 'Theodora / Theodora', last_name: 'Haverkamp; Haverkamp', company_name: city },
  ],
  ['the employer for the given name', { first_name: institute, last_name: 'Theodora Haverkamp' }],
  ['the head of a letter', { first_name: 'Attn: Theodora Haverkamp', company_name: institute }],
  ['a German letter', { first_name: 'z.Hd. Frau Theodora Haverkamp', company_name: institute }],
  [
    'a title for the surname',
    { first_name: 'Theodora Haverkamp', last_name: 'Research Director', company_name: institute },
  ],
  ['spaces in an email', { email: 'theodora .haverkamp@ northwind .example' }],
  ['a comma in a link', { profile_url: 'https:/www.linkedin,com/in/theodora-haverkamp' }],
  [
    'a link inside another',
    {
      profile_url:
        'https://www.google.com/url?q=https%3A%2F%2Fwww.linkedin.com%2Fin%2Ftheodora-haverkamp&sa=D',
    },
  ],
  ['an email in that of a list', { email: 'b+theodora.haverkamp=northwind.example@l.example' }],
  [
    'a page that hides her name',
    {
      first_name: 'LinkedIn',
      last_name: 'Member',
      company_name: institute,
      profile_url: 'https://www.linkedin.com/in/theodora-haverkamp',
    },
  ],
  [
    'a page that hides her name in the column of surnames',
    {
      last_name: 'LinkedIn Member',
      company_name: institute,
      profile_url: 'https://www.linkedin.com/in/theodora-haverkamp',
    },
  ],
  ['an email that spells her', { last_name: 'Haverkamp', email: 'thaverkamp@northwind.example' }],
])('%s: the row means Theodora Haverkamp', (_what, row) => {
  expect(matchOne(index, row)).toMatchObject({ person: 1, reason: '' });
});

test.each<[string, Row, number]>([
  ['a lost letter', { first_name: 'Ren?e', last_name: 'Okafor', company_name: city }, 5],
  [
    'a sign for a letter',
    { first_name: 'Gordon', last_name: 'L!ndqvist', company_name: institute },
    2,
  ],
  [
    'a sentence behind a name',
    { first_name: 'Gordon Lindqvist is hiring!', company_name: institute },
    2,
  ],
  ['joined initials', { first_name: 'J.-C.', last_name: 'Delacroix', company_name: city }, 7],
  [
    'a joined name in small letters',
    { first_name: 'colinmercer', company_name: 'Georgia Department of Roads' },
    8,
  ],
  ['initials', { first_name: 'JC', last_name: 'Delacroix', company_name: city }, 7],
  [
    'two forms of the given name',
    { first_name: 'Sal/Salvador', last_name: 'Ibarra Montes', company_name: city },
    3,
  ],
  ['half a surname', { first_name: 'Salvador', last_name: 'Montes', company_name: city }, 3],
  [
    'a salutation before particles',
    { first_name: 'Dr', last_name: 'van der Hoeven', company_name: 'Contoso Foods Ltd' },
    4,
  ],
  [
    'a page with an accent, in brackets',
    { last_name: 'Okafor', profile_url: '(https://linkedin.com/in/ren%c3%a9e-okafor-1).' },
    5,
  ],
  [
    'particles behind the given name',
    { first_name: 'Hoeven, Beatrix van der', company_name: 'Contoso Foods Ltd' },
    4,
  ],
  [
    'the employer behind a title',
    { first_name: 'Denise', last_name: 'Mercer', title: 'Clerk at Northern Isles Office' },
    9,
  ],
  ['a name before a title', { title: 'Wendy Perry, Director', company_name: city }, 10],
  [
    'a number before shifted cells',
    { first_name: '141', last_name: 'Gordon', company_name: 'Lindqvist', title: institute },
    2,
  ],
  [
    'a name joined by a hyphen',
    { first_name: 'Colin-Mercer', company_name: 'Georgia Dept of Roads' },
    8,
  ],
  ['a record in single quotes', { first_name: "{'name': 'Wendy Perry'}", company_name: city }, 10],
  [
    'a hyphen at the end of a line',
    { first_name: 'Salvador', last_name: 'Ibar-\nra Montes', company_name: city },
    3,
  ],
  [
    'cells that are shifted behind a salutation',
    { first_name: 'Hon.', last_name: 'Wendy', company_name: 'Perry', title: city },
    10,
  ],
  [
    'an abbreviated title before the given name',
    { first_name: 'Univ.-Prof. Dr. Gordon', last_name: 'Lindqvist', company_name: institute },
    2,
  ],
  [
    'a day of birth in the column of surnames',
    { first_name: 'LINDQVIST, GORDON', last_name: 'DOB 1979', company_name: institute },
    2,
  ],
  ['lost particles', { first_name: 'Beatrix', last_name: 'Hoeven', company_name: 'Contoso' }, 4],
  [
    'joined particles',
    { first_name: 'Beatrix', last_name: 'VanDerHoeven', company_name: 'Contoso Foods' },
    4,
  ],
])('%s: the row means its person', (_what, row, person) => {
  expect(matchOne(index, row).person).toBe(person);
});

test('a row is answered the same in every batch', () => {
  const row: Row = { first_name: 'Theodroa', last_name: 'Haverkmap', company_name: institute };
  const first = matchOne(index, row);
  matchOne(index, { first_name: 'Gordon', last_name: 'Linqvist', company_name: institute });
  expect(matchOne(index, row)).toEqual(first);
});

test.each<[string, Row]>([
  [
    'another given name',
    { first_name: 'Margaret', last_name: 'Haverkamp', company_name: institute },
  ],
  ['another surname', { first_name: 'Theodora', last_name: 'Mulligan', company_name: institute }],
  ['another middle name in one cell', { first_name: 'Mary Beth Jones', company_name: city }],
  [
    'another middle name before a surname of several words',
    { first_name: 'Amira Layla Saif-ud-Din', company_name: city },
  ],
  [
    'an initial that is not an O before a surname',
    { first_name: 'Hans O Friedrich', company_name: institute },
  ],
  ['a given name that is a title too', { first_name: 'Delacroix, Don', company_name: city }],
  ['an initial and no employer', { first_name: 'T.', last_name: 'Haverkamp' }],
  [
    'an initial and a similar surname',
    { first_name: 'W.', last_name: 'Berry', company_name: city },
  ],
  [
    'the nickname of the person, short for a name of the other sex',
    { first_name: 'Josephine', last_name: 'Underhill', company_name: city },
  ],
  ['another employer as title', { first_name: 'Gordon', last_name: 'Lindqvist', title: city }],
  [
    'an unknown organisation',
    { first_name: 'T', last_name: 'Haverkamp', company_name: 'Fabrikam' },
  ],
])('%s: the row means no one', (_what, row) => {
  expect(matchOne(index, row).person).toBe(0);
});

test.each<[string, number, Row]>([
  [
    'a name and an organisation, one column to the left',
    2,
    { first_name: 'Gordon Lindqvist', last_name: institute },
  ],
  [
    'a name and an organisation without a telling word, one column to the left',
    4,
    { first_name: 'Beatrix van der Hoeven', last_name: 'Contoso Foods' },
  ],
  [
    'an organisation that begins as a name, one column to the left',
    8,
    { first_name: 'Colin Mercer', last_name: 'Georgia Department of Roads' },
  ],
  [
    'an office one column to the left',
    9,
    { first_name: 'Denise Mercer', last_name: 'Northern Isles Office' },
  ],
  ['a bar between the names', 2, { first_name: 'Gordon|Lindqvist', company_name: institute }],
  [
    'two titles behind the name',
    2,
    { first_name: 'Gordon Lindqvist - Director/Owner', company_name: institute },
  ],
  [
    'a title behind a comma',
    2,
    { first_name: 'Gordon Lindqvist, Research Director', company_name: institute },
  ],
  ['a row with tabs in one cell', 2, { first_name: `Gordon\tLindqvist\t${institute}\t` }],
  [
    'particles behind the surname',
    4,
    { first_name: 'Beatrix', last_name: 'Hoeven, van der', company_name: 'Contoso Foods' },
  ],
  [
    'particles behind the surname, before the given name',
    4,
    { first_name: 'HOEVEN, VAN DER, BEATRIX', company_name: 'Contoso Foods' },
  ],
  [
    'a sign for a letter of the organisation',
    2,
    { first_name: 'Gordon', last_name: 'Lindqvist', company_name: 'Northw!nd Research !nst!tute' },
  ],
  [
    'the salutation of a letter for the given name',
    2,
    { first_name: 'Dear Mr', last_name: 'Lindqvist', company_name: institute },
  ],
  [
    'an address that spells the name, next to the employer',
    2,
    { first_name: 'gordon.lindqvist@northwind.example', company_name: institute },
  ],
])('%s is read', (_what, person, row) => {
  expect(matchOne(index, row).person).toBe(person);
});

test.each([
  ['the end of a letter', 'Kind regards,\nGordon Lindqvist'],
  ['a label before a dash', 'ATTENDEE - Gordon Lindqvist'],
  ['a name twice', 'Gordon Lindqvist | Gordon Lindqvist'],
  ['a name that is spelled out', 'Gordon Lindqvist L-I-N-D-Q-V-I-S-T'],
  ['a header of a mail', '=?UTF-8?Q?Gordon_Lindqvist?='],
  ['an entity that was escaped twice', 'Gordon&amp;nbsp;Lindqvist'],
  ['how an invitation came', 'Gordon Lindqvist via Acme'],
  ['a hashtag', 'Gordon Lindqvist #OpenToWork'],
  ['a guest', 'Gordon Lindqvist & guest'],
  ['a title behind tabs', 'Gordon\tLindqvist\tDirector'],
  ['a tag of a program', '[RESOLVED] Gordon Lindqvist'],
  ['a surname that is spelled out in a sentence', "gordon lindqvist that's l i n d q v i s t"],
  ['what a file is', 'Lindqvist_Gordon_CV_2021.pdf'],
  ['what someone says first', 'This is Gordon Lindqvist'],
  ['who asks', 'Requester: Gordon Lindqvist'],
  ['who was there', 'Present: Gordon Lindqvist'],
  ['a greeting and a phrase', 'Hello, my name is Gordon Lindqvist'],
  ['a call and its time', 'Call Gordon Lindqvist 3pm'],
  ['a list inside another', '[["Gordon","Lindqvist"]]'],
  ['an entry of a calendar', 'ATTENDEE;CN="Gordon Lindqvist";ROLE=CHAIR'],
  ['a number behind underscores', 'gordon_lindqvist_2021'],
  ['what is to be done', 'Follow up with Gordon Lindqvist'],
  ['a phone of a signature', '--\nGordon Lindqvist\nDirector\nT: (601) 359-4073'],
])('%s is not part of the name', (_what, name) => {
  expect(matchOne(index, { first_name: name, company_name: institute }).person).toBe(2);
});

test.each<[string, Row]>([
  ['two people, one with a title', { first_name: 'Gordon Lindqvist (Director) & Ann King' }],
  [
    'two people with a slash',
    { first_name: 'Gordon Lindqvist / Ann King', company_name: institute },
  ],
  [
    'an office of a person',
    { first_name: 'Denise', last_name: 'Mercer Office', company_name: city },
  ],
  ['another whole name', { first_name: 'Gordon Lindqvist', last_name: 'Mary Jones' }],
  ['a couple', { first_name: 'Gordon i Sara Lindqvist', company_name: institute }],
  [
    'a given name behind a degree',
    { first_name: 'Lindqvist MBA, Gloria', company_name: institute },
  ],
  ['a question', { first_name: 'Gordon Lindqvist? no', company_name: institute }],
  [
    'a relative in a note',
    { first_name: 'Gordon Lindqvist - this is his brother', company_name: institute },
  ],
  ['a program', { first_name: 'Gordon Lindqvist Notetaker', company_name: institute }],
  ['a file', { first_name: 'Contract_Gordon Lindqvist_v2.pdf', company_name: institute }],
  ['a tag that denies', { first_name: '[NOT] Gordon Lindqvist', company_name: institute }],
  ['a case in court', { first_name: 'People v. Gordon Lindqvist', company_name: institute }],
])('%s is nobody', (_what, row) => {
  expect(matchOne(index, row).person).toBe(0);
});
