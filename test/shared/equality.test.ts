// The shared directory answers exactly as the index in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makePeopleRows } from '../../bench/messy/make-people-rows.ts';
import { importMessyDirectory } from '../../bench/messy/messy-directory.ts';
import { fixturesDir, readCsv, readSampleDirectory } from '../../bench/messy/sample-people.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { openSharedMatcher } from '../../engine/shared/match-shared.ts';
import { makeDirectory } from '../directory/small-directory.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { runsOf } from '../property-runs.ts';
import { answerBoth } from './compare-answers.ts';
import { openTestShared } from './open-shared.ts';
import { makeRandomDirectory, randomDirectory } from './random-directory.ts';

const missing = postgresMissing();
const secret = Buffer.alloc(16, 7);

/**
 * Each run brings the shared directory to the state of another directory, so that updates are
 * checked as well: what one leaves behind would change the answers of the next.
 */
async function checkEquality(people: number, runs: number): Promise<void> {
  const { admin } = await openTestShared();
  const matcher = openSharedMatcher(admin, { secret, peopleMax: 50 });
  await fc.assert(
    fc.asyncProperty(randomDirectory(people), async (drawn) => {
      const db = makeRandomDirectory(drawn.people);
      await loadDirectory(admin, db, { secret, source: 'random' });
      const { embedded, shared } = await answerBoth(db, matcher, drawn.rows);
      expect(shared).toEqual(embedded);
    }),
    { numRuns: runs, endOnFailure: runs < 20 },
  );
}

test('the shared directory answers as the index in memory, whatever the directory', async () => {
  if (missing) return console.warn(missing);
  await checkEquality(60, 8);
});

test('the same for many directories, and for names of more people than are read', {
  tags: ['full'],
  timeout: 1_800_000,
}, async () => {
  if (missing) return console.warn(missing);
  await checkEquality(120, runsOf(200));
  await checkEquality(900, runsOf(10));
});

test('colleagues whose surnames differ from a row are not fetched', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const letters = [...'bcdfgklmnprt'];
  const colleagues = letters.flatMap((one) =>
    letters.map((other) => ({
      first: `G${one}a${other}`,
      last: `${one}u${other}e${one}o${other}a`,
      jobs: [{ at: 'Acme Inc' }],
    })),
  );
  const meant = { first: 'Xaver', last: 'Wolffstein', jobs: [{ at: 'Acme Inc' }] };
  const db = makeDirectory([...colleagues, meant]);
  await loadDirectory(admin, db, { secret, source: 'colleagues' });
  const matcher = openSharedMatcher(admin, { secret });
  const row = { first_name: 'Xavr', last_name: 'Wolfstien', company_name: 'Acme' };
  const { embedded, shared } = await answerBoth(db, matcher, [row]);
  expect(shared).toEqual(embedded);
  expect(JSON.parse(shared[0]!)[0]).toBe(colleagues.length + 1);
  expect(matcher.counts.people).toBe(1);
});

test('the same for messy rows about real people', {
  tags: ['full'],
  timeout: 1_800_000,
}, async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const folder = mkdtempSync(join(tmpdir(), 'shared-equality-'));
  const db = openDirectory(folder);
  try {
    const sample = readSampleDirectory();
    await importMessyDirectory(db, folder, sample);
    await loadDirectory(admin, db, { secret, source: 'sample' });
    const order = { seed: 1, split: 'report' as const, count: 10_000 };
    const rows = [
      ...makePeopleRows(sample, order).map(({ cells }) => cells as Record<string, string>),
      ...readCsv(join(fixturesDir, 'dev_inputs.csv')),
    ];
    const matcher = openSharedMatcher(admin, { secret });
    const { embedded, shared } = await answerBoth(db, matcher, rows, 5_000);
    expect(shared).toEqual(embedded);
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
});
