// How names are written in addresses, and what an organisation's addresses say about the next.
import { expect, test } from 'vitest';
import {
  type AddressForm,
  addressForms,
  writeLocal,
} from '../../../engine/directory/email-patterns/address-forms.ts';
import {
  learnHabits,
  listLikelyLocals,
} from '../../../engine/directory/email-patterns/infer-emails.ts';
import { habitShares, spellName } from '../../../engine/directory/email-patterns/name-spellings.ts';

const spell = (first: string, last: string, middle = '', ...others: string[]) =>
  spellName({
    firstName: first,
    lastName: last,
    middleName: middle || null,
    otherFirstNames: others,
  });

test.each<[AddressForm, string]>([
  ['{first}.{last}', 'ada.byron'],
  ['{first}_{last}', 'ada_byron'],
  ['{first}-{last}', 'ada-byron'],
  ['{first}{last}', 'adabyron'],
  ['{f}{last}', 'abyron'],
  ['{f}.{last}', 'a.byron'],
  ['{f}_{last}', 'a_byron'],
  ['{f}-{last}', 'a-byron'],
  ['{first}{l}', 'adab'],
  ['{first}.{l}', 'ada.b'],
  ['{first}_{l}', 'ada_b'],
  ['{last}.{first}', 'byron.ada'],
  ['{last}_{first}', 'byron_ada'],
  ['{last}-{first}', 'byron-ada'],
  ['{last}{first}', 'byronada'],
  ['{last}{f}', 'byrona'],
  ['{last}.{f}', 'byron.a'],
  ['{last}_{f}', 'byron_a'],
  ['{first}', 'ada'],
  ['{last}', 'byron'],
  ['{f}{l}', 'ab'],
  ['{first}.{m}.{last}', 'ada.k.byron'],
  ['{first}{m}{last}', 'adakbyron'],
  ['{f}{m}{last}', 'akbyron'],
  ['{f}.{m}.{last}', 'a.k.byron'],
  ['{first}.{middle}.{last}', 'ada.king.byron'],
  ['{f}{m}{l}', 'akb'],
])('the form %s gives Ada King Byron %s', (form, local) => {
  const [spelling] = spell('Ada', 'Byron', 'King');
  expect(spelling && writeLocal(form, spelling)).toBe(local);
});

test('every form is in that table once, and a form with a middle name needs one', () => {
  expect(new Set(addressForms).size).toBe(27);
  const [spelling] = spell('Ada', 'Byron');
  const missing = addressForms.filter((form) => spelling && writeLocal(form, spelling) === null);
  expect(missing).toEqual(addressForms.filter((form) => form.includes('{m')));
});

