// More people exist than the directory holds: what a name says does not depend on its size.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDraws } from '../../bench/generate-draws.ts';
import { readPopulation } from '../../bench/messy/population.ts';
import { capitalize } from '../../bench/messy/text.ts';
import { listFeatureKeys } from '../../engine/directory/match/graded/features.ts';
import { loadModel } from '../../engine/directory/match/graded/model.ts';
import { runsOf } from '../property-runs.ts';
import { indexOf, matchOne, type Person, type Row } from './small-directory.ts';

const at = 'Penrith Mills Ltd';

test.each([
  ['Paul', 'Paula'],
  ['Mario', 'Maria'],
  ['Erik', 'Erika'],
  ['Alexander', 'Alexandra'],
  ['Robert', 'Roberta'],
  ['Dean', 'Dan'],
  ['Joan', 'Ivan'],
  ['Min-jung', 'Min-ji'],
  ['Min-jung', 'Min-jun'],
  ['Antonello', 'Antonella'],
])('the given names %s and %s are those of two people, in a directory of one', (written, held) => {
  const index = indexOf([{ first: held, last: 'Haverkamp', jobs: [{ at }] }]);
  const row = { first_name: written, last_name: 'Haverkamp', company_name: at };
  expect(matchOne(index, row).person).toBe(0);
});

test.each([
  ['Harris', 'Harrison'],
  ['Chen', 'Cheng'],
  ['Hussein', 'Hassan'],
  ['Peters', 'Petersen'],
  ['Taylor', 'Naylor'],
  ['Robertson', 'Roberts'],
  ['Stephens', 'Stephenson'],
  ['Li', 'Lee'],
  ['Vasilevskaya', 'Vasilieva'],
  ['Haverkampson', 'Haverkamp'],
  ['Strömbergmann', 'Strömberg'],
])('the surnames %s and %s are those of two people, in a directory of one', (written, held) => {
  const index = indexOf([{ first: 'Ingrid', last: held, jobs: [{ at }] }]);
  const row = { first_name: 'Ingrid', last_name: written, company_name: at };
  expect(matchOne(index, row).person).toBe(0);
});

test.each([
  ['Roberta', 'Roberts'],
  ['Martina', 'Martin'],
  ['Christiane', 'Christian'],
  // A capital inside begins no second name.
  ['Donalda', 'McDonald'],
])('the given name %s at an employer is no slip of the surname %s there', (written, held) => {
  const index = indexOf([{ first: 'Ingrid', last: held, jobs: [{ at }] }]);
  expect(matchOne(index, { first_name: written, company_name: at }).person).toBe(0);
  expect(matchOne(index, { first_name: written, last_name: at }).person).toBe(0);
  expect(matchOne(index, { last_name: held, company_name: at }).person).toBe(1);
});

test.each([
  ['Steven', 'Haverkamp', 'Stephen', 'Haverkamp'],
  ['Marc', 'Haverkamp', 'Mark', 'Haverkamp'],
  ['Catherine', 'Haverkamp', 'Katherine', 'Haverkamp'],
  ['Tracey', 'Haverkamp', 'Tracy', 'Haverkamp'],
  ['Jorge', 'Haverkamp', 'George', 'Haverkamp'],
  ['Marcos', 'Haverkamp', 'Mark', 'Haverkamp'],
  ['Pepe', 'Haverkamp', 'José', 'Haverkamp'],
  ['Uli', 'Haverkamp', 'Ulrich', 'Haverkamp'],
  ['Kathi', 'Haverkamp', 'Katharina', 'Haverkamp'],
  ['Ingrid', 'Mueller', 'Ingrid', 'Müller'],
  ['Ingrid', 'Iwanow', 'Ingrid', 'Ivanov'],
  ['Ingrid', 'Vasileva', 'Ingrid', 'Vasilyeva'],
  ['Ольга', 'Васильева', 'Olga', 'Vasilieva'],
  ['Sergei', 'Solovyov', 'Sergej', 'Soloviev'],
  ['Tatjana', 'Cvetkova', 'Tatiana', 'Tsvetkova'],
  ['Yelena', 'Dostoevsky', 'Elena', 'Dostoyevskiy'],
  ['Ingrid', 'Harison', 'Ingrid', 'Harrison'],
  ['Davdi', 'Haverkamp', 'David', 'Haverkamp'],
  ['Brina', 'Haverkamp', 'Brian', 'Haverkamp'],
  ['Сергей', 'Кузнецов', 'Sergey', 'Kuznetsov'],
  ['Dmitrij', 'Orlow', 'Дмитрий', 'Орлов'],
  ['Νίκος', 'Παπαδόπουλος', 'Nikos', 'Papadopoulos'],
  ['Giorgos', 'Nikolaou', 'Γιώργος', 'Νικολάου'],
])(
  '%s %s may be %s %s, by another spelling, script, language or a slip, in one cell too',
  (first, last, heldFirst, heldLast) => {
    const index = indexOf([{ first: heldFirst, last: heldLast, jobs: [{ at }] }]);
    const row = { first_name: first, last_name: last, company_name: at };
    expect(matchOne(index, row).person).toBe(1);
    const whole = { first_name: `${first} ${last}`, company_name: at };
    expect(matchOne(index, whole).person).toBe(1);
  },
);

