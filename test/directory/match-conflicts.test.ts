// Evidence against an answer: identifiers of others, other given names, rows about no one.
import { expect, test } from 'vitest';
import { indexOf, matchOne, type Person, type Row } from './small-directory.ts';

const at = 'Northwind Research Institute';
const people: Person[] = [
  {
    first: 'Paula',
    last: 'Haverkamp',
    url: 'https://www.linkedin.com/in/paulahaverkamp',
    jobs: [{ at, email: 'paula.haverkamp@northwind.example' }],
  },
  {
    first: 'Gordon',
    last: 'Lindqvist',
    url: 'https://www.linkedin.com/in/glindqvist',
    jobs: [{ at, email: 'gordon.lindqvist@northwind.example' }],
  },
  { first: 'Walter', last: 'Osterman', suffix: 'Jr.', jobs: [{ at }] },
];
const index = indexOf(people);
const paula: Row = { first_name: 'Paula', last_name: 'Haverkamp', company_name: at };

test.each<[string, Row]>([
  ['an email', { email: 'gordon.lindqvist@northwind.example' }],
  ['a profile', { profile_url: 'linkedin.com/in/glindqvist' }],
])('%s of one person with the name of another is a conflict that names both', (_what, row) => {
  const found = matchOne(index, { ...paula, ...row });
  expect(found).toMatchObject({ person: 0, reason: 'conflicting_evidence' });
  expect([...found.candidates].sort()).toEqual([1, 2]);
});

test.each<[string, Row]>([
  ['in one cell', { first_name: 'Maria von und zu Lindenau' }],
  ['in two cells', { first_name: 'Maria', last_name: 'von und zu Lindenau' }],
  ['reversed', { first_name: 'von und zu Lindenau, Maria' }],
])('particles with a word between people are one surname: %s', (_what, row) => {
  const maria = { first: 'Maria', last: 'von und zu Lindenau', jobs: [{ at }] };
  const all = indexOf([...people, maria]);
  expect(matchOne(all, { ...row, company_name: at }).person).toBe(4);
});

test.each([
  ['Gentile', 'Maria Teresa'],
  ['Pan', 'Wei Ming'],
  ['Good', 'John Paul'],
  ['Alcalde', 'Maria Jose'],
])('a surname before given names is no greeting or title: %s %s', (last, first) => {
  const all = indexOf([...people, { first, last, jobs: [{ at }] }]);
  expect(matchOne(all, { first_name: `${last} ${first}`, company_name: at }).person).toBe(4);
});

test('an email of one person and a profile of another are a conflict', () => {
  const row = {
    email: 'gordon.lindqvist@northwind.example',
    profile_url: 'https://www.linkedin.com/in/paulahaverkamp',
  };
  expect(matchOne(index, row)).toMatchObject({ person: 0, reason: 'conflicting_evidence' });
});

test('Jr. against Sr. is another person', () => {
  const row = { first_name: 'Walter', last_name: 'Osterman', company_name: at };
  expect(matchOne(index, row).person).toBe(3);
  expect(matchOne(index, { ...row, last_name: 'Osterman, Jr.' }).person).toBe(3);
  expect(matchOne(index, { ...row, last_name: 'Osterman Sr.' })).toMatchObject({
    person: 0,
    reason: 'conflicting_evidence',
    candidates: [3],
  });
});

test.each<[string, string, boolean]>([
  ['Alex', 'Alejandra', true],
  ['Sammy', 'Samantha', true],
  ['Wilma', 'William', false],
  ['Michele', 'Michael', false],
  ['Louis', 'Louise', false],
])('a short form may be of the other sex, a name of its own not: %s, %s', (name, first, isOne) => {
  const all = indexOf([...people, { first, last: 'Marlowe', jobs: [{ at }] }]);
  const row = { first_name: name, last_name: 'Marlowe', company_name: at };
  expect(matchOne(all, row).person).toBe(isOne ? 4 : 0);
});

