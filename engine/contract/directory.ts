/** The directory on the wire: imports with their fields and reports, undo, statistics. */
import { z } from 'zod';
import { TimestampSchema } from './ids.ts';

/** What is imported from a file. */
export const importKinds = ['people', 'companies'] as const;
/** People (one row per person or per employment) or companies. */
export type ImportKind = (typeof importKinds)[number];

/**
 * Field of a row of people → its name for readers. A mapping names these fields; the headers that
 * each is known by without one are the dictionary's, in engine/directory.
 */
export const personImportFields = {
  full_name: 'Full name',
  first_name: 'First name',
  middle_name: 'Middle name',
  last_name: 'Last name',
  suffix: 'Suffix',
  nickname: 'Nickname',
  other_names: 'Other names',
  email: 'Email',
  email_status: 'Email status',
  personal_email: 'Personal email',
  profile_url: 'Profile URL',
  mobile_phone: 'Mobile phone',
  direct_phone: 'Direct phone',
  phone: 'Phone',
  city: 'City',
  state: 'State',
  country: 'Country',
  title: 'Job title',
  job_function: 'Job function',
  job_level: 'Job level',
  start_on: 'Job start',
  end_on: 'Job end',
  is_current: 'Current job',
  is_primary: 'Primary job',
  company_name: 'Company name',
  company_id: 'Company id',
  company_domain: 'Company domain',
  company_phone: 'Company phone',
  company_street: 'Company street',
  company_city: 'Company city',
  company_state: 'Company state',
  company_postal_code: 'Company postal code',
  company_country: 'Company country',
  industry: 'Industry',
  employees: 'Employees',
  revenue: 'Revenue',
  id: 'Id in this list',
  observed_on: 'Observed on',
  suppressed: 'Suppressed',
} as const;
/** A field of a row of people. */
export type PersonImportField = keyof typeof personImportFields;

/** Field of a row of companies → its name for readers, as personImportFields. */
export const companyImportFields = {
  name: 'Company name',
  aliases: 'Other names',
  kind: 'Kind',
  industry: 'Industry',
  employees: 'Employees',
  revenue: 'Revenue',
  domain: 'Domain',
  website: 'Website',
  phone: 'Phone',
  street: 'Street',
  city: 'City',
  state: 'State',
  postal_code: 'Postal code',
  country: 'Country',
  id: 'Id in this list',
  observed_on: 'Observed on',
} as const;
/** A field of a row of companies. */
export type CompanyImportField = keyof typeof companyImportFields;

/** One line that was refused, or taken with a remark. */
export const ImportRemarkSchema = z.object({
  file: z.string(),
  line: z.int(),
  column: z.string().optional(),
  message: z.string(),
});
/** A remark on one line of a file. */
export type ImportRemark = z.infer<typeof ImportRemarkSchema>;

/** What an import counts beside the rows that it read, in the words and the order of a sentence. */
const importCountWords = {
  people_added: ['person', 'people', 'added'],
  people_updated: ['person', 'people', 'updated'],
  people_merged: ['person', 'people', 'merged'],
  people_unchanged: ['person', 'people', 'unchanged'],
  employments_added: ['employment', 'employments', 'added'],
  companies_added: ['company', 'companies', 'added'],
  companies_updated: ['company', 'companies', 'updated'],
  companies_unchanged: ['company', 'companies', 'unchanged'],
  rows_refused: ['row', 'rows', 'refused'],
} as const satisfies Record<string, readonly [one: string, many: string, what: string]>;

/** What an import counts. */
export type ImportCount = 'rows_read' | keyof typeof importCountWords;

const importCounted = Object.keys(importCountWords) as (keyof typeof importCountWords)[];

/** Every count of an import at zero. */
export const startImportCounts = (): Record<ImportCount, number> =>
  Object.fromEntries(['rows_read', ...importCounted].map((count) => [count, 0])) as Record<
    ImportCount,
    number
  >;

/**
 * The counts of a report that are not zero, as words: "2 people added, 1 row refused"; '' for none.
 * @param format writes a count beside its word
 */
export const describeImportCounts = (
  report: Readonly<Record<ImportCount, number>>,
  format: (count: number, one: string, many: string) => string,
): string =>
  importCounted
    .filter((count) => report[count] > 0)
    .map((count) => {
      const [one, many, what] = importCountWords[count];
      return `${format(report[count], one, many)} ${what}`;
    })
    .join(', ');

/** What an import did. Counts are rows unless named otherwise; at most 1,000 remarks are kept. */
export const ImportReportSchema = z.object({
  import_id: z.int(),
  source: z.string(),
  file_names: z.array(z.string()),
  status: z.enum(['running', 'completed', 'failed', 'undone']),
  rows_read: z.int(),
  people_added: z.int(),
  people_updated: z.int(),
  people_merged: z.int(),
  people_unchanged: z.int(),
  employments_added: z.int(),
  companies_added: z.int(),
  companies_updated: z.int(),
  companies_unchanged: z.int(),
  rows_refused: z.int(),
  remarks: z.array(ImportRemarkSchema),
  error: z.string().nullable(),
  started_at: TimestampSchema,
  completed_at: TimestampSchema.nullable(),
});
/** What an import did. */
export type ImportReport = z.infer<typeof ImportReportSchema>;

/** How an import is to be read; the defaults are those of docs/rules.md, "The directory". */
export const ImportOptionsSchema = z.object({
  source: z.string().min(1).max(120).optional(),
  observed: z.iso.date().optional(),
  trust: z.number().min(0).max(1).optional(),
  mapping: z
    .record(z.string(), z.string())
    .optional()
    .describe('Import field → header, before what is recognised; one for both files.'),
});
/** How an import is to be read. */
export type ImportOptions = z.infer<typeof ImportOptionsSchema>;

/** What the directory holds. */
export const DirectoryStatsSchema = z.object({
  people: z.int(),
  companies: z.int(),
  employments: z.int(),
  people_with_email: z.int(),
  people_with_phone: z.int(),
  people_with_profile_url: z.int(),
  imports: z.array(ImportReportSchema),
  generation: z.int(),
  index: z.enum(['ready', 'building', 'empty', 'failed']),
  index_error: z.string().nullable(),
  bytes: z.int(),
});
/** What the directory holds. */
export type DirectoryStats = z.infer<typeof DirectoryStatsSchema>;
