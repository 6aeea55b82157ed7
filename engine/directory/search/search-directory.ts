// Free search over the directory (docs/search.md): a set from the search index, then the rows of
// one page. Results are in the order of first import, so that pages neither overlap nor skip
// results.
import { EngineError, invalid } from '../../contract/errors.ts';
import type { PeopleOrigins } from '../../contract/records/people-origins.ts';
import type {
  SearchFirms,
  SearchPeople,
  ShownCompanies,
  WantedFirms,
  WantedPeople,
} from '../../contract/records/record-search.ts';
import type { FoundContacts, SearchValues } from '../../contract/search.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { presentOrigins } from './people-origins.ts';
import { findPeopleWithEmail } from './search-emails.ts';
import { findCompanies, findContacts, listHeldValues } from './search-filter.ts';
import type { SearchIndex } from './search-layout.ts';
import { countMembers, keepMembers, pageMembers } from './search-members.ts';
import { findCompaniesByQuery, findPeopleAt, findPeopleByQuery } from './search-query.ts';
import { readFoundCompanies, readFoundContacts } from './search-rows.ts';

/** People who match a search: their number, and the first of them by person.id. */
export interface FoundIds {
  readonly total: number;
  readonly personIds: readonly number[];
}

/**
 * Searches of one environment. Each throws `not_ready` until the directory has been indexed, and
 * `validation_error` for a value that is not in the directory, with the valid values. Totals are
 * those of the last index; while an import is being indexed, the previous index is used, and pages
 * omit deleted people.
 */
export interface SearchCalls {
  contacts(search: SearchPeople): Promise<FoundContacts>;
  companies(search: SearchFirms): Promise<ShownCompanies>;
  contactIds(command: { wanted: WantedPeople; limit: number }): Promise<FoundIds>;
  values(command: null): Promise<SearchValues>;
  /** How old the data of people is, and which import added them. */
  origins(command: null): Promise<PeopleOrigins>;
}

interface Found {
  readonly total: number;
  readonly ids: readonly number[];
}

function takePage(
  members: Uint32Array,
  ids: Uint32Array,
  page: { readonly offset: number; readonly limit: number },
): Found {
  const found = pageMembers(members, page.offset, page.limit);
  return { total: countMembers(members), ids: found.map((member) => ids[member]!) };
}

function findSearched(
  directory: ReadableDatabase,
  index: SearchIndex,
  { query, email, company_id: company, has_email: hasEmail, ...filters }: WantedPeople,
): Uint32Array {
  const found = findContacts(index, filters);
  for (const text of [query, email])
    if (text) keepMembers(found, findPeopleByQuery(directory, index, text));
  if (company !== undefined) keepMembers(found, findPeopleAt(directory, index, company));
  if (hasEmail) keepMembers(found, findPeopleWithEmail(directory, index));
  return found;
}

function findSearchedCompanies(
  directory: ReadableDatabase,
  index: SearchIndex,
  { query, ...filters }: WantedFirms,
): Uint32Array {
  const found = findCompanies(index, filters);
  if (query) keepMembers(found, findCompaniesByQuery(directory, index, query));
  return found;
}

/** Throws `validation_error` for a page of the team's directory. */
function refuseAfter(after: string | undefined): void {
  if (after !== undefined)
    throw invalid('after: only the directory of the team has pages by `after`. Send offset.');
}

/** @param findIndex the newest search index; null if there is none yet */
export function openSearch(
  directory: ReadableDatabase,
  findIndex: () => SearchIndex | null | Promise<SearchIndex | null>,
): SearchCalls {
  const requireIndex = async (): Promise<SearchIndex> => {
    const index = await findIndex();
    if (index) return index;
    throw new EngineError(
      'not_ready',
      'The directory is still being indexed for searching. Try again in a few seconds.',
    );
  };
  return {
    async contacts({ limit, offset, directory: _own, after, ...wanted }) {
      refuseAfter(after);
      const index = await requireIndex();
      const members = findSearched(directory, index, wanted);
      const { total, ids } = takePage(members, index.personIds, { limit, offset });
      return { total, results: readFoundContacts(directory, ids) };
    },
    async companies({ limit, offset, directory: _own, after, ...wanted }) {
      refuseAfter(after);
      const index = await requireIndex();
      const members = findSearchedCompanies(directory, index, wanted);
      const { total, ids } = takePage(members, index.companyIds, { limit, offset });
      return { total, results: readFoundCompanies(directory, ids) };
    },
    async contactIds({ wanted, limit }) {
      const page = { offset: 0, limit };
      const index = await requireIndex();
      const members = findSearched(directory, index, wanted);
      const { total, ids } = takePage(members, index.personIds, page);
      return { total, personIds: ids };
    },
    async values() {
      const index = await requireIndex();
      return {
        industry: listHeldValues(index, 'industry'),
        job_level: listHeldValues(index, 'jobLevel'),
        employee_range: listHeldValues(index, 'employeeRange'),
        revenue_range: listHeldValues(index, 'revenueRange'),
        contact_office_country: listHeldValues(index, 'contactCountry'),
      };
    },
    origins: async () => presentOrigins(directory, await requireIndex(), new Date()),
  };
}
