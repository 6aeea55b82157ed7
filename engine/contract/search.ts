// Search over the directory (docs/search.md): filters and answers. An answer to an assistant never
// contains an email or a phone number; what the app adds is in records/record-search.ts.
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
  .min(1, 'an empty string matches nothing; omit the filter')
  .max(searchTextCharactersMax);
const FilterListSchema = z
  .array(FilterTextSchema)
  .min(1, 'an empty array matches nothing; omit the filter')
  .max(searchFilterValuesMax);
const FilterSchema = z.union([FilterTextSchema, FilterListSchema], filterProblem).optional();

const said = (text: string) => FilterSchema.describe(text);

/**
 * Filters of companies: a string or an array of strings; any of them matches, ignoring case.
 * Unknown filters are refused: if they were ignored, the search would find every person.
 */
export const CompanyFiltersSchema = z.strictObject({
  industry: said('Industry, a value in the directory.'),
  company_name: said('Word prefixes of the company name; all must match.'),
  contact_office_country: said('ISO code or name.'),
  employee_range: said('Number of employees, "51-200".'),
  revenue_range: said('Yearly revenue, "$10M-$50M".'),
});
export type CompanyFilters = z.infer<typeof CompanyFiltersSchema>;

export const ContactFiltersSchema = CompanyFiltersSchema.extend({
  name: said('Word prefixes of the person’s name; all must match.'),
  job_title: said('Word prefixes of the job title; all must match.'),
  job_level: said('A value in the directory, "Director".'),
});
export type ContactFilters = z.infer<typeof ContactFiltersSchema>;

/** Whose directory is searched: that of this engine, or that of the team. */
export const searchedDirectories = ['own', 'team'] as const;
export type SearchedDirectory = (typeof searchedDirectories)[number];

const page = {
  limit: z.int().min(1).max(searchLimitMax).default(searchLimitDefault),
  offset: z.int().min(0).default(0),
  directory: z.enum(searchedDirectories).optional().describe('Default own.'),
  after: z.string().max(10).optional().describe('next_after of "team".'),
};

export const SearchContactsSchema = ContactFiltersSchema.extend({
  email: FilterTextSchema.refine((text) => text.includes('@'), 'send a whole address')
    .optional()
    .describe('A whole address of the person, current or former.'),
  ...page,
});
export type SearchContacts = z.infer<typeof SearchContactsSchema>;
export const SearchCompaniesSchema = CompanyFiltersSchema.extend(page);

// The id of an imported record is kept as it is, whatever its UUID version.
const DirectoryUuidSchema = z.guid();
const TextOrNullSchema = z.string().nullable();

/** A person in the results; unknown values are null. */
export const FoundContactSchema = z.object({
  uuid: DirectoryUuidSchema,
  first_name: z.string(),
  last_name: z.string(),
  title: TextOrNullSchema,
  job_level: TextOrNullSchema,
  company_name: TextOrNullSchema,
  country: TextOrNullSchema.describe('Of the contact, otherwise of the company.'),
  has_email: z.boolean(),
  has_phone: z.boolean(),
});
export type FoundContact = z.infer<typeof FoundContactSchema>;
/** A company in the results; unknown values are null. */
export const FoundCompanySchema = z.object({
  uuid: DirectoryUuidSchema,
  name: z.string(),
  website: TextOrNullSchema,
  industry: TextOrNullSchema,
  country: TextOrNullSchema.describe('Of the head office.'),
  employee_range: TextOrNullSchema,
  revenue_range: TextOrNullSchema,
});

const foundPage = {
  total: z.int(),
  total_is_estimate: z.literal(true).optional(),
  next_after: z.string().optional(),
};
export const FoundContactsSchema = z.object({
  ...foundPage,
  results: z.array(FoundContactSchema),
});
export type FoundContacts = z.infer<typeof FoundContactsSchema>;
export const FoundCompaniesSchema = z.object({
  ...foundPage,
  results: z.array(FoundCompanySchema),
});

/** Values in the directory for the filters that take whole values, each list in its own order. */
export const SearchValuesSchema = z.object({
  industry: z.array(z.string()),
  job_level: z.array(z.string()),
  employee_range: z.array(z.string()),
  revenue_range: z.array(z.string()),
  contact_office_country: z.array(z.string()),
});
export type SearchValues = z.infer<typeof SearchValuesSchema>;
export const ValuesQuerySchema = z.object({ directory: z.enum(searchedDirectories).optional() });
