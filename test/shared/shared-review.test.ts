/** Rows that may mean several people of the team's directory, and decisions about them. */
import { expect, onTestFinished, test } from 'vitest';
import { reasons } from '../../engine/contract/jobs/job.ts';
import { applyPicks } from '../../engine/jobs/review/apply-picks.ts';
import { readReviewPage } from '../../engine/jobs/review/read-review.ts';
import {
  projectTeamPicks,
  readTeamEvidence,
  type TeamPeople,
} from '../../engine/jobs/review/team-candidates.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import {
  openSharedConnection,
  type SharedConnection,
} from '../../engine/shared/connection/open-connection.ts';
import { openSharedPeople } from '../../engine/shared/home/open-people.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openSharedFixture, teamRows, twinRow } from './shared-fixture.ts';

const missing = postgresMissing();
const list = [...teamRows.slice(0, 12), twinRow];
const twinAt = list.length - 1;

/** A job that ran over the list, and its review. */
async function openReview() {
  const fixture = await openSharedFixture();
  const { own, connection, startWorker, run } = fixture;
  startWorker();
  const { address } = connection;
  const away = openSharedConnection({ address: { ...address, port: 1 }, password: '' });
  onTestFinished(() => away.close());
  let server: SharedConnection = connection;
  const people: TeamPeople = {
    openPeople: (uuids, companyIds) => openSharedPeople(server, own.database, uuids, companyIds),
  };
  const enrich = async () => {
    const uuid = own.submit(list);
    await run(uuid);
    return uuid;
  };
  const page = (uuid: string, status: 'waiting' | 'decided' = 'waiting') =>
    readReviewPage(
      {
        ...{ database: own.database, directoryDatabase: own.directory, folder: own.folder },
        reader: { compareNames: async () => [] },
        writer: { readTeamEvidence: ({ pairs }) => readTeamEvidence(people, pairs) },
      },
      own.read(uuid),
      { status, limit: 10 },
      () => '',
    );
  const pick = async (jobId: string, contactUuid: string | null) => {
    const picks = [{ row_index: twinAt, contact_uuid: contactUuid }];
    const command = { accountId: own.account.id, keyId: null, jobId, picks };
    const team = await projectTeamPicks(own.database, people, own.read(jobId), picks);
    return applyPicks(own.database, own.folder, command, own.deps.now(), team);
  };
  const twin = (uuid: string) => own.results(own.read(uuid))[twinAt]!;
  const lose = () => {
    server = away;
  };
  const find = () => {
    server = connection;
  };
  return { ...fixture, enrich, page, pick, twin, lose, find };
}

test('a row that may mean several people of the team waits for a decision, which is charged and remembered', async () => {
  if (missing) return console.warn(missing);
  const { own, team, enrich, page, pick, twin, outcome } = await openReview();
  const first = await enrich();
  expect(reasons[twin(first).reason]).toBe('ambiguous');
  const expected = team.submit(list);
  await runJob({ ...team.deps, batchRowsMax: 10 }, team.read(expected).id);
  // The candidates are those of an engine that has the team's people itself.
  expect(outcome(own, first).rows[twinAt]).toEqual(outcome(team, expected).rows[twinAt]);
  const { waiting, results } = await page(first);
  expect(waiting).toBe(1);
  const [one, other] = results[0]!.candidates;
  expect([one?.title, other?.title].sort()).toEqual(['Buyer', 'Clerk']);
  expect(one?.evidence).toEqual([
    { field: 'first_name', given: 'Dan', known: 'Dan', verdict: 'same' },
    { field: 'last_name', given: 'Twin', known: 'Twin', verdict: 'same' },
    {
      ...{ field: 'company_name', given: 'Team Company 1', known: 'Team Company 1' },
      verdict: 'same',
    },
  ]);
  const chosen = other!.upstream_contact_uuid;
  expect(await pick(first, chosen)).toMatchObject({ applied: 1, remaining: 0 });
  const { contactUuid, fields, provenance } = twin(first);
  expect({ contactUuid, provenance }).toEqual({
    contactUuid: chosen,
    provenance: expect.stringContaining('team.csv'),
  });
  expect(fields).toContain('@team1.example');
  const [decided] = (await page(first, 'decided')).results;
  expect(decided?.pick?.credits_charged).not.toBe('0.0000');
  // A later job does not ask again.
  const later = await enrich();
  expect(twin(later)).toMatchObject({ contactUuid: chosen, confidence: 1, fields });
  expect((await page(later)).waiting).toBe(0);
  expect(own.read(later).enrichedRows).toBe(own.read(first).enrichedRows);
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
    ...{ database: own.database, now: own.deps.now, onChange: () => undefined },
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
