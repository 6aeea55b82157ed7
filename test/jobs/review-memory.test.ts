// Remembered decisions: a later job answers the same contact as a person decided before.
import { expect, test } from 'vitest';
import { reasons } from '../../engine/contract/jobs/job.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import { applyPicks } from '../../engine/jobs/review/apply-picks.ts';
import { hashContact } from '../../engine/jobs/review/contact-hash.ts';
import { findRecalls } from '../../engine/jobs/review/review-memory.table.ts';
import { countWaiting } from '../../engine/jobs/review/review-pick.table.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { shareApiDesk } from '../http/open-api-desk.ts';
import { now, openJobFixture } from './job-fixture.ts';

const ann = ['Ann', 'Lee', 'Acme'];
const bob = ['Bob', 'May', 'Acme'];
const noMatch = reasons.indexOf('no_match');

/** Two people named Ann Lee at one company, each of an import of its own. */
async function openTwins() {
  const fixture = await openJobFixture();
  await fixture.importPeople('bob.csv', ['b1,Bob,May,Acme,Head,bob@acme.example,1']);
  const imports = [
    await fixture.importPeople('chief.csv', ['a1,Ann,Lee,Acme,Chief,chief@acme.example,1']),
    await fixture.importPeople('clerk.csv', ['a2,Ann,Lee,Acme,Clerk,clerk@acme.example,1']),
  ];
  const { database, folder, account, deps } = fixture;
  const run = async (...rows: string[][]) => {
    const uuid = fixture.submit(rows);
    await runJob(deps, fixture.read(uuid).id);
    const job = fixture.read(uuid);
    return { job, rows: fixture.results(job), waiting: countWaiting(database, job) };
  };
  const decide = (jobId: string, ...picks: Parameters<typeof applyPicks>[2]['picks']) =>
    applyPicks(database, folder, { accountId: account.id, keyId: null, jobId, picks }, now());
  /** The first candidate of the first row of a job. */
  const candidateOf = ({ rows }: Awaited<ReturnType<typeof run>>): string =>
    JSON.parse(rows[0]?.candidates ?? '[]')[0][0];
  return { ...fixture, imports, run, decide, candidateOf };
}

test('a later job answers the same contact with the picked person, and charges it', async () => {
  const { database, run, decide, candidateOf, read } = await openTwins();
  const first = await run(ann);
  const uuid = candidateOf(first);
  decide(first.job.uuid, { row_index: 0, contact_uuid: uuid });
  const later = await run(bob, ['  ANN ', 'Lee', 'acme'], ['Ann', 'Lee', 'Acme Inc']);
  expect(later.rows.map(({ status }) => status)).toEqual([0, 0, 1]);
  expect(later.rows[1]).toMatchObject({ contactUuid: uuid, confidence: 1, reason: 0 });
  expect(later.rows[1]?.fields).toContain('"Current"');
  expect(later.waiting).toBe(1);
  expect(read(later.job.uuid)).toMatchObject({ chargedUnits: 20_000, reviewedUnits: 0 });
  expect(findRecalls(database, later.job.id, [0, 1, 2])).toEqual([
    { rowIndex: 1, decided_by: 'app', decided_at: now().toISOString() },
  ]);
});

test('“none of them” is repeated: the row matches nobody, and does not wait', async () => {
  const { run, decide, candidateOf } = await openTwins();
  const first = await run(ann);
  decide(first.job.uuid, { row_index: 0, contact_uuid: null });
  const later = await run(ann);
  expect(later.rows[0]).toMatchObject({ status: 1, reason: noMatch, contactUuid: '' });
  expect(later.waiting).toBe(0);
  // The row may still be decided in its own job.
  decide(later.job.uuid, { row_index: 0, contact_uuid: candidateOf(later) });
  const last = await run(ann);
  expect(last.rows[0]).toMatchObject({ status: 0, contactUuid: candidateOf(later) });
});

test('“none of them” is ignored once another person fits', async () => {
  const { run, decide, importPeople } = await openTwins();
  const first = await run(ann);
  decide(first.job.uuid, { row_index: 0, contact_uuid: null });
  await importPeople('cook.csv', ['a3,Ann,Lee,Acme,Cook,cook@acme.example,1']);
  expect((await run(ann)).waiting).toBe(1);
});

