/**
 * The form and the length of each value that a service may answer. A value without its form is not
 * kept: it is neither stored, shown nor charged.
 */
import { emailStatuses, employmentStatuses } from '../../contract/jobs/job.ts';
import { valueCharactersMax } from '../../contract/limits/waterfall.ts';
import type { FieldHit, ProviderValueName } from '../../contract/provider.ts';
import { normalizeDate } from '../../directory/normalize/normalize-date.ts';
import { normalizeEmail } from '../../directory/normalize/normalize-email.ts';
import { normalizePhone } from '../../directory/normalize/normalize-phone.ts';
import { normalizeUrl } from '../../directory/normalize/normalize-url.ts';

/** A form: its name for the user, and the value as it is kept; null if it has another form. */
interface ValueForm {
  readonly name: string;
  read(text: string): string | null;
}

const labelCharactersMax = 63;
// A national number has no country code, so that it is not read further.
const nationalPhone = /^\+?[\d\s().\p{Pd}/]+(?:(?:x|ext\.?|#|;ext=)\s*\d{1,8})?$/iu;
const phoneDigits = { min: 3, max: 23 } as const;

const text: ValueForm = { name: 'a text', read: (value) => value };
const email: ValueForm = {
  name: 'an email address',
  read(value) {
    const address = normalizeEmail(value);
    const labels = address?.slice(address.lastIndexOf('@') + 1).split('.') ?? [];
    return labels.some((label) => label.length > labelCharactersMax) ? null : address;
  },
};
/** The value as it is written, if its URL has no user: "javascript:x@host" is read as one. */
function readAddress(value: string): string | null {
  const url = normalizeUrl(value);
  return url === null || !URL.canParse(url) || new URL(url).username !== '' ? null : url;
}
const url: ValueForm = { name: 'a web address (http or https)', read: readAddress };
const website: ValueForm = {
  name: 'a website or a domain',
  read: (value) => (readAddress(value) === null ? null : value),
};
const phone: ValueForm = {
  name: 'a phone number',
  read(value) {
    const digits = value.replace(/\D/g, '').length;
    const isNational =
      nationalPhone.test(value) && digits >= phoneDigits.min && digits <= phoneDigits.max;
    return isNational || normalizePhone(value, null) !== null ? value : null;
  },
};
const date: ValueForm = {
  name: 'a date',
  read: (value) => (normalizeDate(value) === null ? null : value),
};
const employmentStatus: ValueForm = {
  name: `one of ${employmentStatuses.filter(Boolean).join(', ')}`,
  read: (value) => employmentStatuses.find((status) => status === value) ?? null,
};

const forms: Readonly<Record<ProviderValueName, ValueForm>> = {
  email,
  employment_status: employmentStatus,
  first_name: text,
  last_name: text,
  company_name: text,
  company_domain: website,
  title: text,
  start_date: date,
  profile_url: url,
  job_function: text,
  job_level: text,
  city: text,
  state: text,
  country: text,
  company_website: website,
  company_address: text,
  company_city: text,
  company_state: text,
  company_country: text,
  company_postal_code: text,
  company_phone: phone,
  new_company_name: text,
  new_title: text,
  new_start_date: date,
  new_company_website: website,
  new_email: email,
  new_company_address: text,
  new_company_city: text,
  new_company_state: text,
  new_company_country: text,
  new_company_postal_code: text,
  new_company_phone: phone,
  mobile_phone: phone,
  direct_phone: phone,
};

/** A text on one line, as it is kept; otherwise why it is not. */
function readText(value: unknown): { readonly line: string } | { readonly fault: string } {
  if (typeof value !== 'string') return { fault: 'is not a text' };
  if (value.length > valueCharactersMax)
    return { fault: `has more than ${valueCharactersMax.toLocaleString('en')} characters` };
  // Control characters and broken letters are removed before the form is checked, so that they
  // hide no value from the suppression list.
  const line = value.replace(/[\t\r\n]+/g, ' ').replace(/[\p{Cc}\p{Cs}]/gu, '');
  return { line: line.trim() };
}

/** A value as it is kept, or what is wrong with it. */
function readValue(
  name: ProviderValueName,
  value: unknown,
): { readonly kept: string } | { readonly fault: string } {
  const read = readText(value);
  if ('fault' in read) return read;
  const kept = read.line === '' ? '' : forms[name].read(read.line);
  return kept === null ? { fault: `is not ${forms[name].name}` } : { kept };
}

const readDay = (day: string | null): string | null =>
  day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) ? normalizeDate(day) : null;

/**
 * A hit with the values that have their forms; those without are reported.
 * @param onFault called for each value that is left out, with its name and what is wrong
 */
export function keepForms(hit: FieldHit, onFault: (name: string, fault: string) => void): FieldHit {
  const values: Partial<Record<ProviderValueName, string>> = {};
  for (const [name, value] of Object.entries(hit.values)) {
    if (!Object.hasOwn(forms, name)) continue;
    const read = readValue(name as ProviderValueName, value);
    if ('fault' in read) onFault(name, read.fault);
    else if (read.kept !== '') values[name as ProviderValueName] = read.kept;
  }
  const { status, confidence, source, observedOn, ...others } = hit;
  const named = source === undefined ? null : readText(source);
  const isKnown = emailStatuses.some((one) => one === status);
  return {
    ...others,
    values,
    ...(status !== undefined && isKnown && { status }),
    observedOn: readDay(observedOn),
    confidence: Number.isFinite(confidence) ? confidence : null,
    ...(named && 'line' in named && { source: named.line }),
  };
}
