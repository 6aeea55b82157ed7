// After any sequence of jobs, ages and settings, exactly what is past its days and free is gone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { failJob } from '../../engine/jobs/run-jobs.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { runsOf } from '../property-runs.ts';
import { day, nothingLeft, openRetention, person } from './retention-fixture.ts';

interface ModelJob {
  readonly row: JobRow;
  /** Days after the start; null while it is queued. */
  endedOn: number | null;
  status: 'queued' | 'completed' | 'failed' | 'cancelled';
  readonly people: readonly number[];
  readonly paid: ReadonlySet<number>;
  readonly needs: ModelJob | null;
  isGone: boolean;
}

const arbitraryStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('submit' as const),
      people: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom('completed', 'completed', 'failed', 'cancelled', 'queued'),
      excludes: fc.option(fc.nat(9)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), days: fc.nat(12) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('days' as const),
      days: fc.constantFrom(null, 1, 5, 10),
      window: fc.constantFrom(0, 8, 40),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('run' as const), killedAfter: fc.option(fc.nat(8)) }),
  },
);

type Step = typeof arbitraryStep extends fc.Arbitrary<infer Value> ? Value : never;

/** Deletes what the model says: what is past its days, unless a job that stays needs it. */
function removeFromModel(jobs: readonly ModelJob[], today: number, days: number | null): void {
  if (days === null) return;
  for (const job of [...jobs].reverse()) {
    if (job.isGone || job.endedOn === null || today - job.endedOn <= days) continue;
    const isNeeded = jobs.some(
      (other) =>
        !other.isGone && other.needs === job && ['queued', 'failed'].includes(other.status),
    );
    if (!isNeeded) job.isGone = true;
  }
}

type Desk = Awaited<ReturnType<typeof openRetention>>;

interface Model {
  readonly desk: Desk;
  readonly jobs: ModelJob[];
  today: number;
  days: number | null;
  window: number;
}

/** People whose answers are free: paid for within the window, in jobs that exist or not. */
const freePeople = ({ jobs, today, window }: Model) =>
  new Set(
    jobs.flatMap(({ endedOn, status, paid }) =>
      status === 'completed' && endedOn !== null && today - endedOn <= window && window > 0
        ? [...paid]
        : [],
    ),
  );

type Submission = Pick<ModelJob, 'people' | 'status'> & { readonly excludes: number | null };

/** Submits a job and ends it, or leaves it queued. It is charged what the model says. */
async function addJob(model: Model, { people, status, excludes }: Submission): Promise<void> {
  const { desk, jobs, today } = model;
  const { database, account, submit, enrich, read } = desk;
  const present = jobs.filter((job) => !job.isGone && job.status === 'completed');
  const needs = present[excludes ?? Number.MAX_SAFE_INTEGER] ?? null;
  const more = needs ? { newSince: needs.row.uuid } : {};
  const rows = people.map(person);
  if (status === 'completed') {
    const free = freePeople(model);
    const known = new Set(needs?.people);
    const row = await enrich(day(today), rows, more);
    const paid = new Set(people.filter((one) => !known.has(one) && !free.has(one)));
    expect(row.chargedUnits).toBe(10_000 * paid.size);
    jobs.push({ row, paid, needs, people, status, isGone: false, endedOn: today });
    return;
  }
  const row = read(submit(rows, ['L1'], { at: day(today), ...more }));
  const { uuid, id } = row;
  if (status === 'failed')
    failJob(database, id, { code: 'upstream_error', detail: 'down' }, day(today));
  if (status === 'cancelled')
    cancelJob(database, { accountId: account.id, jobId: uuid }, day(today));
  const endedOn = status === 'queued' ? null : today;
  jobs.push({ row, paid: new Set(), needs, people, status, endedOn, isGone: false });
}

/** Runs retention, after a run that was killed. Exactly what the model says is gone. */
function runModel({ desk, jobs, today, days }: Model, killedAfter: number | null): void {
  const { database, account, steps, run, listUuids } = desk;
  const before = readBalances(database, account.id);
  if (killedAfter !== null) {
    const killed = steps(day(today));
    for (let at = 0; at < killedAfter && !killed.next().done; at += 1);
  }
  run(day(today));
  removeFromModel(jobs, today, days);
  expect(listUuids()).toEqual(jobs.flatMap(({ row, isGone }) => (isGone ? [] : row.uuid)));
  expect(readBalances(database, account.id)).toEqual(before);
}

async function runSequence(sequence: readonly Step[]): Promise<void> {
  const desk = await openRetention(5);
  const model: Model = { desk, jobs: [], today: 0, days: null, window: 0 };
  for (const step of sequence) {
    if (step.kind === 'submit') await addJob(model, { ...step, status: step.end });
    if (step.kind === 'pass') model.today += step.days;
    if (step.kind === 'days') {
      // What a deletion remembers depends on the window, so it is set before the first job.
      if (model.jobs.length === 0) model.window = step.window;
      model.days = step.days;
      desk.set('jobs', step.days);
      updateAccount(desk.database, desk.account.id, { freeRepeatDays: model.window });
    }
    if (step.kind === 'run') runModel(model, step.killedAfter);
    for (const { row, status, isGone } of model.jobs) {
      const found = desk.traces(row);
      if (isGone) expect(found).toEqual(nothingLeft);
      else
        expect(found).toMatchObject({
          input: true,
          results: status === 'completed' ? row.totalRows : 0,
        });
    }
  }
}

test('exactly what is past its days and free goes; what is present is whole', {
  tags: ['full'],
}, async () => {
  await fc.assert(fc.asyncProperty(fc.array(arbitraryStep, { maxLength: 14 }), runSequence), {
    numRuns: runsOf(40),
  });
});
