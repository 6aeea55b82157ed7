// Long lists are imported by other code paths than short ones, with the same result.
import { expect, test } from 'vitest';
import {
  importThreadRowsMin,
  importUnstagedBytesMin,
} from '../../engine/contract/limits/directory.ts';
import { openListFolder, type Row } from './list-folder.ts';

const count = importThreadRowsMin + 2_000;
const note = '–'.repeat(Math.ceil(importUnstagedBytesMin / count / 2));

/** Rows with every possible field; two in ten have a person's second job. */
function longList(): Row[] {
  const rows = Array.from({ length: count }, (_, at): Row => {
    const person = at % 10 === 9 ? at - 1 : at;
    return {
      id: `p${person}`,
      'first name': at % 3 ? 'Zoë' : 'Юлия',
      'last name': `Lee${person}`,
      company: `Müller ${at % 500} GmbH`,
      title: at % 10 === 9 ? 'Owner, "retired"' : 'Engineer',
      start: at % 10 === 9 ? '2010-05' : '2020-01-31',
      email: `lee${person}@mueller${at % 500}.example`,
      'profile url': `https://www.linkedin.com/in/lee-${person}/`,
      phone: at % 7 ? '' : `+1603271${String(1000 + (at % 5000))}`,
      note,
    };
  });
  rows[5_000] = { id: 'nobody', note };
  rows[7_000] = { ...rows[7_000], phone: 'call me' };
  return rows;
}

const rows = longList();

test('a long list gives the same directory, read directly or from a copy', {
  tags: ['full'],
}, async () => {
  using straight = openListFolder();
  using staged = openListFolder();
  const observed = '2026-01-02';
  const first = await straight.importPeople(rows, { observed });
  const second = await staged.importPeople(rows, { observed, mapping: { title: 'title' } });
  expect(straight.dump()).toEqual(staged.dump());
  expect(second.remarks).toEqual(first.remarks);
  expect(first).toMatchObject({ rows_read: count, rows_refused: 1, people_added: 10_800 - 1 });
  expect(first.remarks.map(({ line, column }) => [line, column])).toEqual([
    [5_002, undefined],
    [7_002, 'phone'],
  ]);
  expect(straight.db.pragma('foreign_key_check')).toEqual([]);
  expect(straight.db.pragma('foreign_keys', { simple: true })).toBe(1);
  const inMemory = 2;
  expect(straight.db.pragma('temp_store', { simple: true })).toBe(inMemory);
});

test('importing a long list again changes nothing', { tags: ['full'] }, async () => {
  using folder = openListFolder();
  await folder.importPeople(rows);
  const before = folder.dump();
  expect(await folder.importPeople(rows)).toMatchObject({ people_added: 0, people_updated: 0 });
  expect(folder.dump()).toEqual(before);
});

test('a person who occurs again far below is found in the same list', async () => {
  using folder = openListFolder();
  const again = { ...rows[0], company: 'Elsewhere Ltd', title: 'Director' };
  const report = await folder.importPeople([...rows, again]);
  expect(report).toMatchObject({ people_added: 10_799, employments_added: count });
  const jobs =
    "SELECT count(*) FROM employment e JOIN person p ON p.id = e.person_id AND given_id = 'p0'";
  expect(folder.db.prepare(jobs).pluck().get()).toBe(2);
});

test.each([
  ['a quote that is never closed at its end', `${count},"Ann\n`, 'never closed'],
  ['a row too wide at its end', `${'x,'.repeat(40)}x\n`, 'cells'],
])('a long list with %s is refused and leaves nothing behind', async (_title, end, words) => {
  using folder = openListFolder();
  const before = folder.dump();
  const schema = folder.db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  const text = `id,name,note\n${rows.map((_row, at) => `${at},Ann Lee,${note}`).join('\n')}\n`;
  await expect(folder.importPeople(text + end)).rejects.toThrow(words);
  expect(folder.dump()).toEqual(before);
  expect(folder.db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()).toEqual(
    schema,
  );
});
