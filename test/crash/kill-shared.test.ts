/**
 * Kills the worker, the engine that owns the job, and the PostgreSQL server at each step of a
 * batch. The results and the money are those of a job that nothing disturbed.
 */
import { expect, test } from 'vitest';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import {
  fewPeople,
  openSharedDesk,
  type SharedDesk,
  samplePeople,
  type TeamData,
  until,
} from './shared-desk.ts';

const missing = postgresMissing();

/**
 * The steps. Each stops the processes in a moment that would pass at once: the worker does not take
 * more, and the owner does not commit.
 */
const steps = {
  /** Batches are written, and no worker holds one. */
  async written({ workers, signal, batches }: SharedDesk) {
    signal(workers.pid(), 'SIGSTOP');
    return { isReached: async () => (await batches()) > 1 };
  },
  /** A worker holds a batch. */
  async taken({ workers, signal, batches, free }: SharedDesk) {
    const isHeld = async () => (await free()) < (await batches());
    return {
      async isReached() {
        if (!(await isHeld())) return false;
        signal(workers.pid(), 'SIGSTOP');
        if (await isHeld()) return true;
        // It had just answered.
        signal(workers.pid(), 'SIGCONT');
        return false;
      },
    };
  },
  /** A batch is answered, and the owner has not read it. */
  async answered({ engine, workers, signal, batches, answers }: SharedDesk) {
    signal(workers.pid(), 'SIGSTOP');
    await until(async () => (await batches()) > 1);
    signal(engine().child.pid, 'SIGSTOP');
    signal(workers.pid(), 'SIGCONT');
    return { isReached: async () => (await answers()) > 0 };
  },
  /** Some batches are committed, and others are not. */
  async committed({ engine, workers, signal, readJob }: SharedDesk, id: string) {
    return {
      async isReached() {
        const { processed_rows: rows, total_rows: total } = await readJob(id);
        if (rows === 0) return false;
        expect(rows).toBeLessThan(total);
        signal(workers.pid(), 'SIGSTOP');
        signal(engine().child.pid, 'SIGSTOP');
        return true;
      },
    };
  },
} as const;

type Step = keyof typeof steps;
type Victim = 'worker' | 'owner' | 'server';

/** Kills and restarts, and lets the others go on. */
async function kill(desk: SharedDesk, victim: Victim): Promise<void> {
  const { engine, workers, server, signal } = desk;
  const ownerPid = engine().child.pid;
  const goOn = () => {
    if (victim !== 'worker') signal(workers.pid(), 'SIGCONT');
    if (victim !== 'owner') signal(ownerPid, 'SIGCONT');
  };
  if (victim === 'worker') {
    const before = workers.started();
    signal(workers.pid(), 'SIGKILL');
    goOn();
    // A supervisor that replaces nothing would leave the job without a worker for ever.
    await until(() => workers.started() > before);
  }
  if (victim === 'owner') {
    await engine().kill();
    goOn();
    await desk.restartEngine();
  }
  if (victim === 'server') {
    await server.kill();
    goOn();
    await server.start();
  }
}

async function killAtEach(
  data: TeamData,
  kills: readonly (readonly [Victim, Step])[],
): Promise<void> {
  const desk = await openSharedDesk(data);
  await until(() => desk.workers.started() > 0);
  const undisturbed = await desk.finish(await desk.submit());
  expect(undisturbed.counts.enriched_rows).toBeGreaterThan(1_000);
  for (const [victim, step] of kills) {
    const id = await desk.submit();
    const { isReached } = await steps[step](desk, id);
    await until(isReached);
    await kill(desk, victim);
    expect([victim, step, await desk.finish(id)]).toEqual([victim, step, undisturbed]);
    await expect.poll(async () => [await desk.batches(), await desk.answers()]).toEqual([0, 0]);
  }
  expect((await desk.test()).workers).toBe(1);
  expect(await desk.workers.stop()).toBe(0);
  expect(await desk.engine().stop()).toBe(0);
}

const victims = ['worker', 'owner', 'server'] as const;
const everyKill = victims.flatMap((victim) =>
  (Object.keys(steps) as Step[]).map((step) => [victim, step] as const),
);

test('a worker, an owner and a server that are killed in a job lose and change nothing', async () => {
  if (missing) return console.warn(missing);
  await killAtEach(fewPeople, [
    ['worker', 'taken'],
    ['owner', 'answered'],
    ['server', 'committed'],
  ]);
});

test('the worker of an engine is replaced when it is killed, and stops with the engine', async () => {
  if (missing) return console.warn(missing);
  const desk = await openSharedDesk(fewPeople);
  await until(() => desk.workers.started() > 0);
  expect(await desk.workers.stop()).toBe(0);
  await desk.matchHere(true);
  const isRunning = async () => (await desk.test()).workers === 1;
  await until(isRunning);
  const [pid] = desk.ownWorkers();
  const undisturbed = await desk.finish(await desk.submit());
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
  await killAtEach(samplePeople, everyKill);
});
