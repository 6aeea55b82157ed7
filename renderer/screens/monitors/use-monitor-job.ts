// One run of a monitor, updated by events, and polled while none arrive.
import type { MonitorJob } from '../../../engine/contract/monitors/career-monitor.ts';
import { monitorJobs } from '../../../engine/contract/monitors/monitors.ts';
import { ApiError } from '../../api/client.ts';
import { useAnswer, useIsLive } from '../../api/live.ts';

const isRunning = (job: MonitorJob | undefined) =>
  job?.status === 'Queued' || job?.status === 'Running';

/** The run; `listed` is its record from a list, which is sufficient once it has ended. */
export function useMonitorJob(id: number, listed?: MonitorJob) {
  const live = useIsLive();
  return useAnswer(['monitor-job', id], monitorJobs.get, {
    input: { id },
    enabled: !listed || isRunning(listed),
    retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status === 404),
    refetchInterval: ({ state }) => (isRunning(state.data) ? (live ? 5_000 : 1_000) : false),
  });
}
