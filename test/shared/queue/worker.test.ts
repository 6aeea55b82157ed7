// A worker of the queue: batches that take long, that are damaged, and that end their workers.
import { expect, onTestFinished, test } from 'vitest';
import { batchDeathsMax, queueBatchBytesMax } from '../../../engine/contract/shared/limits.ts';
import { formatSharedAddress } from '../../../engine/shared/connection/shared-address.ts';
import { queueFormat } from '../../../engine/shared/queue/answer-bytes.ts';
import { workerApplication } from '../../../engine/shared/queue/queue-worker.ts';
import {
  countDeaths,
  superviseTeamWorker,
} from '../../../engine/shared/workers/supervise-team-worker.ts';
import { postgresMissing } from '../../postgres/shared-postgres.ts';
import { openSharedFixture, teamRows } from '../shared-fixture.ts';

const missing = postgresMissing();

test('a worker that matches for long tells the server so, which would end it otherwise', async () => {
  if (missing) return console.warn(missing);
  const { own, team, shared, startWorker, run, outcome } = await openSharedFixture();
  /** When the server last heard of the worker that is in a transaction. */
  const lastHeard = async () => {
    const { rows } = await shared.admin.pool.query<{ at: string }>(
      `SELECT state_change::text AS at FROM pg_stat_activity
       WHERE application_name = '${workerApplication}' AND datname = current_database()`,
    );
    return rows[0]?.at;
  };
  let isHeard = false;
  startWorker({
    beatMs: 5,
    async match(...asked) {
      const before = await lastHeard();
      await expect.poll(lastHeard).not.toBe(before);
      isHeard = true;
      return team.deps.match(...asked);
    },
  });
  const uuid = own.submit(teamRows.slice(0, 10));
  await run(uuid);
  expect(isHeard).toBe(true);
  expect(outcome(own, uuid).enrichedRows).toBe(10);
});

test('a batch that ended the workers before is refused, and its job fails with what to do', async () => {
  if (missing) return console.warn(missing);
  const { shared, own, startWorker, run, outcome } = await openSharedFixture();
  const first = await shared.connectAs('desk_queue');
  const taken = Promise.withResolvers<string>();
  const never = Promise.withResolvers<never>();
  never.promise.catch(() => undefined);
  const dying = startWorker({
    of: first,
    match: () => never.promise,
    onEvent: (event) => void (event.kind === 'taken' && taken.resolve(event.batch)),
  });
  const uuid = own.submit(teamRows);
  const running = expect(run(uuid)).rejects.toMatchObject({
    code: 'upstream_error',
    message: expect.stringMatching(/could not match rows from row \d+ on/),
  });
  const batch = await taken.promise;
  await shared.admin.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
    [first.login],
  );
  const next = startWorker({ refused: new Set([batch]) });
  await running;
  // A job with the same rows is another batch.
  const other = own.submit(teamRows);
  await run(other);
  expect(outcome(own, other).enrichedRows).toBe(61);
  await next.stop();
  never.reject(new Error('it matches nothing'));
  await dying.stop();
});

test('a batch that another program wrote wrongly is refused, and the next one is answered', async () => {
  if (missing) return console.warn(missing);
  const { own, shared, startWorker, run, outcome } = await openSharedFixture();
  const mapping = { first_name: 0, nickname: -1 };
  await shared.admin.pool.query(
    `INSERT INTO match_batch (job_uuid, first_row, digest, format, mapping, threshold, rows)
     VALUES (gen_random_uuid(), 0, '', ${queueFormat}, $1, 0.8, 'Ann'),
       (gen_random_uuid(), 0, '', ${queueFormat}, '{"first_name": 0}', 0.8, $2)`,
    [JSON.stringify(mapping), Buffer.alloc(queueBatchBytesMax + 1)],
  );
  startWorker();
  const uuid = own.submit(teamRows);
  await run(uuid);
  expect(outcome(own, uuid).enrichedRows).toBe(61);
  const { rows } = await shared.admin.pool.query('SELECT answer FROM match_answer');
  expect(rows).toEqual([{ answer: null }, { answer: null }]);
});

