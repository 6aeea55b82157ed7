// Jobs over the team's directory with a row that may mean several people, and its review.
import { expect, onTestFinished } from 'vitest';
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
import { openSharedPeople } from '../../engine/shared/records/open-people.ts';
import type { OpenOptions } from './open-shared.ts';
import { openSharedFixture, teamRows, twinRow } from './shared-fixture.ts';

const list = [...teamRows.slice(0, 12), twinRow];
const twinAt = list.length - 1;

export async function openReview(options: OpenOptions = {}) {
  const fixture = await openSharedFixture(options);
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
        database: own.database,
        directoryDatabase: own.directory,
        folder: own.folder,
        reader: { compareNames: async () => [] },
        writer: { readTeamEvidence: ({ pairs }) => readTeamEvidence(people, pairs) },
      },
      own.read(uuid),
      { status, limit: 10 },
      () => '',
      { isOwner: true },
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

/** The row waits for a decision, which is charged, and answers the row of a later job. */
export async function proveReview(options: OpenOptions = {}): Promise<void> {
  const { own, team, enrich, page, pick, twin, outcome } = await openReview(options);
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
      field: 'company_name',
      given: 'Team Company 1',
      known: 'Team Company 1',
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
}
