/**
 * How likely two companies of the directory are one. Different legal forms or countries are never
 * one; a domain of both, a place and a phone decide about the others (decision 049).
 */
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { foldText } from '../normalize/fold-text.ts';
import { normalizeCompany } from '../normalize/normalize-company.ts';
import { countEdits, type TextSlice } from '../normalize/similarity.ts';
import type { ComparedPair } from './compare-people.ts';
import { areOtherCompanies } from './legal-forms.ts';

export interface ComparedCompany {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly name_key: string;
  readonly domain: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly phone: string | null;
}

const selectSql = `SELECT id, uuid, name, name_key, domain, street, city, state, country, phone
  FROM company WHERE listed = 0`;

export const readCompaniesOfName = (
  db: ReadableDatabase,
  nameKey: string,
  limit: number,
): ComparedCompany[] =>
  statement<ComparedCompany>(db, `${selectSql} AND name_key = ? ORDER BY id LIMIT ?`).all(
    nameKey,
    limit,
  );

export const readCompaniesOfDomain = (
  db: ReadableDatabase,
  domain: string,
  limit: number,
): ComparedCompany[] =>
  statement<ComparedCompany>(db, `${selectSql} AND domain = ? ORDER BY id LIMIT ?`).all(
    domain,
    limit,
  );

/** By how much an agreement or a difference changes the odds. */
const factors = {
  sameName: 0.3,
  nearName: 0.05,
  writtenAlike: 3,
  sameDomain: 200,
  sameCity: 8,
  samePhone: 30,
  sameStreet: 20,
  otherCity: 0.01,
  otherState: 0.1,
  otherPhone: 0.5,
} as const;

const nearLettersMin = 8;
const nearEditsMax = 1;

const sliceOf = (text: string): TextSlice => ({
  codes: Uint16Array.from(text, (letter) => letter.charCodeAt(0)),
  start: 0,
  length: text.length,
});

/** How alike the names are; 0 for two names. */
function compareNames(one: ComparedCompany, other: ComparedCompany): number {
  if (one.name_key === other.name_key) return factors.sameName;
  const [a, b] = [one, other].map(({ name }) => normalizeCompany(name));
  if (!a || !b || a.tokens.length !== b.tokens.length) return 0;
  const isLong = Math.min(a.key.length, b.key.length) >= nearLettersMin;
  // A number tells branches apart.
  if (!isLong || /\d/.test(a.key + b.key)) return 0;
  const edits = countEdits(sliceOf(a.key), sliceOf(b.key), nearEditsMax);
  return edits <= nearEditsMax ? factors.nearName : 0;
}

type Verdict = 'same' | 'other' | 'unknown';

function compareText(one: string | null, other: string | null): Verdict {
  const [a, b] = [foldText(one ?? ''), foldText(other ?? '')];
  if (a === '' || b === '') return 'unknown';
  return a === b ? 'same' : 'other';
}

/**
 * Compares two companies; null if they are two.
 * @param namesakes number of companies of this name
 */
export function compareCompanies(
  db: ReadableDatabase,
  one: ComparedCompany,
  other: ComparedCompany,
  namesakes: number,
): ComparedPair | null {
  const names = compareNames(one, other);
  const domain = compareText(one.domain, other.domain);
  if (names === 0 || domain === 'other') return null;
  if (areOtherCompanies(db, one, other)) return null;
  let odds = names / Math.max(1, namesakes - 1);
  if (foldText(one.name) === foldText(other.name)) odds *= factors.writtenAlike;
  if (domain === 'same') odds *= factors.sameDomain;
  const state = compareText(one.state, other.state);
  const city = compareText(one.city, other.city);
  if (state === 'other') odds *= factors.otherState;
  else if (city === 'same') odds *= factors.sameCity;
  if (city === 'other') odds *= factors.otherCity;
  const phone = compareText(one.phone, other.phone);
  if (phone !== 'unknown') odds *= phone === 'same' ? factors.samePhone : factors.otherPhone;
  if (compareText(one.street, other.street) === 'same') odds *= factors.sameStreet;
  return { one: one.uuid, other: other.uuid, probability: odds / (1 + odds) };
}
