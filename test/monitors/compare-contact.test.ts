/** The finding of a contact, compared with its row or with an earlier answer. */
import { expect, test } from 'vitest';
import {
  type ContactAnswer,
  compareContact,
  type KnownContact,
  type WatchedValues,
} from '../../engine/monitors/compare-contact.ts';

const values = (given: Partial<WatchedValues>): WatchedValues => ({
  company_name: '',
  title: '',
  email: '',
  profile_url: '',
  ...given,
});
const row = (given: Partial<WatchedValues>): KnownContact => ({ by: 'row', values: values(given) });
const answer = (employmentStatus: string, given: Partial<WatchedValues> = {}): ContactAnswer => ({
  employmentStatus,
  values: values(given),
});
const earlier = (employmentStatus: string, given: Partial<WatchedValues> = {}): KnownContact => ({
  by: 'answer',
  ...answer(employmentStatus, given),
});

const acme = { company_name: 'Acme Inc.', title: 'Buyer', email: 'ada@acme.example' };

test.each<[string, KnownContact, ContactAnswer, string, readonly string[]]>([
  ['still where the row says', row(acme), answer('Current', acme), 'unchanged', []],
  [
    'an employer that is only written differently is the same',
    row(acme),
    answer('Current', { ...acme, company_name: 'ACME Incorporated' }),
    'unchanged',
    [],
  ],
  [
    'a new employer',
    row(acme),
    answer('Changed', { company_name: 'Globex', title: 'Head Buyer', email: 'ada@globex.example' }),
    'changed',
    ['company_name', 'title', 'email'],
  ],
  [
    'a new title',
    row(acme),
    answer('Current', { ...acme, title: 'Director' }),
    'changed',
    ['title'],
  ],
  [
    'case, accents and signs make no new value',
    row({ title: 'Chef de Café', email: 'Ada@Acme.example' }),
    answer('Current', { title: 'chef de cafe', email: 'ada@acme.example' }),
    'unchanged',
    [],
  ],
  [
    'one page of the same person, written twice',
    row({ profile_url: 'http://www.linkedin.com/in/ada/' }),
    answer('Current', { profile_url: 'https://linkedin.com/in/ada?utm_source=x' }),
    'unchanged',
    [],
  ],
  ['what the row does not say is not compared', row({}), answer('Current', acme), 'unchanged', []],
  ['who left', row(acme), answer('Left'), 'left', ['company_name', 'title', 'email']],
  [
    'a value that is only no longer known is not a change',
    row(acme),
    answer('Current'),
    'unchanged',
    [],
  ],
  ['left, and left still', earlier('Left'), answer('Left'), 'unchanged', []],
  [
    'left, and employed again',
    earlier('Left'),
    answer('Changed', { company_name: 'Globex' }),
    'changed',
    ['company_name'],
  ],
  [
    'left since the check before',
    earlier('Current', acme),
    answer('Left'),
    'left',
    ['company_name', 'title', 'email'],
  ],
  [
    'moved before, and there still',
    earlier('Changed', acme),
    answer('Changed', acme),
    'unchanged',
    [],
  ],
  [
    'an email that was not known at the check before',
    earlier('Current', { company_name: 'Acme' }),
    answer('Current', { company_name: 'Acme', email: 'ada@acme.example' }),
    'changed',
    ['email'],
  ],
])('%s', (_title, known, now, status, fields) => {
  const found = compareContact(known, now);
  expect(found.status).toBe(status);
  expect(found.changes.map(({ field }) => field)).toEqual(fields);
  for (const { field, old } of found.changes) expect(old).toBe(known.values[field]);
});
