// The hash of a contact: equal for rows that have the same recognised fields.
import { hash } from 'node:crypto';
import { type ColumnMapping, readMapped, rowInputFields } from '../../contract/jobs/row-input.ts';
import { readTextKey } from '../../directory/normalize/field-keys.ts';

const hashBytes = 16;

/** The caller's reference tells rows apart, not contacts. */
const contactFields = rowInputFields.filter((field) => field !== 'client_reference_id');

/**
 * The hash of a row, 16 bytes in hexadecimal; null for a row without a recognised value. Case,
 * width of letters and white space do not count.
 * @param key of the database, in hexadecimal
 * @param mapping column of each field
 */
export function hashContact(
  key: string,
  row: readonly string[],
  mapping: ColumnMapping,
): string | null {
  const values: string[] = [];
  for (const field of contactFields) {
    const value = readTextKey(readMapped(row, mapping, field));
    if (value !== '') values.push(field, value);
  }
  if (values.length === 0) return null;
  // A hash of the key and the text serves as a keyed hash, because it is cut. An HMAC takes
  // eight times as long.
  return hash('sha256', `${key}${JSON.stringify(values)}`).slice(0, 2 * hashBytes);
}
