// What is lost if a worker or an owner ends at any step: nothing, and nothing is done twice.
import { expect, test } from 'vitest';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import type { RunDeps } from '../../engine/jobs/run-job.ts';
import { decodeAnswer, encodeAnswer } from '../../engine/shared/queue/answer-bytes.ts';
import type { SharedRun } from '../../engine/shared/queue/ask-shared.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openSharedFixture, teamRows } from './shared-fixture.ts';

const missing = postgresMissing();

class Killed extends Error {}
const die = (): never => {
  throw new Killed();
};

/** The steps of a batch at which its owner ends. */
const ownerSteps: Readonly<Record<string, (step: SharedRun) => Partial<RunDeps>>> = {
  'before a batch is written': (step) => ({ shared: { ...step, ask: async () => die() } }),
  'while a worker matches': (step) => ({
    shared: {
      ...step,
      async ask(rows) {
        void step.ask(rows).catch(() => undefined);
        return die();
      },
    },
  }),
  'before an answer is committed': (step) => ({
    shared: {
      ...step,
      async ask(rows) {
        await step.ask(rows);
        return rows.firstRow === 20 ? die() : step.ask(rows);
      },
    },
  }),
  'before a committed batch is deleted': (step) => ({
    shared: { ...step, forget: async () => undefined },
    onProgress: ({ processedRows }) => void (processedRows === 30 && die()),
  }),
};

test('an owner that ends at any step continues, and the results are those of an undisturbed job', async () => {
  if (missing) return console.warn(missing);
  const { own, startWorker, run, countQueue, outcome } = await openSharedFixture();
  startWorker();
  const undisturbed = own.submit(teamRows);
  await run(undisturbed);
  const expected = outcome(own, undisturbed);
  expect(expected.enrichedRows).toBe(61);
  for (const [name, end] of Object.entries(ownerSteps)) {
    const uuid = own.submit(teamRows);
    await expect(run(uuid, end), name).rejects.toThrow(Killed);
    expect(own.read(uuid).status, name).toBe('running');
    await run(uuid);
    expect(outcome(own, uuid), name).toEqual(expected);
    expect(await countQueue(), name).toEqual({ batches: 0, answers: 0 });
  }
  // A cancelled job leaves nothing either.
  const uuid = own.submit(teamRows);
  await run(uuid, () => ({
    onProgress: ({ processedRows }) => {
      if (processedRows === 10 && own.read(uuid).status === 'running')
        cancelJob(own.database, { accountId: own.account.id, jobId: uuid }, own.deps.now());
    },
  }));
  expect(own.read(uuid).status).toBe('cancelled');
  expect(await countQueue()).toEqual({ batches: 0, answers: 0 });
});

test('two owners on one queue, and two workers, have the results of a job alone', async () => {
  if (missing) return console.warn(missing);
  const { own, startWorker, run, countQueue, outcome } = await openSharedFixture();
  for (let workers = 0; workers < 2; workers += 1) startWorker();
  const alone = own.submit(teamRows);
  await run(alone);
  const jobs = [own.submit(teamRows), own.submit(teamRows.toReversed())] as const;
  await Promise.all(jobs.map((uuid) => run(uuid)));
  expect(outcome(own, jobs[0])).toEqual(outcome(own, alone));
  const rowsOf = (uuid: string) => outcome(own, uuid).rows.map(({ contactUuid }) => contactUuid);
  expect(rowsOf(jobs[1])).toEqual(rowsOf(alone).toReversed());
  expect(await countQueue()).toEqual({ batches: 0, answers: 0 });
});

test('another worker takes the batch of one that ended, and a batch that no worker can match ends the job', async () => {
  if (missing) return console.warn(missing);
  const { shared, own, startWorker, run, countQueue, outcome } = await openSharedFixture();
  // The server sees a killed worker as a connection that ended inside a transaction.
  const taken = Promise.withResolvers<void>();
  const first = await shared.connectAs('desk_queue');
  const never = Promise.withResolvers<never>();
  never.promise.catch(() => undefined);
  const dying = startWorker({
    of: first,
    match: () => {
      taken.resolve();
      return never.promise;
    },
  });
  const uuid = own.submit(teamRows);
  const running = run(uuid);
  await taken.promise;
  await shared.admin.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
    [first.login],
  );
  const next = startWorker();
  await running;
  expect(outcome(own, uuid).enrichedRows).toBe(61);
  expect(await countQueue()).toEqual({ batches: 0, answers: 0 });
  // Later it finds that its connection is gone, and its answer is not written.
  never.reject(new Error('it matches nothing'));
  await dying.stop();
  expect(await countQueue()).toEqual({ batches: 0, answers: 0 });
  await next.stop();
  startWorker({ match: () => Promise.reject(new Error('a bug')) });
  const poisoned = own.submit(teamRows);
  await expect(run(poisoned)).rejects.toThrow('could not match rows');
});

test('an answer is read as it was written, and refused if it is not one', () => {
  const batch = {
    count: 3,
    personIds: Int32Array.of(7, 0, 2 ** 31 - 1),
    companyIds: Int32Array.of(1, 2, 3),
    employmentStatuses: Uint8Array.of(1, 0, 3),
    reasons: Uint8Array.of(0, 2, 0),
    confidences: Float32Array.of(0.5, 0, 1),
    matchedOn: Uint16Array.of(511, 0, 3),
    candidates: [
      {
        row: 1,
        personIds: [4, 5],
        scores: [0.6, 0.5],
        companyIds: [1, 1],
        employmentStatuses: [1, 1],
        matchedOn: [3, 3],
      },
    ],
  };
  const bytes = encodeAnswer(batch);
  expect(decodeAnswer(bytes, 3)).toEqual(batch);
  expect(() => decodeAnswer(bytes, 4)).toThrow();
  expect(() => decodeAnswer(bytes.subarray(0, -1), 3)).toThrow();
  expect(() => decodeAnswer(Buffer.from('{"count":0}\n'), 0)).toThrow();
  for (const wrong of [
    { personIds: Int32Array.of(7, -1, 0) },
    { confidences: Float32Array.of(0.5, Number.NaN, 1) },
    { confidences: Float32Array.of(0.5, 0, 7) },
    { employmentStatuses: Uint8Array.of(1, 0, 4) },
    { reasons: Uint8Array.of(0, 8, 0) },
  ])
    expect(() => decodeAnswer(encodeAnswer({ ...batch, ...wrong }), 3)).toThrow('unknown codes');
});

test('a batch has the cells that are compared, without the references of the caller', async () => {
  if (missing) return console.warn(missing);
  const { own, team, startWorker, run, outcome } = await openSharedFixture();
  let seen = '';
  startWorker({
    match(bytes, mapping, threshold) {
      seen += Buffer.from(bytes).toString() + JSON.stringify(mapping);
      return team.deps.match(bytes, mapping, threshold);
    },
  });
  const uuid = own.submit(teamRows.map((row, at) => [...row, `deal-${at}`]));
  await run(uuid);
  expect(outcome(own, uuid).enrichedRows).toBe(61);
  expect(seen).toContain('Bo7,Stone');
  expect(seen).not.toMatch(/deal-|client_reference_id/);
});
