// Kills the worker, the engine that owns the job, and the PostgreSQL server at each step of a
// batch. The results and the money are those of a job that nothing disturbed.
import { expect, test } from 'vitest';
import { batchDeathsMax } from '../../engine/contract/shared/limits.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { fewPeople, openSharedDesk, type SharedDesk, samplePeople, until } from './shared-desk.ts';

const missing = postgresMissing();

/** A job at a step, in which everything stays until it is let go. */
interface HeldJob {
  readonly id: string;
  /** Ends what holds it at the server. */
  release(): Promise<void>;
}

const releaseNothing = async () => undefined;

/** Starts a job while its worker is stopped, so that its batches are written and stay. */
async function submitStopped({ workers, signal, submit, batches }: SharedDesk): Promise<string> {
  signal(workers.pid(), 'SIGSTOP');
  const id = await submit();
  await until(async () => (await batches()) > 1);
  return id;
}

/**
 * The steps. A process that is stopped, or a lock at the server, holds the job in each of them:
 * nothing depends on how fast this machine is.
 */
const steps = {
  /** Batches are written, and no worker holds one. */
  async written(desk): Promise<HeldJob> {
    return { id: await submitStopped(desk), release: releaseNothing };
  },
  /** A worker holds a batch: it cannot write its answer. */
  async taken({ holdAnswers, submit, batches, free }): Promise<HeldJob> {
    const release = await holdAnswers();
    const id = await submit();
    await until(async () => (await free()) < (await batches()));
    return { id, release };
  },
  /** A batch is answered, and the owner has not read it. */
  async answered(desk): Promise<HeldJob> {
    const { engine, workers, signal, answers } = desk;
    const id = await submitStopped(desk);
    signal(engine().child.pid, 'SIGSTOP');
    signal(workers.pid(), 'SIGCONT');
    await until(async () => (await answers()) > 0);
    return { id, release: releaseNothing };
  },
  /** Some batches are committed, and another is not: no worker can take it. */
  async committed(desk): Promise<HeldJob> {
    const { workers, signal, holdBatch, readJob } = desk;
    const id = await submitStopped(desk);
    const release = await holdBatch();
    signal(workers.pid(), 'SIGCONT');
    await until(async () => (await readJob(id)).processed_rows > 0);
    const { processed_rows: rows, total_rows: total } = await readJob(id);
    expect(rows).toBeLessThan(total);
    return { id, release };
  },
} as const satisfies Record<string, (desk: SharedDesk) => Promise<HeldJob>>;

type Step = keyof typeof steps;
type Victim = 'worker' | 'owner' | 'server';

async function kill(desk: SharedDesk, victim: Victim, { release }: HeldJob): Promise<void> {
  const { engine, workers, server, signal } = desk;
  const ownerPid = engine().child.pid;
  const goOn = async () => {
    if (victim !== 'worker') signal(workers.pid(), 'SIGCONT');
    if (victim !== 'owner') signal(ownerPid, 'SIGCONT');
    await release();
  };
  if (victim === 'worker') {
    const before = workers.started();
    signal(workers.pid(), 'SIGKILL');
    await goOn();
    // A supervisor that replaces nothing would leave the job without a worker for ever.
    await until(() => workers.started() > before);
  }
  if (victim === 'owner') {
    await engine().kill();
    await goOn();
    await desk.restartEngine();
  }
  if (victim === 'server') {
    await server.kill();
    await goOn();
    await server.start();
  }
}

/** Returns the end of a job that nothing disturbed. */
async function killAtEach(desk: SharedDesk, kills: readonly (readonly [Victim, Step])[]) {
  await until(() => desk.workers.started() > 0);
  const undisturbed = await desk.finish(await desk.submit());
  expect(undisturbed.counts.enriched_rows).toBeGreaterThan(1_000);
  const isEmpty = () =>
    expect.poll(async () => [await desk.batches(), await desk.answers()]).toEqual([0, 0]);
  await isEmpty();
  for (const [victim, step] of kills) {
    const held = await steps[step](desk);
    await kill(desk, victim, held);
    expect([victim, step, await desk.finish(held.id)]).toEqual([victim, step, undisturbed]);
    await isEmpty();
  }
  expect((await desk.test()).workers).toBe(1);
  expect(await desk.workers.stop()).toBe(0);
  return undisturbed;
}

const victims = ['worker', 'owner', 'server'] as const;
const everyKill = victims.flatMap((victim) =>
  (Object.keys(steps) as Step[]).map((step) => [victim, step] as const),
);

test('a worker, an owner and a server that are killed in a job lose and change nothing; the worker of an engine is replaced, and stops with the engine', async () => {
  if (missing) return console.warn(missing);
  const desk = await openSharedDesk(fewPeople);
  const undisturbed = await killAtEach(desk, [
    ['worker', 'taken'],
    ['owner', 'answered'],
    ['server', 'committed'],
  ]);
  await desk.matchHere(true);
  const isRunning = async () => (await desk.test()).workers === 1;
  await until(isRunning);
  const [pid] = desk.ownWorkers();
  // Otherwise a fast worker may have answered every batch before a look.
  const letAnswer = await desk.holdAnswers();
  const id = await desk.submit();
  await until(async () => (await desk.free()) < (await desk.batches()));
  desk.signal(pid, 'SIGKILL');
  await letAnswer();
  expect(await desk.finish(id)).toEqual(undisturbed);
  const [next = 0] = desk.ownWorkers();
  expect(next).not.toBe(pid);
  expect(await desk.test()).toMatchObject({ own_worker: { state: 'running', detail: null } });
  await desk.matchHere(false);
  await expect.poll(() => desk.ownWorkers()).toEqual([]);
  // The end of the job and the change of the setting leave nothing.
  await expect.poll(async () => [await desk.batches(), await desk.answers()]).toEqual([0, 0]);
  await desk.matchHere(true);
  await until(isRunning);
  const [last = 0] = desk.ownWorkers();
  expect(await desk.engine().stop()).toBe(0);
  expect(() => process.kill(last, 0)).toThrow('ESRCH');
});

test('a kill of each process at each step loses and changes nothing', {
  tags: ['full'],
}, async () => {
  if (missing) return console.warn(missing);
  const desk = await openSharedDesk(samplePeople);
  await killAtEach(desk, everyKill);
  expect(await desk.engine().stop()).toBe(0);
});

test('a batch that ends each worker which takes it fails its job, and the next job is done', {
  tags: ['full'],
}, async () => {
  if (missing) return console.warn(missing);
  const desk = await openSharedDesk(fewPeople);
  const { workers, signal } = desk;
  await until(() => workers.started() > 0);
  const letMatch = await desk.holdMatching();
  const id = await desk.submit();
  for (let ends = 1; ends <= batchDeathsMax; ends += 1) {
    // It has taken the batch and asks for people. The queries of the dead wait too.
    await until(async () => (await desk.waiting()) >= ends);
    signal(workers.pid(), 'SIGKILL');
    await until(() => workers.started() > ends);
  }
  await letMatch();
  await until(async () => (await desk.readJob(id)).ready);
  expect(await desk.readJob(id)).toMatchObject({
    status: 'failed',
    error: 'upstream_error',
    credits_charged: '0.0000',
    error_detail: expect.stringContaining('could not match rows from row'),
  });
  expect((await desk.finish(await desk.submit())).counts.enriched_rows).toBeGreaterThan(1_000);
  await expect.poll(async () => [await desk.batches(), await desk.answers()]).toEqual([0, 0]);
});
