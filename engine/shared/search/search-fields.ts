// The values by which people and companies of the shared directory are searched: one definition for
// the loader, which writes every value of them, and for the search, which asks for some.
import { isWordField, type SearchField } from '../../directory/search/search-keys.ts';

/** Numbers of the fields. A number never changes: it is part of stored rows. */
export const fieldNumbers: Readonly<Record<SearchField, number>> = {
  personName: 1,
  jobTitle: 2,
  jobLevel: 3,
  contactCountry: 4,
  companyName: 5,
  industry: 6,
  employeeRange: 7,
  revenueRange: 8,
  companyCountry: 9,
};
/** Everyone, those whose email can be unlocked, and every company: fields with one value. */
export const wholeFields = { everyone: 20, withEmail: 21, everyCompany: 22 } as const;
const beginningsOf = (field: SearchField): number => fieldNumbers[field] + 30;

/** A short beginning is a value of its own: it has many words. A longer one is a range. */
const beginningMax = 3;
/** Longer than every text that can be asked for. */
const keyUnitsMax = 400;

export interface FieldValue {
  readonly field: number;
  readonly key: string;
}

/** Keys as PostgreSQL stores them. */
export const storedKey = (key: string): string =>
  key.replaceAll('\0', '').slice(0, keyUnitsMax).toWellFormed();

export function valuesOfKey(field: SearchField, key: string): FieldValue[] {
  const stored = storedKey(key);
  if (!isWordField(field)) return [{ field: fieldNumbers[field], key: stored }];
  const characters = Array.from(stored.slice(0, 2 * beginningMax + 2)).slice(0, beginningMax + 1);
  const values: FieldValue[] = [];
  for (let length = 1; length <= Math.min(beginningMax, characters.length); length++)
    values.push({ field: beginningsOf(field), key: characters.slice(0, length).join('') });
  // A shorter word is found by its beginning alone.
  if (characters.length > beginningMax) values.push({ field: fieldNumbers[field], key: stored });
  return values;
}

/** A range of keys: from `low` up to, not including, `high`. */
export interface KeyRange {
  readonly field: number;
  readonly low: string;
  readonly high: string;
}

/** The range of one key. No key has the character 0, so that nothing else is in it. */
const oneKey = (field: number, key: string): KeyRange => ({
  field,
  low: key,
  high: `${key}\u0001`,
});

/** The range of values with a word that begins so, or with a whole value. */
export function rangeOf(field: SearchField, key: string): KeyRange {
  const stored = storedKey(key);
  if (!isWordField(field)) return oneKey(fieldNumbers[field], stored);
  if (Array.from(stored).length <= beginningMax) return oneKey(beginningsOf(field), stored);
  return { field: fieldNumbers[field], low: stored, high: `${stored}\u{10ffff}` };
}

export const rangeOfWhole = (name: keyof typeof wholeFields): KeyRange =>
  oneKey(wholeFields[name], '');