test.each([
  ['Сергей', 'Кузнецов', 'Sergey', 'Kuznetsov'],
  ['Alexander', 'Ivanov', 'Александр', 'Иванов'],
  ['Olga', 'Smirnova', 'Olga', 'Smirnova'],
  ['Jörg', 'Müller', 'Jörg', 'Müller'],
])(
  'a common name alone, %s %s, has its holder %s %s as a candidate',
  (first, last, own, family) => {
    const index = indexOf([{ first: own, last: family, jobs: [{ at }] }]);
    expect(matchOne(index, { first_name: first, last_name: last }).candidates).toEqual([1]);
  },
);

test.each([
  ['Sergey Ivanovich', 'Orlov', 'Sergey Viktorovich', 'Orlov'],
  ['Habib ben Mohamed', 'Loubiri', 'Habib ben Ahmed', 'Loubiri'],
  ['Salman bin Omar', 'Rawi', 'Omar bin Salman', 'Rawi'],
  ['Eric A.', 'Haverkamp', 'Josh A.', 'Haverkamp'],
  ['Geoffrey Boris', 'Haverkamp', 'Alexander Boris', 'Haverkamp'],
  ['Mary Margaret', 'Haverkamp', 'Mary Beth', 'Haverkamp'],
  ['Omar Salman Omar', 'Rawi', 'Omar Salman Khalid', 'Rawi'],
  ['Ri', 'Hong-chul', 'Ri', 'Hong-sop'],
  ['Halla', 'Jónsdóttir', 'Halla', 'Tómasdóttir'],
  ['Ingrid B.', 'Haverkamp', 'Ingrid A.', 'Haverkamp'],
  ['María', 'López Fernández', 'María', 'López García'],
])(
  '%s %s and %s %s are two people: a word between given name and surname, or half of one, differs',
  (first, last, heldFirst, heldLast) => {
    const index = indexOf([{ first: heldFirst, last: heldLast, jobs: [{ at }] }]);
    const row = { first_name: first, last_name: last, company_name: at };
    expect(matchOne(index, row).person).toBe(0);
    expect(matchOne(index, { ...row, first_name: heldFirst, last_name: heldLast }).person).toBe(1);
  },
);

test.each([
  ['Mary Margaret', 'Haverkamp', 'Mary Beth', 'Haverkamp'],
  ['Ingrid', 'Meier', 'Ingrid', 'Maier'],
  ['Ingrid', 'Clarke', 'Ingrid', 'Clark'],
  ['Ingrid', 'Manwell', 'Ingrid', 'Maxwell'],
  ['Ingrid', 'Nygard', 'Ingrid', 'Nygaard'],
])('a colleague %s %s of %s %s waits for a decision', (first, last, heldFirst, heldLast) => {
  const index = indexOf([{ first: heldFirst, last: heldLast, jobs: [{ at }] }]);
  const row = { first_name: first, last_name: last, company_name: at };
  expect(matchOne(index, row)).toMatchObject({ person: 0, candidates: [1] });
});

const domain = 'penrithmills.example';
const heldPeople: readonly Person[] = [
  {
    first: 'Theodora',
    last: 'Haverkamp',
    directPhone: '+13125550141',
    jobs: [{ at, email: `t.haverkamp@${domain}` }],
  },
  { first: 'Patricia', last: 'Morgan', jobs: [{ at, email: `patricia.morgan@${domain}` }] },
  { first: 'David', last: 'Williamson', jobs: [{ at }] },
];

