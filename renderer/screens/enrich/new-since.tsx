/** The choice of an earlier job whose people are skipped. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { jobs, type StatusData } from '../../../engine/contract/jobs/job.ts';
import { ask } from '../../api/client.ts';
import { countOf, showDate } from '../../components/numbers.ts';
import { useFlow } from './flow.tsx';

/** Jobs to choose from, newest first. */
const jobsShownMax = 100;

const labelOf = (job: StatusData): string =>
  [job.title || 'Untitled job', countOf(job.total_rows, 'row'), showDate(job.created_at)].join(
    ', ',
  );

/** The field; nothing while the account has no completed job. */
export function NewSince() {
  const { flow, actions } = useFlow();
  const { data } = useQuery({
    queryKey: ['jobs', 'completed'],
    queryFn: () => ask(jobs.list, { limit: jobsShownMax, offset: 0, status: 'completed' }),
  });
  if (!data || data.results.length === 0) return null;
  return (
    <Select
      label="Only people who are not in"
      description="Rows about people of that job are skipped and free."
      placeholder="no earlier job"
      clearable
      searchable
      maw={480}
      value={flow.options.new_since ?? null}
      onChange={(id) =>
        actions.change({ options: { ...flow.options, new_since: id ?? undefined } })
      }
      data={data.results.map((job) => ({ value: job.job_id, label: labelOf(job) }))}
    />
  );
}
