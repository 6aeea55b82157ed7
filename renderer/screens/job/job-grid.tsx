/** The grid of a job: status and name of each row, added columns indigo, the caller's own grey. */
import { Group, Skeleton, Text } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import type { GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import { KeysButton } from '../../commands/keys-button.tsx';
import { ColumnsMenu, ColumnsSwitch } from '../../components/data-grid/columns-menu.tsx';
import { DataGrid, type MenuPlace } from '../../components/data-grid/data-grid.tsx';
import { formatCell } from '../../components/data-grid/format-cell.ts';
import {
  type GridTable,
  indexOfColumn,
  useGridColumns,
} from '../../components/data-grid/grid-columns.ts';
import type { GridSort } from '../../components/data-grid/grid-header.tsx';
import type { InputColumn } from '../../components/data-grid/input-columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount } from '../../components/numbers.ts';
import run from '../../components/run.module.css';
import { chipOfRow, StatusChip } from '../../components/status-chip.tsx';
import { SuppressDialog } from '../../components/suppress-button.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { type JobColumn, useJobColumns } from './job-columns.ts';
import { useJobRows } from './job-rows.ts';
import classes from './outcome-bar.module.css';
import { OutcomeBar } from './outcome-bar.tsx';
import { listIdentifiers, RowDrawer } from './row-drawer.tsx';
import { RowFilters, refusalOf } from './row-filters.tsx';
import { RowMenu, RowMenuButton } from './row-menu.tsx';
import { nameView, viewOf } from './row-view.ts';

const noColumns: InputColumn[] = [];

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

/** The order of the grid, from the view. */
function useSorting(job: StatusData, view: RowView, onView: (change: RowView) => void): GridSort {
  const refusal = refusalOf(job);
  return useMemo(
    () => ({
      ...{ by: view.sort, direction: view.direction ?? 'asc', refusal },
      onSort: (sort, direction) => onView({ sort, direction }),
    }),
    [view.sort, view.direction, refusal, onView],
  );
}

/** Reads cells of rows that are loaded to be copied. */
const useLoadCells = ({ loadRows }: ReturnType<typeof useJobRows>, columns: readonly JobColumn[]) =>
  useCallback(
    async (first: number, last: number) => {
      const read = await loadRows(first, last);
      return (row: number, column: number) => {
        const data = read(row);
        return data && (columns[column]?.read(data) ?? '');
      };
    },
    [loadRows, columns],
  );

/** Copies the visible columns of a row. */
function copyRow(data: GridRow | undefined, columns: readonly (JobColumn | undefined)[]): void {
  if (!data) return;
  const text = columns.map((column) => formatCell(column?.read(data) ?? '')).join('\t');
  navigator.clipboard.writeText(text).then(
    () => showSuccess('The row was copied.'),
    (error: unknown) => showFailure('Nothing was copied', error),
  );
}

/** How many rows are shown, for readers of the screen too. */
function ShownCount({
  job,
  rowCount,
  isPending,
}: {
  job: StatusData;
  rowCount: number;
  isPending: boolean;
}) {
  const all = countOf(job.total_rows, 'row');
  return (
    <Text size="sm" c="dimmed" role="status" className="numbers">
      {isPending
        ? 'Searching…'
        : rowCount === job.total_rows
          ? all
          : `${showCount(rowCount)} of ${all}`}
    </Text>
  );
}

function NoRows({ job, view }: { job: StatusData; view: RowView }) {
  return (
    <EmptyState
      Icon={IconFilterOff}
      title={`No ${nameView(view) ?? ''} rows`}
      sentence={job.ready ? 'Remove a filter or change the search to see rows.' : 'None so far.'}
    />
  );
}

/** The rows themselves, or why there are none. */
function Rows({
  job,
  rows,
  columns,
  table,
  sorting,
  onOpenRow,
  onRowMenu,
}: {
  job: StatusData;
  rows: ReturnType<typeof useJobRows>;
  columns: readonly JobColumn[];
  table: GridTable;
  sorting: GridSort;
  onOpenRow: (row: number) => void;
  onRowMenu: (place: MenuPlace) => void;
}) {
  const { view, rowCount, isPending, onSight } = rows;
  const cells = useCells(job, rows, columns);
  const loadCells = useLoadCells(rows, columns);
  const rowAction = useCallback(
    (row: number) => <RowMenuButton row={row} onRowMenu={onRowMenu} />,
    [onRowMenu],
  );
  if (rowCount === 0 && !isPending) return <NoRows job={job} view={view} />;
  if (!rows.inputColumns) return <Skeleton className={run.gridRoom} />;
  const nameWidth = rows.identity.length > 0 ? nameWidthPx : 0;
  return (
    <div className={`${run.gridRoom} ${isPending ? classes.dimmed : ''}`} aria-busy={isPending}>
      <DataGrid
        label={`Rows of ${job.title || 'the job'}`}
        topKey={JSON.stringify(view)}
        {...{ table, columns, rowCount, sorting, loadCells, rowAction }}
        headLabel="Row"
        headWidthPx={152 + showCount(job.total_rows).length * 8 + nameWidth}
        {...{ onOpenRow, onRowMenu, onSight, ...cells }}
      />
    </div>
  );
}

/** The grid with its filters, its columns menu, the menu and the details of a row. */
export function JobGrid({
  job,
  view: wanted,
  onView,
}: {
  job: StatusData;
  view: RowView;
  onView: (change: RowView) => void;
}) {
  const [openRow, setOpenRow] = useState<number | null>(null);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [suppressed, setSuppressed] = useState<number | null>(null);
  const usable = useMemo(() => viewOf(job.status, wanted), [job.status, wanted]);
  const rows = useJobRows(job, usable, openRow);
  const { view, rowCount, isPending, readRow } = rows;
  const columns = useJobColumns(job, rows.inputColumns ?? noColumns, rows.foundWidths);
  const table = useGridColumns(columns, job.job_id);
  const sorting = useSorting(job, view, onView);
  const dataOf = (row: number | null) => (row === null ? undefined : readRow(row));
  const identifiers = (row: number | null) => listIdentifiers(dataOf(row)?.result ?? null);
  const visible = table.getVisibleLeafColumns().map(({ id }) => columns[indexOfColumn(id)]);
  return (
    <>
      <OutcomeBar job={job} view={wanted} onChange={onView} />
      <Group justify="space-between" gap="sm">
        <Group gap="sm" miw={0} maw="100%">
          <RowFilters {...{ job, view: wanted, isPending }} onChange={onView} />
          <ShownCount {...{ job, rowCount, isPending }} />
        </Group>
        <Group gap="sm">
          <ColumnsSwitch table={table} columns={columns} />
          <ColumnsMenu table={table} columns={columns} />
          <KeysButton />
        </Group>
      </Group>
      {rows.error && <ErrorPanel title="These rows could not be read" error={rows.error} />}
      <Rows
        {...{ job, rows, columns, table, sorting }}
        onOpenRow={setOpenRow}
        onRowMenu={setMenu}
      />
      <RowMenu
        jobId={job.job_id}
        place={menu}
        data={dataOf(menu?.row ?? null)}
        onClose={() => setMenu(null)}
        onOpen={setOpenRow}
        onCopy={(row) => copyRow(readRow(row), visible)}
        onSuppress={identifiers(menu?.row ?? null).length > 0 ? setSuppressed : null}
      />
      {suppressed !== null && (
        <SuppressDialog values={identifiers(suppressed)} onClose={() => setSuppressed(null)} />
      )}
      <RowDrawer
        {...{ job, columns, correspondences: rows.correspondences, row: openRow }}
        data={dataOf(openRow)}
        rowCount={rowCount}
        onRow={setOpenRow}
      />
    </>
  );
}