function indexAmong(size: number) {
  const draws = createDraws(20_265);
  const { given, surname } = readPopulation();
  const others = Array.from({ length: size - heldPeople.length }, () => ({
    first: capitalize(given.draw(draws)),
    last: capitalize(surname.draw(draws)),
    jobs: [{ at: `Borealis Bank ${draws.below(50)}` }],
  }));
  return indexOf([...heldPeople, ...others], [{ name: at, domain }]);
}

test.each([
  ['another initial', { first_name: 'Patricia B.', last_name: 'Morgan', company_name: at }],
  ['an employer elsewhere', { first_name: 'P.', last_name: 'Morgan', company_name: 'Zephyr' }],
  [
    'a mailbox elsewhere',
    { first_name: 'Patricia', last_name: 'Morgan', email: 'info@borealis.example' },
  ],
  ['another surname', { first_name: 'Patricia', last_name: 'Mordan', company_name: at }],
  ['another mailbox', { email: `patrcia.morgan@${domain}` }],
])('a stranger with %s needs no weights that know such strangers', (_what, row) => {
  const [, patricia] = heldPeople;
  const companies = [
    { name: at, domain },
    { name: 'Borealis', domain: 'borealis.example' },
  ];
  const index = indexOf([{ ...patricia!, middle: 'A.' }], companies);
  const { weights, calibration } = loadModel();
  const nobody = listFeatureKeys().indexOf('nobody:value');
  const trusting = { weights: weights.with(nobody, -50), calibration };
  const common = { first_name: 'Patricia', last_name: 'Morgan' };
  expect(matchOne(index, common, trusting).person).toBe(1);
  expect(matchOne(index, row, trusting)).toMatchObject({ person: 0, candidates: [1] });
});

const combinations: readonly (readonly [what: string, row: Row, person: number])[] = [
  ['a name and the employer', { first_name: 'Patricia', last_name: 'Morgan', company_name: at }, 2],
  [
    'a name and another mailbox of the employer',
    { first_name: 'Patricia', last_name: 'Morgan', email: `sales@${domain}` },
    2,
  ],
  [
    'a name and the domain of the employer',
    { first_name: 'Patricia', last_name: 'Morgan', company_domain: domain },
    2,
  ],
  ['an email', { email: `patricia.morgan@${domain}` }, 2],
  ['a phone', { phone: '+1 312 555 0141' }, 0],
  [
    'a nickname and a phone',
    { first_name: 'Dora', last_name: 'Haverkamp', phone: '+1 312 555 0141' },
    1,
  ],
  [
    'a nickname and the employer',
    { first_name: 'Patty', last_name: 'Morgan', company_name: at },
    2,
  ],
  [
    'a misspelt name and the employer',
    { first_name: 'David', last_name: 'Wiliamson', company_name: at },
    3,
  ],
  [
    'a slip in a common surname that registers have too, and the employer',
    { first_name: 'David', last_name: 'Willamson', company_name: at },
    3,
  ],
  [
    'a rare surname a letter from another one, and the employer',
    { first_name: 'Patricia', last_name: 'Mordan', company_name: at },
    0,
  ],
  [
    'another surname a letter away, the employer and the email',
    {
      first_name: 'Patricia',
      last_name: 'Moran',
      company_name: at,
      email: `patricia.morgan@${domain}`,
    },
    2,
  ],
  [
    'two misspelt names and the employer',
    { first_name: 'Davdi', last_name: 'Wiliamson', company_name: at },
    3,
  ],
  [
    'a misspelt common name and a title',
    { first_name: 'David', last_name: 'Wiliamson', title: 'Accountant' },
    0,
  ],
  [
    'an initial and the employer',
    { first_name: 'D.', last_name: 'Williamson', company_name: at },
    3,
  ],
  [
    'a surname, the employer and a title',
    { last_name: 'Haverkamp', company_name: at, title: 'Director' },
    1,
  ],
  ['a common name', { first_name: 'Patricia', last_name: 'Morgan' }, 0],
  [
    'a common name and a title',
    { first_name: 'Patricia', last_name: 'Morgan', title: 'Accountant' },
    0,
  ],
  [
    'a common name and an employer that the directory lacks',
    { first_name: 'Patricia', last_name: 'Morgan', company_name: 'Zephyr Roofing' },
    0,
  ],
  ['a rare name', { first_name: 'Theodora', last_name: 'Haverkamp' }, 1],
  [
    'a rare name and a title',
    { first_name: 'Theodora', last_name: 'Haverkamp', title: 'Accountant' },
    1,
  ],
];

