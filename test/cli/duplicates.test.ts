// `desk directory duplicates`: list, show, merge, dismiss and undo.
import { expect, test } from 'vitest';
import { servePlace } from './serve-place.ts';

const place = servePlace();

const duplicates = (...words: string[]) => place.here('directory', 'duplicates', ...words);

test('pairs are listed, shown, merged, undone and dismissed', async () => {
  expect((await duplicates('list')).last).toBe('Pairs of people, probably duplicates: 0.');
  place.write(
    'people.csv',
    [
      'id,first name,last name,company,mobile,city',
      '1,Ann,Abernathy,Engines,+41 79 668 18 00,Bern',
      '2,Anna,Abernathy,Engines,+41 79 668 18 00,Rome',
      '',
    ].join('\n'),
  );
  await place.here('directory', 'import', 'people.csv');
  const outdated = await duplicates('list');
  expect(outdated.stdout).toContain('The directory has changed since the search.');
  const listed = await duplicates('list', '--search');
  expect(listed.last).toBe('Pairs of people, probably duplicates: 1.');
  expect(listed.stdout).toMatch(/^1 +99% almost certain .*Abernathy.*differs: First name, City/m);
  const shown = await duplicates('show', '1');
  const city = /^City +differs +Bern \[people.csv, .*\] +Rome \[.*\] +1, of the kept/m;
  expect(shown.stdout).toMatch(city);
  expect((await duplicates('merge', '1', '--choose', 'city')).code).toBe(2);
  const merged = await duplicates('merge', '1', '--choose', 'city=2', '--json');
  expect(merged.json).toMatchObject({ id: 1, survivor: { name: 'Ann Abernathy' } });
  const listedMerges = await duplicates('list', '--merges');
  expect(listedMerges.stdout).toMatch(/^1 +\d{4}-\d\d-\d\d +Local workspace +Ann Abernathy +Anna/m);
  expect((await duplicates('undo', '1')).last).toBe(
    'Merge 1 is undone: Ann Abernathy and Anna Abernathy are as they were before.',
  );
  expect((await duplicates('undo', '1')).code).toBe(1);
  expect((await duplicates('dismiss', '1')).last).toContain('they are not the same');
  expect((await duplicates('list', '--search')).last).toMatch(/: 0\.$/);
  expect((await duplicates('list', '--dismissed')).last).toBe('Pairs of people, dismissed: 1.');
});

test.each([
  ['show', 'x'],
  ['merge', '1', 'x'],
  ['undo', 'x'],
  ['list', '--offset', 'x'],
])('%s %s is bad usage', async (...words) => {
  expect((await duplicates(...words)).code).toBe(2);
});
