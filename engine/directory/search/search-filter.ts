// Evaluates the filters of a search to the set of matching members.
import { type EngineError, invalid } from '../../contract/errors.ts';
import { searchValuesNamedMax } from '../../contract/limits/directory.ts';
import type { CompanyFilters, ContactFilters } from '../../contract/search.ts';
import { countryCode } from '../normalize/country-code.ts';
import { employeeRangeNames, revenueRangeNames } from '../normalize/ranges.ts';
import {
  foldValue,
  isCountryField,
  isWordField,
  listKeys,
  type SearchField,
} from './search-keys.ts';
import type { SearchIndex, SearchValues } from './search-layout.ts';
import { addMembers, addMembersOf, allMembers, keepMembers, noMembers } from './search-members.ts';
import { findPeopleOf } from './search-query.ts';
import { findTexts, readText } from './search-texts.ts';

export type FilterName = keyof ContactFilters;
type FilterFields = Readonly<Partial<Record<FilterName, SearchField>>>;

const employerFilters: FilterFields = {
  company_name: 'companyName',
  industry: 'industry',
  employee_range: 'employeeRange',
  revenue_range: 'revenueRange',
};
export const companyFilters: FilterFields = {
  ...employerFilters,
  contact_office_country: 'companyCountry',
};
const personFilters: FilterFields = {
  name: 'personName',
  job_title: 'jobTitle',
  job_level: 'jobLevel',
  contact_office_country: 'contactCountry',
};
export const contactFilters: FilterFields = { ...employerFilters, ...personFilters };

const jobLevels = [
  'Owner',
  'C-Level',
  'VP',
  'Director',
  'Manager',
  'Senior',
  'Staff',
  'Elected Official',
];

/** Values with their own order; other values follow alphabetically. */
const ownOrders: Partial<Record<SearchField, readonly string[]>> = {
  jobLevel: jobLevels,
  employeeRange: employeeRangeNames,
  revenueRange: revenueRangeNames,
};

export function sortHeldValues(field: SearchField, held: string[]): string[] {
  const order = ownOrders[field] ?? [];
  const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return held.sort((a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b, 'en'));
}

export function listHeldValues({ fields }: SearchIndex, field: SearchField): string[] {
  const { names } = fields[field];
  const held = Array.from({ length: names.starts.length - 1 }, (_, at) => readText(names, at));
  return sortHeldValues(field, held);
}

const quote = (text: string) => `“${text}”`;
const alikeLetters = 3;

/**
 * A refusal with the valid values: ranges and levels in their order, others with those first that
 * share a word prefix.
 * @param held the values of the field, as displayed
 */
export function refuseUnknown(
  held: readonly string[],
  filter: FilterName,
  field: SearchField,
  text: string,
): EngineError {
  if (isCountryField(field))
    return invalid(
      `${filter}: ${quote(text)} is not a known country. ` +
        'Send an ISO code of two letters, "DE", or a name, "Germany".',
    );
  if (held.length === 0)
    return invalid(
      `${filter}: the directory has no values for this filter. Omit the filter, or import a list ` +
        'that has them.',
    );
  const start = ` ${foldValue(text).slice(0, alikeLetters)}`;
  const isAlike = (name: string) => !ownOrders[field] && ` ${foldValue(name)}`.includes(start);
  const sorted = [...held.filter(isAlike), ...held.filter((name) => !isAlike(name))];
  const named = sorted.slice(0, searchValuesNamedMax).map(quote).join(', ');
  const rest = held.length - searchValuesNamedMax;
  return invalid(
    `${filter}: ${quote(text)} is not in the directory. Send one or more of ${named}` +
      `${rest > 0 ? ` (and ${rest} more)` : ''}.`,
  );
}

/** The refusal of a text without words. */
export const refuseWordless = (filter: FilterName, text: string): EngineError =>
  invalid(`${filter}: ${quote(text)} has no letter or digit. Send a word, or omit the filter.`);

/** Members that have, for each of the words, a word with that prefix. */
function findByWords(
  { keys, members }: SearchValues,
  words: readonly string[],
  membersCount: number,
): Uint32Array {
  const found = allMembers(membersCount);
  for (const word of words) {
    const bits = noMembers(membersCount);
    const [from, to] = findTexts(keys, word, true);
    for (let value = from; value < to; value++) addMembersOf(bits, members, value);
    keepMembers(found, bits);
  }
  return found;
}

function findByFilter(
  index: SearchIndex,
  filter: FilterName,
  field: SearchField,
  texts: readonly string[],
  membersCount: number,
): Uint32Array {
  const found = noMembers(membersCount);
  const values = index.fields[field];
  for (const text of texts) {
    const keys = listKeys(field, text);
    if (isWordField(field)) {
      if (keys.length === 0) throw refuseWordless(filter, text);
      addMembers(found, findByWords(values, keys, membersCount));
      continue;
    }
    const [from, to] = findTexts(values.keys, keys[0] ?? '', false);
    if (from < to) addMembersOf(found, values.members, from);
    // A valid country without any member is not an error.
    else if (!isCountryField(field) || countryCode(text) === null)
      throw refuseUnknown(listHeldValues(index, field), filter, field, text);
  }
  return found;
}

/** Members that match every given filter; null if none is given. */
function findByFilters(
  index: SearchIndex,
  table: FilterFields,
  filters: ContactFilters,
  membersCount: number,
): Uint32Array | null {
  let found: Uint32Array | null = null;
  for (const [filter, field] of Object.entries(table) as [FilterName, SearchField][]) {
    const input = filters[filter];
    if (input === undefined) continue;
    const bits = findByFilter(index, filter, field, [input].flat(), membersCount);
    if (found) keepMembers(found, bits);
    else found = bits;
  }
  return found;
}

/**
 * The people, by number in the index, who match all filters. Throws `validation_error` for a value
 * that is not in the directory, with the valid values.
 */
export function findContacts(index: SearchIndex, filters: ContactFilters): Uint32Array {
  const companies = findByFilters(index, employerFilters, filters, index.companyIds.length);
  const people = findByFilters(index, personFilters, filters, index.personIds.length);
  const employed = companies && findPeopleOf(index, companies);
  if (people && employed) keepMembers(people, employed);
  return people ?? employed ?? allMembers(index.personIds.length);
}

/** The same for companies: the countries of the head office and of the contacts count. */
export const findCompanies = (index: SearchIndex, filters: CompanyFilters): Uint32Array =>
  findByFilters(index, companyFilters, filters, index.companyIds.length) ??
  allMembers(index.companyIds.length);
