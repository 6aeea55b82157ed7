// The person of a profile URL in a direct lookup, and which of their values may be sold.
import { expect, test } from 'vitest';
import { employmentStatuses } from '../../engine/contract/jobs/job.ts';
import { findContact as findInDirectory } from '../../engine/directory/read/find-contact.ts';
import { createProjection } from '../../engine/directory/read/projection.ts';
import { readFields } from '../../engine/jobs/results/result-fields.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { planOn } from '../migrations/plan-statements.ts';
import { openListFolder, type Row } from './list-folder.ts';

/** The found person; null if none. */
function findContact(db: ReadableDatabase, url: string) {
  const found = findInDirectory(db, url);
  return found.kind === 'found' ? found.contact : null;
}

const ann: Row = {
  Name: 'Ann Lee',
  Company: 'Acme',
  Email: 'ann@acme.example',
  'Email status': 'verified',
  'Profile URL': 'https://www.linkedin.com/in/ann-lee/',
  Mobile: '+41 79 000 00 01',
  'Direct phone': '+41 31 000 00 01',
};

test.each([
  'https://www.linkedin.com/in/ann-lee/',
  'http://linkedin.com/in/ann-lee',
  'LinkedIn.com/in/Ann-Lee/',
  'https://ch.linkedin.com/in/ann-lee/?trk=abc&originalSubdomain=ch&anything=1#about',
  ' https://WWW.LINKEDIN.COM/in/ann-lee ',
])('%j is a spelling of the same profile', async (url) => {
  using folder = openListFolder();
  await folder.importPeople([ann]);
  expect(findContact(folder.db, url)).toEqual({
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: 'ann@acme.example',
    emailStatus: 'valid',
    mobilePhone: '+41790000001',
    directPhone: '+41310000001',
  });
});

test.each([
  ['tracking parameters are dropped everywhere', 'https://me.example/ann?utm_source=x&id=7', true],
  ['elsewhere the rest of a query is another page', 'https://me.example/ann?id=8', false],
  ['elsewhere the case of a path is another page', 'https://me.example/Ann?id=7', false],
  ['another profile is another person', 'https://me.example/ann-2?id=7', false],
  ['text that is no URL finds no one', 'ann lee', false],
])('%s', async (_title, url, isFound) => {
  using folder = openListFolder();
  await folder.importPeople([{ ...ann, 'Profile URL': 'https://me.example/ann?id=7' }]);
  expect(findContact(folder.db, url) !== null).toBe(isFound);
});

test('a former profile URL still finds the person, also in another case', async () => {
  using folder = openListFolder();
  const id = { id: '1' };
  const before = { ...ann, ...id, 'Profile URL': 'https://me.example/Ann' };
  await folder.importPeople([before], { observed: '2026-01-01' });
  const after = { ...ann, ...id, 'Profile URL': 'https://new.example/ann' };
  await folder.importPeople([after], { observed: '2026-02-01' });
  expect(findContact(folder.db, 'https://me.example/Ann')?.email).toBe('ann@acme.example');
  expect(findContact(folder.db, 'https://new.example/ann')?.email).toBe('ann@acme.example');
  expect(findContact(folder.db, 'https://me.example/ann')).toBeNull();
});

test('a URL that several people hold, now or formerly, identifies no one', async () => {
  using folder = openListFolder();
  const url = { 'Profile URL': 'https://house.example/members' };
  const rows = ['Ann Lee', 'Bob May'].map((Name, at) => ({ id: String(at), Name, ...url }));
  await folder.importPeople(rows, { source: 'crm', observed: '2026-01-01' });
  expect(findInDirectory(folder.db, url['Profile URL'])).toEqual({ kind: 'withheld' });
  const moved = { id: '0', Name: 'Ann Lee', 'Profile URL': 'https://me.example/ann' };
  await folder.importPeople([moved], { source: 'crm', observed: '2026-02-01' });
  expect(findContact(folder.db, url['Profile URL'])).toBeNull();
  expect(findContact(folder.db, moved['Profile URL'])).not.toBeNull();
});

test('a suppressed person is withheld, which differs from unknown', async () => {
  using folder = openListFolder();
  await folder.importPeople([{ ...ann, Suppressed: 'yes' }]);
  expect(findInDirectory(folder.db, ann['Profile URL'] ?? '')).toEqual({ kind: 'withheld' });
  expect(findInDirectory(folder.db, 'https://me.example/x')).toEqual({ kind: 'unknown' });
});