test('a supervisor counts the workers that end with a batch, and not those that end otherwise', () => {
  const deaths = countDeaths();
  const take = (batch: string) => deaths.noteReport({ kind: 'taken', batch });
  const die = (batch: string) => {
    take(batch);
    deaths.noteEnd();
  };
  for (let ends = 1; ends < batchDeathsMax; ends += 1) die('one');
  expect(deaths.listRefused()).toEqual([]);
  // Between batches, with a lost server, and refused by it.
  take('two');
  deaths.noteReport({ kind: 'answered', rows: 5 });
  deaths.noteEnd();
  take('one');
  deaths.noteReport({ kind: 'lost' });
  deaths.noteEnd();
  take('one');
  deaths.noteReport({ kind: 'failed', code: 'unavailable', detail: '' });
  deaths.noteEnd();
  expect(deaths.listRefused()).toEqual([]);
  die('one');
  expect(deaths.listRefused()).toEqual(['one']);
  take('one');
  deaths.noteReport({ kind: 'beat' });
  expect(deaths.listRefused()).toEqual(['one']);
  deaths.noteReport({ kind: 'not_matched', detail: '' });
  expect(deaths.listRefused()).toEqual([]);
});

test('what no engine asks for any more is deleted after a day, and newer rows stay', async () => {
  if (missing) return console.warn(missing);
  const { shared, startWorker, countQueue } = await openSharedFixture();
  startWorker({ sweepMs: 1 });
  const add = (age: string) =>
    // Batches of another format, which this worker leaves.
    shared.admin.pool.query(
      `WITH one AS (
         INSERT INTO match_batch
           (job_uuid, first_row, digest, format, mapping, threshold, rows, created_at)
         VALUES (gen_random_uuid(), 0, '', ${queueFormat + 1}, '{}', 0.8, '', now() - $1::interval))
       INSERT INTO match_answer (job_uuid, first_row, digest, generation, worker, created_at)
       VALUES (gen_random_uuid(), 0, '', 1, 'w', now() - $1::interval)`,
      [age],
    );
  for (const age of ['23 hours', '25 hours', '9 days']) await add(age);
  await expect.poll(countQueue).toEqual({ batches: 1, answers: 1 });
  await add('2 days');
  await expect.poll(countQueue).toEqual({ batches: 1, answers: 1 });
});

test('a worker that holds a batch without a word is ended, and another is started', {
  tags: ['full'],
}, async () => {
  if (missing) return console.warn(missing);
  const { shared } = await openSharedFixture();
  const { login, address } = await shared.connectAs('desk_queue');
  // It waits for the state of the directory, and says nothing.
  const held = await shared.admin.pool.connect();
  onTestFinished(() => held.release(true));
  await held.query('BEGIN; LOCK TABLE generation IN ACCESS EXCLUSIVE MODE');
  await shared.admin.pool.query(
    `INSERT INTO match_batch (job_uuid, first_row, digest, format, mapping, threshold, rows)
     VALUES (gen_random_uuid(), 0, '', ${queueFormat}, '{"first_name": 0}', 0.8, 'Ann')`,
  );
  const ends: string[] = [];
  const worker = superviseTeamWorker({
    login: {
      address: formatSharedAddress(address),
      password: login,
      name: 'test',
      secret: '07'.repeat(16),
    },
    retriesRefusal: false,
    stopMs: 0,
    silenceMs: 20,
    onEnd: (how) => void ends.push(how),
  });
  onTestFinished(() => worker.stop());
  // The third one to end with the batch is the last that takes it.
  await expect.poll(() => ends.length).toBeGreaterThanOrEqual(batchDeathsMax);
  expect(new Set(ends)).toEqual(new Set(['SIGKILL']));
  const answers = () =>
    shared.admin.pool.query('SELECT answer FROM match_answer').then(({ rows }) => rows);
  await expect.poll(answers).toEqual([{ answer: null }]);
});
