// A company is found by any short form of its name, unless another company has the same one.
import { expect, test } from 'vitest';
import { createCompanyMatcher } from '../../engine/directory/match/match-companies.ts';
import { openListFolder } from './list-folder.ts';

const names = [
  'Montana State University Billings',
  'Michigan State University',
  'Leeward Community College',
  'Leeward Coast Hospital',
  'AT&T Inc.',
  'Smith A O Corp',
  'Broken Arrow Beauty College',
  'Boston Central Clinic',
  'Boston Community Clinic',
  'Union Pacific',
];

/** The name of the company that a name matches, or null. */
async function match(name: string): Promise<string | null> {
  using lists = openListFolder();
  await lists.importCompanies(names.map((one, at) => ({ company_id: `c${at}`, name: one })));
  const found = createCompanyMatcher(lists.db)({ name });
  const readName = lists.db.prepare('SELECT name FROM company WHERE id = ?').pluck();
  return found && (readName.get(found.companyId) as string);
}

test.each([
  ['MSU Billings', 'Montana State University Billings'],
  ['Leeward CC', 'Leeward Community College'],
  ['BA Beauty College', 'Broken Arrow Beauty College'],
  ['A T & T', 'AT&T Inc.'],
  ['A.O. Smith Corporation Common Stock', 'Smith A O Corp'],
])('%s is %s', async (short, whole) => {
  expect(await match(short)).toBe(whole);
});

test.each([
  ['initials of two companies', 'Boston CC'],
  ['initials without another shared word', 'CC'],
  ['letters in another order', 'UMS Billings'],
  ['T alone', 'T'],
])('%s match no company', async (_what, name) => {
  expect(await match(name)).toBeNull();
});
