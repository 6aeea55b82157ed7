/** One run of a monitor: progress, findings, cost, and the open amount. */
import { Alert, Anchor, Breadcrumbs, Button, Group, Progress, Text } from '@mantine/core';
import { IconBan, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type {
  FindingStatus,
  MonitorJob,
} from '../../../engine/contract/monitors/career-monitor.ts';
import { monitorJobs } from '../../../engine/contract/monitors/monitors.ts';
import { ApiError, ask } from '../../api/client.ts';
import { useAppState, useCall } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countCredits, countOf, showCount, showTime, unitsOf } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { describeFormat, SaveRows } from '../../components/save/save-dialog.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { PageTitle } from '../../components/titles/page-title.tsx';
import { showFailure } from '../../components/toast.ts';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { FindingsGrid } from './findings-grid.tsx';
import { chipOfRun, describeRun, findingWords } from './monitor-words.ts';
import { useMonitorJob } from './use-monitor-job.ts';

const changed = ['monitor-job', 'monitor-jobs', 'monitors', 'monitor', 'wallet', 'state'];

/** Locked findings: the reason, and the button that pays for them. */
function Locked({ job }: { job: MonitorJob }) {
  const pay = useCall(monitorJobs.pay, changed);
  const { data: state } = useAppState();
  const isCovered = state && unitsOf(state.wallet.available) >= unitsOf(job.credits_due);
  return (
    <Alert
      color="yellow"
      icon={<IconLock size={18} />}
      title={`${describeRun(job)}, and locked`}
      role="status"
    >
      <Text size="sm">
        {isCovered
          ? `${countCredits(job.credits_due)} are due for the contacts that were found. ` +
            'The wallet has enough credits now.'
          : job.credit_charge_failure_reason}
      </Text>
      <Group mt="md" gap="sm">
        <Button
          loading={pay.isPending}
          disabled={!isCovered}
          onClick={() =>
            pay.mutate(
              { id: job.job_id },
              { onError: (error) => showFailure('The payment failed', error) },
            )
          }
        >
          Pay {countCredits(job.credits_due)}
        </Button>
        {!isCovered && (
          <Button component={Link} href="/wallet" variant="default">
            Add credits
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function Running({ job }: { job: MonitorJob }) {
  const share = (job.processed_records / job.total_records) * 100;
  return (
    <section aria-label="Progress">
      <Text className="numbers" mb="xs">
        {describeRun(job)}
      </Text>
      <Progress value={share} size="md" aria-label="Contacts checked" transitionDuration={150} />
    </section>
  );
}

function Outcome({ job }: { job: MonitorJob }) {
  if (job.status === 'Queued' || job.status === 'Running') return <Running job={job} />;
  if (job.status === 'Failed')
    return (
      <ErrorPanel
        title="This run has no findings; nothing was charged"
        error={new ApiError('', job.error_detail ?? 'No reason was given. Run it again.', 0)}
      />
    );
  if (job.credit_charge_failed) return <Locked job={job} />;
  const { unchanged, no_match: unmatched } = job.counts;
  return (
    <Text role="status" className="numbers">
      {describeRun(job)}; {showCount(unchanged)} unchanged, {showCount(unmatched)} not matched.{' '}
      {countCredits(job.credits_due)} charged.
    </Text>
  );
}

function StopButton({ job }: { job: MonitorJob }) {
  const stop = useCall(monitorJobs.stop, changed);
  return (
    <ConfirmButton
      title="Stop this run?"
      sentence="Nothing is charged, and its findings so far are not kept."
      act="Stop the run"
      loading={stop.isPending}
      leftSection={<IconBan size={16} aria-hidden />}
      onConfirm={() =>
        stop.mutate(
          { id: job.job_id },
          { onError: (error) => showFailure('The run was not stopped', error) },
        )
      }
    >
      Stop
    </ConfirmButton>
  );
}

function Actions({ job, status }: { job: MonitorJob; status: FindingStatus | null }) {
  if (job.status === 'Queued' || job.status === 'Running') return <StopButton job={job} />;
  if (job.status === 'Failed' || job.credit_charge_failed) return null;
  return (
    <SaveRows
      name={`${job.title || 'check'}-findings`}
      sentence="All your columns, then each finding: before, now, source and date."
      filter={status && findingWords[status]}
      onExport={(path, options) =>
        ask(monitorJobs.exportFindings, {
          id: job.job_id,
          path,
          status: (options.shownOnly && status) || undefined,
          ...describeFormat(options),
        })
      }
    />
  );
}

function Trail({ job }: { job: MonitorJob }) {
  return (
    <Breadcrumbs component="nav" aria-label="Breadcrumbs" separatorMargin={6}>
      <Anchor component={Link} href="/monitors" size="sm">
        Monitors
      </Anchor>
      {job.monitor_id !== null && (
        <Anchor component={Link} href={`/monitors/${job.monitor_id}`} size="sm">
          All its runs
        </Anchor>
      )}
      <Text size="sm" c="dimmed" className="numbers">
        {countOf(job.total_records, 'contact')}, {showTime(job.submitted_at)}
      </Text>
    </Breadcrumbs>
  );
}

export function FindingsScreen({ id }: { id: number }) {
  const { data: job, error, refetch } = useMonitorJob(id);
  const [chosen, setChosen] = useState<FindingStatus | 'all' | null>(null);
  if (!job)
    return <UnreadRecord name="run" list="/monitors" full error={error} onRetry={refetch} />;
  // Show changes first; without any, show all findings.
  const first = job.counts.changed > 0 ? 'changed' : null;
  const status = chosen === null ? first : chosen === 'all' ? null : chosen;
  const isOpen = job.status === 'Completed' && !job.credit_charge_failed;
  return (
    <Page
      full
      title={
        <Group gap="sm" component="span">
          <bdi>{job.title || 'Untitled check'}</bdi>
          <StatusChip {...chipOfRun(job)} />
        </Group>
      }
      sentence={<Trail job={job} />}
      action={<Actions job={job} status={status} />}
    >
      <PageTitle title={job.title || 'Untitled check'} />
      <Outcome job={job} />
      {isOpen && (
        <FindingsGrid job={job} status={status} onStatus={(value) => setChosen(value ?? 'all')} />
      )}
    </Page>
  );
}
