// The table of jobs: a row opens its job; checkboxes and menus act on it.
import { Card, Checkbox, type CheckboxProps, Table, VisuallyHidden } from '@mantine/core';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { useJob, useJobPulse } from '../../api/live.ts';
import { Ago } from '../../components/ago.tsx';
import { JobMenu } from '../../components/jobs/job-menu.tsx';
import { nameOf, secondsOf } from '../../components/jobs/job-words.ts';
import { showCount, showCredits, showDuration, showShare } from '../../components/numbers.ts';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { ScreenLink } from '../../components/text.tsx';
import classes from './jobs.module.css';

function OutcomeBar({ job }: { job: StatusData }) {
  const parts = [
    ['enriched', job.enriched_rows],
    ['skipped', job.skipped_rows],
    ['failed', job.failed_rows],
  ] as const;
  const left = job.total_rows - job.processed_rows;
  const words = [...parts, ['left', left] as const].filter(([, rows]) => rows > 0);
  const label = words.map(([name, rows]) => `${showCount(rows)} ${name}`).join(', ');
  const share = job.total_rows > 0 ? job.enriched_rows / job.total_rows : 0;
  return (
    <>
      <span className={classes.outcome} role="img" aria-label={label} title={label}>
        {parts.map(
          ([name, rows]) =>
            rows > 0 && (
              <span
                key={name}
                data-part={name}
                style={{ width: `${(rows / job.total_rows) * 100}%` }}
              />
            ),
        )}
      </span>
      <span className={classes.caption}>
        {showCount(job.enriched_rows)} enriched ({showShare(share)})
      </span>
    </>
  );
}

export interface Choice {
  readonly ids: ReadonlySet<string>;
  toggle(ids: readonly string[], isChosen: boolean): void;
}

/** A checkbox with a target of 24 pixels. */
const Check = (props: CheckboxProps) => (
  <Checkbox size="xs" classNames={{ root: classes.control, input: classes.target }} {...props} />
);

const showSpeed = (rows: number): string => `${showCount(Math.max(1, Math.round(rows)))} rows/s`;

function Duration({ job }: { job: StatusData }) {
  const pulse = useJobPulse(job.job_id);
  const seconds = secondsOf(job);
  if (seconds !== null)
    return (
      <>
        {seconds < 1 ? '<1 s' : showDuration(seconds)}
        {seconds >= 1 && job.processed_rows > 0 && (
          <span className={classes.caption}>{showSpeed(job.processed_rows / seconds)}</span>
        )}
      </>
    );
  if (job.status !== 'running' || pulse?.secondsLeft == null) return '–';
  return (
    <>
      {showDuration(pulse.secondsLeft)} left
      <span className={classes.caption}>{showSpeed(pulse.rowsPerSecond)}</span>
    </>
  );
}

function JobRow({ job: listed, choice, now }: { job: StatusData; choice: Choice; now: number }) {
  // A running job's own record is newer than its entry in the list.
  const { data: job = listed } = useJob(listed.job_id, !listed.ready);
  const share = job.total_rows > 0 ? job.processed_rows / job.total_rows : 0;
  return (
    <Table.Tr className={`${tableClasses.linkedRow} ${classes.linked}`}>
      <Table.Td className={classes.check}>
        <Check
          aria-label={`Select ${nameOf(job)}`}
          checked={choice.ids.has(job.job_id)}
          onChange={(event) => choice.toggle([job.job_id], event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td className={`${tableClasses.name} ${classes.name}`}>
        <ScreenLink
          className={`${tableClasses.rowLink} ${classes.title}`}
          href={`/jobs/${job.job_id}`}
          fw={550}
        >
          <bdi>{nameOf(job)}</bdi>
        </ScreenLink>
        <span className={classes.caption}>{job.selected_layers.map(nameLayer).join(', ')}</span>
      </Table.Td>
      <Table.Td className={classes.status}>
        {job.status === 'running' ? (
          <StatusChip status="running" label={`running ${showShare(share)}`} />
        ) : (
          <StatusChip status={job.status} />
        )}
      </Table.Td>
      <Table.Td className={classes.found}>
        {job.status === 'cancelled' ? '–' : <OutcomeBar job={job} />}
      </Table.Td>
      <Table.Td className={`${tableClasses.number} ${classes.rows}`}>
        {showCount(job.total_rows)}
      </Table.Td>
      <Table.Td className={`${tableClasses.number} ${classes.charged}`}>
        {showCredits(job.credits_charged)}
      </Table.Td>
      <Table.Td className={`${tableClasses.number} ${classes.duration}`}>
        <Duration job={job} />
      </Table.Td>
      <Table.Td className={classes.time}>
        <Ago time={job.created_at} now={now} />
      </Table.Td>
      <Table.Td className={classes.menu}>
        <div className={classes.control}>
          <JobMenu job={job} />
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

const columns = ['Job', 'Status', 'Outcome', '>Rows', '>Charged', '>Duration', '>Started'];

interface JobsTableProps {
  jobs: readonly StatusData[];
  choice: Choice;
  now: number;
}

/** @param now when the jobs were read, in milliseconds since 1970 */
export function JobsTable({ jobs, choice, now }: JobsTableProps) {
  const ids = jobs.map(({ job_id: id }) => id);
  const chosen = ids.filter((id) => choice.ids.has(id)).length;
  return (
    <Card component="section" p={0} className={tableClasses.scroll} tabIndex={0} aria-label="Jobs">
      <Table
        className={`${tableClasses.table} ${classes.jobs}`}
        verticalSpacing="xs"
        horizontalSpacing="sm"
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.check}>
              <Check
                aria-label="Select all jobs on this page"
                checked={chosen > 0 && chosen === ids.length}
                indeterminate={chosen > 0 && chosen < ids.length}
                onChange={(event) => choice.toggle(ids, event.currentTarget.checked)}
              />
            </Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta={column.startsWith('>') ? 'right' : 'left'}>
                {column.replace('>', '')}
              </Table.Th>
            ))}
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <JobRow key={job.job_id} job={job} choice={choice} now={now} />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
