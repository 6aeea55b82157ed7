// Compares searches of the shared directory with those of the own one.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { SearchFirms, SearchPeople } from '../../engine/contract/records/record-search.ts';
import { buildSearchIndex } from '../../engine/directory/search/search-build.ts';
import { openSearch } from '../../engine/directory/search/search-directory.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { openTeamSearch } from '../../engine/shared/search/team-search.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { type OpenOptions, openTestShared } from './open-shared.ts';
import { makeRandomDirectory, randomDirectory } from './random-directory.ts';

const secret = Buffer.alloc(16, 7);

const titles = [null, 'Director of Sales', 'Sales Manager', 'Vice President, R&D', 'VP', 'Élu'];
const levels = [null, 'Director', 'Manager', 'VP', 'vp '];
const countries = [null, 'DE', 'Germany', 'US', 'Atlantis', ''];
const industries = [null, 'Software', 'software', 'Public  Sector'];
const ranges = [null, '51-200', '1000+'];

/** What the random directory lacks: titles, levels, places and sizes. */
const details = fc.array(fc.nat(30), { minLength: 60, maxLength: 60 });
function addDetails(db: ReadableDatabase, drawn: readonly number[]): void {
  const pick = <Value>(list: readonly Value[], at: number) =>
    list[(drawn[at % drawn.length] ?? 0) % list.length] ?? null;
  const ids = (table: string) => db.prepare(`SELECT id FROM ${table}`).pluck().all() as number[];
  for (const id of ids('employment'))
    db.prepare(
      `UPDATE employment SET title = ?, job_level = ?, email_status = ?,
         email = iif(?, upper(substr(email, 1, 1)) || substr(email, 2), email) WHERE id = ?`,
    ).run(
      pick(titles, id),
      pick(levels, id + 7),
      pick([null, 'invalid'], id + 3),
      pick([0, 1], id + 5),
      id,
    );
  for (const id of ids('person'))
    db.prepare('UPDATE person SET country = ? WHERE id = ?').run(pick(countries, id + 11), id);
  for (const id of ids('company'))
    db.prepare(
      `UPDATE company SET country = ?, industry = ?, employee_range = ?, revenue_range = ?,
         uuid = ? WHERE id = ?`,
    ).run(
      pick(countries, id + 17),
      pick(industries, id + 19),
      pick(ranges, id + 23),
      pick(ranges, id + 29),
      `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
      id,
    );
}

const words = (...texts: string[]) => fc.constantFrom(...texts);
const some = (value: fc.Arbitrary<string>) =>
  fc.option(fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 2 })), {
    nil: undefined,
    freq: 2,
  });
const companyFilters = {
  company_name: some(words('acme', 'acm', 'a', 'univ', 'of', 'works ltd', 'x', '…')),
  contact_office_country: some(words('DE', 'germany', 'US', 'Atlantis', 'FR', 'Utopia')),
  industry: some(words('Software', 'public sector', 'Mining')),
  employee_range: some(words('51-200', '1000+')),
  revenue_range: some(words('51-200', '1000+')),
};
const companySearches = fc.record(
  {
    ...companyFilters,
    query: fc.option(
      words('a', 'acm', 'north univ', 'acme.com', '@unv.edu', 'x@acme.com', 'ltd', 'zb'),
      { nil: undefined, freq: 2 },
    ),
    limit: fc.constantFrom(1, 3, 100),
  },
  { requiredKeys: ['limit'] },
);
const searches = fc.record(
  {
    ...companyFilters,
    job_title: some(words('sales', 's', 'dir sal', 'VP', 'elu', 'president r', '…', 'zzz')),
    name: some(words('ann', 'smi', 'rob lee', 'kate', 'acme', '…')),
    email: fc.option(words('ann.smith@acme.com', 'info@acme.com', '@acme.com'), {
      nil: undefined,
      freq: 1,
    }),
    job_level: some(words('Director', ' vp', 'manager', 'Chief')),
    query: fc.option(
      words('a', 'ann smi', 'acm', 'rob', 'kate beta', 'acme.com', '@unv.edu', 'zb', 'lee').filter(
        Boolean,
      ),
      { nil: undefined, freq: 2 },
    ),
    emailQuery: fc.option(
      words('info@acme.com', 'ann.smith@gmail.com', 'ann.smith@acme.com', 'ANN.lee@acme.com'),
      { nil: undefined, freq: 1 },
    ),
    has_email: fc.option(fc.constant(true as const), { nil: undefined, freq: 2 }),
    company_id: fc.option(
      words(...[1, 2, 6].map((id) => `00000000-0000-4000-8000-00000000000${id}`)),
      {
        nil: undefined,
        freq: 1,
      },
    ),
    limit: fc.constantFrom(1, 3, 100),
  },
  { requiredKeys: ['limit'] },
);

type Answer = Promise<unknown>;
const outcomeOf = (answer: Answer) => answer.catch((error: Error) => ({ refused: error.message }));

/** Every person by pages, each page after the one before. */
async function readPages(
  search: (after: string | undefined) => Promise<{
    total: number;
    next_after?: string | null | undefined;
    results: readonly unknown[];
  }>,
) {
  const results: unknown[] = [];
  const totals = new Set<number>();
  let after: string | undefined;
  for (;;) {
    const page = await search(after);
    totals.add(page.total);
    results.push(...page.results);
    if (!page.next_after) return { totals: [...totals], results };
    after = page.next_after;
  }
}

/** All pages of a search, with the total of the first one. */
const readAll = (
  search: (after: { readonly after?: string }) => Promise<{
    total: number;
    next_after?: string | null | undefined;
    results: readonly unknown[];
  }>,
) =>
  readPages((after) => search(after ? { after } : {})).then(({ totals, results }) => ({
    total: totals[0],
    results,
  }));

/** Searches of both directories, with their pages, totals and refusals, over random directories. */
export async function checkSearchEquality(
  people: number,
  runs: number,
  options: OpenOptions = {},
): Promise<void> {
  const { admin } = await openTestShared(options);
  const team = openTeamSearch(admin, (await openJobFixture()).database);
  const drawnSearches = fc.record({
    list: fc.array(searches, { minLength: 6, maxLength: 6 }),
    firms: fc.array(companySearches, { minLength: 4, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(randomDirectory(people), details, drawnSearches, async (drawn, more, all) => {
      const db = makeRandomDirectory(drawn.people);
      addDetails(db, more);
      await loadDirectory(admin, db, { secret, source: 'random' });
      const own = openSearch(db, () => index);
      const index = buildSearchIndex(db);
      expect(await team.values()).toEqual(await own.values(null));
      const first = { limit: 100, offset: 0 };
      for (const { emailQuery, ...one } of all.list) {
        const wanted = (emailQuery ? { ...one, query: emailQuery } : one) as SearchPeople;
        const expected = await outcomeOf(own.contacts({ ...wanted, ...first }));
        const found = await outcomeOf(
          readAll((after) => team.people({ ...wanted, offset: 0, ...after })),
        );
        expect(found, JSON.stringify(wanted)).toEqual(expected);
      }
      for (const wanted of all.firms as SearchFirms[]) {
        const expected = await outcomeOf(own.companies({ ...wanted, ...first }));
        const found = await outcomeOf(
          readAll((after) => team.companies({ ...wanted, offset: 0, ...after })),
        );
        expect(found, JSON.stringify(wanted)).toEqual(expected);
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );
}
