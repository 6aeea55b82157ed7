/**
 * Presets of an export for the import of a CRM: the id of the record first, then the found values
 * under the names that the importer reads (docs/crm-presets.md).
 */
import { z } from 'zod';
import type { DisplayName } from '../jobs/layers.ts';

/** A preset. */
interface CrmPresetDefinition {
  readonly label: string;
  /** The header of the record id in the file. */
  readonly idHeader: string;
  /** What the id of a record is, and where the CRM shows it. */
  readonly idHint: string;
  /** The headers of an exported list that may hold the id, in lower case, best first. */
  readonly idHeaders: readonly string[];
  /** The form of an id. */
  readonly idPattern: RegExp;
  /** Whether the form alone tells an id from other values. */
  readonly isFormTelling: boolean;
  /** The column of the CRM for each found field; fields without one are left out. */
  readonly columns: Readonly<Partial<Record<DisplayName, string>>>;
  /** What the importer needs to know, in one sentence. */
  readonly note: string;
}

const salesforceHeaders = ['salesforce id', 'sfid', 'record id', 'id'];

const presetTable = {
  salesforce: {
    label: 'Salesforce contacts',
    idHeader: 'Id',
    idHint: 'Contact ID, 15 or 18 characters that begin with 003',
    idHeaders: ['contact id', 'contactid', 'contact_id', ...salesforceHeaders],
    idPattern: /^003[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/,
    isFormTelling: true,
    columns: {
      'Current title': 'Title',
      Email: 'Email',
      'Contact city': 'MailingCity',
      'Contact state': 'MailingState',
      'Contact country': 'MailingCountry',
      'Mobile phone': 'MobilePhone',
      'Direct phone': 'Phone',
    },
    note: 'Update contacts with Data Loader, which reads CSV. Empty cells change nothing.',
  },
  salesforce_leads: {
    label: 'Salesforce leads',
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
    note: 'Update leads with Data Loader, which reads CSV. Empty cells change nothing.',
  },
  hubspot: {
    label: 'HubSpot contacts',
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
    note: 'Import as contacts, update existing records by Record ID. The file has one sheet.',
  },
  pipedrive: {
    label: 'Pipedrive people',
    idHeader: 'Person - ID',
    idHint: 'Person - ID, a number',
    idHeaders: ['person - id', 'person id', 'person_id', 'pipedrive id', 'id'],
    idPattern: /^\d{1,12}$/,
    isFormTelling: false,
    columns: {
      'Current company name': 'Organization - Name',
      'Current title': 'Person - Job title',
      Email: 'Person - Email - Work',
      'Mobile phone': 'Person - Phone - Mobile',
      'Direct phone': 'Person - Phone - Work',
    },
    note: 'Import as people. Pipedrive reads one sheet of at most 50,000 rows.',
  },
} as const satisfies Readonly<Record<string, CrmPresetDefinition>>;

/** The name of a preset. */
export type CrmName = keyof typeof presetTable;
/** The names, in the order of the menu. */
export const crmNames = Object.keys(presetTable) as [CrmName, ...CrmName[]];
/** The presets by name. */
export const crmPresets: Readonly<Record<CrmName, CrmPresetDefinition>> = presetTable;

/** The preset of an export. */
export const CrmExportSchema = z.strictObject({
  crm: z.enum(crmNames),
  record_id: z
    .string()
    .min(1)
    .optional()
    .describe('The header of the column with the id of the record; if omitted, it is guessed.'),
});
export type CrmExport = z.infer<typeof CrmExportSchema>;

/** Answer of GET /app/v1/jobs/{id}/exports/record-ids: the guessed column for each preset. */
export const RecordIdsSchema = z.object({
  headers: z.array(z.string()),
  guesses: z.record(z.enum(crmNames), z.string().nullable()),
});

/** The share of filled cells that must have the form of an id. */
const shareMin = 0.9;

/**
 * The column with the ids of records: by its header and the form of its values; null if none is
 * likely.
 * @param rows first rows of the list
 */
export function guessRecordId(
  crm: CrmName,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): number | null {
  const { idHeaders, idPattern, isFormTelling } = crmPresets[crm];
  const hasForm = (column: number): boolean => {
    const filled = rows.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');
    const like = filled.filter((cell) => idPattern.test(cell)).length;
    const isDistinct = new Set(filled).size === filled.length;
    return filled.length > 0 && isDistinct && like >= shareMin * filled.length;
  };
  const rankOf = (column: number): number => {
    const at = idHeaders.indexOf(headers[column]?.trim().toLowerCase() ?? '');
    return at < 0 ? idHeaders.length : at;
  };
  const [best] = headers
    .map((_header, column) => column)
    .filter((column) => hasForm(column) && (isFormTelling || rankOf(column) < idHeaders.length))
    .sort((one, other) => rankOf(one) - rankOf(other));
  return best ?? null;
}