test.each<[title: string, change: Row, found: object]>([
  ['an invalid address is never sold', { 'Email status': 'bounced' }, { email: null }],
  ['an address of a job that ended is never sold', { 'Is current': 'no' }, { email: null }],
  [
    'an unchecked address is unknown',
    { 'Email status': '' },
    { email: 'ann@acme.example', emailStatus: 'unknown' },
  ],
  [
    'a number of no named kind is a direct phone',
    { Mobile: '', 'Direct phone': '', Phone: '+41 31 000 00 02' },
    { mobilePhone: null, directPhone: '+41310000002' },
  ],
  ['a company’s main phone is never sold', { Mobile: '+41 31 999 99 99' }, { mobilePhone: null }],
  [
    'a number that several hold is never sold',
    { Mobile: '+41 79 888 88 88' },
    { mobilePhone: null },
  ],
])('%s', async (_title, change, found) => {
  using folder = openListFolder();
  await folder.importCompanies([{ name: 'Acme', phone: '+41 31 999 99 99' }]);
  await folder.importPeople([
    { ...ann, ...change },
    { Name: 'Bob May', Company: 'Globex', Mobile: '+41 79 888 88 88' },
  ]);
  expect(findContact(folder.db, ann['Profile URL'] ?? '')).toMatchObject(found);
});

/** The values that a job with L1 and MPA returns for a person, in the form of a lookup. */
function projectPerson(db: ReadableDatabase, personId: number) {
  const projection = createProjection(db, { schema: 'main', layers: ['L1', 'MPA'] });
  const batch = {
    count: 1,
    personIds: Int32Array.of(personId),
    companyIds: Int32Array.of(0),
    employmentStatuses: Uint8Array.of(employmentStatuses.indexOf('Current')),
    reasons: Uint8Array.of(0),
    confidences: Float32Array.of(1),
    matchedOn: Uint16Array.of(1),
    candidates: [],
  };
  projection.load(batch, 0);
  const row = db.prepare(projection.selectSql).get() as { fields: string | null };
  if (row.fields === null) return null;
  const fields = readFields({ fields: row.fields });
  return {
    email: fields.Email ?? null,
    emailStatus: fields['Email status'] ?? null,
    mobilePhone: fields['Mobile phone'] ?? null,
    directPhone: fields['Direct phone'] ?? null,
  };
}

test('a lookup and a job never disagree about a person', async () => {
  using folder = openListFolder();
  const flags = [0, 1];
  const rows = flags.flatMap((suppressed) =>
    ['valid', 'invalid', ''].flatMap((status) =>
      flags.flatMap((current) =>
        ['Mobile', 'Direct phone', 'Neither'].map((phone, at) => {
          const slug = `p${suppressed}${status}${current}${at}`;
          return {
            Name: `Ann ${slug}`,
            Company: 'Acme',
            Email: `${slug}@acme.example`,
            'Email status': status,
            'Is current': String(current),
            Suppressed: String(suppressed),
            'Profile URL': `https://me.example/${slug}`,
            [phone]: `+41 79 100 0${suppressed}${current} ${at}${status.length}`,
          };
        }),
      ),
    ),
  );
  await folder.importPeople(rows);
  const people = folder.db.prepare('SELECT id, profile_url AS url FROM person').all() as {
    id: number;
    url: string;
  }[];
  expect(people).toHaveLength(36);
  for (const { id, url } of people) {
    const contact = findContact(folder.db, url);
    const { uuid: _, ...values } = contact ?? { uuid: '' };
    expect(contact && values).toEqual(projectPerson(folder.db, id));
  }
});

test('a lookup uses only indices, whatever the size of the directory', () => {
  using folder = openListFolder();
  const steps = planOn(folder.db, () => findContact(folder.db, 'https://me.example/ann'));
  expect(steps.filter((step) => /SCAN|SEARCH/.test(step))).toEqual([
    'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)',
    expect.stringMatching(/^SEARCH person USING .*INDEX person_profile_key \(profile_key=\?\)$/),
    'SEARCH person_key USING INDEX person_key_value (kind=? AND value=?)',
    'SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN',
  ]);
});
