/** All jobs of the account, newest first. */
import { Anchor, Button, Progress, SegmentedControl, Skeleton, Table } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { JobStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
import { readJobs } from '../../api/engine.ts';
import { useIsLive, useJob } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount, showCredits, showShare, showTime } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';

const pageJobs = 50;
const filters = ['all', 'running', 'completed', 'failed', 'cancelled'] as const;

function JobRow({ job: listed }: { job: StatusData }) {
  // A running job's own record is newer than its entry in the list.
  const { data: job = listed } = useJob(listed.job_id, !listed.ready);
  const share = job.total_rows > 0 ? job.processed_rows / job.total_rows : 0;
  const found = job.total_rows > 0 ? job.enriched_rows / job.total_rows : 0;
  return (
    <Table.Tr className={tableClasses.linkedRow}>
      <Table.Td className={tableClasses.name}>
        <Anchor
          component={Link}
          className={tableClasses.rowLink}
          href={`/jobs/${job.job_id}`}
          fw={550}
          size="sm"
        >
          {job.title || 'Untitled job'}
        </Anchor>
      </Table.Td>
      <Table.Td>
        {job.status === 'running' ? (
          <Progress value={share * 100} aria-label={`${showShare(share)} done`} w={110} />
        ) : (
          <StatusChip status={job.status} />
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(job.total_rows)}</Table.Td>
      <Table.Td className={tableClasses.number}>
        {job.status === 'cancelled' ? '–' : `${showCount(job.enriched_rows)} (${showShare(found)})`}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCredits(job.credits_charged)}</Table.Td>
      <Table.Td className={tableClasses.steady}>{job.selected_layers.join(', ')}</Table.Td>
      <Table.Td className={tableClasses.number}>{showTime(job.created_at)}</Table.Td>
    </Table.Tr>
  );
}

function JobsTable({ jobs }: { jobs: readonly StatusData[] }) {
  return (
    <TableCard
      label="Jobs"
      columns={['Job', 'Status', '>Rows', '>Enriched', '>Charged', 'Layers', '>Started']}
      widthMinPx={820}
    >
      {jobs.map((job) => (
        <JobRow key={job.job_id} job={job} />
      ))}
    </TableCard>
  );
}

export function JobsScreen() {
  const [filter, setFilter] = useState<(typeof filters)[number]>('all');
  const [offset, setOffset] = useState(0);
  const status: JobStatus | null = filter === 'all' ? null : filter;
  const live = useIsLive();
  const { data, error, refetch } = useQuery({
    queryKey: ['jobs', status, offset],
    queryFn: () => readJobs({ limit: pageJobs, offset, status }),
    placeholderData: keepPreviousData,
    refetchInterval: live ? false : 2_000,
  });
  const isEmpty = data?.count === 0 && !status;
  const enrich = (
    <Button component={Link} href="/">
      Enrich a spreadsheet
    </Button>
  );
  return (
    <Page
      title="Jobs"
      sentence="Enriched spreadsheets, with their results and costs."
      action={isEmpty ? undefined : enrich}
    >
      <SegmentedControl
        aria-label="Jobs shown"
        size="xs"
        w="fit-content"
        transitionDuration={0}
        data={filters.map((value) => ({
          value,
          label: value[0]?.toUpperCase() + value.slice(1),
        }))}
        value={filter}
        onChange={(value) => {
          setFilter(value as typeof filter);
          setOffset(0);
        }}
      />
      {error && (
        <ErrorPanel
          title="The jobs could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton height={240} />}
      {data?.count === 0 && (
        <EmptyState
          Icon={IconListDetails}
          title={status ? `No ${status} jobs` : 'No jobs yet'}
          sentence="A job enriches one spreadsheet. Its rows, charge and result stay here."
          action={status ? undefined : enrich}
        />
      )}
      {data && data.count > 0 && <JobsTable jobs={data.results} />}
      {data && <Pager count={data.count} offset={offset} limit={pageJobs} onOffset={setOffset} />}
    </Page>
  );
}
