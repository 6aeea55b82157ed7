/** All jobs of the account, newest first: searched, filtered, queued, deleted. */
import { Button, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconDownload, IconListDetails, IconSearch, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ExportFormat } from '../../../engine/contract/exports/export-formats.ts';
import { jobExports } from '../../../engine/contract/exports/job-exports.ts';
import type { JobStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
import { type JobList, jobList } from '../../../engine/contract/jobs/job-list.ts';
import { ask } from '../../api/client.ts';
import { useChange, useIsLive } from '../../api/live.ts';
import { oneOf, useAddressQuery } from '../../components/address/address-query.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { useDeleteJobs } from '../../components/jobs/delete-jobs.tsx';
import { nameOf } from '../../components/jobs/job-words.ts';
import { NewerOlder } from '../../components/newer-older.tsx';
import { countOf, showCount } from '../../components/numbers.ts';
import { OpenModal } from '../../components/open-modal.tsx';
import { Page } from '../../components/page.tsx';
import { formatNames } from '../../components/save/save-dialog.tsx';
import { saveFile } from '../../components/save/save-file.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { type Choice, JobsTable } from './jobs-table.tsx';
import { QueueCard } from './queue-card.tsx';

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
        <Text size="sm" c="dimmed">
          One file for each job, with all its rows and columns. Your browser may ask whether this
          page can download several files.
        </Text>
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
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
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

/** The button for the completed ones of the selected jobs, and its dialog. */
function SaveJobs({ jobs }: { jobs: readonly StatusData[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const completed = jobs.filter(({ status }) => status === 'completed');
  if (completed.length === 0) return null;
  return (
    <>
      <Button
        variant="default"
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

/** The jobs that the filters leave, page by page. */
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

/** What can be done with the selected jobs. */
function ChosenJobs({
  jobs,
  choice,
}: {
  jobs: JobList['jobs'];
  choice: ReturnType<typeof useChoice>;
}) {
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
        variant="default"
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
    <Button component={Link} href="/">
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
