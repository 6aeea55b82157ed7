// Email validations in the format of the API, with the check of their account.
import { formatCredits } from '../contract/credits.ts';
import { notFound } from '../contract/errors.ts';
import { emailStatuses } from '../contract/jobs/job.ts';
import type { EmailVerdict, Validation, ValidationReport } from '../contract/validations.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readSuppressionList } from '../suppression/suppression-list.ts';
import { getValidation, readVerdicts, type ValidationRow } from './validation.table.ts';

export const presentValidation = (row: ValidationRow): Validation => ({
  job_id: row.uuid,
  status: row.status,
  ready: row.completedAt !== null,
  total_emails: row.totalEmails,
  duplicate_emails: row.duplicateEmails,
  done_emails: row.doneEmails,
  counts: Object.fromEntries(
    emailStatuses.map((status) => [status, row.counts[status] ?? 0]),
  ) as Validation['counts'],
  price_per_email: formatCredits(row.priceUnits),
  credits_held: formatCredits(row.heldUnits),
  credits_charged: formatCredits(row.chargedUnits),
  credits_released: formatCredits(row.releasedUnits),
  error_detail: row.errorDetail,
  created_at: row.createdAt,
  started_at: row.startedAt,
  completed_at: row.completedAt,
});

/** The account's validation. Throws `not_found`. */
export function requireValidation(
  database: ReadableDatabase,
  accountId: number,
  jobId: string,
): ValidationRow {
  const row = getValidation(database, accountId, jobId);
  if (!row) throw notFound('This email validation does not exist in this account.');
  return row;
}

const withheldVerdict: EmailVerdict = { email: '', status: 'unknown', reason: 'suppressed' };

/** A page of verdicts. A failed validation has none, because they were not paid for. */
const pageVerdicts = (
  database: ReadableDatabase,
  row: ValidationRow,
  page: { readonly limit: number; readonly offset: number },
): EmailVerdict[] => {
  if (row.status === 'failed') return [];
  const list = readSuppressionList(database);
  return readVerdicts(database, row.id, page).map((verdict) =>
    list.hasEmail(verdict.email) ? withheldVerdict : verdict,
  );
};

/** A validation with a page of its verdicts so far, in the order sent. Throws `not_found`. */
export function readValidation(
  database: ReadableDatabase,
  accountId: number,
  jobId: string,
  page: { readonly limit: number; readonly offset: number },
): ValidationReport {
  const row = requireValidation(database, accountId, jobId);
  return { ...presentValidation(row), results: pageVerdicts(database, row, page) };
}
