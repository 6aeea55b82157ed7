/** The rows that were left out of a job, with a file of them. */
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { countOf } from '../../components/numbers.ts';
import { saveFile } from '../../components/save/save-file.tsx';
import { showFailure } from '../../components/toast.ts';

/** The line; nothing if no row was left out. */
export function LeftOut({ job }: { job: StatusData }) {
  const { data } = useQuery({
    queryKey: ['left-out', job.job_id],
    queryFn: ({ signal }) => ask(jobExports.countLeftOut, { job_id: job.job_id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const saving = useChange(
    () =>
      saveFile(`${job.title || 'Job'} left out`, 'csv', (path) =>
        ask(jobExports.writeLeftOut, { job_id: job.job_id, path }),
      ),
    [],
  );
  const save = () =>
    saving.mutate(undefined, {
      onError: (error) => showFailure('The rows were not saved', error),
    });
  if (!data || data.count === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm">{countOf(data.count, 'row was', 'rows were')} left out of this job.</Text>
      <Button size="compact-sm" variant="default" loading={saving.isPending} onClick={save}>
        Save {data.count === 1 ? 'it' : 'them'}
      </Button>
    </Group>
  );
}
