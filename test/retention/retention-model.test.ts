// After any sequence of jobs, ages and settings, exactly what is past its days and free is gone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import { failJob } from '../../engine/jobs/fail-job.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { runsOf } from '../property-runs.ts';
import { day, nothingLeft, openRetention, person } from './retention-fixture.ts';

/** A job as the model sees it. */
interface ModelJob {
  readonly row: JobRow;
  /** Days after the start; null while it is queued. */
  endedOn: number | null;
  status: 'queued' | 'completed' | 'failed' | 'cancelled';
  readonly people: readonly number[];
  /** People that it was charged for. */
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
      end: fc.constantFrom('completed', 'completed', 'failed', 'cancelled', 'queued' as const),
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

test('exactly what is past its days and free goes; what is present is whole', {
  tags: ['full'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arbitraryStep, { maxLength: 14 }), async (sequence) => {
      const desk = await openRetention(5);
      const { database, account, set, submit, enrich, read, steps, run, traces } = desk;
      const jobs: ModelJob[] = [];
      let [today, days, window] = [0, null as number | null, 0];
      /** People whose answers are free: paid for within the window, in jobs that exist or not. */
      const freePeople = () =>
        new Set(
          jobs.flatMap(({ endedOn, status, paid }) =>
            status === 'completed' && endedOn !== null && today - endedOn <= window && window > 0
              ? [...paid]
              : [],
          ),
        );
      const addJob = async (step: { people: number[]; end: string; excludes: number | null }) => {
        const present = jobs.filter((job) => !job.isGone && job.status === 'completed');
        const needs = present[step.excludes ?? Number.MAX_SAFE_INTEGER] ?? null;
        const more = needs ? { newSince: needs.row.uuid } : {};
        const rows = step.people.map(person);
        const free = freePeople();
        const known = new Set(needs?.people);
        if (step.end === 'completed') {
          const row = await enrich(day(today), rows, more);
          const fresh = new Set(step.people.filter((one) => !known.has(one)));
          const paid = new Set([...fresh].filter((one) => !free.has(one)));
          expect(row.chargedUnits).toBe(10_000 * paid.size);
          // People whom the excluded job paid for are skipped, and the rows still name them.
          const job = { row, paid, needs, people: step.people, isGone: false };
          jobs.push({ ...job, status: 'completed', endedOn: today });
          return;
        }
        const row = read(submit(rows, ['L1'], { at: day(today), ...more }));
        const { uuid, id } = row;
        if (step.end === 'failed')
          failJob(database, id, { code: 'upstream_error', detail: 'down' }, day(today));
        if (step.end === 'cancelled')
          cancelJob(database, { accountId: account.id, jobId: uuid }, day(today));
        jobs.push({
          ...{ row, paid: new Set(), needs, people: step.people, isGone: false },
          status: step.end as ModelJob['status'],
          endedOn: step.end === 'queued' ? null : today,
        });
      };
      for (const step of sequence) {
        if (step.kind === 'submit') await addJob(step);
        if (step.kind === 'pass') today += step.days;
        if (step.kind === 'days') {
          // Days without a window may let memories go, so the window only grows.
          window = Math.max(window, jobs.length === 0 ? step.window : window);
          days = step.days;
          set('jobs', days);
          updateAccount(database, account.id, { freeRepeatDays: window });
        }
        if (step.kind === 'run') {
          const before = readBalances(database, account.id);
          if (step.killedAfter !== null) {
            const killed = steps(day(today));
            for (let at = 0; at < step.killedAfter && !killed.next().done; at += 1);
          }
          run(day(today));
          removeFromModel(jobs, today, days);
          expect(desk.listUuids()).toEqual(
            jobs.flatMap(({ row, isGone }) => (isGone ? [] : row.uuid)),
          );
          expect(readBalances(database, account.id)).toEqual(before);
        }
        for (const { row, status, isGone } of jobs) {
          const found = traces(row);
          if (isGone) expect(found).toEqual(nothingLeft);
          else {
            const results = status === 'completed' ? row.totalRows : 0;
            expect(found).toMatchObject({ input: true, results });
          }
        }
      }
    }),
    { numRuns: runsOf(40) },
  );
});
