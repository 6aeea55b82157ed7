// Jobs that are deleted after their days: what goes, what stays, and what later jobs know of them.
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { getJob, getJobById, listJobs } from '../../engine/jobs/job.table.ts';
import { describeRepeats } from '../../engine/jobs/repeats/repeat-row.table.ts';
import { exportResult } from '../../engine/jobs/results/export-result.ts';
import { applyPicks } from '../../engine/jobs/review/apply-picks.ts';
import { countPicks } from '../../engine/jobs/review/review-pick.table.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { failJob } from '../../engine/jobs/run-jobs.ts';
import { retryJob } from '../../engine/jobs/submit-job.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { findDue } from '../../engine/retention/rules-by-kind.ts';
import { day, nothingLeft, openRetention, person } from './retention-fixture.ts';

test('a job past its days goes with its rows and results; its amounts stay', async () => {
  const { database, folder, account, set, enrich, run, traces } = await openRetention();
  const old = await enrich(day(0), [person(1), person(1), ['No', 'One', 'Nowhere']]);
  const young = await enrich(day(5), [person(2)]);
  const balances = readBalances(database, account.id);
  const kept = traces(young);
  set('jobs', 10);
  const preview = () =>
    findDue(database, folder, {
      accountId: account.id,
      kinds: [{ kind: 'jobs', days: 10 }],
      now: day(12),
    })[0];
  expect(preview()).toMatchObject({ items: 1, oldest: old.completedAt, kept: [] });
  expect(preview()?.bytes).toBeGreaterThan(0);
  run(day(12));
  expect(preview()).toMatchObject({ items: 0, bytes: 0, oldest: null, newest: null });
  expect(traces(old)).toEqual(nothingLeft);
  expect(getJob(database, account.id, old.uuid)).toBeNull();
  expect(listJobs(database, account.id, { limit: 9, offset: 0 })).toMatchObject({
    count: 1,
    jobs: [{ uuid: young.uuid }],
  });
  expect(getJobById(database, old.id)).toMatchObject({
    title: '',
    headers: [],
    mapping: {},
    fileName: null,
    enrichedRows: 2,
    chargedUnits: 10_000,
  });
  expect(traces(young)).toEqual(kept);
  expect(readBalances(database, account.id)).toEqual(balances);
});

test('a job is kept on its last day, and without days forever', async () => {
  const { set, enrich, run, listUuids } = await openRetention();
  const { uuid } = await enrich(day(0), [person(1)]);
  run(day(9_000));
  set('jobs', 10);
  run(day(10));
  expect(listUuids()).toEqual([uuid]);
  run(new Date(day(10).getTime() + 1));
  expect(listUuids()).toEqual([]);
});

test('an organisation deletes jobs that the account keeps', async () => {
  const { enrich, run, listUuids } = await openRetention();
  await enrich(day(0), [person(1)]);
  run(day(40), { jobs: { binding: 'at_most', days: 30 } });
  expect(listUuids()).toEqual([]);
});

test('a person that a deleted job paid for is free within the window, and charged after it', async () => {
  const { database, account, set, enrich, run } = await openRetention();
  updateAccount(database, account.id, { freeRepeatDays: 30 });
  set('jobs', 5);
  const first = await enrich(day(0), [person(1), person(2)]);
  run(day(6));
  const again = await enrich(day(20), [person(1), person(3)]);
  expect(again).toMatchObject({ chargedUnits: 10_000, paidBeforeRows: 1 });
  const described = describeRepeats(database, again.resultBase, [0]).get(0);
  expect(described?.repeat.paid_before).toEqual([
    {
      job_id: first.uuid,
      row_index: 0,
      paid_on: day(0).toISOString().slice(0, 10),
      layers: ['L1'],
    },
  ]);
  const late = await enrich(day(31), [person(2)]);
  expect(late).toMatchObject({ chargedUnits: 10_000, paidBeforeRows: 0 });
  run(day(90));
  expect(database.prepare('SELECT count(*) FROM paid_person').pluck().get()).toBe(0);
});

