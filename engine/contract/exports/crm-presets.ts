// Presets of an export for the import of a CRM: the id of the record first, then the found values
// under the names that the importer reads (docs/crm-presets.md).
import { z } from 'zod';
import { type ImportKind, importKinds } from '../directory.ts';
import type { DisplayName } from '../jobs/layers.ts';
import { type ColumnMapping, namesPeople, type RowInputField } from '../jobs/row-input.ts';
import { type CrmName, crmNames } from './crm-export.ts';
import { type ExportFormat, exportFormats } from './export-formats.ts';

export type NewField = Exclude<RowInputField, 'client_reference_id'> | 'full_name';

interface CrmPresetDefinition {
  readonly label: string;
  readonly kind: ImportKind;
  readonly idHeader: string;
  /** What the id of a record is, and where the CRM shows it. */
  readonly idHint: string;
  /** The headers of an exported list that may hold the id, in lower case, best first. */
  readonly idHeaders: readonly string[];
  readonly idPattern: RegExp;
  /** Whether the form alone tells an id from other values. */
  readonly isFormTelling: boolean;
  /** Field → column of the CRM; fields with the same one are one cell, in this order. */
  readonly columns: Readonly<Partial<Record<DisplayName, string>>>;
  /** The column of the CRM for what the row says of a person or company that becomes a record. */
  readonly newColumns: Readonly<Partial<Record<NewField, string>>>;
  /** What a new record must have. The importer refuses the line of another. */
  readonly required: readonly NewField[];
  readonly isAlwaysRequired?: boolean;
  /** The only format that the importer reads; that of the list if it reads several. */
  readonly format?: ExportFormat;
  readonly note: string;
  readonly updateNote?: string;
}

const salesforceHeaders = ['salesforce id', 'sfid', 'record id', 'id'];

