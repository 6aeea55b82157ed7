/** Commands of Career Monitor to the writer thread. Each may reject with an EngineError. */

import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { MonitorJob, StartedMonitorJob } from '../contract/monitors/career-monitor.ts';
import type { Monitor, MonitorChange, MonitorSchedule } from '../contract/monitors/monitors.ts';
import type { Spending } from '../ledger/approvals.commands.ts';

/** A decoded table for a monitor or a Career Monitor job. */
interface MonitorInput {
  readonly accountId: number;
  readonly title: string;
  readonly fileName: string | null;
  readonly headers: readonly string[];
  readonly mapping: ColumnMapping;
  /** Folder of the decoded table. */
  readonly dir: string;
  readonly rowCount: number;
}

/** A parsed POST /career-monitor/jobs/. */
export interface MonitorJobCommand extends MonitorInput, Spending {
  /** SHA-256 of the canonical rows, lower-case hex. */
  readonly sha256: string;
  /** The idempotency key and its scope. */
  readonly idempotency: { readonly keyScope: string; readonly key: string } | null;
}
/** `replayed`: an earlier request with the same idempotency key started this job. */
export interface MonitorJobAnswer {
  readonly data: StartedMonitorJob;
  readonly replayed: boolean;
}

export interface MonitorTarget {
  readonly accountId: number;
  readonly id: number;
}

/** Calls of Career Monitor to the writer thread. */
export interface MonitorCalls {
  startMonitorJob(command: MonitorJobCommand): Promise<MonitorJobAnswer>;
  payMonitorJob(command: MonitorTarget & Spending): Promise<MonitorJob>;
  stopMonitorJob(command: MonitorTarget): Promise<MonitorJob>;
  createMonitor(
    command: MonitorInput & { schedule: MonitorSchedule; runNow: boolean },
  ): Promise<Monitor>;
  changeMonitor(command: MonitorTarget & { change: MonitorChange }): Promise<Monitor>;
  runMonitor(command: MonitorTarget): Promise<MonitorJob>;
  removeMonitor(command: MonitorTarget): Promise<void>;
}
