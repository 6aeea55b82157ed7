// Totals and pages of the team's directory leave out the people that this engine suppresses.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { companyNameKey } from '../../engine/directory/normalize/normalize-company.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import {
  fillFetched,
  openFetched,
  readShownCompanies,
  readShownPeople,
} from '../../engine/shared/records/fetched-tables.ts';
import {
  findFetchedEntries,
  suppressFetched,
} from '../../engine/shared/records/suppress-fetched.ts';
import { openTeamSearch } from '../../engine/shared/search/team-search.ts';
import { createWithheldReader } from '../../engine/shared/search/withheld.ts';
import { applySuppressions } from '../../engine/suppression/apply-suppressions.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { listKeys } from '../../engine/suppression/suppression.table.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { now, openJobFixture } from '../jobs/job-fixture.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { runsOf } from '../property-runs.ts';
import { listSpellings, secretValues } from '../suppression/spellings.ts';
import { fewBuckets, type OpenOptions, openTestShared } from './open-shared.ts';
import { makeRandomDirectory, type RandomPerson, randomDirectory } from './random-directory.ts';

const missing = postgresMissing();
const secret = Buffer.alloc(16, 7);
const first = { limit: 100, offset: 0 } as const;

/** What an import derives and a small directory lacks. */
function deriveKeys(db: ReadableDatabase): void {
  db.exec(`UPDATE person SET profile_key = replace(profile_url, 'https://www.', '')
      WHERE profile_url IS NOT NULL;
    UPDATE person SET direct_phone =
      (SELECT number FROM person_phone n WHERE n.person_id = person.id);
    UPDATE person SET uuid = printf('b0000000-0000-4000-8000-%012d', id)`);
  const setKey = db.prepare('UPDATE company SET name_key = ? WHERE name = ?');
  for (const name of db.prepare('SELECT name FROM company').pluck().all() as string[])
    setKey.run(companyNameKey(name), name);
}

const entries = fc.subarray([
  { value: 'b0000000-0000-4000-8000-000000000003' },
  { value: 'Info@ACME.com' },
  { value: 'BSmith@unv.edu' },
  { value: '*.com' },
  { value: '*.acme.com' },
  { value: 'unv.edu' },
  { value: 'beta.io' },
  { value: '+12125550100' },
  { value: '+44 20 7123 4567' },
  { value: 'https://www.linkedin.com/in/Ann-Smith' },
  { value: 'Ann Smith | Acme Inc' },
  { value: 'JOSÉ lee | beta.io' },
  { value: 'Bob Smith | acme.com' },
  { kind: 'company' as const, value: 'Texas Senate' },
  { kind: 'company' as const, value: 'UNV' },
  { kind: 'company' as const, value: 'Acme' },
]);

/** The lines of an import of some people. Every other one is suppressed. */
const linesOf = (people: readonly RandomPerson[]): string[] =>
  people.flatMap(({ first: given, last, jobs = [] }, at) => {
    const [job] = jobs;
    const cells = [`own${at}`, given, last, job?.at ?? '', '', job?.email ?? ''];
    return [`${cells.map((cell) => `"${cell}"`).join(',')},${job?.left ? 0 : 1}`];
  });

/** Those who are suppressed if all records are fetched. */
async function suppressEveryone(admin: SharedConnection, store: ReadableDatabase) {
  const idsOf = async (table: string) =>
    (await admin.pool.query(`SELECT id FROM ${table}`)).rows.map(({ id }) => Number(id));
  const [people, companies] = [await idsOf('person'), await idsOf('company')];
  const fetched = openFetched();
  const listed = (table: string) =>
    fetched.prepare(`SELECT id FROM ${table} WHERE listed = 1 ORDER BY id`).pluck().all();
  const found = await admin.use(async (client) => {
    fillFetched(fetched, await readShownPeople(client, people));
    suppressFetched(fetched, store);
    const hidden = listed('person');
    fillFetched(fetched, await readShownCompanies(client, companies));
    suppressFetched(fetched, store);
    return { people: hidden, companies: listed('company') };
  });
  fetched.close();
  return found;
}

/** The entries that are found for everyone suppress the same as all entries. */
async function checkEntries(admin: SharedConnection, store: ReadableDatabase): Promise<void> {
  const { rows } = await admin.pool.query<{ id: number }>('SELECT id FROM person');
  const records = await admin.use((client) =>
    readShownPeople(
      client,
      rows.map(({ id }) => id),
    ),
  );
  const listed = (entries?: ReturnType<typeof findFetchedEntries>) => {
    const fetched = openFetched();
    fillFetched(fetched, records);
    applySuppressions(fetched, store, entries ?? findFetchedEntries(fetched, store));
    const found = ['person', 'company'].map((table) =>
      fetched.prepare(`SELECT id FROM ${table} WHERE listed = 1 ORDER BY id`).pluck().all(),
    );
    fetched.close();
    return found;
  };
  expect(listed()).toEqual(listed(listKeys(store)));
}

