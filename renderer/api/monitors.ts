/** Requests for Career Monitor, and its events in the cache. */
import type { QueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { AppEvent } from '../../engine/contract/events.ts';
import { ExportAnswerSchema } from '../../engine/contract/jobs/app-jobs.ts';
import {
  type FindingStatus,
  FindingsPageSchema,
  type MonitorJob,
  MonitorJobPageSchema,
  MonitorJobSchema,
} from '../../engine/contract/monitors/career-monitor.ts';
import {
  type FindingsExportSchema,
  type MonitorChangeSchema,
  MonitorSchema,
  type NewMonitorSchema,
} from '../../engine/contract/monitors/monitors.ts';
import { notifyInBackground } from '../preferences/notifications.ts';
import { call } from './client.ts';
import { cacheEvent, invalidate } from './query-cache.ts';

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });

/** The account's monitors, newest first. */
export const readMonitors = () => call(z.array(MonitorSchema), '/app/v1/monitors');

export const readMonitor = (id: number) => call(MonitorSchema, `/app/v1/monitors/${id}`);

/** Creates a monitor from an upload or a finished job. */
export const createMonitor = (body: z.input<typeof NewMonitorSchema>) =>
  call(MonitorSchema, '/app/v1/monitors', post(body));

/** Renames, reschedules, pauses or resumes a monitor. */
export const changeMonitor = (id: number, body: z.input<typeof MonitorChangeSchema>) =>
  call(MonitorSchema, `/app/v1/monitors/${id}`, { method: 'PATCH', body });

/** Deletes a monitor. The findings of its runs stay. */
export const deleteMonitor = (id: number) =>
  call(z.unknown(), `/app/v1/monitors/${id}`, { method: 'DELETE' });

/** Starts a run now. */
export const runMonitor = (id: number) =>
  call(MonitorJobSchema, `/app/v1/monitors/${id}/run`, post());

/** Runs of one monitor, or with null of all monitors and of the API, newest first. */
export const readMonitorJobs = (
  monitorId: number | null,
  { limit, offset }: { limit: number; offset: number },
) =>
  call(
    MonitorJobPageSchema,
    `/app/v1/${monitorId === null ? 'monitor-jobs' : `monitors/${monitorId}/jobs`}` +
      `?limit=${limit}&offset=${offset}`,
  );

export const readMonitorJob = (id: number) => call(MonitorJobSchema, `/app/v1/monitor-jobs/${id}`);

/** Pays for locked findings. A repeat does not pay twice. */
export const payMonitorJob = (id: number) =>
  call(MonitorJobSchema, `/app/v1/monitor-jobs/${id}/pay`, post());

/** Stops an unfinished run without a charge. */
export const stopMonitorJob = (id: number) =>
  call(MonitorJobSchema, `/app/v1/monitor-jobs/${id}/stop`, post());

/** A range of a run's findings. */
export const readFindings = (
  id: number,
  page: { limit: number; offset: number; status: FindingStatus | null },
  signal: AbortSignal,
) => {
  const query = new URLSearchParams({ limit: String(page.limit), offset: String(page.offset) });
  if (page.status) query.set('status', page.status);
  return call(FindingsPageSchema, `/app/v1/monitor-jobs/${id}/findings?${query}`, { signal });
};

/** Writes the findings to a path, or returns a one-time download address. */
export const exportFindings = (id: number, body: z.input<typeof FindingsExportSchema>) =>
  call(ExportAnswerSchema, `/app/v1/monitor-jobs/${id}/export`, post(body));

const hasEnded = ({ status }: MonitorJob) => status === 'Completed' || status === 'Failed';

/** Applies a Career Monitor event to the cache. */
export function applyMonitorEvent(
  client: QueryClient,
  event: Extract<AppEvent, { type: 'monitor-job' | 'monitors' }>,
): void {
  if (event.type === 'monitor-job') {
    const { job } = event;
    const before = client.getQueryData<MonitorJob>(['monitor-job', job.job_id]);
    cacheEvent(client, ['monitor-job', job.job_id], job);
    const isSame =
      before?.status === job.status && before.credit_charge_failed === job.credit_charge_failed;
    if (isSame) return;
    if (before && hasEnded(job) && !hasEnded(before)) {
      const news = job.counts.changed + job.counts.left;
      notifyInBackground(
        `${job.title || 'Monitor'} was checked`,
        `${news} contacts changed or left`,
        `/monitors/jobs/${job.job_id}`,
      );
    }
    void invalidate(client, 'monitor-jobs');
  }
  void invalidate(client, 'monitors', 'monitor');
}
