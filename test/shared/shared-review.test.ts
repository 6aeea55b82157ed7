// Rows that may mean several people of the team's directory, and decisions about them.
import { expect, test } from 'vitest';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { fewBuckets } from './open-shared.ts';
import { openReview, proveReview } from './prove-review.ts';

const missing = postgresMissing();

test('a row that may mean several people of the team waits for a decision, which is charged and remembered', async () => {
  if (missing) return console.warn(missing);
  await proveReview();
});

test('the same if the people are in buckets, and matched there', { tags: ['full'] }, async () => {
  if (missing) return console.warn(missing);
  await proveReview({ distribution: fewBuckets });
});

test('without the server, candidates have no evidence and cannot be chosen; a suppressed one is not shown', async () => {
  if (missing) return console.warn(missing);
  const { own, enrich, page, pick, lose, find } = await openReview();
  const uuid = await enrich();
  const [one, other] = (await page(uuid)).results[0]!.candidates;
  lose();
  const [open] = (await page(uuid)).results;
  expect(open?.candidates.map(({ evidence }) => evidence)).toEqual([[], []]);
  await expect(pick(uuid, one!.upstream_contact_uuid)).rejects.toThrow('No PostgreSQL server');
  // A decision for no one needs no server.
  expect(await pick(uuid, null)).toMatchObject({ applied: 1, credits_charged: '0.0000' });
  find();
  const { suppress } = createSuppressionCommands({
    database: own.database,
    now: own.deps.now,
    onChange: () => undefined,
  });
  const values = [{ kind: 'email', value: 'dan1@team1.example' }] as const;
  await suppress({ values, reason: '', source: 'app', author: 'app' });
  const [decided] = (await page(uuid, 'decided')).results;
  expect(decided?.candidates).toHaveLength(1);
  const left = decided!.candidates[0]!.upstream_contact_uuid;
  const gone = [one, other].find((candidate) => candidate?.upstream_contact_uuid !== left);
  await expect(pick(uuid, gone!.upstream_contact_uuid)).rejects.toThrow("team's directory");
  expect(await pick(uuid, left)).toMatchObject({ applied: 1 });
});