test('an undo is the end of the memory, and another pick replaces it', async () => {
  const { run, decide, candidateOf } = await openTwins();
  const first = await run(ann);
  const [one, other] = JSON.parse(first.rows[0]?.candidates ?? '[]').map(([id]: string[]) => id);
  expect(candidateOf(first)).toBe(one);
  decide(first.job.uuid, { row_index: 0, contact_uuid: one });
  decide(first.job.uuid, { row_index: 0, contact_uuid: other });
  expect((await run(ann)).rows[0]).toMatchObject({ status: 0, contactUuid: other });
  decide(first.job.uuid, { row_index: 0, undo: true });
  expect(await run(ann)).toMatchObject({ waiting: 1, rows: [{ status: 1 }] });
});

test('a person who is gone from the directory is not recalled', async () => {
  const { database, directory, imports, deps, run, decide } = await openTwins();
  const first = await run(ann);
  const chief = JSON.parse(first.rows[0]?.candidates ?? '[]').find(
    ([, , title]: string[]) => title === 'Chief',
  );
  decide(first.job.uuid, { row_index: 0, contact_uuid: chief[0] });
  undoImport(directory, imports[0]!);
  await deps.whenGeneration(0);
  const later = await run(ann);
  // The other one is the only Ann Lee now.
  expect(later.rows[0]?.fields).toContain('"Clerk"');
  expect(findRecalls(database, later.job.id, [0])).toEqual([]);
});

test('a recalled person who left the employer since is shown as left', async () => {
  const { directory, deps, run, decide, candidateOf } = await openTwins();
  const first = await run(ann);
  const uuid = candidateOf(first);
  decide(first.job.uuid, { row_index: 0, contact_uuid: uuid });
  directory
    .prepare(
      `UPDATE employment SET is_current = 0
       WHERE person_id = (SELECT id FROM person WHERE uuid = ?)`,
    )
    .run(uuid);
  directory.prepare('UPDATE person SET employment_id = NULL WHERE uuid = ?').run(uuid);
  await deps.whenGeneration(0);
  const later = await run(ann);
  expect(later.rows[0]?.fields).toContain('"Left"');
});

test('a hash ignores case, white space and the caller’s reference', () => {
  const key = '00'.repeat(32);
  const mapping = { first_name: 0, email: 1, client_reference_id: 2 };
  const hash = hashContact(key, ['Ann', 'a@b.example', '1'], mapping);
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(hashContact(key, [' ANN ', 'A@b.example', '2'], mapping)).toBe(hash);
  expect(hashContact(key, ['Ann', 'a@c.example', '1'], mapping)).not.toBe(hash);
  expect(hashContact('01'.repeat(32), ['Ann', 'a@b.example'], mapping)).not.toBe(hash);
  expect(hashContact(key, ['a@b.example', 'Ann'], mapping)).not.toBe(hash);
  expect(hashContact(key, ['', ' ', '1'], mapping)).toBeNull();
});

const people = `person id,first name,last name,title,company,is current
a1,Ann,Lee,Chief,Acme,1
a2,Ann,Lee,Clerk,Acme,1
`;
const openDesk = shareApiDesk({}, { people, provider: null });

test('a recalled row names its author; decisions belong to their account', async () => {
  const desk = await openDesk();
  const row = { first_name: 'Ann', last_name: 'Lee', company_name: 'Acme' };
  const json = { selected_layers: ['L1'], rows: [row] };
  const enrich = async (by = desk): Promise<string> => {
    const { data } = await by.call('POST', 'submit/', { json });
    await by.environment.finish(data.job_id);
    return data.job_id;
  };
  const first = await enrich();
  const { data } = await desk.call('GET', `review/${first}/`);
  const uuid = data.results[0].candidates[1].upstream_contact_uuid;
  const picks = [{ row_index: 0, contact_uuid: uuid }];
  await desk.call('POST', `review/${first}/`, { json: { picks } });
  const later = await enrich();
  const result = await desk.call('GET', `result/${later}/`);
  expect(result.data.results[0]).toMatchObject({
    status: 'enriched',
    upstream_contact_uuid: uuid,
    credits_charged: '1.0000',
    review: { decided_by: 'tests', decided_at: expect.any(String), remembered: true },
  });
  const stranger = await openDesk();
  const other = await enrich(stranger);
  expect((await stranger.call('GET', `review/${other}/`)).data).toMatchObject({ waiting: 1 });
});
