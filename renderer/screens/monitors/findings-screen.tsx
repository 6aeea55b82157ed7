// One run of a monitor: progress, findings, cost, and the open amount.
import { Alert, Breadcrumbs, Button, Group, Progress, SegmentedControl, Text } from '@mantine/core';
import { IconBan, IconFilterOff, IconLock } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import {
  type Finding,
  type FindingStatus,
  findingStatuses,
  type MonitorJob,
  watchedFields,
} from '../../../engine/contract/monitors/career-monitor.ts';
import { monitorJobs } from '../../../engine/contract/monitors/monitors.ts';
import { ApiError, ask } from '../../api/client.ts';
import { useAppState, useCall } from '../../api/live.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import { HeadMore } from '../../components/data-grid/grid-row.tsx';
import { useVisiblePages } from '../../components/data-grid/visible-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { describeAhead } from '../../components/jobs/job-words.ts';
import {
  countCredits,
  countOf,
  showCount,
  showDay,
  showTime,
  unitsOf,
} from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import run from '../../components/run.module.css';
import { PausedRun, useStart } from '../../components/run-counts.tsx';
import { describeFormat, SaveRows } from '../../components/save/save-dialog.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Note, ScreenLink } from '../../components/text.tsx';
import { PageTitle } from '../../components/titles/page-title.tsx';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { describeProvenance, wordOfReason } from '../../components/words.ts';
import { chipOfRun, describeRun, findingWords, watchedWords } from './monitor-words.ts';
import { useMonitorJob } from './use-monitor-job.ts';

/** Any finding near the visible range, by its position in the filter. */
function useFindingRows(jobId: number, status: FindingStatus | null, rowCount: number) {
  const { pages, onSight } = useVisiblePages(rowCount);
  const firstPage = pages[0] ?? 0;
  const { data, error } = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['findings', jobId, status, page],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        ask(
          monitorJobs.findings,
          { id: jobId, limit: pageRows, offset: page * pageRows, status: status ?? undefined },
          { signal },
        ),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (results) => ({
      data: results.map((result) => result.data?.results),
      error: results.find((result) => result.error)?.error ?? null,
    }),
  });
  const readRow = useMemo(
    () =>
      (row: number): Finding | undefined =>
        data[Math.floor(row / pageRows) - firstPage]?.[row % pageRows],
    [data, firstPage],
  );
  return { readRow, onSight, error };
}

/** A column's text for a finding, and the source of that value. */
interface FindingColumn extends GridColumn {
  readonly read: (finding: Finding) => string;
  readonly source?: (finding: Finding) => string | undefined;
}

const nowNames = {
  company_name: 'Current company name',
  title: 'Current title',
  email: 'Email',
} as const;

const toldBy = (finding: Finding) => finding.changes[0] ?? finding.provenance['Employment status'];

const nameContact = ({ first_name, last_name }: Finding) => `${first_name} ${last_name}`.trim();

/** What a field was before. Without a change the cell says so: empty, it was not known. */
function readBefore({ changes, current }: Finding, field: keyof typeof nowNames): string {
  const change = changes.find((one) => one.field === field);
  return change?.old_value ?? (current[nowNames[field]] ? 'no change' : '');
}

const columns: readonly FindingColumn[] = [
  {
    label: 'Contact',
    kind: 'plain',
    width: 170,
    read: nameContact,
  },
  ...watchedFields.flatMap((field): FindingColumn[] => [
    {
      label: `${watchedWords[field]} before`,
      kind: 'input',
      width: field === 'company_name' ? 170 : 150,
      read: (finding) => readBefore(finding, field),
    },
    {
      label: `${watchedWords[field]} now`,
      kind: 'found',
      width: 170,
      read: ({ current }) => current[nowNames[field]] ?? '',
      source: ({ provenance }) => {
        const told = provenance[nowNames[field]];
        return told && describeProvenance(told);
      },
    },
  ]),
  { label: 'Source', kind: 'plain', read: (finding) => toldBy(finding)?.source ?? '' },
  {
    label: 'Source date',
    kind: 'plain',
    width: 110,
    read: (finding) => showDay(toldBy(finding)?.observed_at ?? ''),
  },
  { label: 'Reason', kind: 'plain', width: 120, read: ({ reason }) => wordOfReason(reason) },
  {
    label: 'Your reference',
    kind: 'input',
    width: 120,
    read: ({ client_reference_id: reference }) => reference,
  },
];

const readCell = (finding: Finding, column: number) => columns[column]?.read(finding) ?? '';
const readTitle = (finding: Finding, column: number) => columns[column]?.source?.(finding);

const countOfFilter = (job: MonitorJob, status: FindingStatus | null): number =>
  status === null ? job.total_records : job.counts[status];

