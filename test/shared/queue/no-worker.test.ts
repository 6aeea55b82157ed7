// Jobs over the team's directory while no worker answers, and what ended jobs leave.
import { expect, test } from 'vitest';
import { networkCheckMs } from '../../../engine/contract/limits/waterfall.ts';
import { cancelJob } from '../../../engine/jobs/cancel-job.ts';
import { setWhenOffline } from '../../../engine/jobs/create-job-commands.ts';
import { presentJob } from '../../../engine/jobs/present-job.ts';
import { listNotes } from '../../../engine/providers/waterfall/provider-note.table.ts';
import { queueFormat } from '../../../engine/shared/queue/answer-bytes.ts';
import { createEndedJobs } from '../../../engine/shared/queue/ended-jobs.ts';
import { workerApplication } from '../../../engine/shared/queue/queue-worker.ts';
import { createWorkerWatch } from '../../../engine/shared/queue/worker-watch.ts';
import { postgresMissing } from '../../postgres/shared-postgres.ts';
import { openTestShared } from '../open-shared.ts';
import { teamRows } from '../shared-fixture.ts';
import { openTeam } from './open-team.ts';

const missing = postgresMissing();

/** What waits in the queue is given up after a moment. */
async function openSilentTeam(workerPatienceMs = 60) {
  const opened = await openTeam({ workerPatienceMs });
  const { own, team, start, address, password } = opened;
  await team.calls.changeSharedDirectory({ address, password });
  const scheduler = start(team);
  const waits = (uuid: string) =>
    expect
      .poll(() => presentJob(own.read(uuid)))
      .toMatchObject({
        status: 'running',
        waiting_rows: 69,
        processed_rows: 70,
        enriched_rows: 1,
        waiting_reason: 'no_worker',
      });
  const ends = (uuid: string) => expect.poll(() => own.read(uuid).status).toBe('completed');
  // The worker of a busy machine may be silent for a moment: then the job waits for another check.
  const endsInTime = (uuid: string) =>
    expect
      .poll(async () => {
        await opened.clock.pass(networkCheckMs);
        return own.read(uuid).status;
      })
      .toBe('completed');
  return { ...opened, scheduler, waits, ends, endsInTime };
}

test('a job that no worker answers waits, says why, and holds up no other; it ends when one answers', async () => {
  if (missing) return console.warn(missing);
  const opened = await openSilentTeam();
  const { own, scheduler, clock, waits, ends, endsInTime } = opened;
  const { startWorker, outcome, countQueue } = opened;
  const [first, second] = [own.submit(teamRows), own.submit(teamRows)];
  const known = own.submit(teamRows.slice(0, 1));
  scheduler.wake();
  await waits(first);
  await waits(second);
  await ends(known);
  expect(listNotes(own.database, own.read(first).id)).toMatchObject([
    {
      provider: 'team-directory',
      failure: 'no_worker',
      detail: expect.stringContaining('No worker of the team’s directory answers.'),
    },
  ]);
  // Of each job, one batch stays, which shows that a worker is back.
  await expect.poll(countQueue).toEqual({ batches: 2, answers: 0 });
  // Another check finds no one either.
  await clock.pass(networkCheckMs);
  await waits(first);
  startWorker();
  await expect.poll(countQueue).toEqual({ batches: 0, answers: 2 });
  await endsInTime(first);
  await endsInTime(second);
  for (const uuid of [first, second]) {
    expect(outcome(own, uuid).enrichedRows).toBe(61);
    expect(presentJob(own.read(uuid)).waiting_reason).toBeNull();
    expect(listNotes(own.database, own.read(uuid).id)).toEqual([]);
  }
  await expect.poll(countQueue).toEqual({ batches: 0, answers: 0 });
  await scheduler.stop();
});

