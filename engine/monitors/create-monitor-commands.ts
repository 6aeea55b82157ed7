// Handles the commands of Career Monitor on the writing connection, and runs due monitors.
import type { CommandsOf } from '../contract/endpoints.ts';
import type { AppEvent } from '../contract/events.ts';
import type { MonitorSchedule, monitorJobs, monitors } from '../contract/monitors/monitors.ts';
import type { Spending } from '../ledger/approve-spending.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { MonitorJobRow } from './monitor-job.table.ts';
import {
  changeMonitor,
  createMonitor,
  removeMonitor,
  requireMonitor,
  runMonitor,
} from './monitors.ts';
import { presentMonitor } from './present-monitor.ts';
import { presentMonitorJob } from './present-monitor-job.ts';
import {
  type MonitorInput,
  type MonitorJobAnswer,
  type MonitorJobCommand,
  type MonitorTarget,
  payForFindings,
  startMonitorJobOnce,
  stopMonitorJob,
} from './start-monitor-job.ts';

export interface MonitorDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  now(): Date;
  send(event: AppEvent, accountId: number): void;
  /** A job was queued or has ended: wakes the scheduler of jobs. */
  wakeJobs(): void;
  /** The time of a next run has changed: wakes the scheduler of monitors. */
  wakeMonitors(): void;
}

export function createMonitorCommands(deps: MonitorDeps) {
  const { database, folder, now, send } = deps;
  const announce = (job: MonitorJobRow) => {
    send({ type: 'monitor-job', job: presentMonitorJob(job) }, job.accountId);
    deps.wakeJobs();
    return presentMonitorJob(job);
  };
  const announceMonitors = (accountId: number) => {
    send({ type: 'monitors' }, accountId);
    deps.wakeMonitors();
  };
  const named = {
    async 'monitors.change'({ accountId, id, ...change }) {
      const monitor = changeMonitor(database, { accountId, id, change }, now());
      announceMonitors(accountId);
      return presentMonitor(database, monitor);
    },
    async 'monitors.run'(target) {
      const job = announce(runMonitor(database, folder, target, now()));
      announceMonitors(target.accountId);
      return job;
    },
    async 'monitors.remove'(target) {
      removeMonitor(database, folder, target, now());
      deps.wakeJobs();
      announceMonitors(target.accountId);
      return { id: String(target.id) };
    },
    'monitorJobs.stop': async (target) => announce(stopMonitorJob(database, target, now())),
  } satisfies CommandsOf<typeof monitors> & CommandsOf<typeof monitorJobs>;
  return {
    ...named,
    async startMonitorJob(command: MonitorJobCommand): Promise<MonitorJobAnswer> {
      const { job, replayed } = startMonitorJobOnce(database, folder, command, now());
      if (!replayed) announce(job);
      return { data: { job_id: job.id }, replayed };
    },
    payMonitorJob: async (command: MonitorTarget & Spending) =>
      announce(payForFindings(database, command, now())),
    async createMonitor({
      runNow,
      ...order
    }: MonitorInput & { schedule: MonitorSchedule; runNow: boolean }) {
      const { id, accountId } = createMonitor(database, folder, order, now());
      if (runNow) announce(runMonitor(database, folder, { accountId, id }, now()));
      announceMonitors(accountId);
      return presentMonitor(database, requireMonitor(database, accountId, id));
    },
  };
}

export type MonitorCalls = ReturnType<typeof createMonitorCommands>;
