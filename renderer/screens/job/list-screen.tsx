// One list on one screen: before its start, while its job runs, and its result. The grid stays
// where it is; what is around it follows the state.
import { Box, Breadcrumbs, Button, Group, Text } from '@mantine/core';
import { IconBan, IconRadar2, IconRefresh, IconUserQuestion } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import type { AppEstimate } from '../../../engine/contract/jobs/app-jobs.ts';
import { jobs, type LayersData, type StatusData } from '../../../engine/contract/jobs/job.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { review } from '../../../engine/contract/jobs/review.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import type { Corrections } from '../../../engine/contract/reading/reading.ts';
import type { Upload } from '../../../engine/contract/uploads.ts';
import { ask } from '../../api/client.ts';
import {
  useAnswer,
  useAppState,
  useCall,
  useChange,
  useIsOffline,
  useJob,
  useLayers,
} from '../../api/live.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { JobMenu } from '../../components/jobs/job-menu.tsx';
import { KeptJob } from '../../components/jobs/kept-job.tsx';
import { countCredits, countOf, showShare } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { saveFile } from '../../components/save/save-file.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Note, ScreenLink } from '../../components/text.tsx';
import { RunTitle } from '../../components/titles/run-title.tsx';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { DraftSide, useOutlook } from '../enrich/draft-side.tsx';
import { EnrichScreen } from '../enrich/enrich-screen.tsx';
import { useFlow } from '../enrich/flow.tsx';
import { WaitingFiles } from '../enrich/several/waiting-files.tsx';
import { AddUnmatched } from './add-unmatched.tsx';
import { type FieldOutlook, nameFields } from './job-columns.ts';
import { ListGrid } from './job-grid.tsx';
import { JobHead } from './job-head.tsx';
import { JobProviders } from './job-providers.tsx';
import {
  addCorrection,
  keyOfPage,
  type ListRow,
  type ListSource,
  readerOfJob,
  showCorrection,
  sourceOfDraft,
  sourceOfJob,
} from './list-source.ts';
import { OutcomeBar } from './outcome-bar.tsx';
import { RowFilters } from './row-filters.tsx';
import { useRowView } from './row-view.ts';
import { SaveJob } from './save-job.tsx';
import styles from './side.module.css';

/** The line; nothing if no row was left out. */
function LeftOut({ job }: { job: StatusData }) {
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
    { failed: 'The rows were not saved' },
  );
  const save = () => saving.mutate();
  if (!data || data.count === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm">{countOf(data.count, 'row was', 'rows were')} left out of this job.</Text>
      <Button size="compact-sm" loading={saving.isPending} onClick={save}>
        Save {data.count === 1 ? 'it' : 'them'}
      </Button>
    </Group>
  );
}

const allRows: RowView = {};
const changed = ['job', 'jobs', 'state', 'wallet', 'entries', 'rows'];

/** The rows of a completed job that wait for a decision: their number, and the first of them. */
function useWaitingRows(job: StatusData) {
  const { data } = useAnswer(['review-count', job.job_id], review.list, {
    input: { job_id: job.job_id, status: 'waiting', limit: 1 },
    enabled: job.status === 'completed' && job.skipped_rows > 0,
  });
  return { waiting: data?.waiting, firstRow: data?.results[0]?.row_index };
}

function CancelButton({ job }: { job: StatusData }) {
  const cancel = useCall(jobs.cancel, changed, { failed: 'The job was not cancelled' });
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
      tooLate={
        job.ready ? `The job ended before you cancelled it. It is ${job.status}.` : undefined
      }
      loading={cancel.isPending}
      leftSection={<IconBan size={16} aria-hidden />}
      onConfirm={() => cancel.mutate({ job_id: job.job_id })}
    >
      Cancel
    </ConfirmButton>
  );
}

function RetryButton({ job }: { job: StatusData }) {
  const retry = useCall(jobs.retry, changed, { failed: 'The rows were not retried' });
  const [, navigate] = useLocation();
  const run = () =>
    retry.mutate(
      { job_id: job.job_id },
      {
        onSuccess: ({ job_id }) => navigate(`/jobs/${job_id}`),
      },
    );
  const isFailed = job.status === 'failed';
  return (
    <Button
      variant={isFailed ? 'filled' : 'default'}
      data-command="retry"
      loading={retry.isPending}
      onClick={run}
      leftSection={<IconRefresh size={16} aria-hidden />}
    >
      {isFailed ? 'Retry the job' : `Retry ${countOf(job.failed_rows, 'failed row')}`}
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
      leftSection={<IconUserQuestion size={16} aria-hidden />}
    >
      Review {countOf(waiting, 'row')}
    </Button>
  );
}

interface ActionsProps {
  job: StatusData;
  view: RowView;
  readColumns: () => readonly string[];
}