test('a job that waits for a worker goes on with the own directory if asked to, or is cancelled', async () => {
  if (missing) return console.warn(missing);
  const opened = await openSilentTeam();
  const { own, scheduler, waits, ends, countQueue } = opened;
  const [left, cancelled] = [own.submit(teamRows), own.submit(teamRows)];
  scheduler.wake();
  await waits(left);
  await waits(cancelled);
  const { id: accountId } = own.account;
  setWhenOffline(own.database, { accountId, jobId: left, whenOffline: 'leave_out' });
  scheduler.wake();
  await ends(left);
  expect(own.read(left)).toMatchObject({ enrichedRows: 1, waitingRows: 69, chargedUnits: 10_000 });
  expect(presentJob(own.read(left)).waiting_reason).toBe('no_worker');
  expect(listNotes(own.database, own.read(left).id)).toMatchObject([{ failure: 'no_worker' }]);
  cancelJob(own.database, { accountId, jobId: cancelled }, own.deps.now());
  scheduler.wake();
  await expect.poll(countQueue).toEqual({ batches: 0, answers: 0 });
  // One that leaves rows out from its start ends by itself.
  const never = own.submit(teamRows, ['L1'], { whenOffline: 'leave_out' });
  scheduler.wake();
  await ends(never);
  expect(own.read(never)).toMatchObject({ enrichedRows: 1, waitingRows: 0 });
  expect(listNotes(own.database, own.read(never).id)).toMatchObject([{ failure: 'no_worker' }]);
  await scheduler.stop();
});

test('a worker that matches for longer than the queue may be silent is not given up', async () => {
  if (missing) return console.warn(missing);
  const opened = await openSilentTeam();
  const { own, team, shared, scheduler, ends, startWorker, outcome } = opened;
  const held = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  startWorker({
    async match(...asked) {
      held.resolve();
      await going.promise;
      return opened.matchTeam(...asked);
    },
  });
  const slow = own.submit(teamRows);
  scheduler.wake();
  await held.promise;
  // The others become older than the patience, and the engine looks at them meanwhile.
  const holdsLong = async () => {
    const { rows } = await shared.admin.pool.query<{ isLong: boolean }>(
      `SELECT now() - xact_start > interval '300 ms' AS "isLong" FROM pg_stat_activity
       WHERE application_name = '${workerApplication}' AND datname = current_database()`,
    );
    return rows[0]?.isLong;
  };
  await expect.poll(holdsLong).toBe(true);
  expect(await team.checkWorkers(slow)).toBe(true);
  expect(own.read(slow)).toMatchObject({ status: 'running', waitingRows: 0 });
  going.resolve();
  await ends(slow);
  expect(outcome(own, slow).enrichedRows).toBe(61);
  await scheduler.stop();
});

const addBatch = (format: number) => `INSERT INTO match_batch
  (job_uuid, first_row, digest, format, mapping, threshold, rows)
  VALUES (gen_random_uuid(), 0, '', ${format}, '{}', 0.8, '')`;

test('a queue is silent if no batch is held and one waits; who looks at it is no worker', async () => {
  if (missing) return console.warn(missing);
  const { admin } = await openTestShared();
  const isSilent = () => createWorkerWatch(0).isSilent(admin);
  expect(await isSilent()).toBe(false);
  await admin.pool.query(addBatch(queueFormat + 1));
  // Its workers are of another version.
  expect(await isSilent()).toBe(false);
  await admin.pool.query(addBatch(queueFormat));
  expect(await isSilent()).toBe(true);
  const whileLocked = (lock: string, format: number) =>
    admin.transact(async (client) => {
      await client.query(`SELECT FROM match_batch WHERE format = ${format} FOR ${lock}`);
      return isSilent();
    });
  expect(await whileLocked('UPDATE', queueFormat)).toBe(false);
  expect(await whileLocked('KEY SHARE', queueFormat)).toBe(true);
  expect(await whileLocked('UPDATE', queueFormat + 1)).toBe(true);
  // A batch that was just written may be taken yet, and so may one that was just looked at.
  expect(await createWorkerWatch(60_000).isSilent(admin)).toBe(false);
  await admin.pool.query("UPDATE match_batch SET created_at = now() - interval '1 day'");
  const watch = createWorkerWatch(60_000);
  expect([await watch.isSilent(admin), await watch.isSilent(admin)]).toEqual([false, false]);
});