test('a free row of a deleted job pays for nothing, so that it extends no window', async () => {
  const { database, account, set, enrich, run } = await openRetention();
  updateAccount(database, account.id, { freeRepeatDays: 30 });
  set('jobs', 3);
  await enrich(day(0), [person(1)]);
  run(day(4));
  expect(await enrich(day(20), [person(1)])).toMatchObject({ chargedUnits: 0 });
  run(day(24));
  expect(await enrich(day(31), [person(1)])).toMatchObject({ chargedUnits: 10_000 });
});

test('without a window no person of a deleted job is remembered', async () => {
  const { database, set, enrich, run } = await openRetention();
  set('jobs', 5);
  await enrich(day(0), [person(1)]);
  run(day(6));
  expect(database.prepare('SELECT count(*) FROM paid_person').pluck().get()).toBe(0);
  expect(await enrich(day(7), [person(1)])).toMatchObject({ chargedUnits: 10_000 });
});

test('while rows of a deleted job are left, its people are free all the same', async () => {
  const people = 2_100;
  const { database, account, set, enrich, steps, run } = await openRetention(people);
  updateAccount(database, account.id, { freeRepeatDays: 30 });
  await enrich(
    day(0),
    Array.from({ length: people }, (_, at) => person(at)),
  );
  set('jobs', 5);
  const deletion = steps(day(6));
  const hasOneBatch = () =>
    database.prepare('SELECT count(*) FROM job_batch WHERE job_id = 1').pluck().get() === 1;
  while (!hasOneBatch()) expect(deletion.next().done).toBe(false);
  // The first person is remembered; the last one still has a row.
  const between = await enrich(day(7), [person(0), person(people - 1)]);
  expect(between).toMatchObject({ chargedUnits: 0, paidBeforeRows: 2 });
  run(day(7));
  const after = await enrich(day(8), [person(0), person(people - 1)]);
  expect(after).toMatchObject({ chargedUnits: 0, paidBeforeRows: 2 });
});

test('a job that an unfinished job excludes or retries is kept until that has completed', async () => {
  const { database, account, folder, deps, set, submit, read, enrich, run, listUuids } =
    await openRetention();
  const first = await enrich(day(0), [person(1)]);
  const second = submit([person(1), person(2)], ['L1'], { at: day(1), newSince: first.uuid });
  set('jobs', 5);
  run(day(20));
  expect(listUuids()).toEqual([first.uuid, second]);
  failJob(database, read(second).id, { code: 'upstream_error', detail: 'down' }, day(20));
  run(day(21));
  expect(listUuids()).toEqual([first.uuid, second]);
  retryJob(database, folder, { accountId: account.id, keyId: null, jobId: second }, day(21));
  await runJob({ ...deps, now: () => day(21) }, read(second).id);
  expect(read(second)).toMatchObject({ status: 'completed', knownRows: 1 });
  run(day(22));
  expect(listUuids()).toEqual([second]);
  run(day(30));
  expect(listUuids()).toEqual([]);
});

test('a failed job past its days goes, and the job that it excludes with it', async () => {
  const { database, set, submit, read, enrich, run, listUuids } = await openRetention();
  const first = await enrich(day(0), [person(1)]);
  const second = submit([person(1)], ['L1'], { at: day(1), newSince: first.uuid });
  failJob(database, read(second).id, { code: 'upstream_error', detail: 'Ann is down' }, day(1));
  set('jobs', 5);
  run(day(20));
  expect(listUuids()).toEqual([]);
  expect(database.prepare('SELECT error_detail FROM job').pluck().all()).toEqual([null, null]);
});

test('an open approval of a retry keeps its job', async () => {
  const { database, account, set, enrich, run, listUuids } = await openRetention();
  const { uuid } = await enrich(day(0), [person(1)]);
  database.exec(`INSERT INTO api_key (id, account_id, label, prefix, hash, created_at,
      requests_per_minute) VALUES ('k', ${account.id}, 'k', 'sk', '${'0'.repeat(64)}', 'now', 60);
    INSERT INTO approval (id, account_id, key_id, request, operation, arguments, asked_in,
      asked_units, status, asked_at, expires_at)
    VALUES ('a', ${account.id}, 'k', '${'0'.repeat(64)}', 'POST /retry/${uuid}/', '{}', 'app', 1,
      'asked', '${day(19).toISOString()}', '${day(21).toISOString()}')`);
  set('jobs', 5);
  run(day(20));
  expect(listUuids()).toEqual([uuid]);
  run(day(22));
  expect(listUuids()).toEqual([]);
});