test('a given name that is only similar belongs to another person', () => {
  const crowd = ['Paul', 'Paul', 'Paul'].map((first, nth) => ({ first, last: `Tree${nth}` }));
  const row = { first_name: 'Paul', last_name: 'Haverkamp', company_name: at };
  expect(matchOne(indexOf([...people, ...crowd]), row).person).toBe(0);
});

test.each<[string, Row]>([
  ['two people in a cell', { first_name: 'Paula & Gordon', last_name: 'Haverkamp' }],
  ['two whole names', { first_name: 'Paula Haverkamp / Gordon Lindqvist' }],
  ['two whole names, of rare given names', { first_name: 'Vijaia Haverkamp; Rusti Lindqvist' }],
  ['a test', { first_name: 'Test', last_name: 'Haverkamp' }],
  ['a header', { first_name: 'First name', last_name: 'Last name' }],
  ['three whole names', { first_name: 'Gordon Haverkamp; Gordon Lindqvist; Gordon Osterman' }],
  ['a couple', { first_name: 'Mr. & Mrs.', last_name: 'Haverkamp' }],
  ['a couple in another language', { last_name: 'M. et Mme Haverkamp' }],
  ['a couple in one cell', { last_name: 'Mr. and Mrs. Gordon Lindqvist' }],
  ['an office', { first_name: 'Admissions', last_name: 'Office' }],
  ['an office and its mailbox', { first_name: 'Front Desk', email: 'info@northwind.example' }],
  ['a widow', { first_name: 'Widow of Gordon', last_name: 'Lindqvist' }],
  ['a successor', { first_name: 'Successor to Gordon Lindqvist' }],
  ['an assistant', { first_name: 'Gordon Lindqvist’s assistant' }],
  ['the office of a person', { first_name: 'Office of Gordon', last_name: 'Lindqvist' }],
  ['a foundation', { first_name: 'Gordon', last_name: 'Lindqvist Foundation' }],
  ['a German office', { first_name: 'Büro Gordon', last_name: 'Lindqvist' }],
  ['a Spanish widow', { first_name: 'Viuda de Paula', last_name: 'Haverkamp' }],
  ['a French secretariat', { last_name: 'Secrétariat de Paula Haverkamp' }],
  ['what reports to a person', { first_name: 'Reports to Gordon', last_name: 'Lindqvist' }],
  ['what is done for a person', { first_name: 'Standing in for Gordon', last_name: 'Lindqvist' }],
  ['another name to ask', { first_name: 'via Gordon', last_name: 'Lindqvist' }],
  ['an abbreviated assistant', { first_name: 'Asst. Gordon Lindqvist' }],
  ['whose place is taken', { first_name: 'On behalf of Gordon Lindqvist' }],
  ['a household', { first_name: 'Gordon', last_name: 'Lindqvist Household' }],
  ['a building', { first_name: 'Gordon Lindqvist Center' }],
  ['a street', { first_name: '620 Lindqvist Road' }],
  ['a German street', { last_name: 'Lindqvist-Straße 12' }],
  ['a scholarship', { first_name: 'Gordon Lindqvist Scholarship Fund' }],
  ['a school', { first_name: 'Gordon', last_name: 'Lindqvist Elementary School' }],
  ['a firm', { first_name: 'Gordon Lindqvist Consulting LLC' }],
  ['a limited firm', { first_name: 'Gordon', last_name: 'Lindqvist Ltd.' }],
  ['an agency', { first_name: 'Gordon Lindqvist Insurance Agency' }],
  ['a parody', { first_name: 'Gordon Lindqvist (parody)' }],
  ['a family', { last_name: 'The Lindqvists' }],
  ['a department', { first_name: 'Dept. Gordon Lindqvist' }],
  ['a library', { first_name: 'Gordon Lindqvist Library' }],
  ['a successor in office', { first_name: 'replaced Gordon', last_name: 'Lindqvist' }],
  ['a German acquaintance', { first_name: 'Bekannte von Paula', last_name: 'Haverkamp' }],
  ['authors', { first_name: 'Lindqvist G, Haverkamp P, Osterman G' }],
  ['authors with particles', { first_name: 'van Osterman G, Lindqvist G, Haverkamp P' }],
  ['authors, initials first', { first_name: 'G. Lindqvist, P. Haverkamp' }],
  ['an assistant behind the name', { first_name: 'Gordon', last_name: 'Lindqvist (assistant)' }],
  ['an assistant in letters', { first_name: 'Gordon Lindqvist [PA]' }],
  ['a Japanese secretary', { first_name: 'Gordon Lindqvist秘書' }],
  ['a secretariat behind a dash', { first_name: 'Paula Haverkamp - segreteria' }],
  ['a title that belongs to another', { first_name: 'Vice di Gordon Lindqvist' }],
  ['who signs', { first_name: 'i.V. Gordon', last_name: 'Lindqvist' }],
  ['a negation', { first_name: 'Not Gordon', last_name: 'Lindqvist' }],
  ['a German negation', { first_name: 'nicht Paula Haverkamp' }],
  ['who was before', { first_name: 'formerly Gordon', last_name: 'Lindqvist' }],
  ['a meeting', { first_name: 'Spotkanie z Gordon Lindqvist' }],
  ['an opponent', { first_name: 'candidate vs Gordon', last_name: 'Lindqvist' }],
  ['a subject', { first_name: 're: Gordon Lindqvist' }],
  ['a Swiss prize', { first_name: 'Gordon Lindqvist-Preis' }],
  ['a Russian assistant', { first_name: 'Помощник Paula', last_name: 'Haverkamp' }],
  ['a fellowship', { first_name: 'Gordon Lindqvist Fellow' }],
  ['a run', { first_name: 'Gordon', last_name: 'Lindqvist 5K' }],
  ['a committee in letters', { first_name: 'Gordon Lindqvist PAC' }],
  ['a German school', { first_name: 'Gordon-Lindqvist-Kolleg' }],
  ['a mistake', { first_name: 'Gordon', last_name: 'Lindqvist (wrong person)' }],
  ['a mistake in French', { first_name: 'Gordon Lindqvist – mauvaise personne' }],
  ['a negation behind a dash', { first_name: 'Gordon Lindqvist - NOT HIM' }],
  ['a negation behind in Spanish', { first_name: 'Paula Haverkamp (no es ella)' }],
  ['someone else', { first_name: 'Gordon', last_name: 'Lindqvist [a different person]' }],
  ['a Spanish couple', { first_name: 'Paula y Gordon Lindqvist' }],
])('a row with %s is about no one person', (_what, row) => {
  expect(matchOne(index, { company_name: at, ...row })).toMatchObject({
    person: 0,
    reason: 'not_a_person',
    candidates: [],
  });
});

