/**
 * Search over the directory (specification, section C: search_contacts and search_companies): its
 * filters and what it answers. An answer never holds an email or a phone number.
 */
import { z } from 'zod';
import {
  searchFilterValuesMax,
  searchLimitDefault,
  searchLimitMax,
  searchTextCharactersMax,
} from './limits/directory.ts';

const filterProblem = `send a string, or an array of 1 to ${searchFilterValuesMax} strings`;
const FilterTextSchema = z
  .string()
  .trim()
  .min(1, 'an empty text finds nothing; leave the filter out')
  .max(searchTextCharactersMax);
const FilterListSchema = z
  .array(FilterTextSchema)
  .min(1, 'an empty array finds nothing; leave the filter out')
  .max(searchFilterValuesMax);
const FilterSchema = z.union([FilterTextSchema, FilterListSchema], filterProblem).optional();

const said = (text: string) => FilterSchema.describe(text);

/**
 * Filters of companies: a string or an array of strings, any of which matches, in any case. A name
 * that is no filter is refused: passed over, it would find everybody.
 */
export const CompanyFiltersSchema = z.strictObject({
  industry: said('Industry of the employer, one that the directory holds.'),
  company_name: said('Words of the company’s name, or beginnings of words; all of a text’s words.'),
  contact_office_country: said('Country by ISO code or name.'),
  employee_range: said('Number of employees as a range that the directory holds, "51-200".'),
  revenue_range: said('Yearly revenue as a range that the directory holds, "$10M-$50M".'),
});
export type CompanyFilters = z.infer<typeof CompanyFiltersSchema>;

/** Filters of people: those of their employer, and their own. */
export const ContactFiltersSchema = CompanyFiltersSchema.extend({
  job_title: said('Words of the job title, or beginnings of words; all of a text’s words.'),
  job_level: said('Level of the job, one that the directory holds, "Director".'),
});
export type ContactFilters = z.infer<typeof ContactFiltersSchema>;

const page = {
  limit: z
    .int()
    .min(1)
    .max(searchLimitMax)
    .default(searchLimitDefault)
    .describe('Results at most.'),
  offset: z.int().min(0).default(0).describe('Results to pass over.'),
};

/** Arguments of search_contacts. */
export const SearchContactsSchema = ContactFiltersSchema.extend(page);
export type SearchContacts = z.infer<typeof SearchContactsSchema>;
/** Arguments of search_companies. */
export const SearchCompaniesSchema = CompanyFiltersSchema.extend(page);
export type SearchCompanies = z.infer<typeof SearchCompaniesSchema>;

// An id that came with an import is kept as it is, of whatever UUID version.
const DirectoryUuidSchema = z.guid();
const TextOrNullSchema = z.string().nullable();

/** A person who was found; null where nothing is known. */
export const FoundContactSchema = z.object({
  uuid: DirectoryUuidSchema,
  first_name: z.string(),
  last_name: z.string(),
  title: TextOrNullSchema,
  job_level: TextOrNullSchema,
  company_name: TextOrNullSchema,
  country: TextOrNullSchema.describe('Of the contact; where that is unknown, of the company.'),
  has_email: z.boolean().describe('Whether unlocking the email would answer one.'),
  has_phone: z.boolean().describe('Whether unlocking the phone would answer one.'),
});
export type FoundContact = z.infer<typeof FoundContactSchema>;
/** A company that was found; null where nothing is known. */
export const FoundCompanySchema = z.object({
  uuid: DirectoryUuidSchema,
  name: z.string(),
  website: TextOrNullSchema,
  industry: TextOrNullSchema,
  country: TextOrNullSchema.describe('Of the head office.'),
  employee_range: TextOrNullSchema,
  revenue_range: TextOrNullSchema,
});
export type FoundCompany = z.infer<typeof FoundCompanySchema>;

const TotalSchema = z.int().describe('All that the filters match, exactly.');
/** Answer of search_contacts. */
export const FoundContactsSchema = z.object({
  total: TotalSchema,
  results: z.array(FoundContactSchema),
});
export type FoundContacts = z.infer<typeof FoundContactsSchema>;
/** Answer of search_companies. */
export const FoundCompaniesSchema = z.object({
  total: TotalSchema,
  results: z.array(FoundCompanySchema),
});
export type FoundCompanies = z.infer<typeof FoundCompaniesSchema>;

/** What the filters that take whole values can be given now, each list in its own order. */
export const SearchValuesSchema = z.object({
  industry: z.array(z.string()),
  job_level: z.array(z.string()),
  employee_range: z.array(z.string()),
  revenue_range: z.array(z.string()),
  contact_office_country: z.array(z.string()),
});
/** What the filters that take whole values can be given now. */
export type SearchValues = z.infer<typeof SearchValuesSchema>;
