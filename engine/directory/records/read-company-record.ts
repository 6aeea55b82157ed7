// Reads one company of the directory with the sources of every value.
import type { CompanyRecord } from '../../contract/records/records.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { recordFields } from '../normalize/record-fields.ts';
import { listTexts, readDuplicatesOf, readValues, requireRecord } from './record-values.ts';

const hiddenFields: ReadonlySet<string> = new Set(['phone']);

const namesSql = `SELECT name AS text FROM company_alias WHERE company_id = @id
  UNION SELECT name FROM merged_record WHERE kind = 'company' AND survivor_id = @id ORDER BY 1`;
const domainsSql = `SELECT DISTINCT domain AS text FROM merged_record
  WHERE kind = 'company' AND survivor_id = @id ORDER BY 1`;

/** A company by UUID, or by that of one merged into it. Throws `not_found`. */
export function readCompanyRecord(
  db: ReadableDatabase,
  uuid: string,
  { isOwn }: { readonly isOwn: boolean },
): CompanyRecord {
  const company = requireRecord(db, 'company', uuid);
  const domain = typeof company.domain === 'string' ? company.domain : null;
  return {
    id: company.uuid,
    name: String(company.name),
    domain,
    values: readValues(
      db,
      'company',
      company,
      recordFields.company,
      isOwn ? undefined : hiddenFields,
    ),
    other_names: listTexts(db, namesSql, company.id).filter((name) => name !== company.name),
    other_domains: listTexts(db, domainsSql, company.id).filter((one) => one !== domain),
    duplicates: readDuplicatesOf(db, 'company', company.uuid),
  };
}
