// Finds people and companies by one text: the beginnings of words of their names, an email, or a
// domain. Words are looked up in the search index, the others in the indexes of directory.db.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { normalizeEmail } from '../normalize/normalize-email.ts';
import { websiteDomain } from '../normalize/normalize-url.ts';
import { listKeys } from './search-keys.ts';
import type { SearchIndex, SearchValues } from './search-layout.ts';
import {
  addMember,
  addMembers,
  addMembersOf,
  allMembers,
  eachMember,
  findMember,
  keepMembers,
  noMembers,
} from './search-members.ts';
import { findTexts } from './search-texts.ts';

// An address of an employment that ended still finds the person.
const emailSql = `SELECT p.id FROM person p WHERE p.suppressed = 0 AND p.id IN (
  SELECT person_id FROM employment WHERE email = @value
  UNION SELECT person_id FROM person_key WHERE kind = 'email' AND value = @value)`;
const domainSql = `SELECT c.id FROM company c WHERE c.listed = 0 AND c.id IN (
  SELECT id FROM company WHERE domain = @value
  UNION SELECT survivor_id FROM merged_record WHERE kind = 'company' AND domain = @value)`;
const uuidSql = `SELECT c.id FROM company c WHERE c.listed = 0 AND c.id IN (
  SELECT id FROM company WHERE uuid = @value
  UNION SELECT survivor_id FROM merged_record WHERE kind = 'company' AND uuid = @value)`;

/** The members with these ids; an id that is not in the index is left out. */
function membersWith(
  directory: ReadableDatabase,
  sql: string,
  value: string,
  ids: Uint32Array,
): Uint32Array {
  const found = noMembers(ids.length);
  for (const { id } of statement<{ id: number }>(directory, sql).all({ value })) {
    const member = findMember(ids, id);
    if (member !== null) addMember(found, member);
  }
  return found;
}

function addPrefix(bits: Uint32Array, { keys, members }: SearchValues, word: string): void {
  const [from, to] = findTexts(keys, word, true);
  for (let value = from; value < to; value++) addMembersOf(bits, members, value);
}

export function findPeopleOf(index: SearchIndex, companies: Uint32Array): Uint32Array {
  const people = noMembers(index.personIds.length);
  eachMember(companies, (company) => addMembersOf(people, index.companyPeople, company));
  return people;
}

/** People of which each word begins a word of their name or of their employer's. */
function findPeopleByWords(index: SearchIndex, words: readonly string[]): Uint32Array {
  const found = allMembers(index.personIds.length);
  for (const word of words) {
    const companies = noMembers(index.companyIds.length);
    addPrefix(companies, index.fields.companyName, word);
    const people = findPeopleOf(index, companies);
    addPrefix(people, index.fields.personName, word);
    keepMembers(found, people);
  }
  return found;
}

function findCompaniesByWords(index: SearchIndex, words: readonly string[]): Uint32Array {
  const found = allMembers(index.companyIds.length);
  for (const word of words) {
    const companies = noMembers(index.companyIds.length);
    addPrefix(companies, index.fields.companyName, word);
    keepMembers(found, companies);
  }
  return found;
}

/** What a text names; `words` is empty if it is an email or has no letter or digit. */
export function readQuery(text: string) {
  const email = text.includes('@') ? normalizeEmail(text) : null;
  // A list of people at a domain is often asked for as “@example.com”.
  const domain = email === null ? websiteDomain(text.replace(/^@/, '')) : null;
  const words = text.includes('@') ? [] : listKeys('personName', text);
  return { email, domain, words };
}

export function findPeopleByQuery(
  directory: ReadableDatabase,
  index: SearchIndex,
  text: string,
): Uint32Array {
  const { email, domain, words } = readQuery(text);
  if (email !== null) return membersWith(directory, emailSql, email, index.personIds);
  const found =
    words.length > 0 ? findPeopleByWords(index, words) : noMembers(index.personIds.length);
  if (domain !== null)
    addMembers(
      found,
      findPeopleOf(index, membersWith(directory, domainSql, domain, index.companyIds)),
    );
  return found;
}

/** The companies, by number in the index, that a text names. An email names that of its domain. */
export function findCompaniesByQuery(
  directory: ReadableDatabase,
  index: SearchIndex,
  text: string,
): Uint32Array {
  const { email, domain, words } = readQuery(text);
  const host = email === null ? domain : websiteDomain(email.slice(email.lastIndexOf('@') + 1));
  const found =
    words.length > 0 ? findCompaniesByWords(index, words) : noMembers(index.companyIds.length);
  if (host !== null) addMembers(found, membersWith(directory, domainSql, host, index.companyIds));
  return found;
}

export const findPeopleAt = (
  directory: ReadableDatabase,
  index: SearchIndex,
  companyUuid: string,
): Uint32Array =>
  findPeopleOf(index, membersWith(directory, uuidSql, companyUuid.toLowerCase(), index.companyIds));