function Actions({ job, view, readColumns }: ActionsProps) {
  const canRetry = job.status === 'failed' || (job.status === 'completed' && job.failed_rows > 0);
  return (
    <>
      <CancelButton job={job} />
      {canRetry && <RetryButton job={job} />}
      {job.status === 'completed' && <ReviewButton job={job} />}
      {job.status === 'completed' && (
        <>
          <Button
            component={Link}
            href={`/monitors/new/${job.job_id}`}
            data-command="monitor"
            leftSection={<IconRadar2 size={16} aria-hidden />}
          >
            Monitor
          </Button>
          <SaveJob job={job} view={view} readColumns={readColumns} />
        </>
      )}
    </>
  );
}

function Trail({ job }: { job: StatusData }) {
  const layers = job.selected_layers.map(nameLayer).join(', ');
  return (
    <Breadcrumbs
      component="nav"
      aria-label="Breadcrumbs"
      separatorMargin={6}
      mih={22}
      className={styles.trail}
    >
      <ScreenLink href="/jobs">Jobs</ScreenLink>
      <Note title={layers}>{layers}</Note>
      {job.retry_of && (
        <ScreenLink href={`/jobs/${job.retry_of}`}>failed rows of an earlier job</ScreenLink>
      )}
      {job.new_since && (
        <ScreenLink href={`/jobs/${job.new_since}`}>
          without the people of an earlier job
        </ScreenLink>
      )}
    </Breadcrumbs>
  );
}

interface JobSideProps {
  job: StatusData;
  view: RowView;
  onView: (change: RowView) => void;
}

/** What a job did and found: its progress or outcome, the filters, and what was left out. */
function JobSide({ job, view, onView }: JobSideProps) {
  return (
    <section aria-label="Job" className={styles.side}>
      <div className={`${styles.parts} ${styles.run}`}>
        <JobHead job={job} />
        <OutcomeBar job={job} view={view} onChange={onView} />
        <RowFilters job={job} view={view} onChange={onView} />
        <AddUnmatched job={job} />
        <JobProviders job={job} />
        <LeftOut job={job} />
      </div>
    </section>
  );
}

const shareDone = (job: StatusData): number =>
  (job.processed_rows - job.waiting_rows - job.unanswered_rows) / Math.max(1, job.total_rows);

function JobTitle({ job }: { job: StatusData }) {
  return (
    <RunTitle
      name={job.title || 'Untitled job'}
      share={job.ready ? null : shareDone(job)}
      outcome={`The job is ${job.status}.`}
    />
  );
}

/** A job without rows to show: cancelled, or failed. */
const EndedJob = ({ job }: { job: StatusData }) => (
  <>
    <JobHead job={job} />
    <JobProviders job={job} />
    <LeftOut job={job} />
    {job.status === 'cancelled' && <KeptJob job={job} />}
  </>
);

/** What is expected of each found field before the start. */
function listOutlook(
  estimate: AppEstimate | undefined,
  layers: LayersData | undefined,
): ReadonlyMap<string, FieldOutlook> {
  const rates = estimate?.preview?.fill_rate;
  const outlook = new Map<string, FieldOutlook>();
  for (const { code, fields, price } of layers?.layers ?? [])
    for (const [at, field] of fields.filter((name) => !nameFields.has(name)).entries()) {
      const share = rates && showShare(rates[field] ?? 0);
      const notes = [at === 0 && countCredits(price), share].filter(Boolean);
      const expected = share ? `, expected in ${share} of rows` : '';
      const perRow = `${countCredits(price)} per enriched row`;
      const hint = `${field}. ${nameLayer(code)}: ${perRow}${expected}`;
      if (!outlook.has(field)) outlook.set(field, { note: notes.join(' · '), hint });
    }
  return outlook;
}

/** What can be done with the grid before the start, and what was corrected. */
function DraftFacts({ uploadId }: { uploadId: string }) {
  const { flow, actions } = useFlow();
  const client = useQueryClient();
  const { length } = flow.corrections;
  const undo = () => {
    actions.change({ corrections: [] });
    client.removeQueries({ queryKey: ['rows', uploadId] });
  };
  if (length === 0)
    return (
      <Box visibleFrom="sm">
        <Note>Double-click one of your cells to correct it.</Note>
      </Box>
    );
  return (
    <>
      <Text size="sm" role="status" className="numbers">
        {countOf(length, 'cell')} corrected
      </Text>
      <Button size="compact-sm" onClick={undo}>
        Undo all
      </Button>
    </>
  );
}

