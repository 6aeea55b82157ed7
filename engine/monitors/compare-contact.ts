/**
 * Compares the current answer for a contact with the row, or with an earlier answer. Pure
 * functions.
 *
 * A value that is only written differently is not a change. Compared with a row, only the values in
 * the row count; compared with an earlier answer, values that were unknown then count too. A value
 * that is no longer known is not a change, except when an employment has ended.
 */
import {
  type FindingStatus,
  type WatchedField,
  watchedFields,
} from '../contract/monitors/career-monitor.ts';
import { readFieldKey } from '../directory/normalize/field-keys.ts';

/** The watched values of a contact; '' if unknown. */
export type WatchedValues = Readonly<Record<WatchedField, string>>;

/** An answer of L1: its values and its employment status (`Current`, `Changed`, `Left`). */
export interface ContactAnswer {
  readonly values: WatchedValues;
  readonly employmentStatus: string;
}

/** What was known before: the row, or an earlier answer. */
export type KnownContact =
  | { readonly by: 'row'; readonly values: WatchedValues }
  | ({ readonly by: 'answer' } & ContactAnswer);

/** The display name of each watched field in L1. */
export const answeredAs: Readonly<Record<WatchedField, string>> = {
  company_name: 'Current company name',
  title: 'Current title',
  email: 'Email',
  profile_url: 'Profile URL',
};

const ofEmployment: readonly WatchedField[] = ['company_name', 'title', 'email'];

/** Reads an answer from the enriched fields of a result. */
export function readAnswer(fields: Readonly<Record<string, string>>): ContactAnswer {
  const read = (field: WatchedField) => fields[answeredAs[field]] ?? '';
  return {
    values: {
      company_name: read('company_name'),
      title: read('title'),
      email: read('email'),
      profile_url: read('profile_url'),
    },
    employmentStatus: fields['Employment status'] ?? '',
  };
}

function isChanged(field: WatchedField, known: KnownContact, now: ContactAnswer): boolean {
  const [before, after] = [known.values[field], now.values[field]];
  if (after === '')
    return before !== '' && now.employmentStatus === 'Left' && ofEmployment.includes(field);
  if (before === '') return known.by === 'answer';
  // Matching knows whether the employer of a row is the current one, by more than its name.
  if (field === 'company_name' && known.by === 'row') return now.employmentStatus === 'Changed';
  return readFieldKey(field, before) !== readFieldKey(field, after);
}

/** The outcome for a contact with an answer, and the values that changed. */
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
