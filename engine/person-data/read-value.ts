// Reads what a user knows of a person: an email, a page, a number, a UUID or a name.
import { invalid } from '../contract/errors.ts';
import { personCandidatesMax } from '../contract/limits/privacy/person-data.ts';
import { readNameKey } from '../directory/normalize/field-keys.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { contactUuid } from '../providers/waterfall/row-subject.ts';
import { readValueKey, recognizeKind } from '../suppression/value-keys.ts';
import {
  type DirectoryPerson,
  describePerson,
  findPeople,
  findPeopleByName,
  type IdentifierKind,
} from './directory-person.ts';
import { createMatcher, emptySubject, foldWords, type Subject } from './subject.ts';

export interface FoundPerson {
  readonly person: DirectoryPerson | null;
  readonly subject: Subject;
}

type ReadValue =
  | { readonly kind: IdentifierKind; readonly key: string }
  | { readonly name: string; readonly employer: string };

const kindNames = { email: 'emails', phone: 'phones', profile_url: 'profiles' } as const;

function readName(value: string): ReadValue {
  const [name = '', employer = '', ...others] = value.split('|');
  if (others.length > 0 || readNameKey(name) === '')
    throw invalid('Give a name as "Ada Lovelace | Acme".');
  return { name: readNameKey(name), employer: employer.trim() };
}

/** Reads a value. Throws `validation_error` if it names no person. */
function readValue(value: string): ReadValue {
  const kind = recognizeKind(value);
  if (kind === 'domain')
    throw invalid(
      'A domain is not a person. Give an email, a phone, a profile URL, an id, or a name.',
    );
  if (kind === null || kind === 'company' || value.includes('|')) return readName(value);
  const key = readValueKey(kind, value);
  if (key === '')
    throw invalid(
      kind === 'phone'
        ? 'Give the number with its country code, such as +41 79 123 45 67.'
        : 'Give a whole email, a profile URL, an id, or a name.',
    );
  return { kind: kind === 'person' ? 'uuids' : kindNames[kind], key };
}

/** The subject of a person who is in no directory; null if the value does not identify one. */
function describeValue(read: ReadValue): Subject | null {
  if ('kind' in read) {
    const { kind, key } = read;
    // The id of a contact that only data services know.
    const derived =
      kind === 'emails'
        ? [contactUuid({ email: key })]
        : kind === 'profiles'
          ? [contactUuid({ profile_url: key })]
          : [];
    return { ...emptySubject, uuids: derived, [kind]: [key] };
  }
  const words = read.name.split(' ');
  const { employer } = read;
  if (words.length < 2 || foldWords(employer).trim() === '') return null;
  const name = { first: words[0] ?? '', last: words.slice(1).join(' ') };
  return { ...emptySubject, names: [name], employers: [employer] };
}

function findNamed(directory: ReadableDatabase, name: string, employer: string): FoundPerson[] {
  return findPeopleByName(directory, name).flatMap((person) => {
    const subject = describePerson(directory, person);
    const isThere = employer === '' || createMatcher(subject).hasEmployer(employer);
    return isThere ? [{ person, subject }] : [];
  });
}

/**
 * The people of a directory who fit a value; if there are none, the person that the value itself
 * identifies. Throws `validation_error` for a value that names no person, or too many.
 */
export function findByValue(directory: ReadableDatabase, value: string): FoundPerson[] {
  const read = readValue(value);
  const found =
    'kind' in read
      ? findPeople(directory, read.kind, read.key).map((person) => ({
          person,
          subject: describePerson(directory, person),
        }))
      : findNamed(directory, read.name, read.employer);
  if (found.length > personCandidatesMax)
    throw invalid(
      `${found.length} people have this name. Add the employer: "Ada Lovelace | Acme".`,
    );
  if (found.length > 0) return found;
  const subject = describeValue(read);
  return subject ? [{ person: null, subject }] : [];
}

/** The part of a value that receipts have a hash of. Throws like `findByValue`. */
export function hashedValue(value: string): { readonly kind: string; readonly key: string } {
  const read = readValue(value);
  return 'kind' in read ? read : { kind: 'name', key: read.name };
}
