// All jobs of the account, newest first: searched, filtered, queued, deleted.
import {
  ActionIcon,
  Button,
  Card,
  Group,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconArrowDown,
  IconArrowUp,
  IconDownload,
  IconGripVertical,
  IconListDetails,
  IconSearch,
  IconTrash,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ExportFormat } from '../../../engine/contract/exports/export-formats.ts';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import type { JobStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
import { type JobList, type JobQueue, jobList } from '../../../engine/contract/jobs/job-list.ts';
import { ask } from '../../api/client.ts';
import type { JobPulse } from '../../api/event-stream.ts';
import { useAnswer, useCall, useChange, useIsLive } from '../../api/live.ts';
import { oneOf, useAddressQuery } from '../../components/address/address-query.ts';
import { OpenModal } from '../../components/dialogs.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { useDeleteJobs } from '../../components/jobs/delete-jobs.tsx';
import { nameOf } from '../../components/jobs/job-words.ts';
import { NewerOlder } from '../../components/newer-older.tsx';
import { countOf, showCount, showDuration } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { formatNames } from '../../components/save/save-dialog.tsx';
import { saveFile } from '../../components/save/save-file.tsx';
import { Caption, Note, ScreenLink } from '../../components/text.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import classes from './jobs.module.css';
import { type Choice, JobsTable } from './jobs-table.tsx';

/** Rows a second of the running job; 0 if it is not known. */
function useSpeed(): number {
  const pulses = useQueryClient().getQueriesData<JobPulse>({ queryKey: ['pulse'] });
  const running = pulses.find(([, pulse]) => pulse?.status === 'running');
  return running?.[1]?.rowsPerSecond ?? 0;
}

/** A guess needs no seconds next to minutes. */
const roundDuration = (seconds: number): string =>
  seconds < 60 ? showDuration(Math.ceil(seconds / 5) * 5) : `${Math.ceil(seconds / 60)} min`;

const describeStart = (rowsAhead: number, speed: number): string => {
  if (rowsAhead === 0) return 'starts next';
  return speed > 0
    ? `starts in about ${roundDuration(rowsAhead / speed)}`
    : `starts after ${countOf(rowsAhead, 'row')}`;
};

interface QueuedProps {
  readonly queue: JobQueue;
  readonly at: number;
  readonly speed: number;
  readonly onMove: (at: number, place: number) => void;
}

function MoveButtons({ queue, at, onMove }: QueuedProps) {
  const name = nameOf(queue[at]?.job ?? { title: '' });
  const isFirst = at === 0;
  const isLast = at === queue.length - 1;
  // A disabled button would lose the focus when its job arrives at the end.
  const arrow = (label: string, isOff: boolean, place: number, Icon: typeof IconArrowUp) => (
    <ActionIcon
      variant="default"
      size={28}
      aria-label={`${label} ${name}`}
      aria-disabled={isOff}
      {...(isOff && { 'data-disabled': true })}
      onClick={() => !isOff && onMove(at, place)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {arrow('Move up:', isFirst, at, IconArrowUp)}
      {arrow('Move down:', isLast, at + 2, IconArrowDown)}
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Run next: ${name}`}
        aria-disabled={isFirst}
        {...(isFirst && { 'data-disabled': true })}
        onClick={() => !isFirst && onMove(at, 1)}
      >
        Run next
      </Button>
    </Group>
  );
}

function Queued(props: QueuedProps) {
  const { queue, at, speed, onMove } = props;
  const [isOver, setOver] = useState(false);
  const queued = queue[at];
  if (!queued) return null;
  const { job, rows_ahead: rowsAhead } = queued;
  return (
    <li
      draggable
      data-over={isOver || undefined}
      onDragStart={(event) => event.dataTransfer.setData('text/x-desk-place', String(at))}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('text/x-desk-place')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const from = Number(event.dataTransfer.getData('text/x-desk-place'));
        if (from !== at) onMove(from, at + 1);
      }}
    >
      <IconGripVertical size={16} className={classes.grip} aria-hidden />
      <div className={classes.queued}>
        <ScreenLink href={`/jobs/${job.job_id}`} fw={550}>
          <bdi>{nameOf(job)}</bdi>
        </ScreenLink>
        <span className={`${classes.caption} numbers`}>
          {countOf(job.total_rows, 'row')} · {describeStart(rowsAhead, speed)}
        </span>
      </div>
      <MoveButtons {...props} />
    </li>
  );
}

/** The queue. Renders nothing if no job waits. */
function QueueCard() {
  const client = useQueryClient();
  const isLive = useIsLive();
  const speed = useSpeed();
  const [said, setSaid] = useState('');
  const { data: queue = [] } = useAnswer(['job-queue'], jobList.queue, {
    refetchInterval: ({ state }) => (isLive && !state.data?.length ? false : 2_000),
  });
  const move = useCall(jobList.move, ['job-list'], { failed: 'The queue was not changed' });
  if (queue.length === 0) return null;
  const onMove = (at: number, place: number) => {
    const job = queue[at]?.job;
    if (!job) return;
    move.mutate(
      { job_id: job.job_id, place },
      {
        onSuccess(next) {
          client.setQueryData(['job-queue'], next);
          setSaid(
            `${isolate(nameOf(job))} is now number ${place} of ${queue.length} in the queue.`,
          );
        },
      },
    );
  };
  return (
    <Card component="section" p={0} aria-label="Queue">
      <Group justify="space-between" px={12} py={8}>
        <Title order={2} size={14}>
          Queue
        </Title>
        <Caption>One job runs at a time. Drag to change the order.</Caption>
      </Group>
      <ol className={classes.queue}>
        {queue.map(({ job }, at) => (
          <Queued key={job.job_id} queue={queue} at={at} speed={speed} onMove={onMove} />
        ))}
      </ol>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Card>
  );
}

const formats = Object.entries(formatNames).map(([value, label]) => ({ value, label }));

function SaveDialog({ jobs, onClose }: { jobs: readonly StatusData[]; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [done, setDone] = useState(0);
  const saving = useChange(async () => {
    // After an error, only the files that are left are saved.
    for (const [at, job] of jobs.entries()) {
      if (at < done) continue;
      const write = (path: string | undefined) =>
        ask(jobExports.write, { job_id: job.job_id, path, format });
      if (!(await saveFile(`${nameOf(job)}-enriched`, format, write))) return false;
      setDone(at + 1);
    }
    return true;
  }, []);
  const next = jobs[done];
  return (
    <OpenModal onClose={onClose} title={`Save ${countOf(jobs.length, 'job')}`}>
      <Stack gap="md">
        <Note>
          One file for each job, with all its rows and columns. Your browser may ask whether this
          page can download several files.
        </Note>
        <SegmentedControl
          aria-label="Format"
          w={280}
          data-autofocus
          data={formats}
          value={format}
          onChange={(value) => setFormat(value as ExportFormat)}
        />
        <Text size="sm" role="status" className="numbers">
          {done > 0 && `${showCount(done)} of ${countOf(jobs.length, 'file')} saved.`}
        </Text>
        {saving.error && next && (
          <ErrorPanel title={`“${isolate(nameOf(next))}” was not saved`} error={saving.error} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="filled"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={saving.isPending}
            onClick={() =>
              saving.mutate(undefined, { onSuccess: (isSaved) => isSaved && onClose() })
            }
          >
            Save {countOf(jobs.length - done, 'file')}
          </Button>
        </Group>
      </Stack>
    </OpenModal>
  );
}

function SaveJobs({ jobs }: { jobs: readonly StatusData[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const completed = jobs.filter(({ status }) => status === 'completed');
  if (completed.length === 0) return null;
  return (
    <>
      <Button
        size="xs"
        aria-haspopup="dialog"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {completed.length === jobs.length
          ? 'Save…'
          : `Save ${showCount(completed.length)} completed…`}
      </Button>
      {isOpen && <SaveDialog jobs={completed} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const searchDelayMs = 150;
const filters = ['all', 'queued', 'running', 'completed', 'failed', 'cancelled'] as const;
type Filter = (typeof filters)[number];

const countOfFilter = (counts: JobList['counts'], filter: Filter): number =>
  filter === 'all' ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[filter];

function useJobPages() {
  const [query, changeQuery] = useAddressQuery(['status', 'search']);
  const filter = oneOf(filters, query.status) ?? 'all';
  const { search } = query;
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const [wanted] = useDebouncedValue(search.trim(), searchDelayMs);
  const status: JobStatus | undefined = filter === 'all' ? undefined : filter;
  const before = befores.at(-1) ?? undefined;
  const live = useIsLive();
  const list = useQuery({
    queryKey: ['job-list', status, wanted, before],
    queryFn: ({ signal }) => ask(jobList.read, { status, search: wanted, before }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: live ? false : 2_000,
  });
  return {
    list,
    filter,
    search,
    befores,
    setBefores,
    setFilter(value: Filter) {
      changeQuery({ status: value === 'all' ? '' : value });
      setBefores([null]);
    },
    setSearch(value: string) {
      changeQuery({ search: value });
      setBefores([null]);
    },
  };
}

/** The jobs that are selected, of all pages that were shown. */
function useChoice(): Choice & { readonly clear: () => void } {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    clear: () => setIds(new Set()),
    toggle: (changed, isChosen) =>
      setIds((before) => {
        const next = new Set(before);
        for (const id of changed) isChosen ? next.add(id) : next.delete(id);
        return next;
      }),
  };
}

type Pages = ReturnType<typeof useJobPages>;

function Filters({ pages, children }: { pages: Pages; children: React.ReactNode }) {
  const counts = pages.list.data?.counts;
  const label = (filter: Filter) => {
    const name = filter[0]?.toUpperCase() + filter.slice(1);
    return counts ? `${name} ${showCount(countOfFilter(counts, filter))}` : name;
  };
  return (
    <Group gap="sm" mih={36}>
      <TextInput
        type="search"
        aria-label="Search jobs by name"
        placeholder="Search jobs"
        size="xs"
        w={220}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={pages.search}
        onChange={(event) => pages.setSearch(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Jobs shown"
        size="xs"
        className="numbers"
        transitionDuration={0}
        data={filters.map((value) => ({ value, label: label(value) }))}
        value={pages.filter}
        onChange={(value) => pages.setFilter(value as Filter)}
      />
      {children}
    </Group>
  );
}

interface ChosenJobsProps {
  jobs: JobList['jobs'];
  choice: ReturnType<typeof useChoice>;
}

function ChosenJobs({ jobs, choice }: ChosenJobsProps) {
  const { ask, isPending, dialog } = useDeleteJobs(choice.clear);
  const chosen = jobs.filter(({ job_id: id }) => choice.ids.has(id));
  if (chosen.length === 0) return dialog;
  return (
    <Group gap="sm" ml="auto">
      <Text size="sm" className="numbers" role="status">
        {showCount(chosen.length)} selected
      </Text>
      <SaveJobs jobs={chosen} />
      <Button
        size="xs"
        loading={isPending}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => ask(chosen)}
      >
        {chosen.every(({ ready }) => ready) ? 'Delete' : 'Cancel and delete…'}
      </Button>
      {dialog}
    </Group>
  );
}

function NoJobs({ pages, action }: { pages: Pages; action: React.ReactNode }) {
  if (pages.search.trim() !== '')
    return (
      <EmptyState
        Icon={IconSearch}
        title="No jobs found"
        sentence="No job or file has this name. Type fewer letters, or show all jobs."
      />
    );
  return (
    <EmptyState
      Icon={IconListDetails}
      title={pages.filter === 'all' ? 'No jobs yet' : `No ${pages.filter} jobs`}
      sentence="A job enriches one list. Its rows, costs and results stay here."
      action={pages.filter === 'all' ? action : undefined}
    />
  );
}

export function JobsScreen() {
  const pages = useJobPages();
  const choice = useChoice();
  const { data, dataUpdatedAt, error, refetch } = pages.list;
  const isEmpty = data !== undefined && countOfFilter(data.counts, 'all') === 0;
  const enrich = (
    <Button variant="filled" component={Link} href="/">
      Enrich a list
    </Button>
  );
  return (
    <Page
      title="Jobs"
      sentence="The lists you have enriched, with their results and costs."
      action={isEmpty ? undefined : enrich}
    >
      <QueueCard />
      <Filters pages={pages}>
        <ChosenJobs jobs={data?.jobs ?? []} choice={choice} />
      </Filters>
      <ErrorPanel title="The jobs could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={240} />}
      {data?.jobs.length === 0 && <NoJobs pages={pages} action={enrich} />}
      {data && data.jobs.length > 0 && (
        <JobsTable jobs={data.jobs} choice={choice} now={dataUpdatedAt} />
      )}
      {data && <NewerOlder befores={pages.befores} next={data.next} onChange={pages.setBefores} />}
    </Page>
  );
}
