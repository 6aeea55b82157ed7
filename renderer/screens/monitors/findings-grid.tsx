/** Findings: each watched value before and now, with its source and day. */
import { SegmentedControl } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import {
  type Finding,
  type FindingStatus,
  findingStatuses,
  type MonitorJob,
  watchedFields,
} from '../../../engine/contract/monitors/career-monitor.ts';
import { monitorJobs } from '../../../engine/contract/monitors/monitors.ts';
import { ask } from '../../api/client.ts';
import { pageRows } from '../../api/transport/first-requests.ts';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import { HeadMore } from '../../components/data-grid/grid-row.tsx';
import { useVisiblePages } from '../../components/data-grid/visible-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount, showDay } from '../../components/numbers.ts';
import run from '../../components/run.module.css';
import { StatusChip } from '../../components/status-chip.tsx';
import { describeProvenance, wordOfReason } from '../../components/words.ts';
import { findingWords, watchedWords } from './monitor-words.ts';

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
      read: ({ changes }) => changes.find((change) => change.field === field)?.old_value ?? '',
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

function StatusFilter({
  job,
  status,
  onChange,
}: {
  job: MonitorJob;
  status: FindingStatus | null;
  onChange: (status: FindingStatus | null) => void;
}) {
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

export function FindingsGrid({
  job,
  status,
  onStatus,
}: {
  job: MonitorJob;
  status: FindingStatus | null;
  onStatus: (status: FindingStatus | null) => void;
}) {
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