test.each<[string, Row]>([
  ['before the name', { first_name: 'Zvonecek Gordon', last_name: 'Lindqvist' }],
  ['behind it', { first_name: 'Gordon Lindqvist Zvonarium' }],
  ['in another script', { first_name: 'Gordon Lindqvist 記念碑' }],
  ['of several', { first_name: 'Gordon Lindqvist Zvonar Edition' }],
  ['in small letters', { first_name: 'Gordon Lindqvist yazısı' }],
  ['of a successor', { first_name: 'Gordon', last_name: 'Lindqvist (outgoing, replaced)' }],
  ['of who went', { first_name: 'Gordon', last_name: 'Lindqvist (no longer here)' }],
  ['in German of who went', { first_name: 'Gordon Lindqvist - nicht mehr dort' }],
  ['unless it is a common surname', { first_name: 'Gordon', last_name: 'Lindqvist Way' }],
  ['unless it is a surname', { first_name: 'Gordon', last_name: 'Lindqvist Lane' }],
  ['unless it is an African surname', { first_name: 'Gordon', last_name: 'Kone Lindqvist' }],
])('a word that is no name %s leaves the person as a candidate', (_what, row) => {
  const found = matchOne(index, { company_name: at, ...row });
  expect(found).toMatchObject({ person: 0, reason: 'no_match', candidates: [2] });
  const named = matchOne(index, { ...row, email: 'gordon.lindqvist@northwind.example' });
  expect(named.person).toBe(2);
});

