/**
 * The search of the Directory screen (/app/v1/directory/search): the filters of search_contacts and
 * search_companies, and a text that names a person, a company, an email or a domain.
 */
import { z } from 'zod';
import { searchTextCharactersMax } from '../limits/directory.ts';
import { FoundContactSchema, SearchCompaniesSchema, SearchContactsSchema } from '../search.ts';

const QuerySchema = z
  .string()
  .trim()
  .max(searchTextCharactersMax)
  .optional()
  .describe('Beginnings of words of names in any order, a whole email, or a whole domain.');

/** Body of POST /app/v1/directory/search/contacts. */
export const SearchPeopleSchema = SearchContactsSchema.extend({
  query: QuerySchema,
  /** Only people whose current or last employer is the company with this UUID. */
  company_id: FoundContactSchema.shape.uuid.optional(),
  has_email: z.literal(true).optional().describe('Only people whose email can be unlocked.'),
});
export type SearchPeople = z.infer<typeof SearchPeopleSchema>;

/** The fields of a search that choose its page, and the directory. */
type PageField = 'limit' | 'offset' | 'directory' | 'after';
/** A search for people, without its page. */
export type WantedPeople = Omit<SearchPeople, PageField>;

/** Body of POST /app/v1/directory/search/companies. */
export const SearchFirmsSchema = SearchCompaniesSchema.extend({ query: QuerySchema });
export type SearchFirms = z.infer<typeof SearchFirmsSchema>;
/** A search for companies, without its page. */
export type WantedFirms = Omit<SearchFirms, PageField>;
