// The finding of a contact, compared with its row or with an earlier answer.
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
  ...given,
});
const row = (given: Partial<WatchedValues>, held: Partial<WatchedValues> = {}): KnownContact => ({
  by: 'row',
  values: values(given),
  listHeld: (field) => [held[field] ?? ''],
});
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
    'a title with short forms or other small words is the same title',
    row({ title: 'Sr. VP, Sales' }),
    answer('Current', { title: 'Senior Vice President of Sales' }),
    'unchanged',
    [],
  ],
  [
    'a private address in the row against the work address is no change',
    row({ ...acme, email: 'ada@gmail.com' }),
    answer('Current', acme),
    'unchanged',
    [],
  ],
  [
    'an address in the row at a host that is not the employer’s is no work address there',
    row({ ...acme, email: 'ada@mailhost.example' }),
    answer('Current', acme),
    'unchanged',
    [],
  ],
  [
    'a work address in the row against a private address is no change',
    row(acme),
    answer('Current', { ...acme, email: 'ada@gmail.com' }),
    'unchanged',
    [],
  ],
  [
    'the mailbox of an office in the row is no address of the person',
    row({ ...acme, email: 'info@acme.example' }),
    answer('Current', acme),
    'unchanged',
    [],
  ],
  [
    'another work address at the current employer',
    row({ ...acme, email: 'ada.king@acme.example' }),
    answer('Current', { ...acme, email: 'ada.lovelace@mail.acme.example' }),
    'changed',
    ['email'],
  ],
  [
    'another work address at another host of the employer',
    row({ ...acme, email: 'ada@acme.co.uk' }),
    answer('Current', acme),
    'changed',
    ['email'],
  ],
  [
    'a new employer, and a private address in the row',
    row({ ...acme, email: 'ada@gmail.com' }),
    answer('Changed', { ...acme, company_name: 'Globex', email: 'ada@globex.example' }),
    'changed',
    ['company_name'],
  ],
  [
    'who left, with a private address in the row',
    row({ ...acme, email: 'ada@gmail.com' }),
    answer('Left'),
    'left',
    ['company_name', 'title'],
  ],
  [
    'the address of the last run has moved to a new host of the employer',
    earlier('Current', acme),
    answer('Current', { ...acme, email: 'ada@acme-group.example' }),
    'changed',
    ['email'],
  ],
  [
    'a private address in the last run against a work address is no change',
    earlier('Current', { ...acme, email: 'ada@gmail.com' }),
    answer('Current', acme),
    'unchanged',
    [],
  ],
  [
    'a title and an address of another current employment are still held',
    row(
      { ...acme, title: 'Advisor', email: 'a@acme.example' },
      { title: 'advisor', email: 'A@acme.example' },
    ),
    answer('Current', acme),
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
    'what the last run does not say is not compared',
    earlier('Current', { company_name: 'Acme' }),
    answer('Current', { company_name: 'Acme', title: 'Buyer', email: 'ada@acme.example' }),
    'unchanged',
    [],
  ],
])('%s', (_title, known, now, status, fields) => {
  const found = compareContact(known, now);
  expect(found.status).toBe(status);
  expect(found.changes.map(({ field }) => field)).toEqual(fields);
  for (const { field, old } of found.changes) expect(old).toBe(known.values[field]);
});
