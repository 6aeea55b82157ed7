// The usual forms of work addresses: the parts of a name before the @.
import type { Spelling } from './name-spellings.ts';

/** A form, such as `{first}.{last}`; {f}, {m} and {l} are initials. */
export type AddressForm = (typeof addressForms)[number];

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

export const needsMiddle = (form: AddressForm): boolean => form.includes('{m');

/** What a part of a form is replaced by; a separator stays. */
const parts: Readonly<Record<string, (spelling: Spelling) => string>> = {
  '{first}': ({ first }) => first,
  '{middle}': ({ middle }) => middle,
  '{last}': ({ last }) => last,
  '{f}': ({ first }) => first.charAt(0),
  '{m}': ({ middle }) => middle.charAt(0),
  '{l}': ({ last }) => last.charAt(0),
};

/** Each form as the parts to write in turn. Every witness is compared with every form. */
const writers = new Map(
  addressForms.map((form) => [
    form,
    (form.match(/\{\w+\}|[^{]/g) ?? []).map((text) => parts[text] ?? (() => text)),
  ]),
);

/** The part before the @ for a spelling; null if the form needs a middle name that it lacks. */
export function writeLocal(form: AddressForm, spelling: Spelling): string | null {
  if (spelling.middle === '' && needsMiddle(form)) return null;
  let local = '';
  for (const write of writers.get(form) ?? []) local += write(spelling);
  return local;
}
