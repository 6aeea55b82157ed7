// Jobs that a scheduler runs over data services, as in an engine.
import { expect, onTestFinished } from 'vitest';
import type { Provider } from '../../engine/contract/provider.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { readFields } from '../../engine/jobs/results/result-fields.ts';
import { createJobSource, type JobSourceDeps } from '../../engine/jobs/run-jobs.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import { createClock } from '../platform/scheduler/scheduler-fixture.ts';
import { openTestWaterfalls } from '../providers/play-provider.ts';
import { now, openJobFixture } from './job-fixture.ts';

/** Opens a directory that knows one person, Ann Lee of Acme Widgets. */
export async function openScheduledJobs() {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', ['p1,Ann,Lee,Acme Widgets,Buyer,ann@acme.example,1']);
  const { database, deps } = fixture;
  const clock = createClock();
  const sent: JobRow[] = [];
  /** Begins a run of the engine, which ends with the test or by its `stop`. */
  const start = (providers: readonly Provider[], changes: Partial<JobSourceDeps> = {}) => {
    const waterfalls = openTestWaterfalls(database, providers, now);
    const source = createJobSource({
      ...deps,
      now: clock.now,
      waterfalls,
      ...changes,
      events: {
        wallet: () => undefined,
        job: () => undefined,
        waitingJob: () => undefined,
        followJob: () => (job) => void sent.push(job),
      },
    });
    const scheduler = startScheduler(source, clock);
    const stop = async () => {
      await Promise.all([scheduler.stop(), waterfalls.stop()]);
    };
    onTestFinished(stop);
    const tellOnline = () => {
      source.checkNetwork();
      scheduler.wake();
    };
    return { stop, wake: scheduler.wake, tellOnline };
  };
  const ends = (uuid: string) => expect.poll(() => fixture.read(uuid).status).toBe('completed');
  const emails = (uuid: string) =>
    fixture.results(fixture.read(uuid)).map(({ fields }) => readFields({ fields }).Email ?? null);
  return { ...fixture, clock, sent, start, ends, emails };
}
