/** The grid of a job: status and name of each row, added columns indigo, the caller's own grey. */
import { Group, Skeleton, Text } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
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
import { directionOf } from '../../components/data-grid/grid-row.tsx';
import type { InputColumn } from '../../components/data-grid/input-columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount } from '../../components/numbers.ts';
import run from '../../components/run.module.css';
import { SuppressDialog } from '../../components/suppress-button.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { type JobColumn, useJobColumns } from './job-columns.ts';
import { useJobRow, useJobRows, useJobView } from './job-rows.ts';
import classes from './outcome-bar.module.css';
import { OutcomeBar } from './outcome-bar.tsx';
import { RowChip } from './row-chip.tsx';
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
  identity: readonly (readonly number[])[],
  columns: readonly JobColumn[],
) {
  const readCell = useCallback(
    (data: GridRow, column: number) => columns[column]?.read(data) ?? '',
    [columns],
  );
  const readTitle = useCallback(
    (data: GridRow, column: number) => columns[column]?.readTitle?.(data),
    [columns],
  );
  const { ready } = job;
  const numberWidth = `${showCount(job.total_rows).length}ch`;
  const rowHead = useCallback(
    (row: number, data: GridRow | undefined) => {
      const name = data && nameRow(data, identity);
      return (
        <>
          <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
            {showCount((data?.result?.row_index ?? row) + 1)}
          </span>
          {data && (data.result || !ready) && <RowChip result={data.result} />}
          {name && (
            <span className={run.rowName} dir={directionOf(name)} title={name}>
              {name}
            </span>
          )}
        </>
      );
    },
    [ready, numberWidth, identity],
  );
  return { readCell, readTitle, rowHead };
}

/** The order of the grid, from the view. */
function useSorting(job: StatusData, view: RowView, onView: (change: RowView) => void): GridSort {
  const refusal = refusalOf(job);
  return useMemo(
    () => ({
      by: view.sort,
      direction: view.direction ?? 'asc',
      refusal,
      onSort: (sort, direction) => onView({ sort, direction }),
    }),
    [view.sort, view.direction, refusal, onView],
  );
}

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

interface RowsProps {
  readonly job: StatusData;
  readonly shown: ReturnType<typeof useJobView>;
  readonly columns: readonly JobColumn[];
  readonly table: GridTable;
  readonly sorting: GridSort;
  readonly onOpenRow: (row: number) => void;
  readonly onRowMenu: (place: MenuPlace) => void;
}

/** The rows themselves. They render alone while one scrolls. */
function Rows({ job, shown, columns, table, sorting, onOpenRow, onRowMenu }: RowsProps) {
  const { view, rowCount, isPending, identity } = shown;
  const { error, ...rows } = useJobRows(job, view, rowCount);
  const cells = useCells(job, identity, columns);
  const rowAction = useCallback(
    (row: number) => <RowMenuButton row={row} onRowMenu={onRowMenu} />,
    [onRowMenu],
  );
  const nameWidth = identity.length > 0 ? nameWidthPx : 0;
  return (
    <>
      {error && <ErrorPanel title="These rows could not be read" error={error} />}
      <div className={`${run.gridRoom} ${isPending ? classes.dimmed : ''}`} aria-busy={isPending}>
        <DataGrid
          label={`Rows of ${job.title || 'the job'}`}
          topKey={JSON.stringify(view)}
          table={table}
          columns={columns}
          rowCount={rowCount}
          sorting={sorting}
          rowAction={rowAction}
          headLabel="Row"
          headWidthPx={152 + showCount(job.total_rows).length * 8 + nameWidth}
          onOpenRow={onOpenRow}
          onRowMenu={onRowMenu}
          {...rows}
          {...cells}
        />
      </div>
    </>
  );
}

/** The rows, or why there are none. */
function RowsOrNone(props: RowsProps) {
  const { job, shown } = props;
  if (shown.rowCount === 0 && !shown.isPending) return <NoRows job={job} view={shown.view} />;
  if (!shown.inputColumns) return <Skeleton className={run.gridRoom} />;
  return <Rows {...props} />;
}

/** The grid with its filters, its columns menu, the menu and the details of a row. */
export function JobGrid({
  job,
  view: wanted,
  onView,
  shownColumns,
}: {
  job: StatusData;
  view: RowView;
  onView: (change: RowView) => void;
  /** Receives the visible columns, in their order, as an export names them. */
  shownColumns: RefObject<readonly string[]>;
}) {
  const [openRow, setOpenRow] = useState<number | null>(null);
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [suppressed, setSuppressed] = useState<number | null>(null);
  const usable = useMemo(() => viewOf(job.status, wanted), [job.status, wanted]);
  const shown = useJobView(job, usable);
  const { view, rowCount, isPending, peekRow } = shown;
  const columns = useJobColumns(job, shown.inputColumns ?? noColumns, shown.foundWidths);
  const table = useGridColumns(columns, job.job_id);
  const sorting = useSorting(job, view, onView);
  const dataOf = (row: number | null) => (row === null ? undefined : peekRow(row));
  const identifiers = (row: number | null) => listIdentifiers(dataOf(row)?.result ?? null);
  const visible = table.getVisibleLeafColumns().map(({ id }) => columns[indexOfColumn(id)]);
  useEffect(() => {
    shownColumns.current = visible.flatMap((column) => column?.sort ?? []);
  });
  return (
    <>
      <OutcomeBar job={job} view={wanted} onChange={onView} />
      <Group justify="space-between" gap="sm">
        <Group gap="sm" miw={0} maw="100%">
          <RowFilters job={job} view={wanted} isPending={isPending} onChange={onView} />
          <ShownCount job={job} rowCount={rowCount} isPending={isPending} />
        </Group>
        <Group gap="sm">
          <ColumnsSwitch table={table} columns={columns} />
          <ColumnsMenu table={table} columns={columns} />
          <KeysButton />
        </Group>
      </Group>
      {shown.error && <ErrorPanel title="These rows could not be read" error={shown.error} />}
      <RowsOrNone
        job={job}
        shown={shown}
        columns={columns}
        table={table}
        sorting={sorting}
        onOpenRow={setOpenRow}
        onRowMenu={setMenu}
      />
      <RowMenu
        jobId={job.job_id}
        place={menu}
        data={dataOf(menu?.row ?? null)}
        onClose={() => setMenu(null)}
        onOpen={setOpenRow}
        onCopy={(row) => copyRow(peekRow(row), visible)}
        onSuppress={identifiers(menu?.row ?? null).length > 0 ? setSuppressed : null}
      />
      {suppressed !== null && (
        <SuppressDialog values={identifiers(suppressed)} onClose={() => setSuppressed(null)} />
      )}
      <RowDrawer
        job={job}
        columns={columns}
        correspondences={shown.correspondences}
        row={openRow}
        data={useJobRow(job, view, openRow)}
        rowCount={rowCount}
        onRow={setOpenRow}
      />
    </>
  );
}