/** Two people of one name, and a job with rows that wait for a decision. */
async function openReview() {
  const desk = await openRetention(1);
  await desk.importPeople('twins.csv', [
    'a1,Ann,Lee,Acme,Chief,chief@acme.example,1',
    'a2,Ann,Lee,Acme,Clerk,clerk@acme.example,1',
  ]);
  const ann = ['Ann', 'Lee', 'Acme'];
  const job = await desk.enrich(day(0), [ann, ['ann', 'lee', 'Acme Inc']]);
  const candidate: string = JSON.parse(desk.results(job)[0]?.candidates ?? '[]')[0][0];
  const decide = (at: Date, row: number, uuid: string | null) =>
    applyPicks(
      desk.database,
      desk.folder,
      {
        accountId: desk.account.id,
        keyId: null,
        jobId: job.uuid,
        picks: [{ row_index: row, contact_uuid: uuid }],
      },
      at,
    );
  return { ...desk, ann, job, candidate, decide };
}

test('a review that was begun keeps its job; the days count from its last decision', async () => {
  const { set, run, job, candidate, decide, listUuids } = await openReview();
  set('jobs', 5);
  decide(day(3), 0, candidate);
  run(day(30));
  expect(listUuids()).toEqual([job.uuid]);
  decide(day(31), 1, null);
  run(day(36));
  expect(listUuids()).toEqual([job.uuid]);
  run(day(37));
  expect(listUuids()).toEqual([]);
});

test('rows that no person decided about do not keep their job', async () => {
  const { set, run, listUuids } = await openReview();
  set('jobs', 5);
  run(day(6));
  expect(listUuids()).toEqual([]);
});

test('a remembered decision outlives its job; one that was replaced goes', async () => {
  const { database, set, run, ann, job, candidate, decide, enrich, results } = await openReview();
  set('jobs', 5);
  decide(day(1), 0, candidate);
  decide(day(1), 1, null);
  run(day(10));
  expect(countPicks(database, job.id)).toBe(2);
  const later = await enrich(day(11), [ann]);
  expect(results(later)[0]).toMatchObject({ status: 0, contactUuid: candidate });
  expect(later.chargedUnits).toBe(10_000);
  // Without its memory, a decision of a deleted job serves nothing.
  database.exec('DELETE FROM review_memory');
  run(day(12));
  expect(countPicks(database, job.id)).toBe(0);
});

test('an export of a job that is deleted meanwhile fails, instead of ending early', async () => {
  const { database, folder, account, set, enrich, run } = await openRetention();
  const { uuid } = await enrich(
    day(0),
    Array.from({ length: 250 }, () => person(1)),
  );
  set('jobs', 5);
  const options = {
    kind: 'result',
    format: 'csv',
    forExcel: false,
    protectAll: false,
    overwrite: null,
  } as const;
  const order = { accountId: account.id, jobId: uuid, status: null, ...options };
  const pieces = exportResult(database, folder, order);
  // The header and the first stretch of rows.
  pieces.next();
  pieces.next();
  run(day(6));
  expect(() => [...pieces]).toThrow('deleted while it was exported');
});

test('killed after any step, the next run ends the deletion', async () => {
  const { database, account, set, enrich, steps, run, traces, listUuids } = await openRetention(60);
  updateAccount(database, account.id, { freeRepeatDays: 60 });
  set('jobs', 5);
  for (let killedAfter = 0; ; killedAfter += 1) {
    const base = killedAfter * 20;
    const [one, two] = [person(killedAfter * 2), person(killedAfter * 2 + 1)];
    const job = await enrich(day(base), [one, two]);
    const deletion = steps(day(base + 6));
    let ended = false;
    for (let step = 0; step < killedAfter && !ended; step += 1)
      ended = deletion.next().done === true;
    // Whatever is listed is whole.
    if (listUuids().includes(job.uuid))
      expect(traces(job)).toMatchObject({ input: true, results: 2, batches: 1 });
    run(day(base + 7));
    expect(traces(job)).toEqual(nothingLeft);
    expect(listUuids()).toEqual([]);
    const rows = await enrich(day(base + 8), [one]);
    expect(rows.chargedUnits).toBe(0);
    run(day(base + 14));
    if (ended) break;
  }
});
