/** The grid of a job: status and name of each row, added columns indigo, the caller's own grey. */
import { Group, SegmentedControl, Skeleton } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { ResultRow, RowStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
import { layerByCode } from '../../../engine/contract/jobs/layers.ts';
import { ColumnsMenu, ColumnsSwitch } from '../../components/data-grid/columns-menu.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { type GridColumn, useGridColumns } from '../../components/data-grid/grid-columns.ts';
import type { InputColumn } from '../../components/data-grid/input-columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount } from '../../components/numbers.ts';
import run from '../../components/run.module.css';
import { chipOfRow, StatusChip } from '../../components/status-chip.tsx';
import { describeProvenance, wordOfReason, wordOfRepeat } from '../../components/words.ts';
import { describeInferred, inferredColumn, showInferred } from './inferred-email.tsx';
import { countRows, useJobRows } from './job-rows.ts';
import { RowDrawer } from './row-drawer.tsx';

const noColumns: InputColumn[] = [];

/** The status filter above the grid, with the number of rows per status. */
function StatusFilter({
  job,
  status,
  onChange,
}: {
  job: StatusData;
  status: RowStatus | null;
  onChange: (status: RowStatus | null) => void;
}) {
  const choices = [
    { value: 'all', label: `All ${showCount(job.total_rows)}` },
    { value: 'enriched', label: `Enriched ${showCount(job.enriched_rows)}` },
    { value: 'skipped', label: `Skipped ${showCount(job.skipped_rows)}` },
    { value: 'failed', label: `Failed ${showCount(job.failed_rows)}` },
  ];
  return (
    <SegmentedControl
      size="xs"
      aria-label="Rows shown"
      data={choices}
      value={status ?? 'all'}
      onChange={(value) => onChange(value === 'all' ? null : (value as RowStatus))}
      transitionDuration={0}
      className="numbers"
    />
  );
}

/** Found fields that repeat the name next to the status; their columns are last. */
const nameFields = new Set(['First name', 'Last name']);

/** A column of the grid, and how it reads a row. */
interface JobColumn extends GridColumn {
  read(data: GridRow): string;
  readTitle?(data: GridRow): string | undefined;
}

const readResult =
  (read: (result: ResultRow) => string) =>
  ({ result }: GridRow): string =>
    result ? read(result) : '';

const foundColumn = (label: string): JobColumn => ({
  ...{ label, kind: 'found', width: 160 },
  read: readResult(({ enriched_fields: fields }) => fields[label] ?? ''),
  readTitle({ result }) {
    const provenance = result?.provenance[label];
    return provenance && describeProvenance(provenance);
  },
});

const guessColumn: JobColumn = {
  ...inferredColumn,
  read: readResult(showInferred),
  readTitle: ({ result }) =>
    result?.inferred_email ? describeInferred(result.inferred_email) : undefined,
};

const reasonColumn: JobColumn = {
  ...{ label: 'Reason', kind: 'plain', width: 130 },
  read: readResult((result) => wordOfReason(result.reason) || wordOfRepeat(result)),
};

/** Columns: those of the selected layers, the reason, the caller's. */
function useColumns(job: StatusData, inputColumns: readonly InputColumn[]): JobColumn[] {
  return useMemo(() => {
    const found = job.selected_layers.flatMap((code) => [...layerByCode[code].fields]);
    const isName = (label: string) => nameFields.has(label);
    return [
      ...found.filter((label) => !isName(label)).map(foundColumn),
      ...(job.infer_emails ? [guessColumn] : []),
      reasonColumn,
      ...inputColumns.map((column, index) => ({
        ...{ ...column, kind: 'input' as const },
        read: ({ input }: GridRow) => input[index] ?? '',
      })),
      ...found.filter(isName).map(foundColumn),
    ];
  }, [job.selected_layers, job.infer_emails, inputColumns]);
}

/** What names the contact of a row; '' if its columns are empty. */
const nameRow = ({ input }: GridRow, identity: readonly (readonly number[])[]): string =>
  identity
    .map((columns) =>
      columns
        .map((column) => input[column] ?? '')
        .join(' ')
        .trim(),
    )
    .find((name) => name !== '') ?? '';

/** Pixels of the name in the fixed first cell. */
const nameWidthPx = 170;

/** Returns the text and source of a row by column, and its fixed first cell. */
function useCells(
  job: StatusData,
  { readRow, identity }: ReturnType<typeof useJobRows>,
  columns: readonly JobColumn[],
) {
  const readCell = useCallback(
    (row: number, column: number) => {
      const data = readRow(row);
      return data && (columns[column]?.read(data) ?? '');
    },
    [readRow, columns],
  );
  const readTitle = useCallback(
    (row: number, column: number) => {
      const data = readRow(row);
      return data && columns[column]?.readTitle?.(data);
    },
    [readRow, columns],
  );
  const { ready } = job;
  const numberWidth = `${showCount(job.total_rows).length}ch`;
  const rowHead = useCallback(
    (row: number) => {
      const data = readRow(row);
      const name = data && nameRow(data, identity);
      return (
        <>
          <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
            {showCount((data?.result?.row_index ?? row) + 1)}
          </span>
          {data && (data.result || !ready) && <StatusChip status={chipOfRow(data.result)} />}
          {name && (
            <span className={run.rowName} dir="auto" title={name}>
              {name}
            </span>
          )}
        </>
      );
    },
    [readRow, ready, numberWidth, identity],
  );
  return { readCell, readTitle, rowHead };
}

/** The grid with its filter, its columns menu and the details of one row. */
export function JobGrid({
  job,
  status,
  onStatus,
}: {
  job: StatusData;
  status: RowStatus | null;
  onStatus: (status: RowStatus | null) => void;
}) {
  const [openRow, setOpenRow] = useState<number | null>(null);
  const rows = useJobRows(job, status, openRow);
  const columns = useColumns(job, rows.inputColumns ?? noColumns);
  const table = useGridColumns(columns);
  const cells = useCells(job, rows, columns);
  const rowCount = countRows(job, status);
  return (
    <>
      <Group justify="space-between" gap="sm">
        <StatusFilter job={job} status={status} onChange={onStatus} />
        <Group gap="sm">
          <Group gap="sm">
            <ColumnsSwitch table={table} columns={columns} />
            <ColumnsMenu table={table} columns={columns} />
          </Group>
        </Group>
      </Group>
      {rows.error && <ErrorPanel title="These rows could not be read" error={rows.error} />}
      {rowCount === 0 ? (
        <EmptyState
          Icon={IconFilterOff}
          title={`No ${status ?? ''} rows`}
          sentence={job.ready ? 'Choose another filter to see rows.' : 'None so far.'}
        />
      ) : rows.inputColumns ? (
        <div className={run.gridRoom}>
          <DataGrid
            key={status ?? 'all'}
            label={`Rows of ${job.title || 'the job'}`}
            table={table}
            columns={columns}
            rowCount={rowCount}
            headLabel="Row"
            headWidthPx={
              128 +
              showCount(job.total_rows).length * 8 +
              (rows.identity.length > 0 ? nameWidthPx : 0)
            }
            onOpenRow={setOpenRow}
            onSight={rows.onSight}
            {...cells}
          />
        </div>
      ) : (
        <Skeleton className={run.gridRoom} />
      )}
      <RowDrawer
        job={job}
        inputColumns={rows.inputColumns ?? noColumns}
        row={openRow}
        data={openRow === null ? undefined : rows.readRow(openRow)}
        rowCount={rowCount}
        onRow={setOpenRow}
      />
    </>
  );
}
