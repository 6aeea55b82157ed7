// The search of the Directory screen (/app/v1/directory/search): the filters of search_contacts and
// search_companies, and a text that names a person, a company, an email or a domain.
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { searchTextCharactersMax } from '../limits/directory.ts';
import {
  FoundCompaniesSchema,
  FoundCompanySchema,
  FoundContactSchema,
  FoundContactsSchema,
  SearchCompaniesSchema,
  SearchContactsSchema,
  SearchValuesSchema,
  ValuesQuerySchema,
} from '../search.ts';
import { PeopleOriginsSchema } from './people-origins.ts';

const QuerySchema = z
  .string()
  .trim()
  .max(searchTextCharactersMax)
  .optional()
  .describe('Beginnings of words of names in any order, a whole email, or a whole domain.');

export const SearchPeopleSchema = SearchContactsSchema.extend({
  query: QuerySchema,
  /** Only people whose current or last employer is the company with this UUID. */
  company_id: FoundContactSchema.shape.uuid.optional(),
  has_email: z.literal(true).optional().describe('Only people with an email on file.'),
});
export type SearchPeople = z.infer<typeof SearchPeopleSchema>;

type PageField = 'limit' | 'offset' | 'directory' | 'after';
export type WantedPeople = Omit<SearchPeople, PageField>;

export const SearchFirmsSchema = SearchCompaniesSchema.extend({ query: QuerySchema });
export type SearchFirms = z.infer<typeof SearchFirmsSchema>;
export type WantedFirms = Omit<SearchFirms, PageField>;

const ShownContactSchema = FoundContactSchema.extend({
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
export type ShownContact = z.infer<typeof ShownContactSchema>;
const ShownContactsSchema = FoundContactsSchema.extend({ results: z.array(ShownContactSchema) });

/** A company on the Directory screen, with employees and revenue as its source writes them. */
const ShownCompanySchema = FoundCompanySchema.extend({
  employees: z.string().nullable(),
  revenue: z.string().nullable(),
});
export type ShownCompany = z.infer<typeof ShownCompanySchema>;
const ShownCompaniesSchema = FoundCompaniesSchema.extend({ results: z.array(ShownCompanySchema) });
export type ShownCompanies = z.infer<typeof ShownCompaniesSchema>;

export const directorySearch = endpoints('directorySearch', {
  people: {
    app: 'POST /app/v1/directory/search/contacts',
    body: SearchPeopleSchema,
    answer: ShownContactsSchema,
  },
  companies: {
    app: 'POST /app/v1/directory/search/companies',
    body: SearchFirmsSchema,
    answer: ShownCompaniesSchema,
  },
  values: {
    app: 'GET /app/v1/directory/search/values',
    query: ValuesQuerySchema,
    answer: SearchValuesSchema,
  },
  origins: { app: 'GET /app/v1/directory/origins', answer: PeopleOriginsSchema },
});
