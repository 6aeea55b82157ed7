// Monitors in the format of the app's API.
import { creditUnits, formatCredits } from '../contract/credits.ts';
import type { Monitor } from '../contract/monitors/monitors.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { MonitorRow } from './monitor.table.ts';
import { getLastMonitorJob } from './monitor-job.table.ts';
import { describeDamage } from './monitors.ts';
import { presentMonitorJob } from './present-monitor-job.ts';
import { priceMonitor } from './start-monitor-job.ts';

export function presentMonitor(database: ReadableDatabase, monitor: MonitorRow): Monitor {
  const priceUnits = priceMonitor(database, monitor.accountId);
  const last = getLastMonitorJob(database, monitor.id);
  return {
    id: monitor.id,
    title: monitor.title,
    file_name: monitor.fileName,
    total_records: monitor.totalRecords,
    schedule: monitor.schedule,
    paused: monitor.nextRunAt === null,
    next_run_at: monitor.nextRunAt,
    price_per_record: formatCredits(priceUnits),
    most_credits: formatCredits(creditUnits(priceUnits * monitor.totalRecords)),
    problem: monitor.damage === null ? monitor.problem : describeDamage[monitor.damage],
    last_job: last && presentMonitorJob(last),
    created_at: monitor.createdAt,
  };
}
