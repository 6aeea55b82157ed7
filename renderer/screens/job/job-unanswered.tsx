/** The rows of a running job that wait for slow data services, and the names of the services. */

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { jobRows } from '../../../engine/contract/jobs/app-jobs.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { providerCalls } from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { countOf } from '../../components/numbers.ts';

const refreshIntervalMs = 5_000;

/** Nothing while all services that were asked have answered. */
export function JobUnanswered({ job }: { job: StatusData }) {
  const { unanswered_rows: rows } = job;
  const spent = useQuery({
    queryKey: ['job-unanswered', job.job_id],
    queryFn: () => ask(jobRows.providers, { job_id: job.job_id }),
    enabled: rows > 0,
    refetchInterval: refreshIntervalMs,
  });
  const known = useQuery({
    queryKey: ['providers'],
    queryFn: () => ask(providerCalls.list),
    enabled: rows > 0,
  });
  if (rows === 0) return null;
  const titles = new Map(known.data?.providers.map(({ id, title }) => [id, title]));
  const names = (spent.data ?? [])
    .filter(({ rows_open: open }) => open > 0)
    .map(({ provider }) => titles.get(provider) ?? provider);
  return (
    <Text size="sm" role="status">
      {countOf(rows, 'row')} {rows === 1 ? 'waits' : 'wait'} for{' '}
      {names.length > 0 ? names.join(', ') : 'data services'}. The other rows do not wait.
    </Text>
  );
}