/** The draft of a list as a source of rows, with its outlook and the writing of its cells. */
function useDraft(upload: Upload | null) {
  const { flow, actions } = useFlow();
  const client = useQueryClient();
  const { data: layersData } = useLayers();
  const estimate = useOutlook(upload);
  const infersEmails = useAppState().data?.account.infer_emails === true;
  const { title, mapping, corrections, selection: layers } = flow;
  const source = useMemo(
    () => upload && sourceOfDraft({ upload, title, mapping, corrections, layers, infersEmails }),
    [upload, title, mapping, corrections, layers, infersEmails],
  );
  const outlook = useMemo(() => listOutlook(estimate, layersData), [estimate, layersData]);
  const edit = (cell: Corrections[number], row: ListRow | undefined) => {
    actions.change({ corrections: addCorrection(corrections, cell, row) });
    if (source) showCorrection(client, source.id, cell);
  };
  return { source, outlook, edit, estimate };
}

/** As high as the trail of a job, so that the grid stays where it is. */
const DraftTrail = () => (
  <Breadcrumbs component="div" separatorMargin={6} mih={22}>
    <Note>Choose what will be found next to your columns, and start.</Note>
  </Breadcrumbs>
);

/** A job is shown as ended once its first rows are there: no result is an empty grid. */
function useJobWithRows(
  latest: StatusData | undefined,
  readPage: ListSource['readPage'],
): StatusData | undefined {
  const [shown, setShown] = useState(latest);
  const isEnding =
    latest?.status === 'completed' && shown?.job_id === latest.job_id && !shown.ready;
  const { isFetched } = useQuery({
    queryKey: keyOfPage(latest?.job_id ?? '', true, allRows, 0),
    queryFn: ({ signal }) => readPage(allRows, { limit: pageRows, offset: 0 }, signal),
    enabled: isEnding,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const ending = useMemo(
    () => latest && { ...latest, status: 'running' as const, ready: false },
    [latest],
  );
  if (isEnding && !isFetched) return ending;
  if (shown !== latest) setShown(latest);
  return latest;
}

/** The list of an upload, or of a job. Its grid stays when the job starts. */
function OpenList({ jobId }: { jobId: string | undefined }) {
  const [, navigate] = useLocation();
  const [view, setView] = useRowView();
  const shownColumns = useRef<readonly string[]>([]);
  const { flow, actions } = useFlow();
  const { data: latest, error, refetch } = useJob(jobId ?? '', jobId !== undefined);
  const readPage = useMemo(() => readerOfJob(jobId ?? ''), [jobId]);
  const job = useJobWithRows(latest, readPage);
  // Until the new job is read, its draft stays on the screen.
  const isStarting =
    flow.upload !== null &&
    flow.started?.jobId === jobId &&
    flow.started?.uploadId === flow.upload.upload_id;
  const upload = jobId === undefined || isStarting ? flow.upload : null;
  const draft = useDraft(job ? null : upload);
  useEffect(() => {
    if (job && isStarting) actions.clear();
  }, [job, isStarting, actions]);
  const jobSource = useMemo(() => job && sourceOfJob(job, readPage), [job, readPage]);
  const source = jobSource ?? draft.source;
  if (!source)
    return (
      <UnreadRecord name="job" list="/jobs" full error={error} onRetry={() => void refetch()} />
    );
  const hasRows = job?.status !== 'cancelled' && job?.status !== 'failed';
  return (
    <Page
      full
      title={
        <Group gap="sm" component="span" mih={28}>
          <bdi>{source.title}</bdi>
          {job && <StatusChip status={job.status} />}
        </Group>
      }
      sentence={job ? <Trail job={job} /> : <DraftTrail />}
      action={
        job && (
          <Group gap="sm">
            <Actions job={job} view={view} readColumns={() => shownColumns.current} />
            <JobMenu job={job} size={36} onDeleted={() => navigate('/jobs')} />
          </Group>
        )
      }
    >
      {job && <JobTitle job={job} />}
      {job && !hasRows && <EndedJob job={job} />}
      {!job && <WaitingFiles />}
      {hasRows && (
        <ListGrid
          source={source}
          view={view}
          onView={setView}
          shownColumns={shownColumns}
          outlook={job ? null : draft.outlook}
          edit={job ? undefined : draft.edit}
          facts={<DraftFacts uploadId={source.id} />}
          rail={
            job || !upload ? (
              job && <JobSide job={job} view={view} onView={setView} />
            ) : (
              <DraftSide upload={upload} outlook={draft.estimate} />
            )
          }
        />
      )}
    </Page>
  );
}

/** The screen of a job, or of the chosen file; without a file, the first page. */
export function ListScreen({ jobId }: { jobId?: string }) {
  const { flow } = useFlow();
  if (jobId === undefined && !flow.upload) return <EnrichScreen />;
  const isOfStarted = flow.started !== null && flow.started.jobId === jobId;
  const key = isOfStarted ? flow.started?.uploadId : (jobId ?? flow.upload?.upload_id);
  return <OpenList key={key} jobId={jobId} />;
}
