/** Compares a found value with the user's, by the keys of its field. */
import type { DisplayName } from '../../contract/jobs/layers.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import { type ComparedField, readFieldKey } from '../../directory/normalize/field-keys.ts';

// Other fields are texts: another spelling of a name or a title may be the better one.
const comparedAs: readonly [names: RegExp, field: ComparedField][] = [
  [/email$/i, 'email'],
  [/^profile url$/i, 'profile_url'],
  [/website$/i, 'company_domain'],
  [/phone$/i, 'phone'],
  [/country$/i, 'country'],
];

/**
 * Whether two values of a field are the same.
 * @param country of the row, in which numbers without + are read; '' if it is not known
 */
export function areSame(name: DisplayName, one: string, other: string, country: string): boolean {
  const field = comparedAs.find(([names]) => names.test(name))?.[1] ?? 'text';
  const code = field === 'phone' ? countryCode(country) : null;
  return readFieldKey(field, one, code) === readFieldKey(field, other, code);
}