test('what an engine left of ended jobs is deleted at its next use, and that of others stays', async () => {
  if (missing) return console.warn(missing);
  const { own, team, start, shared, address, password, ...rest } = await openTeam();
  const { startWorker, countQueue } = rest;
  await team.calls.changeSharedDirectory({ address, password });
  startWorker();
  const run = async (scheduler: ReturnType<typeof start>) => {
    const uuid = own.submit(teamRows);
    scheduler.wake();
    await expect.poll(() => own.read(uuid).status).toBe('completed');
    await scheduler.stop();
    return uuid;
  };
  const ended = await run(start(team));
  await expect.poll(countQueue).toEqual({ batches: 0, answers: 0 });
  // The engine was killed before it could delete them; the other job is of another engine.
  const elsewhere = crypto.randomUUID();
  for (const uuid of [ended, elsewhere])
    await shared.admin.pool.query(
      `INSERT INTO match_answer (job_uuid, first_row, digest, generation, worker)
       VALUES ($1, 0, '', 1, 'w'), ($1, 20, '', 1, 'w')`,
      [uuid],
    );
  await run(start());
  const left = async () =>
    (await shared.admin.pool.query<{ id: string }>('SELECT job_uuid AS id FROM match_answer')).rows;
  await expect.poll(left).toEqual([{ id: elsewhere }, { id: elsewhere }]);
  // Nor does a change of the setting at the end of a job leave anything.
  const scheduler = start();
  const last = own.submit(teamRows);
  scheduler.wake();
  await expect.poll(() => own.read(last).status).toBe('completed');
  await team.calls.changeSharedDirectory({ address, password });
  await expect.poll(left).toEqual([{ id: elsewhere }, { id: elsewhere }]);
  await scheduler.stop();
});

test('a job that ends while a worker holds its batch for too long leaves nothing in the end', async () => {
  if (missing) return console.warn(missing);
  const { admin, connectAs } = await openTestShared();
  const owner = await connectAs('desk_queue', { lockMs: 20 });
  const { rows } = await admin.pool.query<{ id: string }>(
    `${addBatch(queueFormat)} RETURNING job_uuid AS id`,
  );
  const uuid = rows[0]?.id ?? '';
  const count = async () =>
    (await admin.pool.query('SELECT FROM match_batch UNION ALL SELECT FROM match_answer')).rowCount;
  const ended = createEndedJobs(() => false);
  ended.open(uuid);
  ended.close(uuid, { isClear: false, hasEnded: true });
  await admin.transact(async (worker) => {
    await worker.query('SELECT FROM match_batch FOR UPDATE');
    await ended.clear(owner);
    expect(await count()).toBe(1);
    // The worker answers when its owner has given up.
    await worker.query(
      `INSERT INTO match_answer (job_uuid, first_row, digest, generation, worker)
       SELECT job_uuid, first_row, digest, 1, 'w' FROM match_batch`,
    );
    await worker.query('DELETE FROM match_batch');
  });
  expect(await count()).toBe(1);
  await ended.clear(owner);
  expect(await count()).toBe(0);
});

test.each([
  // A worker that answers is not given up, however busy this machine is.
  ['match_batch', 'an engine writes', 600_000, 'its disk is full'],
  ['match_answer', 'a worker writes', 60, 'No worker of the team’s directory answers'],
])(
  'a full disk when, into %s, %s: the job waits and costs nothing',
  async (table, _who, patienceMs, why) => {
    if (missing) return console.warn(missing);
    const opened = await openSilentTeam(patienceMs);
    const { own, shared, scheduler, endsInTime, startWorker, outcome, countQueue } = opened;
    // The third row of the table finds no room, and no later one.
    await shared.admin.pool.query(`CREATE SEQUENCE written;
    GRANT USAGE ON SEQUENCE written TO PUBLIC;
    CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('written') > 2 THEN
        RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full';
      END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER fill_disk BEFORE INSERT ON ${table}
      FOR EACH ROW EXECUTE FUNCTION fill_disk()`);
    startWorker();
    const uuid = own.submit(teamRows);
    scheduler.wake();
    await expect
      .poll(() => listNotes(own.database, own.read(uuid).id))
      .toMatchObject([{ detail: expect.stringContaining(why) }]);
    expect(presentJob(own.read(uuid))).toMatchObject({
      status: 'running',
      credits_charged: '0.0000',
    });
    await shared.admin.pool.query(`DROP TRIGGER fill_disk ON ${table}`);
    startWorker();
    await endsInTime(uuid);
    expect(outcome(own, uuid).enrichedRows).toBe(61);
    expect(listNotes(own.database, own.read(uuid).id)).toEqual([]);
    await expect.poll(countQueue).toEqual({ batches: 0, answers: 0 });
    await scheduler.stop();
  },
);
