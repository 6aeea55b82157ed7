// What identifies a row to providers: one hash for equal rows. Only hashes are stored.
import { hash } from 'node:crypto';
import type { ProviderField, ProviderRow } from '../../contract/provider.ts';
import { uuidV5 } from '../../directory/import/uuid-v5.ts';
import { readFieldKey } from '../../directory/normalize/field-keys.ts';

const keyed = (kind: string, parts: readonly string[]): string =>
  hash('sha256', JSON.stringify([kind, ...parts]));

// A text that is no address or URL identifies by itself.
const emailOf = ({ email = '' }: ProviderRow): string => readFieldKey('email', email);
const profileOf = ({ profile_url: url = '' }: ProviderRow): string =>
  readFieldKey('profile_url', url);

/** The hash of a row. Rows with the same identifying values are one row to a provider. */
export const rowSubject = (row: ProviderRow): string =>
  keyed('row', [
    readFieldKey('name', row.first_name ?? ''),
    readFieldKey('name', row.last_name ?? ''),
    // A service may tell companies of two legal forms apart.
    readFieldKey('name', row.company_name ?? ''),
    readFieldKey('company_domain', row.company_domain ?? ''),
    readFieldKey('country', row.country ?? ''),
    emailOf(row),
    profileOf(row),
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
