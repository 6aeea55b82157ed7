/** One job: live while it runs, its outcome at the end, and all its rows. */
import { Anchor, Breadcrumbs, Button, Group, Text } from '@mantine/core';
import { IconBan, IconRadar2, IconRefresh, IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { jobs, type StatusData } from '../../../engine/contract/jobs/job.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { review } from '../../../engine/contract/jobs/review.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import { ask } from '../../api/client.ts';
import { useCall, useIsOffline, useJob } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { JobMenu } from '../../components/jobs/job-menu.tsx';
import { KeptJob } from '../../components/jobs/kept-job.tsx';
import { countCredits, countOf } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { RunTitle } from '../../components/titles/run-title.tsx';
import { showFailure } from '../../components/toast.ts';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { JobGrid } from './job-grid.tsx';
import { JobHead } from './job-head.tsx';
import { JobProviders } from './job-providers.tsx';
import { LeftOut } from './left-out.tsx';
import { useRowView } from './row-view.ts';
import { SaveJob } from './save-job.tsx';

const changed = ['job', 'jobs', 'state', 'wallet', 'entries', 'rows'];

/** The rows of a completed job that wait for a decision: their number, and the first of them. */
function useWaitingRows(job: StatusData) {
  const { data } = useQuery({
    queryKey: ['review-count', job.job_id],
    queryFn: () => ask(review.list, { job_id: job.job_id, status: 'waiting', limit: 1 }),
    enabled: job.status === 'completed' && job.skipped_rows > 0,
  });
  return { waiting: data?.waiting, firstRow: data?.results[0]?.row_index };
}

function CancelButton({ job }: { job: StatusData }) {
  const cancel = useCall(jobs.cancel, changed);
  const isOffline = useIsOffline();
  return (
    <ConfirmButton
      disabled={isOffline}
      data-command="cancel-job"
      title="Cancel this job?"
      sentence={
        `The ${countCredits(job.credits_held)} reserved for this job return to the wallet. ` +
        'Finished rows are not charged and not kept.'
      }
      act="Cancel the job"
      keep="Keep running"
      loading={cancel.isPending}
      leftSection={<IconBan size={16} aria-hidden />}
      onConfirm={() =>
        cancel.mutate(
          { job_id: job.job_id },
          { onError: (error) => showFailure('The job was not cancelled', error) },
        )
      }
    >
      Cancel
    </ConfirmButton>
  );
}

function RetryButton({ job }: { job: StatusData }) {
  const retry = useCall(jobs.retry, changed);
  const [, navigate] = useLocation();
  const run = () =>
    retry.mutate(
      { job_id: job.job_id },
      {
        onSuccess: ({ job_id }) => navigate(`/jobs/${job_id}`),
        onError: (error) => showFailure('The rows were not retried', error),
      },
    );
  const label =
    job.status === 'failed' ? 'Retry the job' : `Retry ${countOf(job.failed_rows, 'failed row')}`;
  return (
    <Button
      variant="default"
      data-command="retry"
      loading={retry.isPending}
      onClick={run}
      leftSection={<IconRefresh size={16} aria-hidden />}
    >
      {label}
    </Button>
  );
}

function ReviewButton({ job }: { job: StatusData }) {
  const { waiting, firstRow } = useWaitingRows(job);
  if (!waiting || firstRow === undefined) return null;
  return (
    <Button
      component={Link}
      href={`/jobs/${job.job_id}?row=${firstRow}`}
      data-command="review"
      variant="default"
      leftSection={<IconUserQuestion size={16} aria-hidden />}
    >
      Review {countOf(waiting, 'row')}
    </Button>
  );
}

function Actions({
  job,
  view,
  readColumns,
}: {
  job: StatusData;
  view: RowView;
  readColumns: () => readonly string[];
}) {
  if (!job.ready) return <CancelButton job={job} />;
  const canRetry = job.status === 'failed' || (job.status === 'completed' && job.failed_rows > 0);
  return (
    <Group gap="sm">
      {canRetry && <RetryButton job={job} />}
      {job.status === 'completed' && <ReviewButton job={job} />}
      {job.status === 'completed' && (
        <>
          <Button
            component={Link}
            href={`/monitors/new/${job.job_id}`}
            variant="default"
            leftSection={<IconRadar2 size={16} aria-hidden />}
          >
            Monitor
          </Button>
          <SaveJob job={job} view={view} readColumns={readColumns} />
        </>
      )}
    </Group>
  );
}

function Trail({ job }: { job: StatusData }) {
  return (
    <Breadcrumbs component="nav" aria-label="Breadcrumbs" separatorMargin={6}>
      <Anchor component={Link} href="/jobs" size="sm">
        Jobs
      </Anchor>
      <Text size="sm" c="dimmed" className="numbers">
        {job.selected_layers.map(nameLayer).join(', ')}
      </Text>
      {job.retry_of && (
        <Anchor component={Link} href={`/jobs/${job.retry_of}`} size="sm">
          failed rows of an earlier job
        </Anchor>
      )}
      {job.new_since && (
        <Anchor component={Link} href={`/jobs/${job.new_since}`} size="sm">
          without the people of an earlier job
        </Anchor>
      )}
    </Breadcrumbs>
  );
}

export function JobScreen({ jobId }: { jobId: string }) {
  const { data: job, error, refetch } = useJob(jobId);
  const [, navigate] = useLocation();
  const [view, setView] = useRowView();
  const shownColumns = useRef<readonly string[]>([]);
  if (!job)
    return (
      <UnreadRecord name="job" list="/jobs" full error={error} onRetry={() => void refetch()} />
    );
  const hasRows = job.status !== 'cancelled' && job.status !== 'failed';
  return (
    <Page
      full
      title={
        <Group gap="sm" component="span">
          {job.title || 'Untitled job'}
          <StatusChip status={job.status} />
        </Group>
      }
      sentence={<Trail job={job} />}
      action={
        <Group gap="sm">
          <Actions job={job} view={view} readColumns={() => shownColumns.current} />
          <JobMenu job={job} size={36} onDeleted={() => navigate('/jobs')} />
        </Group>
      }
    >
      <RunTitle
        name={job.title || 'Untitled job'}
        share={
          job.ready
            ? null
            : (job.processed_rows - job.waiting_rows - job.unanswered_rows) /
              Math.max(1, job.total_rows)
        }
        outcome={`The job is ${job.status}.`}
      />
      <JobHead job={job} />
      <JobProviders job={job} />
      <LeftOut job={job} />
      {job.status === 'cancelled' && <KeptJob job={job} />}
      {hasRows && (
        <JobGrid key={jobId} job={job} view={view} shownColumns={shownColumns} onView={setView} />
      )}
    </Page>
  );
}