test.each<[string, Row]>([
  ['a title', { first_name: 'Rektorin Paula Haverkamp' }],
  ['a title behind a slash', { first_name: 'Paula Haverkamp / State Representative' }],
  ['a title in short', { first_name: 'State Rep. Paula Haverkamp' }],
  ['a title and a colon', { first_name: 'Vice President: Paula Haverkamp' }],
  ['an abbreviated title', { first_name: 'Dipl.-Kfm. Paula Haverkamp' }],
  ['titles of an assistant', { first_name: 'Assistant Professor Paula', last_name: 'Haverkamp' }],
  ['a title behind a comma', { first_name: 'Paula Haverkamp, assistant' }],
  ['a greeting', { first_name: 'Sehr geehrte Paula Haverkamp' }],
  ['a label', { first_name: 'Ponente: Paula Haverkamp' }],
  ['a number of a label', { first_name: 'Table 12: Paula Haverkamp' }],
  ['a title that ends in a suffix', { first_name: 'Dott.ssa Paula Haverkamp' }],
  ['a note between stars', { first_name: 'Paula Haverkamp ** hot lead **' }],
  ['a note behind a sign', { first_name: 'Paula Haverkamp ✔️ Open to work' }],
  ['a legal form of the employer', { first_name: `Paula Haverkamp, ${at} Inc.` }],
  ['a mark of a list', { first_name: 'zz Paula Haverkamp' }],
  ['marks in columns', { first_name: '*** Paula', last_name: 'Haverkamp VIP' }],
  ['a greeting before a title', { first_name: 'Dear Dr. Paula Haverkamp,' }],
  ['a form of address', { first_name: 'Bapak Paula Haverkamp' }],
  ['a label in another script', { first_name: '姓名: Paula Haverkamp' }],
  ['a translation in brackets', { first_name: 'Paula Haverkamp (Паула Хаверкамп)' }],
  ['brackets around it', { first_name: '[[Paula Haverkamp]]' }],
  ['a key before it', { first_name: 'cn=Paula Haverkamp' }],
  ['units in capitals', { first_name: 'Haverkamp, Paula (ADM/OD)' }],
  ['a title for a given name', { first_name: 'State Senator', last_name: 'Paula Haverkamp' }],
  ['a badge', { first_name: 'Paula', last_name: 'Haverkamp (guest)' }],
  ['what is not done', { first_name: 'Paula Haverkamp (not paid)' }],
  ['a note in another language', { first_name: 'Paula Haverkamp (maksettu)' }],
  ['a note behind a comma', { first_name: 'Paula Haverkamp, Class of 2001' }],
  ['a former name', { first_name: 'Paula Haverkamp geb. Zimmer' }],
  ['the employer', { first_name: `Paula Haverkamp @ ${at}` }],
  ['another surname', { first_name: 'Paula', last_name: 'Haverkamp Martinez' }],
  ['another surname behind a hyphen', { first_name: 'Paula', last_name: 'Haverkamp-Hall' }],
  ['a call behind a slash', { first_name: 'Paula Haverkamp / left voicemail' }],
  ['what is not to be done', { first_name: 'Paula', last_name: 'Haverkamp (do not call)' }],
  ['a trade', { first_name: 'Paula Haverkamp trading as Haverkamp Consulting' }],
  ['a document', { first_name: 'CV: Paula Haverkamp' }],
  ['a label of two words', { first_name: 'Main contact: Paula', last_name: 'Haverkamp' }],
  ['a city that is a given name', { first_name: 'Paula Haverkamp, Paris' }],
  ['a degree that no list has', { first_name: 'Paula', last_name: 'Haverkamp, QXW, ZPT' }],
  ['a function of a spreadsheet', { first_name: '=T("Paula")', last_name: 'Haverkamp' }],
  ['spaced capitals', { first_name: 'P A U L A', last_name: 'H A V E R K A M P' }],
])('a name with %s is the person', (_what, row) => {
  expect(matchOne(index, { company_name: at, ...row }).person).toBe(1);
});

