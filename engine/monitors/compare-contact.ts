// Compares the current answer for a contact with the row, or with an earlier answer. Pure
// functions.
//
// A change is a change of employer, title, or work email at the current employer: both values are
// known and of the same kind. A value that is only written differently is not a change, nor is one
// that is no longer known, except when an employment has ended.
import {
  type FindingStatus,
  type WatchedField,
  watchedFields,
} from '../contract/monitors/career-monitor.ts';
import { readFieldKey } from '../directory/normalize/field-keys.ts';
import {
  emailDomain,
  isRoleMailbox,
  normalizeEmail,
} from '../directory/normalize/normalize-email.ts';
import { isFreeMailDomain, registrableDomain } from '../directory/normalize/reference-tables.ts';

/** The watched values of a contact; '' if unknown. */
export type WatchedValues = Readonly<Record<WatchedField, string>>;

/** An answer of L1: its values and its employment status (`Current`, `Changed`, `Left`). */
export interface ContactAnswer {
  readonly values: WatchedValues;
  readonly employmentStatus: string;
}

/** What was known before: the row, or an earlier answer. */
export type KnownContact =
  | {
      readonly by: 'row';
      readonly values: WatchedValues;
      /** The values of all current employments: the row may name another than the answer. */
      listHeld(field: 'title' | 'email'): readonly string[];
    }
  | ({ readonly by: 'answer' } & ContactAnswer);

/** The display name of each watched field in L1. */
export const answeredAs: Readonly<Record<WatchedField, string>> = {
  company_name: 'Current company name',
  title: 'Current title',
  email: 'Email',
};

export function readAnswer(fields: Readonly<Record<string, string>>): ContactAnswer {
  const read = (field: WatchedField) => fields[answeredAs[field]] ?? '';
  return {
    values: {
      company_name: read('company_name'),
      title: read('title'),
      email: read('email'),
    },
    employmentStatus: fields['Employment status'] ?? '',
  };
}

/** Whether the row has a value of another current employment than that of the answer. */
const isHeld = (field: 'title' | 'email', known: KnownContact): boolean =>
  known.by === 'row' &&
  known
    .listHeld(field)
    .some((value) => readFieldKey(field, value) === readFieldKey(field, known.values[field]));

function isWorkEmail(text: string): boolean {
  const email = normalizeEmail(text);
  if (email === null || isRoleMailbox(email)) return false;
  const domain = emailDomain(email);
  return ![domain, registrableDomain(domain)].some(isFreeMailDomain);
}

/** The name of the organisation in an address's host: "acme" of ada@mail.acme.co.uk. */
const emailLabel = (text: string): string =>
  registrableDomain(emailDomain(text.trim())).split('.', 1)[0] ?? '';

/** Whether an email was a work address that the person has lost or replaced. */
function isWorkEmailChanged(known: KnownContact, now: ContactAnswer): boolean {
  const [before, after] = [known.values.email, now.values.email];
  if (!isWorkEmail(before)) return false;
  if (after === '') return now.employmentStatus === 'Left';
  if (!isWorkEmail(after) || readFieldKey('email', before) === readFieldKey('email', after))
    return false;
  // Nothing says of what employer the address in a row is, except its host.
  const isOfEmployer = known.by === 'answer' || emailLabel(before) === emailLabel(after);
  return (isOfEmployer || now.employmentStatus === 'Changed') && !isHeld('email', known);
}

function isChanged(field: WatchedField, known: KnownContact, now: ContactAnswer): boolean {
  if (field === 'email') return isWorkEmailChanged(known, now);
  const [before, after] = [known.values[field], now.values[field]];
  if (after === '') return before !== '' && now.employmentStatus === 'Left';
  if (before === '') return known.by === 'answer' && known.employmentStatus === 'Left';
  // Matching knows whether the employer of a row is the current one, by more than its name.
  if (field === 'company_name' && known.by === 'row') return now.employmentStatus === 'Changed';
  if (readFieldKey(field, before) === readFieldKey(field, after)) return false;
  return field === 'company_name' || !isHeld(field, known);
}

export function compareContact(
  known: KnownContact,
  now: ContactAnswer,
): {
  status: Extract<FindingStatus, 'changed' | 'left' | 'unchanged'>;
  changes: readonly { readonly field: WatchedField; readonly old: string }[];
} {
  const changes = watchedFields
    .filter((field) => isChanged(field, known, now))
    .map((field) => ({ field, old: known.values[field] }));
  const hasLeft = now.employmentStatus === 'Left';
  const wasGone = known.by === 'answer' && known.employmentStatus === 'Left';
  if (hasLeft && !wasGone) return { status: 'left', changes };
  return { status: changes.length > 0 ? 'changed' : 'unchanged', changes };
}
