// What a caller asks of an export for a CRM. The first screen loads it without the presets.
import { z } from 'zod';

export const crmNames = [
  'salesforce',
  'salesforce_leads',
  'hubspot',
  'pipedrive',
  'salesforce_accounts',
  'hubspot_companies',
  'pipedrive_organizations',
] as const;
export type CrmName = (typeof crmNames)[number];

export const crmRecords = ['known', 'new'] as const;

export const CrmExportSchema = z.strictObject({
  crm: z.enum(crmNames),
  record_id: z
    .string()
    .min(1)
    .optional()
    .describe('The header of the column with the id of the record; if omitted, it is guessed.'),
  id_list: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The source of an own list. A row without an id of its own has the id that the matched ' +
        'person or company has in this list; if omitted, in every list with ids of this CRM.',
    ),
  records: z
    .enum(crmRecords)
    .optional()
    .describe(
      '`known`: only rows with an id. `new`: only rows that become new records, without an id. ' +
        'If omitted, both.',
    ),
  list_columns: z
    .boolean()
    .optional()
    .describe('Add the columns of the list for which the CRM has no column, as they are.'),
});
export type CrmExport = z.infer<typeof CrmExportSchema>;

/** What a file of rows is called: "enriched", "hubspot", "hubspot-new". */
export const nameRows = (preset: CrmExport | null | undefined): string =>
  preset
    ? `${preset.crm.replaceAll('_', '-')}${preset.records === 'new' ? '-new' : ''}`
    : 'enriched';
