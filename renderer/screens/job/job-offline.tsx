/** What a job does without an answer of what it asks, and the choice to go on without it. */
import { Alert, Button, Group, Text } from '@mantine/core';
import { jobs, type StatusData } from '../../../engine/contract/jobs/job.ts';
import { useCall } from '../../api/live.ts';
import { countOf, showTime } from '../../components/numbers.ts';
import { showFailure } from '../../components/toast.ts';

function Actions({ job }: { job: StatusData }) {
  const changed = ['job', 'jobs', 'rows'];
  const check = useCall(jobs.checkNetwork, changed);
  const leaveOut = useCall(jobs.setWhenOffline, changed);
  const fail = (error: unknown) => showFailure('The job was not changed', error);
  return (
    <Group gap="sm" mt="sm">
      <Button
        variant="default"
        loading={leaveOut.isPending}
        onClick={() =>
          leaveOut.mutate({ job_id: job.job_id, when_offline: 'leave_out' }, { onError: fail })
        }
      >
        Continue without them
      </Button>
      <Button
        variant="subtle"
        loading={check.isPending}
        onClick={() => check.mutate({}, { onError: fail })}
      >
        {job.waiting_reason === 'no_worker' ? 'Check now' : 'Check the network now'}
      </Button>
    </Group>
  );
}

/** What is done, and what happens to the rows that wait. */
function describeWait({ waiting_rows: waiting, ...job }: StatusData): string {
  const isDone = job.processed_rows === job.total_rows;
  const done = isDone ? 'Rows that your directory answers are done. ' : '';
  const rows = countOf(waiting, 'row');
  if (job.waiting_reason === 'no_worker')
    return job.when_offline === 'leave_out'
      ? `${done}${rows} will finish without the team’s directory.`
      : `${done}${rows} ${waiting === 1 ? 'waits' : 'wait'} for a worker of the team’s ` +
          'directory. Start one with “desk shared worker”, or switch on “Match on this computer” ' +
          'under Connections, Team directory. The job continues by itself when a worker answers; ' +
          'until then, other jobs run, and these rows have only what your directory knows.';
  if (job.when_offline === 'leave_out')
    return (
      `${done}${rows} could not be sent and will finish without the data services and the ` +
      'team’s directory.'
    );
  return (
    `${done}${rows} ${waiting === 1 ? 'waits' : 'wait'} for the data services or the team’s ` +
    'directory. The job continues automatically when they can be reached again. Until then, ' +
    'these rows have only what your directory knows.'
  );
}

/** Nothing while all services of the job can be reached. */
export function JobOffline({ job }: { job: StatusData }) {
  const { waiting_rows: waiting, waiting_since: since } = job;
  if (waiting === 0 || since === null) return null;
  const leavesOut = job.when_offline === 'leave_out';
  const problem = job.waiting_reason === 'no_worker' ? 'No worker answers' : 'No connection';
  return (
    <Alert color="yellow" role="status" title={`${problem} since ${showTime(since)}`}>
      <Text size="sm">{describeWait(job)}</Text>
      {!leavesOut && <Actions job={job} />}
    </Alert>
  );
}