test('the shares of the ways to write a kind of names add up to 1', () => {
  for (const shares of Object.values(habitShares))
    expect(Object.values<number>(shares).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
});

/** The distinct last or first names of the spellings. */
const written = (part: 'first' | 'last', spellings: ReturnType<typeof spell>) => [
  ...new Set(spellings.map((spelling) => spelling[part])),
];

test.each([
  ['accents', 'Zoé', 'Muñoz', ['munoz']],
  ['an umlaut, with and without e', 'Xaver', 'Müller', ['muller', 'mueller']],
  ['ø and å', 'Xaver', 'Ødegård', ['odegard', 'oedegaard']],
  ['ß', 'Xaver', 'Groß', ['gross']],
  ['an apostrophe', 'Xaver', 'O’Brien', ['obrien']],
  ['a generation', 'Xaver', 'Byron Jr.', ['byron']],
  ['a degree', 'Xaver', 'Byron, PhD', ['byron']],
  ['an initial in the surname', 'Xaver', 'K. Byron', ['byron']],
  [
    'a hyphen',
    'Xaver',
    'Smith-Jones',
    ['smithjones', 'smith-jones', 'smith.jones', 'smith', 'jones'],
  ],
  [
    'two surnames',
    'Xaver',
    'García Márquez',
    ['garciamarquez', 'garcia-marquez', 'garcia.marquez', 'garcia', 'marquez'],
  ],
  [
    'particles, which never stand alone',
    'Xaver',
    'van den Berg',
    ['vandenberg', 'van-den-berg', 'van.den.berg', 'berg'],
  ],
])('a surname with %s', (_what, first, last, expected) => {
  expect(written('last', spell(first, last))).toEqual(expected);
});

test.each([
  ['a title', 'Dr. Xaver', ['xaver']],
  ['an initial after it', 'Xaver J.', ['xaver']],
  ['two initials', 'R. J.', ['rj']],
  ['a hyphen', 'Jean-Luc', ['jeanluc', 'jean-luc', 'jean.luc', 'jean', 'luc']],
])('a first name with %s', (_what, first, expected) => {
  expect(written('first', spell(first, 'Byron'))).toEqual(expected);
});

test('a name with another first name on record has both, otherwise those of the table', () => {
  expect(written('first', spell('Woody', 'Byron', '', 'David'))).toEqual(['woody', 'david']);
  expect(written('first', spell('Bob', 'Byron'))).toEqual(
    expect.arrayContaining(['bob', 'robert']),
  );
});

test.each([
  ['another script', 'Лев', 'Толстой'],
  ['an initial alone', 'J.', 'Byron'],
  ['no first name', '', 'Byron'],
  ['no surname', 'Ada', ''],
  ['a territory', 'Lord', 'McFall of Alcluith'],
])('a name with %s has no spelling', (_what, first, last) => {
  expect(spell(first, last)).toEqual([]);
});

const names = 'Xaver Yvo Zelda Quill Ursel Vilma Wanda Ottokar'.split(' ');
/** Witnesses of a form, one for each of the first names. */
const witnesses = (form: AddressForm, count: number, last = 'Byron') =>
  names.slice(0, count).map((first) => {
    const spellings = spell(first, last);
    return { spellings, local: (spellings[0] && writeLocal(form, spellings[0])) ?? '' };
  });
const best = (...[habits, spellings]: Parameters<typeof listLikelyLocals>) =>
  listLikelyLocals(habits, spellings).sort((a, b) => b.probability - a.probability)[0];

test('a form with fewer than three witnesses is not used', () => {
  expect(best(learnHabits(witnesses('{f}{last}', 2)), spell('Ada', 'King'))).toBeUndefined();
  expect(best(learnHabits(witnesses('{f}{last}', 3)), spell('Ada', 'King'))).toMatchObject({
    local: 'aking',
    form: '{f}{last}',
    witnesses: 3,
    of: 3,
    probability: 0.875,
  });
});

test('the most frequent form wins, and exceptions lower its probability', () => {
  const mixed = learnHabits([...witnesses('{first}.{last}', 6), ...witnesses('{last}', 3, 'King')]);
  const found = best(mixed, spell('Yvo', 'Mond'));
  expect(found).toMatchObject({ local: 'yvo.mond', witnesses: 6, of: 9 });
  expect(found?.probability).toBeCloseTo(0.65);
});

test('a form with a middle initial is compared among those with a middle name', () => {
  const withMiddle = names.slice(0, 4).map((first) => ({
    spellings: spell(first, 'Byron', 'K.'),
    local: `${first.toLowerCase()}.k.byron`,
  }));
  const habits = learnHabits([...withMiddle, ...witnesses('{first}.{last}', 4, 'King')]);
  expect(best(habits, spell('Yvo', 'Mond', 'Q'))).toMatchObject({ local: 'yvo.q.mond', of: 4 });
  expect(best(habits, spell('Yvo', 'Mond'))).toMatchObject({ local: 'yvo.mond', of: 8 });
});

test('the organisation’s own way to write hyphens counts more than that of others', () => {
  const plain = witnesses('{last}', 5);
  const rear = names.slice(0, 4).map((first, at) => ({
    spellings: spell(first, `Smith-Jones${'abcd'[at]}`),
    local: `jones${'abcd'[at]}`,
  }));
  const target = spell('Ada', 'Hicks-Hudson');
  expect(best(learnHabits(plain), target)).toMatchObject({ local: 'hicks-hudson' });
  expect(best(learnHabits([...plain, ...rear]), target)).toMatchObject({ local: 'hudson' });
});

test('a short form of a name lowers the probability only where its letters matter', () => {
  const certain = best(learnHabits(witnesses('{last}', 8)), spell('Bob', 'Mond'))?.probability;
  const open = best(learnHabits(witnesses('{first}.{last}', 8)), spell('Bob', 'Mond'));
  expect(open?.local).toBe('bob.mond');
  expect(open?.probability).toBeLessThan(certain ?? 0);
});
