/**
 * Search over the directory (specification, section C: search_contacts, search_companies; free):
 * a set from the search index, then the rows of one page. Results come in the order in which the
 * directory learnt of them, so that pages neither overlap nor miss anybody.
 */
import { EngineError } from '../../contract/errors.ts';
import type {
  CompanyFilters,
  ContactFilters,
  FoundCompanies,
  FoundContacts,
  SearchCompanies,
  SearchContacts,
  SearchValues,
} from '../../contract/search.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { findCompanies, findContacts, listHeldValues } from './search-filter.ts';
import type { SearchIndex } from './search-layout.ts';
import { countMembers, pageMembers } from './search-members.ts';
import { readFoundCompanies, readFoundContacts } from './search-rows.ts';

/** People who match filters: how many, and the first of them by person.id. */
export interface FoundIds {
  readonly total: number;
  readonly personIds: readonly number[];
}

/**
 * Searches of one environment. Each throws `not_ready` until the directory has been indexed, and
 * `validation_error` for a value that the directory does not hold, with those that it holds.
 * Totals are of the directory as it was indexed last; while an import is being indexed, the one
 * before serves, and a page leaves out who is gone since.
 */
export interface SearchCalls {
  contacts(search: SearchContacts): Promise<FoundContacts>;
  companies(search: SearchCompanies): Promise<FoundCompanies>;
  /** The first people who match, as many as are asked for. */
  contactIds(command: { filters: ContactFilters; limit: number }): Promise<FoundIds>;
  /** What the filters that take whole values can be given now. */
  values(command: null): Promise<SearchValues>;
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

const takeContacts = (
  index: SearchIndex,
  filters: ContactFilters,
  page: { readonly offset: number; readonly limit: number },
) => takePage(findContacts(index, filters), index.personIds, page);

const takeCompanies = (
  index: SearchIndex,
  filters: CompanyFilters,
  page: { readonly offset: number; readonly limit: number },
) => takePage(findCompanies(index, filters), index.companyIds, page);

/**
 * The searches over a directory.
 * @param findIndex the newest search index; null where there is none yet
 */
export function openSearch(
  directory: ReadableDatabase,
  findIndex: () => SearchIndex | null | Promise<SearchIndex | null>,
): SearchCalls {
  const requireIndex = async (): Promise<SearchIndex> => {
    const index = await findIndex();
    if (index) return index;
    throw new EngineError(
      'not_ready',
      'The directory is still being indexed for searching. Try again in a moment.',
    );
  };
  return {
    async contacts(search) {
      const { total, ids } = takeContacts(await requireIndex(), search, search);
      return { total, results: readFoundContacts(directory, ids) };
    },
    async companies(search) {
      const { total, ids } = takeCompanies(await requireIndex(), search, search);
      return { total, results: readFoundCompanies(directory, ids) };
    },
    async contactIds({ filters, limit }) {
      const page = { offset: 0, limit };
      const { total, ids } = takeContacts(await requireIndex(), filters, page);
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
  };
}