test.each<[string, Row]>([
  ['two lines', { first_name: 'Paula Haverkamp\nGordon Lindqvist' }],
  ['a bar', { last_name: 'Gordon Lindqvist | Paula Haverkamp' }],
  ['a bar before a Don', { last_name: 'Paula Haverkamp | Don Lindqvist' }],
  [
    'organisations behind them',
    { first_name: `Paula Haverkamp, ${at}; Gordon Lindqvist (Contoso Ltd)` },
  ],
])('two whole names of known words with %s are two people', (_what, row) => {
  const crowd = ['Paula', 'Gordon', 'Don'].map((first, nth) => ({ first, last: `Tree${nth}` }));
  const full = indexOf([...people, ...crowd]);
  expect(matchOne(full, { company_name: at, ...row })).toMatchObject({
    person: 0,
    reason: 'not_a_person',
    candidates: [],
  });
  const titled = { first_name: 'Paula Haverkamp\nVice President', company_name: at };
  expect(matchOne(full, titled).person).toBe(1);
});

test('a name and an organisation whose first words are given names are one person', () => {
  const crowd = ['Paula', 'West', 'West'].map((first, nth) => ({ first, last: `Tree${nth}` }));
  const university = 'West Virginia University';
  const index = indexOf([
    { first: 'Paula', last: 'Haverkamp', jobs: [{ at: university }] },
    ...crowd,
  ]);
  expect(matchOne(index, { last_name: `Paula Haverkamp, ${university}` }).person).toBe(1);
});

test('a phone and an organisation whose words may be read as a name are no conflict', () => {
  const house = 'Alaska House of Representatives';
  const all = indexOf([
    ...people,
    { first: 'Garret', last: 'Nelson', directPhone: '+19074656600', jobs: [{ at: house }] },
  ]);
  const found = matchOne(all, { company_name: house, phone: '(907) 465-6600' });
  expect(found).toMatchObject({ person: 0, reason: 'too_little_data' });
});

test('a person whose surname is an office is a person', () => {
  const crowd = [...people, { first: 'Gordon', last: 'Tree' }];
  const row = { first_name: 'Gordon', last_name: 'Staff', company_name: at };
  const all = indexOf([...crowd, { first: 'Gordon', last: 'Staff', jobs: [{ at }] }]);
  expect(matchOne(all, row).person).toBe(5);
  expect(matchOne(indexOf(crowd), row)).toMatchObject({ person: 0, reason: 'no_match' });
});

test('a whole name in each cell is two people, although Don is a title as well', () => {
  const crowd = ['Paula', 'Don', 'Don'].map((first, nth) => ({ first, last: `Tree${nth}` }));
  const row = { first_name: 'Paula Haverkamp', last_name: 'Don Lindqvist', company_name: at };
  expect(matchOne(indexOf([...people, ...crowd]), row)).toMatchObject({
    person: 0,
    reason: 'not_a_person',
  });
  const titled = { ...row, last_name: 'Dr. Haverkamp' };
  expect(matchOne(indexOf([...people, ...crowd]), titled).person).toBe(1);
});

test.each(['she/her', 'sie/ihr'])('pronouns behind a name are no second person: %s', (said) => {
  const row = { first_name: `Paula (${said})`, last_name: 'Haverkamp', company_name: at };
  expect(matchOne(index, row).person).toBe(1);
});

test('a name next to the employer is no one’s if the row has another whole name', () => {
  const company_name = `${at} - Gordon Lindqvist`;
  expect(matchOne(index, { company_name }).person).toBe(2);
  expect(matchOne(index, { first_name: 'Karen Petersen', company_name }).person).toBe(0);
  expect(matchOne(index, { first_name: 'Zvorin Qadasht', company_name }).person).toBe(0);
});
