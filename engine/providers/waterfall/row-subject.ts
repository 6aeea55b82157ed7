/**
 * What identifies a row to providers: one hash for equal rows. Only hashes are stored.
 */
import { hash } from 'node:crypto';
import type { ProviderField, ProviderRow } from '../../contract/provider.ts';
import { uuidV5 } from '../../directory/import/uuid-v5.ts';
import { foldText } from '../../directory/normalize/fold-text.ts';
import { readEmailKey, readUrlKey } from '../../directory/normalize/match-address.ts';

const fold = (text: string | undefined): string =>
  foldText(text ?? '')
    .trim()
    .replace(/\s+/g, ' ');

const keyed = (kind: string, parts: readonly string[]): string =>
  hash('sha256', JSON.stringify([kind, ...parts]));

// A text that is no address or URL identifies by itself.
const emailOf = ({ email = '' }: ProviderRow): string => readEmailKey(email) || fold(email);
const profileOf = ({ profile_url: url = '' }: ProviderRow): string => readUrlKey(url) || fold(url);

/** The hash of a row. Rows with the same identifying values are one row to a provider. */
export const rowSubject = (row: ProviderRow): string =>
  keyed('row', [
    ...[fold(row.first_name), fold(row.last_name), fold(row.company_name)],
    ...[fold(row.company_domain), fold(row.country), emailOf(row), profileOf(row)],
  ]);

/** The hash under which the answer for a field is stored: an email status is of its address. */
export const fieldSubject = (field: ProviderField, row: ProviderRow, subject: string): string =>
  field === 'email_status' ? keyed('email', [emailOf(row)]) : subject;

/** The id of a contact that only providers know, from its strongest identifier. */
export function contactUuid(row: ProviderRow): string {
  const profile = profileOf(row);
  const email = emailOf(row);
  if (profile) return uuidV5(`desk:profile:${profile}`);
  return uuidV5(email ? `desk:email:${email}` : `desk:row:${rowSubject(row)}`);
}
