// The monitors of an environment as work for the scheduler: a monitor is due at its next run, and
// its step creates a Career Monitor job, which runs like all other jobs.
import type { AppEvent } from '../contract/events.ts';
import type { WorkSource } from '../platform/scheduler/work-source.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { findNextRunAt, listDueMonitors, type MonitorRow } from './monitor.table.ts';
import { realignMonitors, runDueMonitor } from './monitors.ts';
import { presentMonitorJob } from './present-monitor-job.ts';

interface MonitorSourceDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  send(event: AppEvent, accountId: number): void;
  wakeJobs(): void;
}

/** Creates the source. Wake its scheduler when the time of a next run has changed. */
export function createMonitorSource(deps: MonitorSourceDeps): WorkSource<MonitorRow> {
  const { database, folder } = deps;
  return {
    name: 'monitor',
    inFlightMax: 1,
    next({ at, isBusy }) {
      const item = listDueMonitors(database, at.toISOString()).find(({ id }) => !isBusy(id));
      if (item) return { item };
      const nextAt = findNextRunAt(database);
      return nextAt === null ? null : { dueAt: new Date(nextAt) };
    },
    async run(monitor, { at }) {
      const job = runDueMonitor(database, folder, monitor, at);
      if (!job) return;
      deps.send({ type: 'monitor-job', job: presentMonitorJob(job) }, job.accountId);
      deps.wakeJobs();
    },
    waiting: ({ id }, { detail }) => console.error(`monitor ${id} waits: ${detail}`),
    // The monitor stays due and is retried after its rest. A bug has already been logged.
    fail({ id }, { code, detail }) {
      if (code !== 'internal_error') console.error(`monitor ${id} starts no job: ${detail}`);
    },
    realign: (at) => realignMonitors(database, at),
  };
}
