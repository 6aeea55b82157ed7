// Runs of monitors, newest first: findings, cost, locked ones.
import { Progress, Skeleton, Table, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MonitorJob } from '../../../engine/contract/monitors/career-monitor.ts';
import { monitorJobs, monitors } from '../../../engine/contract/monitors/monitors.ts';
import { ask } from '../../api/client.ts';
import { useIsLive } from '../../api/live.ts';
import { Ago } from '../../components/ago.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount, showCredits, showUnits } from '../../components/numbers.ts';
import { Pager } from '../../components/pager.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, ScreenLink } from '../../components/text.tsx';
import { chipOfRun, compareCosts, costPerChange } from './monitor-words.ts';
import { useMonitorJob } from './use-monitor-job.ts';

const pageRuns = 10;

function Cost({ job }: { job: MonitorJob }) {
  if (job.credit_charge_failed) return <>{showCredits(job.credits_due)} due</>;
  return <>{job.status === 'Completed' ? showCredits(job.credits_due) : '–'}</>;
}

/** Credits per change, and how that compares with the run before. */
function CostPerChange({ job, before }: { job: MonitorJob; before: MonitorJob | undefined }) {
  const units = costPerChange(job);
  if (units === null) return <>–</>;
  const share = before && compareCosts(units, costPerChange(before));
  return (
    <>
      {showUnits(units)}
      {share && <Caption>{share}</Caption>}
    </>
  );
}

interface RunRowProps {
  job: MonitorJob;
  before: MonitorJob | undefined;
  withTitle: boolean;
  now: number;
}

function RunRow({ job: listed, before, withTitle, now }: RunRowProps) {
  const job = useMonitorJob(listed.job_id, listed).data ?? listed;
  const share = (job.processed_records / job.total_records) * 100;
  const count = (value: number) => (job.status === 'Completed' ? showCount(value) : '–');
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <ScreenLink href={`/monitors/jobs/${job.job_id}`} fw={550}>
          {withTitle ? job.title || 'Untitled check' : <Ago time={job.submitted_at} now={now} />}
        </ScreenLink>
      </Table.Td>
      {withTitle && (
        <Table.Td className={tableClasses.steady}>
          <Ago time={job.submitted_at} now={now} />
        </Table.Td>
      )}
      <Table.Td>
        {job.status === 'Running' ? (
          <Progress value={share} aria-label="Contacts checked" w={90} />
        ) : (
          <StatusChip {...chipOfRun(job)} />
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(job.total_records)}</Table.Td>
      <Table.Td className={tableClasses.number}>{count(job.counts.changed)}</Table.Td>
      <Table.Td className={tableClasses.number}>{count(job.counts.left)}</Table.Td>
      <Table.Td className={tableClasses.number}>
        <Cost job={job} />
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <CostPerChange job={job} before={before} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Nothing without runs. `monitorId` null: runs of all monitors and of the API. */
export function RunsTable({ monitorId, title }: { monitorId: number | null; title: string }) {
  const [offset, setOffset] = useState(0);
  const live = useIsLive();
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['monitor-jobs', monitorId, offset],
    queryFn: () => {
      const shown = { limit: pageRuns, offset };
      return monitorId === null
        ? ask(monitorJobs.list, shown)
        : ask(monitors.jobs, { id: monitorId, ...shown });
    },
    placeholderData: keepPreviousData,
    refetchInterval: live ? false : 2_000,
  });
  if (error)
    return <ErrorPanel title="The runs could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={120} />;
  if (data.count === 0) return null;
  const withTitle = monitorId === null;
  const columns = withTitle ? ['Check', 'Started'] : ['Started'];
  return (
    <>
      <Title order={2} mt="md">
        {title}
      </Title>
      <TableCard
        label={title}
        columns={[
          ...columns,
          'Status',
          '>Contacts',
          '>Changed jobs',
          '>Left their job',
          '>Credits',
          '>Credits per change',
        ]}
        widthMinPx={withTitle ? 860 : 660}
      >
        {data.results.map((job, at) => (
          <RunRow
            key={job.job_id}
            job={job}
            // Runs of one monitor can be compared.
            before={withTitle ? undefined : data.results[at + 1]}
            withTitle={withTitle}
            now={dataUpdatedAt}
          />
        ))}
      </TableCard>
      <Pager count={data.count} offset={offset} limit={pageRuns} onOffset={setOffset} />
    </>
  );
}
