// All monitors: contacts, next run, last findings.
import { Button, Skeleton, Table } from '@mantine/core';
import { IconRadar2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { type Monitor, monitors } from '../../../engine/contract/monitors/monitors.ts';
import { useAnswer, useIsLive } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount, showCredits, showTime } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { ScreenLink } from '../../components/text.tsx';
import { chipOfRun, describeRun, describeSchedule } from './monitor-words.ts';
import { RunsTable } from './runs-table.tsx';

function LastRun({ monitor: { last_job: job } }: { monitor: Monitor }) {
  if (!job) return <>–</>;
  return (
    <>
      <StatusChip {...chipOfRun(job)} />{' '}
      <ScreenLink href={`/monitors/jobs/${job.job_id}`}>{describeRun(job)}</ScreenLink>
    </>
  );
}

function MonitorsTable({ monitors }: { monitors: readonly Monitor[] }) {
  return (
    <TableCard
      label="Monitors"
      columns={['Monitor', 'Runs', 'Next run', 'Last run', '>Contacts', '>At most']}
      widthMinPx={820}
    >
      {monitors.map((monitor) => (
        <Table.Tr key={monitor.id}>
          <Table.Td className={tableClasses.name}>
            <ScreenLink href={`/monitors/${monitor.id}`} fw={550}>
              {monitor.title}
            </ScreenLink>
          </Table.Td>
          <Table.Td>{describeSchedule(monitor.schedule)}</Table.Td>
          <Table.Td className={tableClasses.steady}>
            {monitor.next_run_at ? showTime(monitor.next_run_at) : <StatusChip status="paused" />}
          </Table.Td>
          <Table.Td className={tableClasses.name}>
            <LastRun monitor={monitor} />
          </Table.Td>
          <Table.Td className={tableClasses.number}>{showCount(monitor.total_records)}</Table.Td>
          <Table.Td className={tableClasses.number}>{showCredits(monitor.most_credits)}</Table.Td>
        </Table.Tr>
      ))}
    </TableCard>
  );
}

export function MonitorsScreen() {
  const live = useIsLive();
  const { data, error, refetch } = useAnswer(['monitors'], monitors.list, {
    refetchInterval: live ? 60_000 : 2_000,
  });
  const create = (
    <Button variant="filled" component={Link} href="/monitors/new">
      New monitor
    </Button>
  );
  return (
    <Page
      title="Monitors"
      sentence="Lists of contacts that are checked on a schedule for job changes."
      action={data?.length ? create : undefined}
    >
      <ErrorPanel title="The monitors could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={160} />}
      {data?.length === 0 && (
        <EmptyState
          Icon={IconRadar2}
          title="No monitors yet"
          sentence={
            'A monitor checks a list of contacts daily, weekly or monthly. You pay the price of ' +
            `${nameLayer('L1')} for each contact that is found, or for changes only if you ` +
            'choose so in Settings.'
          }
          action={create}
        />
      )}
      {data && data.length > 0 && <MonitorsTable monitors={data} />}
      <RunsTable monitorId={null} title="Runs of monitors and of the API" />
    </Page>
  );
}