export const crmPresets: Readonly<Record<CrmName, CrmPresetDefinition>> = {
  salesforce: {
    label: 'Salesforce contacts',
    kind: 'people',
    idHeader: 'Id',
    idHint: 'Contact ID, 15 or 18 characters that begin with 003',
    idHeaders: ['contact id', 'contactid', 'contact_id', ...salesforceHeaders],
    idPattern: /^003[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/,
    isFormTelling: true,
    columns: {
      'Current company name': 'Account Name',
      'Current title': 'Title',
      Email: 'Email',
      'Contact city': 'MailingCity',
      'Contact state': 'MailingState',
      'Contact country': 'MailingCountry',
      'Mobile phone': 'MobilePhone',
      'Direct phone': 'Phone',
    },
    newColumns: {
      first_name: 'FirstName',
      last_name: 'LastName',
      company_name: 'Account Name',
      title: 'Title',
      email: 'Email',
      country: 'MailingCountry',
      phone: 'Phone',
    },
    required: ['last_name'],
    format: 'csv',
    note: 'The Data Import Wizard adds contacts, and finds their accounts by Account Name.',
    updateNote: 'Data Loader upserts contacts by Id, and leaves out Account Name.',
  },
  salesforce_leads: {
    label: 'Salesforce leads',
    kind: 'people',
    idHeader: 'Id',
    idHint: 'Lead ID, 15 or 18 characters that begin with 00Q',
    idHeaders: ['lead id', 'leadid', 'lead_id', ...salesforceHeaders],
    idPattern: /^00Q[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/,
    isFormTelling: true,
    columns: {
      'Current company name': 'Company',
      'Current title': 'Title',
      Email: 'Email',
      'Contact city': 'City',
      'Contact state': 'State',
      'Contact country': 'Country',
      'Mobile phone': 'MobilePhone',
      'Direct phone': 'Phone',
    },
    newColumns: {
      first_name: 'FirstName',
      last_name: 'LastName',
      company_name: 'Company',
      title: 'Title',
      email: 'Email',
      country: 'Country',
      phone: 'Phone',
    },
    required: ['last_name', 'company_name'],
    format: 'csv',
    note: 'Import with Data Loader, which reads CSV.',
    updateNote: 'Upsert by Id: empty cells change nothing.',
  },
  hubspot: {
    label: 'HubSpot contacts',
    kind: 'people',
    idHeader: 'Record ID',
    idHint: 'Record ID, a number',
    idHeaders: [
      'record id',
      'record id - contact',
      'hs_object_id',
      'hubspot id',
      'contact id',
      'contact vid',
      'vid',
    ],
    idPattern: /^\d{1,20}$/,
    isFormTelling: false,
    columns: {
      'Current company name': 'Company Name',
      'Current title': 'Job Title',
      Email: 'Email',
      'Profile URL': 'LinkedIn URL',
      'Contact city': 'City',
      'Contact state': 'State/Region',
      'Contact country': 'Country/Region',
      'Mobile phone': 'Mobile Phone Number',
      'Direct phone': 'Phone Number',
    },
    newColumns: {
      first_name: 'First Name',
      last_name: 'Last Name',
      company_name: 'Company Name',
      title: 'Job Title',
      email: 'Email',
      profile_url: 'LinkedIn URL',
      country: 'Country/Region',
      phone: 'Phone Number',
    },
    required: [],
    note: 'Import as contacts.',
    updateNote: 'Update existing records by Record ID.',
  },
  pipedrive: {
    label: 'Pipedrive people',
    kind: 'people',
    idHeader: 'Person - ID',
    idHint: 'Person - ID, a number',
    idHeaders: [
      'person - id',
      'pipedrive system id - person',
      'person id',
      'person_id',
      'pipedrive id',
      'id',
    ],
    idPattern: /^\d{1,12}$/,
    isFormTelling: false,
    columns: {
      'Current company name': 'Organization - Name',
      'Current title': 'Person - Job title',
      Email: 'Person - Email - Work',
      'Mobile phone': 'Person - Phone - Mobile',
      'Direct phone': 'Person - Phone - Work',
    },
    newColumns: {
      full_name: 'Person - Name',
      company_name: 'Organization - Name',
      title: 'Person - Job title',
      email: 'Person - Email - Work',
      phone: 'Person - Phone - Work',
    },
    required: ['full_name'],
    isAlwaysRequired: true,
    note: 'Import as people. Pipedrive reads one sheet of at most 50,000 rows.',
  },
  salesforce_accounts: {
    label: 'Salesforce accounts',
    kind: 'companies',
    idHeader: 'Id',
    idHint: 'Account ID, 15 or 18 characters that begin with 001',
    idHeaders: ['account id', 'accountid', 'account_id', ...salesforceHeaders],
    idPattern: /^001[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/,
    isFormTelling: true,
    columns: {
      Website: 'Website',
      Industry: 'Industry',
      Description: 'Description',
      'Company address': 'BillingStreet',
      'Company city': 'BillingCity',
      'Company State': 'BillingState',
      'Company country': 'BillingCountry',
      'Company postal code': 'BillingPostalCode',
      'Company phone': 'Phone',
    },
    newColumns: { company_name: 'Name', company_domain: 'Website' },
    required: ['company_name'],
    format: 'csv',
    note: 'Import with Data Loader, which reads CSV.',
    updateNote: 'Upsert by Id: empty cells change nothing.',
  },
  hubspot_companies: {
    label: 'HubSpot companies',
    kind: 'companies',
    idHeader: 'Record ID',
    idHint: 'Record ID, a number',
    idHeaders: ['record id', 'record id - company', 'hs_object_id', 'hubspot id', 'company id'],
    idPattern: /^\d{1,20}$/,
    isFormTelling: false,
    columns: {
      Website: 'Website URL',
      Domain: 'Company Domain Name',
      Industry: 'Industry',
      Description: 'Description',
      'Company address': 'Street Address',
      'Company city': 'City',
      'Company State': 'State/Region',
      'Company country': 'Country/Region',
      'Company postal code': 'Postal Code',
      'Company phone': 'Phone Number',
    },
    newColumns: { company_name: 'Company name', company_domain: 'Company Domain Name' },
    required: [],
    note: 'Import as companies.',
    updateNote: 'Update existing records by Record ID.',
  },
  pipedrive_organizations: {
    label: 'Pipedrive organizations',
    kind: 'companies',
    idHeader: 'Organization - ID',
    idHint: 'Organization - ID, a number',
    idHeaders: [
      'organization - id',
      'pipedrive system id - organization',
      'organization id',
      'org_id',
      'pipedrive id',
      'id',
    ],
    idPattern: /^\d{1,12}$/,
    isFormTelling: false,
    columns: {
      Website: 'Organization - Website',
      Industry: 'Organization - Industry',
      'Company address': 'Organization - Address',
      'Company postal code': 'Organization - Address',
      'Company city': 'Organization - Address',
      'Company State': 'Organization - Address',
      'Company country': 'Organization - Address',
    },
    newColumns: { company_name: 'Organization - Name', company_domain: 'Organization - Website' },
    required: ['company_name'],
    isAlwaysRequired: true,
    note: 'Import as organizations. Pipedrive reads one sheet of at most 50,000 rows.',
  },
};

export const kindOfRows = (mapping: ColumnMapping): ImportKind =>
  namesPeople(mapping) ? 'people' : 'companies';

/** Where each preset finds the ids, and what else an export may have. */
export const RecordIdsSchema = z.object({
  kind: z.enum(importKinds).describe('What the list is of: of companies if it names no person.'),
  format: z.enum(exportFormats).describe('The format of the file that came in.'),
  headers: z.array(z.string()),
  guesses: z.partialRecord(z.enum(crmNames), z.string()),
  lists: z
    .array(
      z.object({
        kind: z.enum(importKinds),
        source: z.string(),
        name: z.string().describe('The source, or the file of the list if another file has it.'),
        crms: z.array(z.enum(crmNames)),
        kept: z.array(z.string()).default([]),
      }),
    )
    .default([])
    .describe('Own lists with ids, the presets that have ids of this form, and kept columns.'),
  own_columns: z
    .array(z.string())
    .default([])
    .describe('The columns that own lists add to the file.'),
  list_columns: z
    .partialRecord(z.enum(crmNames), z.array(z.string()))
    .default({})
    .describe('The columns of the list for which each CRM has no column.'),
});
export type RecordIds = z.infer<typeof RecordIdsSchema>;

export const listsFor = (crm: CrmName, { lists }: RecordIds): RecordIds['lists'] =>
  lists.filter(({ kind }) => kind === crmPresets[crm].kind);

/** The first part of a sentence that ends in where to import; null if a list has the ids. */
export function explainNoIds(crm: CrmName, ids: RecordIds): string | null {
  const listed = listsFor(crm, ids).some(({ crms }) => crms.includes(crm));
  if (listed || ids.guesses[crm] !== undefined) return null;
  return (
    `Neither this list nor an imported one has ids of ${crmPresets[crm].label}. To update ` +
    'records instead of adding them, import your CRM export with its ids'
  );
}

const recordOutcomes = {
  updated: ['record to update', 'records to update'],
  added: ['new record', 'new records'],
  repeated: ['row repeats an earlier one', 'rows repeat an earlier one'],
  waiting: ['row waits for a review', 'rows wait for a review'],
  several: [
    'row names several people, who need a row each',
    'rows name several people, who need a row each',
  ],
  removed: [
    'row was found in a list that was removed since (run the job again)',
    'rows were found in lists that were removed since (run the job again)',
  ],
  unnamed: ['row says too little for a record', 'rows say too little for a record'],
  suppressed: ['suppressed row', 'suppressed rows'],
  failed: ['failed row', 'failed rows'],
} as const;

export type RecordOutcome = keyof typeof recordOutcomes;
export const recordOutcomeNames = Object.keys(recordOutcomes) as [
  RecordOutcome,
  ...RecordOutcome[],
];

/** How many rows became what: their sum is the number of rows that were read. */
export const RecordCountsSchema = z.record(z.enum(recordOutcomeNames), z.int());
export type RecordCounts = z.infer<typeof RecordCountsSchema>;

/**
 * The counts in one sentence.
 * @param show writes a number
 * @param ofNew words behind the new records: where they are, if not in the file
 */
export function describeRecords(
  counts: RecordCounts,
  show: (count: number) => string,
  ofNew = '',
): string {
  const rows = recordOutcomeNames.reduce((sum, name) => sum + counts[name], 0);
  const parts = recordOutcomeNames.flatMap((name) => {
    const [one, many] = recordOutcomes[name];
    const count = counts[name];
    const where = name === 'added' ? ofNew : '';
    return count === 0 ? [] : [`${show(count)} ${count === 1 ? one : many}${where}`];
  });
  return `${show(rows)} ${rows === 1 ? 'row' : 'rows'}: ${parts.join(', ')}.`;
}

/** The share of filled cells that must have the form of an id. */
const shareMin = 0.9;

const listFilled = (cells: readonly string[]): string[] =>
  cells.map((cell) => cell.trim()).filter((cell) => cell !== '');

const haveForm = (crm: CrmName, filled: readonly string[]): boolean =>
  filled.filter((cell) => crmPresets[crm].idPattern.test(cell)).length >= shareMin * filled.length;

/** The end of a sentence about ids that a person named; null if they may be those of the CRM. */
export function explainForm(crm: CrmName, cells: readonly string[]): string | null {
  const { idHint, isFormTelling, label } = crmPresets[crm];
  if (!isFormTelling || haveForm(crm, listFilled(cells))) return null;
  return `has no ids of ${label} (${idHint}). Name another, or choose the preset of its CRM.`;
}

/** How well a column fits as ids, by its header and its values: 0 is best; null if not at all. */
export function rankRecordId(
  crm: CrmName,
  header: string,
  cells: readonly string[],
): number | null {
  const { idHeaders, isFormTelling } = crmPresets[crm];
  const filled = listFilled(cells);
  const isDistinct = new Set(filled).size === filled.length;
  if (filled.length === 0 || !isDistinct || !haveForm(crm, filled)) return null;
  const at = idHeaders.indexOf(header.trim().toLowerCase());
  if (at >= 0) return at;
  return isFormTelling ? idHeaders.length : null;
}

/** The column with the ids of records; null if none is likely. @param rows of the list's start */
export function guessRecordId(
  crm: CrmName,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): number | null {
  const [best] = headers
    .flatMap((header, column) => {
      const cells = rows.map((row) => row[column] ?? '');
      const rank = rankRecordId(crm, header, cells);
      return rank === null ? [] : [{ column, rank }];
    })
    .sort((one, other) => one.rank - other.rank);
  return best?.column ?? null;
}
