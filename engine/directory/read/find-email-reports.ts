// Finds what the directory's sources report about an address, and when.
import type { EmailStatus } from '../../contract/jobs/job.ts';
import { reportTrustMin } from '../../contract/limits/directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { recordFields, recordNames } from '../normalize/record-fields.ts';

export interface EmailReport {
  readonly status: Exclude<EmailStatus, 'unknown'>;
  /** The day (ISO) on which the source observed it. */
  readonly observedOn: string;
}

const employmentCode = recordNames.indexOf('employment');
const statusCode = recordFields.employment.indexOf('email_status');

// Each import that reports a status counts with its own day; if only the import that wrote the
// record does, with the record's day. A report of an address in use ends with the employment; a
// bounce does not. Reports about suppressed people are not used.
const reportsSql = `SELECT e.email_status AS status, coalesce(k.observed_on, e.observed_on)
    AS observedOn
  FROM employment e JOIN person p ON p.id = e.person_id
  LEFT JOIN value_claim k ON k.record = ${employmentCode} AND k.record_id = e.id
    AND k.field = ${statusCode} AND k.value = e.email_status
  JOIN source_import s ON s.id = coalesce(k.import_id, e.import_id)
  WHERE e.email = ? AND e.email_status <> 'unknown' AND p.suppressed = 0
    AND s.trust >= ${reportTrustMin} AND (e.is_current = 1 OR e.email_status = 'invalid')
  ORDER BY observedOn DESC, e.email_status = 'invalid' DESC LIMIT 1`;

/**
 * The newest report about an address by a trusted source; among reports of one day, the worst. Null
 * if there is none.
 * @param db directory.db, on its own connection or attached
 * @param spellings the address, in each form that a list may contain
 */
export function findEmailReport(
  db: ReadableDatabase,
  spellings: readonly string[],
): EmailReport | null {
  const reports = spellings.flatMap((email) => statement<EmailReport>(db, reportsSql).all(email));
  const [newest = null] = reports.toSorted((a, b) => b.observedOn.localeCompare(a.observedOn));
  return newest;
}
