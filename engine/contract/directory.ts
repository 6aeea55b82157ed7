// The directory over HTTP: imports with their fields and reports, undo, statistics.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { TimestampSchema } from './ids.ts';
import { keptColumnsMax } from './limits/directory.ts';
import { ListReadingSchema } from './reading/reading.ts';

export const importKinds = ['people', 'companies'] as const;
export type ImportKind = (typeof importKinds)[number];

/**
 * Field of a row of people → its display name. A mapping uses these fields. The headers that are
 * recognised without a mapping are in the dictionary of engine/directory.
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
  location: 'Location',
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
  observed_on: 'Date of the row',
  suppressed: 'Suppressed',
  subscription: 'Subscription',
  consent: 'Consent',
} as const;
export type PersonImportField = keyof typeof personImportFields;

/** Field of a row of companies → its display name, as in personImportFields. */
export const companyImportFields = {
  name: 'Company name',
  aliases: 'Other names',
  kind: 'Kind',
  industry: 'Industry',
  employees: 'Employees',
  revenue: 'Revenue',
  founded: 'Founded',
  legal_name: 'Legal name',
  registration_number: 'Registration number',
  parent: 'Parent company',
  description: 'Description',
  domain: 'Domain',
  website: 'Website',
  phone: 'Phone',
  street: 'Street',
  city: 'City',
  state: 'State',
  postal_code: 'Postal code',
  country: 'Country',
  location: 'Location',
  id: 'Id in this list',
  observed_on: 'Date of the row',
} as const;
export type CompanyImportField = keyof typeof companyImportFields;

/** What `field` of an imported column is if the column is kept as it is. */
export const keptField = 'kept';
/** In `keep`: every column that becomes no field. */
export const keepRest = '*';

/** Words of remarks by which a client knows them, to name the option that changes what happened. */
export const importRemarkWords = {
  notARow: 'Left out, because it is not a row',
  twoDays: 'may mean two days',
  letters: 'The encoding of the file is not sure',
} as const;

export const ImportRemarkSchema = z.object({
  file: z.string(),
  line: z.int(),
  column: z.string().optional(),
  message: z.string(),
});
export type ImportRemark = z.infer<typeof ImportRemarkSchema>;

export const ImportColumnSchema = z.object({
  file: z.string(),
  header: z.string(),
  field: z.string().nullable().describe('`kept` if it is kept as it is; null if it was not read.'),
  kind: z.enum(importKinds).default('people'),
});
export type ImportColumn = z.infer<typeof ImportColumnSchema>;

/** Counts of an import besides the rows read, as the words of a sentence, in its order. */
const importCountWords = {
  people_added: ['person', 'people', 'added'],
  people_updated: ['person', 'people', 'updated'],
  people_merged: ['person', 'people', 'merged'],
  people_unchanged: ['person', 'people', 'unchanged'],
  employments_added: ['employment', 'employments', 'added'],
  companies_added: ['company', 'companies', 'added'],
  companies_updated: ['company', 'companies', 'updated'],
  companies_unchanged: ['company', 'companies', 'unchanged'],
  rows_opted_out: ['row', 'rows', 'opted out'],
  rows_refused: ['row', 'rows', 'refused'],
} as const satisfies Record<string, readonly [one: string, many: string, what: string]>;

export type ImportCount = 'rows_read' | keyof typeof importCountWords;

const importCounted = Object.keys(importCountWords) as (keyof typeof importCountWords)[];

export const startImportCounts = (): Record<ImportCount, number> =>
  Object.fromEntries(['rows_read', ...importCounted].map((count) => [count, 0])) as Record<
    ImportCount,
    number
  >;

/**
 * Describes the counts of a report that are not zero: "2 people added, 1 row refused"; '' if all
 * are zero.
 * @param format formats a count with its noun
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

/** Report of an import. Counts are rows unless named otherwise. At most 1,000 remarks are kept. */
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
  rows_opted_out: z.int().default(0).describe('Rows of people who must not be contacted.'),
  rows_refused: z.int(),
  remarks: z.array(ImportRemarkSchema),
  columns: z
    .array(ImportColumnSchema)
    .default([])
    .describe('What each column became. Reports of earlier versions have none.'),
  error: z.string().nullable(),
  started_at: TimestampSchema,
  completed_at: TimestampSchema.nullable(),
});
export type ImportReport = z.infer<typeof ImportReportSchema>;

export const nameImport = ({
  source,
  file_names: files,
}: Pick<ImportReport, 'source' | 'file_names'>): string =>
  files.includes(source) ? files.join(' and ') : source;

/** Options of an import. docs/rules.md, "The directory", has the defaults. */
export const ImportOptionsSchema = z.object({
  source: z.string().min(1).max(120).optional(),
  observed: z.iso.date().optional(),
  trust: z.number().min(0).max(1).optional(),
  day_order: z
    .enum(['day_first', 'month_first'])
    .optional()
    .describe('Order of days and months such as 05/04/2020, where no date of a file shows it.'),
  mapping: z
    .record(z.string(), z.string())
    .optional()
    .describe('Import field → header. It overrides recognised headers and applies to both files.'),
  keep: z
    .array(z.string().min(1))
    .max(keptColumnsMax)
    .optional()
    .describe(
      'Headers of columns that are kept as they are and returned with every match; `*` keeps all ' +
        'columns that become no field. If omitted, a list with ids keeps the owner and the ' +
        'lifecycle stage of each record.',
    ),
  reading: ListReadingSchema.optional().describe('How the files are read.'),
  companies_reading: ListReadingSchema.optional().describe(
    'How the file of companies is read, if not as `reading` says.',
  ),
});
export type ImportOptions = z.infer<typeof ImportOptionsSchema>;

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
  has_team: z.boolean().optional().describe('Whether the directory of a team is on.'),
});
export type DirectoryStats = z.infer<typeof DirectoryStatsSchema>;

export const directory = endpoints('directory', {
  read: { app: 'GET /app/v1/directory', answer: DirectoryStatsSchema },
});
