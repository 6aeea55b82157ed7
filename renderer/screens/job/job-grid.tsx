/** The grid of a job: the caller's columns grey, added ones indigo, each row with its status. */
import { Group, SegmentedControl, Skeleton } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { RowStatus, StatusData } from '../../../engine/contract/jobs/job.ts';
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

/** Columns: the caller's, those of the selected layers, the reason. */
function useColumns(job: StatusData, inputColumns: readonly InputColumn[]) {
  return useMemo(() => {
    const found = job.selected_layers.flatMap((code) => layerByCode[code].fields);
    const columns: GridColumn[] = [
      ...inputColumns.map((column) => ({ ...column, kind: 'input' as const })),
      ...found.map((label) => ({ label, kind: 'found' as const, width: 160 })),
      ...(job.infer_emails ? [inferredColumn] : []),
      { label: 'Reason', kind: 'plain', width: 130 },
    ];
    return { columns, found };
  }, [job.selected_layers, job.infer_emails, inputColumns]);
}

/** Returns the text and source of a row by column, and its fixed first cell. */
function useCells(job: StatusData, rows: ReturnType<typeof useJobRows>, found: readonly string[]) {
  const { readRow } = rows;
  const inputColumns = rows.inputColumns?.length ?? 0;
  const { infer_emails: inferEmails } = job;
  const inferredAt = inputColumns + found.length;
  const readCell = useCallback(
    (row: number, column: number) => {
      const data = readRow(row);
      if (!data) return undefined;
      if (column < inputColumns) return data.input[column] ?? '';
      if (!data.result) return '';
      const field = found[column - inputColumns];
      if (field) return data.result.enriched_fields[field] ?? '';
      if (inferEmails && column === inferredAt) return showInferred(data.result);
      return wordOfReason(data.result.reason) || wordOfRepeat(data.result);
    },
    [readRow, inputColumns, found, inferEmails, inferredAt],
  );
  const readTitle = useCallback(
    (row: number, column: number) => {
      const inferred = readRow(row)?.result?.inferred_email;
      if (inferEmails && column === inferredAt)
        return inferred ? describeInferred(inferred) : undefined;
      const field = found[column - inputColumns];
      const provenance = field ? readRow(row)?.result?.provenance[field] : undefined;
      return provenance ? describeProvenance(provenance) : undefined;
    },
    [readRow, inputColumns, found, inferEmails, inferredAt],
  );
  const { ready } = job;
  const numberWidth = `${showCount(job.total_rows).length}ch`;
  const rowHead = useCallback(
    (row: number) => {
      const data = readRow(row);
      return (
        <>
          <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
            {showCount((data?.result?.row_index ?? row) + 1)}
          </span>
          {data && (data.result || !ready) && <StatusChip status={chipOfRow(data.result)} />}
        </>
      );
    },
    [readRow, ready, numberWidth],
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
  const { columns, found } = useColumns(job, rows.inputColumns ?? noColumns);
  const table = useGridColumns(columns);
  const cells = useCells(job, rows, found);
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
            headWidthPx={128 + showCount(job.total_rows).length * 8}
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
