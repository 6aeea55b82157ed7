// The head of a job: progress, speed, time left and credits while it runs; a sentence at its end.
import { Alert, Anchor, Button, Group, Progress, Text } from '@mantine/core';
import { Link } from 'wouter';
import { creditUnits } from '../../../engine/contract/credits.ts';
import { jobRows } from '../../../engine/contract/jobs/app-jobs.ts';
import { jobs, type StatusData } from '../../../engine/contract/jobs/job.ts';
import { jobList } from '../../../engine/contract/jobs/job-list.ts';
import { providerCalls } from '../../../engine/contract/providers.ts';
import { ApiError } from '../../api/client.ts';
import { useAnswer, useCall, useIsOffline, useJobPulse } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { describeAhead } from '../../components/jobs/job-words.ts';
import {
  countCredits,
  countOf,
  showCount,
  showCredits,
  showDuration,
  showShare,
  showTime,
  showUnits,
  unitsOf,
} from '../../components/numbers.ts';
import { PausedRun, RunCounts, useStart } from '../../components/run-counts.tsx';
import { showFailure } from '../../components/toast.ts';
import classes from './job.module.css';

function Actions({ job }: { job: StatusData }) {
  const changed = ['job', 'jobs', 'rows'];
  const check = useCall(jobs.checkNetwork, changed);
  const leaveOut = useCall(jobs.setWhenOffline, changed);
  const fail = (error: unknown) => showFailure('The job was not changed', error);
  return (
    <Group gap="sm" mt="sm">
      <Button
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
  const isTeam = job.waiting_reason === 'no_team_directory';
  if (job.when_offline === 'leave_out')
    return (
      `${done}${rows} could not be sent and will finish without the ` +
      `${isTeam ? 'team’s directory' : 'data services'}.`
    );
  const missing = isTeam ? 'team’s directory' : 'data services';
  return (
    `${done}${rows} ${waiting === 1 ? 'waits' : 'wait'} for the ${missing}. The job continues ` +
    `automatically when ${isTeam ? 'it' : 'they'} can be reached again. Until then, these rows ` +
    'have only what your directory knows.'
  );
}

const problems = {
  no_connection: 'No connection',
  no_team_directory: 'The team’s directory has not answered',
  no_worker: 'No worker has answered',
};

/** Nothing while all services of the job can be reached. */
function JobOffline({ job }: { job: StatusData }) {
  const { waiting_rows: waiting, waiting_since: since } = job;
  if (waiting === 0 || since === null) return null;
  const leavesOut = job.when_offline === 'leave_out';
  const problem = problems[job.waiting_reason ?? 'no_connection'];
  return (
    <Alert color="yellow" role="status" title={`${problem} since ${showTime(since)}`}>
      <Text size="sm">{describeWait(job)}</Text>
      {!leavesOut && <Actions job={job} />}
    </Alert>
  );
}

const refreshIntervalMs = 5_000;

/** Nothing while all services that were asked have answered. */
function JobUnanswered({ job }: { job: StatusData }) {
  const { unanswered_rows: rows } = job;
  const spent = useAnswer(['job-unanswered', job.job_id], jobRows.providers, {
    input: { job_id: job.job_id },
    enabled: rows > 0,
    refetchInterval: refreshIntervalMs,
  });
  const known = useAnswer(['providers'], providerCalls.list, { enabled: rows > 0 });
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

/** Seconds between two timestamps; null if one is missing. */
const secondsBetween = (start: string | null, end: string | null): number | null =>
  start && end ? (Date.parse(end) - Date.parse(start)) / 1000 : null;

/** Counts of rows that were free because their person was answered before, with their words. */
const listRepeats = (job: StatusData): [string, number][] =>
  (
    [
      [job.duplicate_rows === 1 ? 'free duplicate' : 'free duplicates', job.duplicate_rows],
      ['paid before', job.paid_before_rows],
      ['known from an earlier job', job.known_rows],
    ] satisfies [string, number][]
  ).filter(([, count]) => count > 0);

/** What the review changed after the job was settled, so that the amounts add up. */
function describeReviewed({ credits_held, credits_charged, credits_released }: StatusData) {
  const settledUnits = creditUnits(unitsOf(credits_held) - unitsOf(credits_released));
  const units = unitsOf(credits_charged) - settledUnits;
  const more =
    units > 0 ? ` In the review, ${showUnits(creditUnits(units))} more were charged.` : '';
  const back = units < 0 ? ` In the review, ${showUnits(creditUnits(-units))} were returned.` : '';
  return (
    `${countCredits(credits_held)} reserved: ${showUnits(settledUnits)} charged, ` +
    `${showCredits(credits_released)} returned to the wallet.${more}${back}`
  );
}

function describeEnd(job: StatusData): string {
  const seconds = secondsBetween(job.started_at, job.completed_at);
  const time = seconds === null ? '' : ` in ${showDuration(Math.max(1, seconds))}`;
  if (job.status === 'cancelled')
    return (
      `Cancelled. ${countCredits(job.credits_released)} returned to the wallet. ` +
      'Nothing was charged, and finished rows are not kept.'
    );
  const share = job.total_rows > 0 ? job.enriched_rows / job.total_rows : 0;
  const others = [
    job.skipped_rows > 0 ? `${showCount(job.skipped_rows)} skipped` : '',
    job.failed_rows > 0 ? `${showCount(job.failed_rows)} failed` : '',
    ...listRepeats(job).map(([words, count]) => `${showCount(count)} ${words}`),
    job.waiting_rows > 0
      ? `${showCount(job.waiting_rows)} not looked up further, ` +
        (job.waiting_reason === 'no_worker' ? 'as no worker answered' : 'without a connection')
      : '',
  ].filter(Boolean);
  const rest = others.length ? `; ${others.join(', ')}` : '';
  const enriched = `${showCount(job.enriched_rows)} of ${countOf(job.total_rows, 'row')} enriched`;
  return `${enriched} (${showShare(share)})${time}${rest}. ${describeReviewed(job)}`;
}

function Counts({ job }: { job: StatusData }) {
  const pulse = useJobPulse(job.job_id);
  const counts: [string, string][] = [
    ['enriched', showCount(job.enriched_rows)],
    ['skipped', showCount(job.skipped_rows)],
    ['failed', showCount(job.failed_rows)],
    ...listRepeats(job).map(([words, count]): [string, string] => [words, showCount(count)]),
    ['credits reserved', showCredits(job.credits_held)],
    ['to be charged so far', showCredits(pulse?.chargedSoFar ?? '0.0000')],
  ];
  return <RunCounts counts={counts} />;
}

function useJobStart({ job_id: id, status }: StatusData): string {
  const isQueued = status === 'queued';
  const { data: queue = [] } = useAnswer(['job-queue'], jobList.queue, {
    enabled: isQueued,
    refetchInterval: 2_000,
  });
  return useStart(isQueued, describeAhead(queue.find(({ job }) => job.job_id === id)?.rows_ahead));
}

function Running({ job }: { job: StatusData }) {
  const pulse = useJobPulse(job.job_id);
  const isOffline = useIsOffline();
  const start = useJobStart(job);
  // Rows that wait for the network or a slow service are done again.
  const done = job.processed_rows - job.waiting_rows - job.unanswered_rows;
  const share = job.total_rows > 0 ? done / job.total_rows : 0;
  const words = [
    `${showCount(done)} of ${countOf(job.total_rows, 'row')}`,
    showShare(share),
    ...(!isOffline && pulse && pulse.rowsPerSecond > 0
      ? [`${showCount(Math.round(pulse.rowsPerSecond))} rows/s`]
      : []),
    ...(!isOffline && pulse?.secondsLeft != null
      ? [`${showDuration(pulse.secondsLeft)} left`]
      : []),
  ];
  return (
    <section aria-label="Progress" className={classes.head}>
      <Text className="numbers">
        {isOffline ? 'Last known state: ' : start}
        {words.join(' · ')}
      </Text>
      <Progress value={share * 100} size="md" aria-label="Rows done" transitionDuration={150} />
      <JobOffline job={job} />
      <JobUnanswered job={job} />
      <PausedRun id={job.job_id} />
      <Counts job={job} />
    </section>
  );
}

export function JobHead({ job }: { job: StatusData }) {
  if (!job.ready) return <Running job={job} />;
  if (job.status === 'failed')
    return (
      <ErrorPanel
        title={
          `The job failed after ${showCount(job.processed_rows)} of ` +
          `${countOf(job.total_rows, 'row')}; nothing was charged`
        }
        error={
          new ApiError(job.error ?? '', job.error_detail ?? job.error ?? 'No reason was given.', 0)
        }
      />
    );
  return (
    <Text role="status" className="numbers">
      {describeEnd(job)}{' '}
      {job.status === 'cancelled' && (
        <Anchor component={Link} underline="always" href="/">
          Enrich another file
        </Anchor>
      )}
    </Text>
  );
}
