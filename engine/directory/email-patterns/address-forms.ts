/** The usual forms of work addresses: the parts of a name before the @. */
import type { Spelling } from './name-spellings.ts';

/** A form, such as `{first}.{last}`; {f}, {m} and {l} are initials. */
export type AddressForm = (typeof addressForms)[number];

/** Every form that is recognised. */
export const addressForms = [
  '{first}.{last}',
  '{first}_{last}',
  '{first}-{last}',
  '{first}{last}',
  '{f}{last}',
  '{f}.{last}',
  '{f}_{last}',
  '{f}-{last}',
  '{first}{l}',
  '{first}.{l}',
  '{first}_{l}',
  '{last}.{first}',
  '{last}_{first}',
  '{last}-{first}',
  '{last}{first}',
  '{last}{f}',
  '{last}.{f}',
  '{last}_{f}',
  '{first}',
  '{last}',
  '{f}{l}',
  '{first}.{m}.{last}',
  '{first}{m}{last}',
  '{f}{m}{last}',
  '{f}.{m}.{last}',
  '{first}.{middle}.{last}',
  '{f}{m}{l}',
] as const;

/** Whether a form needs a middle name. */
export const needsMiddle = (form: AddressForm): boolean => /\{m/.test(form);

/** The part before the @ for a spelling; null if the form needs a middle name that it lacks. */
export function writeLocal(form: AddressForm, spelling: Spelling): string | null {
  const { first, middle, last } = spelling;
  if (middle === '' && needsMiddle(form)) return null;
  const parts: Readonly<Record<string, string>> = {
    ...{ '{first}': first, '{middle}': middle, '{last}': last },
    ...{ '{f}': first.charAt(0), '{m}': middle.charAt(0), '{l}': last.charAt(0) },
  };
  return form.replace(/\{\w+\}/g, (part) => parts[part] ?? '');
}