describe.each([20, 1_000])('among %i people', (size) => {
  const index = indexAmong(size);
  test.each(combinations)('%s means the one person, or no one', (_what, row, person) => {
    expect(matchOne(index, row).person).toBe(person);
  });
});

test('each of these means the same among 100,000 people', { tags: ['full'] }, () => {
  const index = indexAmong(100_000);
  const found = combinations.map(([what, row]) => [what, matchOne(index, row).person]);
  expect(found).toEqual(combinations.map(([what, , person]) => [what, person]));
});

test.each([
  ['in two columns', { first_name: 'Patricia', last_name: 'Morgan' }],
  ['in one column', { first_name: 'Patricia Morgan' }],
  ['in the column of surnames', { last_name: 'Morgan, Patricia' }],
  [
    'with a private mailbox that spells it',
    { first_name: 'Patricia', last_name: 'Morgan', email: 'patricia.morgan@gmail.com' },
  ],
])('a common name %s is no answer, but its holder a candidate', (_where, row) => {
  const index = indexOf([{ first: 'Patricia', last: 'Morgan', jobs: [{ at }] }]);
  expect(matchOne(index, row)).toMatchObject({ person: 0, reason: 'ambiguous', candidates: [1] });
});

test.each([{ last_name: 'Morgan' }, { first_name: 'P.', last_name: 'Morgan' }])(
  '%j is no answer; its holders are candidates if they are so few that all can be shown',
  (row) => {
    const holders = ['Patricia', 'Paul', 'Petra', 'Peter'].map((first) => ({
      first,
      last: 'Morgan',
      jobs: [{ at }],
    }));
    const candidatesAmong = (count: number) => {
      const { person, candidates } = matchOne(indexOf(holders.slice(0, count)), row);
      expect(person).toBe(0);
      return candidates.toSorted();
    };
    expect(candidatesAmong(1)).toEqual([1]);
    expect(candidatesAmong(3)).toEqual([1, 2, 3]);
    expect(candidatesAmong(4)).toEqual([]);
  },
);

test.each([
  ['in two columns', { first_name: 'Endrika', last_name: 'Ehretsmann' }],
  ['in one column', { first_name: 'Endrika Ehretsmann' }],
  ['in the column of surnames', { last_name: 'Ehretsmann, Endrika' }],
])('a name that hardly anyone has finds its holder %s', (_where, row) => {
  const index = indexOf([{ first: 'Endrika', last: 'Ehretsmann', jobs: [{ at }] }]);
  expect(matchOne(index, row).person).toBe(1);
});

test('a colleague whose names sound and look alike from afar is another person', () => {
  const index = indexOf([{ first: 'Cerojana', last: 'Vavohumu', jobs: [{ at }] }]);
  const row = { first_name: 'Cetijaha', last_name: 'Viwimowo', company_name: at };
  expect(matchOne(index, row).person).toBe(0);
  // With the very surname, the given name may be mistyped.
  expect(matchOne(index, { ...row, last_name: 'Vavohumu' }).person).toBe(1);
});

describe('the title next to a name alone', () => {
  const held = {
    first: 'Elizabeth',
    last: 'Lindblom',
    jobs: [{ at, title: 'Marketing Manager' }],
  };
  const index = indexOf([held]);
  const row = { first_name: 'Elizabeth', last_name: 'Lindblom' };
  test.each([
    'Procurement Manager',
    'Leiterin Einkauf',
    'Directrice financière',
    'Custodian',
    'Инженер-программист',
  ])('%s speaks against a marketing manager, who is a candidate', (title) => {
    expect(matchOne(index, { ...row, title })).toMatchObject({ person: 0, candidates: [1] });
  });
  test.each([
    '',
    'Head of Brand',
    'Marketingleiterin',
    'Brand Assistant',
    'Beekeeper',
    'Chief',
    'Vice President',
    'Directrice',
  ])('%s does not', (title) => {
    expect(matchOne(index, { ...row, title }).person).toBe(1);
  });
  test('a title of a level alone tells no namesakes at an employer apart', () => {
    const chief = { first: 'Ann', last: 'Lee', jobs: [{ at, title: 'Chief' }] };
    const clerk = { first: 'Ann', last: 'Lee', jobs: [{ at, title: 'Clerk' }] };
    const found = matchOne(indexOf([chief, clerk]), {
      first_name: 'Ann',
      last_name: 'Lee',
      company_name: at,
      title: 'Chief',
    });
    expect(found).toMatchObject({ person: 0, reason: 'ambiguous', candidates: [1, 2] });
  });
  test('a president is no custodian', () => {
    const president = { ...held, jobs: [{ at, title: 'President' }] };
    const custodian = { ...row, title: 'Custodian' };
    expect(matchOne(indexOf([president]), custodian)).toMatchObject({ person: 0, candidates: [1] });
  });
  test('the employer or the email of the person outweighs another title', () => {
    const title = 'Procurement Manager';
    expect(matchOne(index, { ...row, title, company_name: at }).person).toBe(1);
  });
});