async function checkWithheld(people: number, runs: number, options: OpenOptions = {}) {
  const { admin } = await openTestShared(options);
  let withheld = 0;
  await fc.assert(
    fc.asyncProperty(
      randomDirectory(people),
      randomDirectory(8),
      entries,
      async (team, own, values) => {
        const db = makeRandomDirectory(team.people);
        deriveKeys(db);
        await loadDirectory(admin, db, { secret, source: 'team' });
        const fixture = await openJobFixture();
        const { database, directory } = fixture;
        await fixture.importPeople('own.csv', linesOf(own.people));
        directory.exec(`UPDATE person SET opted_out = 1 WHERE id % 2 = 0`);
        const { suppress } = createSuppressionCommands({
          database,
          now,
          onChange: () => undefined,
        });
        const reason = { reason: '', source: 'app', author: 'test' } as const;
        if (values.length > 0) await suppress({ values, ...reason });
        await checkEntries(admin, database);
        const expected = await suppressEveryone(admin, database);
        const read = createWithheldReader(database);
        const { people, companies: firms } = await admin.use((client) => read(client));
        const idsOf = (chunks: typeof people) => chunks.flatMap(({ ids }) => ids);
        const found = { people: idsOf(people), companies: idsOf(firms) };
        expect(found).toEqual(expected);
        withheld += found.people.length;
        const search = openTeamSearch(admin, database);
        const everyone = await search.people(first);
        expect(everyone.total).toBe(everyone.results.length);
        const companies = await search.companies(first);
        expect(companies.total).toBe(companies.results.length);
        search.close();
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
  expect(withheld).toBeGreaterThan(0);
}

test('a search leaves out exactly the people that their records suppress', async () => {
  if (missing) return console.warn(missing);
  await checkWithheld(40, 3);
});

test('the same for many directories, also in buckets', {
  tags: ['full'],
  timeout: 600_000,
}, async () => {
  if (missing) return console.warn(missing);
  await checkWithheld(60, runsOf(60));
  await checkWithheld(60, 20, { distribution: fewBuckets });
});

/** More are left out of one chunk than are sent one by one. */
const staff = Array.from({ length: 120 }, (_, at) => ({
  first: `P${at}`,
  last: 'Lee',
  jobs: [{ at: at % 3 === 0 ? 'Hidden Ltd' : `Open ${at % 3}`, email: `p${at}@mail.example` }],
}));

test('pages are full and their total is the same on each, with people left out between them', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const db = makeDirectory(staff);
  deriveKeys(db);
  await loadDirectory(admin, db, { secret, source: 'team' });
  const { database } = await openJobFixture();
  const { suppress } = createSuppressionCommands({ database, now, onChange: () => undefined });
  const search = openTeamSearch(admin, database);
  const reason = { reason: '', source: 'app', author: 'test' } as const;
  await suppress({ values: [{ kind: 'company', value: 'Hidden' }], ...reason });
  const pages = [];
  let after: string | undefined;
  do {
    const page = await search.people({ limit: 24, offset: 0, ...(after && { after }) });
    pages.push([page.total, page.results.length]);
    after = page.next_after;
  } while (after);
  expect(pages).toEqual([...[1, 2, 3].map(() => [80, 24]), [80, 8]]);
  expect((await search.companies(first)).results.map(({ name }) => name)).toEqual([
    'Open 1',
    'Open 2',
  ]);
  expect(await search.uuids({ query: 'lee' }, 3)).toHaveLength(3);
  // The next search knows of the next entry.
  await suppress({ values: [{ value: 'p1@mail.example' }], ...reason });
  expect((await search.people(first)).total).toBe(79);
  search.close();
});

test('values that another program wrote to the server in any spelling are withheld', async () => {
  if (missing) return console.warn(missing);
  const columns = {
    email: 'employment SET email = $1 WHERE person_id = $2',
    phone: 'person_phone SET number = $1 WHERE person_id = $2',
    profile_url: "person SET profile_url = $1, profile_key = 'unknown' WHERE id = $2",
  } as const;
  const spelled = (Object.keys(columns) as (keyof typeof columns)[]).flatMap((kind) =>
    // PostgreSQL stores no such text, and a number without its country is none.
    listSpellings(kind)
      .filter((text) => !/\0|\p{Cs}|^41/u.test(text))
      .map((text) => ({ kind, text })),
  );
  const { admin } = await openTestShared();
  const db = makeDirectory(
    spelled.map((_one, at) => ({
      first: `P${at}`,
      last: 'Lee',
      directPhone: '+12125550100',
      jobs: [{ at: `Firm ${at}`, email: `p${at}@mail.example` }],
    })),
  );
  deriveKeys(db);
  await loadDirectory(admin, db, { secret, source: 'team' });
  const { rows } = await admin.pool.query<{ id: number; name: string }>(
    'SELECT id, first_name AS name FROM person',
  );
  for (const { id, name } of rows) {
    const { kind, text } = spelled[Number(name.slice(1))]!;
    await admin.pool.query(`UPDATE ${columns[kind]}`, [text, id]);
  }
  const { database } = await openJobFixture();
  const { suppress } = createSuppressionCommands({ database, now, onChange: () => undefined });
  const values = Object.values(secretValues).map((value) => ({ value }));
  await suppress({ values, reason: '', source: 'app', author: 'test' });
  const { people } = await suppressEveryone(admin, database);
  const shown = rows.filter(({ id }) => !people.includes(id));
  expect(shown.map(({ name }) => spelled[Number(name.slice(1))])).toEqual([]);
});
