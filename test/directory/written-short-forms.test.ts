// Written short forms of given names: what the table promises, and what they must not change.
import { expect, test } from 'vitest';
import { loadNicknames } from '../../engine/directory/normalize/nicknames.ts';
import { readWords } from '../../engine/platform/read-words.ts';
import { indexOf, matchOne, type Person } from './small-directory.ts';

const at = 'Northwind Research Institute';
const people: Person[] = ['William', 'Thomas', 'Jonas', 'Wilma'].map((first, nth) => ({
  first,
  last: ['Haverkamp', 'Lindqvist', 'Osterman', 'Haverkampf'][nth]!,
  jobs: [{ at }],
}));
const index = indexOf(people);

test.each([
  ['Wm.', 'Haverkamp', 1],
  ['WM', 'Haverkamp', 1],
  ['Thos.', 'Lindqvist', 2],
  // Jno. is John, and no Jonas.
  ['Jno.', 'Osterman', 0],
])('%s %s is person %s', (first_name, last_name, person) => {
  expect(matchOne(index, { first_name, last_name, company_name: at }).person).toBe(person);
});

test('each form means one name of the table, and is no nickname of another', () => {
  const { spoken } = loadNicknames();
  const shortForms = readWords('short-forms');
  const forms = shortForms.flatMap(([, own]) => own);
  expect(new Set(forms).size).toBe(forms.length);
  const known = shortForms.flatMap(([name, own]) =>
    own.filter((form) => [...(spoken.get(form) ?? [])].some((other) => other !== name)),
  );
  expect(known).toEqual([]);
});

test('an address is not spelled with a written short form', () => {
  const { direct, spoken } = loadNicknames();
  expect(direct.get('william')).toContain('wm');
  expect(spoken.get('william')).not.toContain('wm');
});