const capital = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`;

interface StatusFilterProps {
  job: MonitorJob;
  status: FindingStatus | null;
  onChange: (status: FindingStatus | null) => void;
}

function StatusFilter({ job, status, onChange }: StatusFilterProps) {
  return (
    <SegmentedControl
      size="xs"
      w="fit-content"
      aria-label="Contacts shown"
      className="numbers"
      transitionDuration={0}
      data={[
        { value: 'all', label: `All ${showCount(job.total_records)}` },
        ...findingStatuses.map((value) => ({
          value,
          label: `${capital(findingWords[value])} ${showCount(job.counts[value])}`,
        })),
      ]}
      value={status ?? 'all'}
      onChange={(value) => onChange(value === 'all' ? null : (value as FindingStatus))}
    />
  );
}

function Rows({ job, status }: { job: MonitorJob; status: FindingStatus | null }) {
  const rowCount = countOfFilter(job, status);
  const { readRow, onSight, error } = useFindingRows(job.job_id, status, rowCount);
  const table = useGridColumns(columns);
  const [, navigate] = useLocation();
  const onOpenRow = (row: number) => {
    const id = readRow(row)?.upstream_contact_uuid;
    if (id) navigate(`/directory/people/${id}`);
  };
  const numberWidth = `${showCount(job.total_records).length}ch`;
  const rowHead = useCallback(
    (row: number, finding: Finding | undefined) => {
      return (
        <>
          <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
            {showCount((finding?.row_index ?? row) + 1)}
          </span>
          {finding && <StatusChip status={finding.status} label={findingWords[finding.status]} />}
          {finding && <HeadMore text={nameContact(finding)} />}
        </>
      );
    },
    [numberWidth],
  );
  return (
    <>
      <ErrorPanel title="The findings could not be loaded" error={error} />
      <div className={run.gridRoom}>
        <DataGrid
          label={`Findings of ${job.title || 'the check'}`}
          table={table}
          columns={columns}
          rowCount={rowCount}
          readRow={readRow}
          readCell={readCell}
          readTitle={readTitle}
          rowHead={rowHead}
          headLabel="Row"
          headWidthPx={128 + showCount(job.total_records).length * 8}
          headMorePx={columns[0]?.width ?? 0}
          onSight={onSight}
          onOpenRow={onOpenRow}
        />
      </div>
    </>
  );
}

interface FindingsGridProps {
  job: MonitorJob;
  status: FindingStatus | null;
  onStatus: (status: FindingStatus | null) => void;
}

function FindingsGrid({ job, status, onStatus }: FindingsGridProps) {
  return (
    <>
      <StatusFilter job={job} status={status} onChange={onStatus} />
      {countOfFilter(job, status) === 0 ? (
        <EmptyState
          Icon={IconFilterOff}
          title={status ? `No contacts: ${findingWords[status]}` : 'No contacts'}
          sentence="Choose another filter to see contacts."
        />
      ) : (
        <Rows key={status ?? 'all'} job={job} status={status} />
      )}
    </>
  );
}

const changed = ['monitor-job', 'monitor-jobs', 'monitors', 'monitor', 'wallet', 'state'];

function Locked({ job }: { job: MonitorJob }) {
  const pay = useCall(monitorJobs.pay, changed, { failed: 'The payment failed' });
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
          variant="filled"
          loading={pay.isPending}
          disabled={!isCovered}
          onClick={() => pay.mutate({ id: job.job_id })}
        >
          Pay {countCredits(job.credits_due)}
        </Button>
        {!isCovered && (
          <Button component={Link} href="/wallet">
            Add credits
          </Button>
        )}
      </Group>
    </Alert>
  );
}

function Running({ job }: { job: MonitorJob }) {
  const share = (job.processed_records / job.total_records) * 100;
  const isQueued = job.status === 'Queued';
  const start = useStart(isQueued, describeAhead(job.rows_ahead));
  return (
    <section aria-label="Progress">
      <Text className="numbers" mb="xs">
        {isQueued ? start : describeRun(job)}
      </Text>
      <Progress value={share} size="md" aria-label="Contacts checked" transitionDuration={150} />
      <PausedRun id={job.job_id} />
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
  const runs = job.status === 'Queued' || job.status === 'Running';
  const stop = useCall(monitorJobs.stop, changed, { failed: 'The run was not stopped' });
  return (
    <ConfirmButton
      title="Stop this run?"
      sentence="Nothing is charged, and its findings so far are not kept."
      act="Stop the run"
      tooLate={
        runs ? undefined : `The run ended before you stopped it. It is ${chipOfRun(job).label}.`
      }
      loading={stop.isPending}
      leftSection={<IconBan size={16} aria-hidden />}
      onConfirm={() => stop.mutate({ id: job.job_id })}
    >
      Stop
    </ConfirmButton>
  );
}

function Actions({ job, status }: { job: MonitorJob; status: FindingStatus | null }) {
  return (
    <>
      <StopButton job={job} />
      {job.status === 'Completed' && !job.credit_charge_failed && (
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
      )}
    </>
  );
}

function Trail({ job }: { job: MonitorJob }) {
  return (
    <Breadcrumbs component="nav" aria-label="Breadcrumbs" separatorMargin={6}>
      <ScreenLink href="/monitors">Monitors</ScreenLink>
      {job.monitor_id !== null && (
        <ScreenLink href={`/monitors/${job.monitor_id}`}>All its runs</ScreenLink>
      )}
      <Note className="numbers">
        {countOf(job.total_records, 'contact')}, {showTime(job.submitted_at)}
      </Note>
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