const identified: Person = {
  first: 'Ann',
  last: 'Haverkamp',
  url: 'https://www.linkedin.com/in/ann-haverkamp-7',
  directPhone: '+13125550141',
  jobs: [{ at, email: 'a.haverkamp@penrithmills.example' }],
};

describe.each([
  ['work email', { email: 'a.haverkamp@penrithmills.example' }],
  ['profile', { profile_url: 'https://www.linkedin.com/in/ann-haverkamp-7' }],
  ['phone', { phone: '+1 312 555 0141' }],
])('the own %s', (_key, key) => {
  const index = indexOf([identified], [{ name: at, domain }]);
  test.each([{ first_name: 'Ann' }, { first_name: 'Annie' }, { last_name: 'Haverkamp' }])(
    'with %j means its holder',
    (name) => {
      expect(matchOne(index, { ...name, ...key }).person).toBe(1);
    },
  );
  test('with the given name of someone else means no one', () => {
    expect(matchOne(index, { first_name: 'Robert', ...key }).person).toBe(0);
  });
});

test.each(['Schnuffi', 'Wompo', 'Tattel'])(
  'the nickname %s, which no table has, does not hide the person that the rest of the row means',
  (nickname) => {
    const [job] = identified.jobs ?? [];
    const held = { ...identified, jobs: [{ ...job, at, title: 'Site Manager' }] };
    const index = indexOf([held], [{ name: at, domain }]);
    const row = { first_name: nickname, last_name: 'Haverkamp' };
    const found = (rest: Row) => matchOne(index, { ...row, ...rest });
    const email = 'a.haverkamp@penrithmills.example';
    expect(found({ email }).person).toBe(1);
    expect(matchOne(index, { first_name: nickname, email }).person).toBe(1);
    expect(matchOne(index, { first_name: `${nickname}35`, email }).person).toBe(1);
    expect(matchOne(index, { first_name: 'Robert', email }).person).toBe(0);
    const offered = { person: 0, candidates: [1] };
    expect(found({ phone: '+1 312 555 0141' })).toMatchObject(offered);
    expect(found({ company_name: at, title: 'Site Manager' })).toMatchObject(offered);
  },
);

const given = ['Paul', 'Paula', 'Steven', 'Ingrid', 'Endrika'];
const surnames = ['Morgan', 'Haverkamp', 'Ehretsmann', 'Peters', 'Petersen'];
const person: fc.Arbitrary<Person> = fc.record({
  first: fc.constantFrom(...given),
  last: fc.constantFrom(...surnames),
  jobs: fc.constantFrom([{ at }], [{ at: 'Borealis Bank' }], []),
});
const other: fc.Arbitrary<Person> = fc.record({
  first: fc.constantFrom('Quentin', 'Wolfgang', 'Beatriz'),
  last: fc.constantFrom('Okonkwo', 'Lindqvist', 'Yamamoto'),
  jobs: fc.constantFrom([{ at }], [{ at: 'Borealis Bank' }], [{ at: 'Gulf Cedar' }]),
});
const row = fc.record({
  first_name: fc.constantFrom(...given, 'Stephen', 'Endrka', ''),
  last_name: fc.constantFrom(...surnames, 'Ehretsman', 'Haverkmap'),
  company_name: fc.constantFrom('', at, 'Nowhere Inc'),
});

test('an answer’s confidence does not rise when other people leave the directory', () => {
  fc.assert(
    fc.property(person, fc.array(other, { maxLength: 20 }), row, (own, others, cells) => {
      const among = matchOne(indexOf([own, ...others]), cells);
      const alone = matchOne(indexOf([own]), cells);
      expect(alone.confidence).toBeLessThanOrEqual(among.confidence + 0.002);
    }),
    { numRuns: runsOf(60) },
  );
});
