/** The grid of a job: status and name of each row, added columns indigo, the caller's own grey. */
import { Group, Skeleton, Text } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import { useSearch } from 'wouter';
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
import room from './job.module.css';
import { type JobColumn, useJobColumns } from './job-columns.ts';
import { useJobRow, useJobRows, useJobView } from './job-rows.ts';
import classes from './outcome-bar.module.css';
import { OutcomeBar } from './outcome-bar.tsx';
import { RowChip } from './row-chip.tsx';
import { RowFilters, refusalOf } from './row-filters.tsx';
import { RowMenu, RowMenuButton } from './row-menu.tsx';
import { listIdentifiers, RowPanel } from './row-panel.tsx';
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
  /** The row whose details are open; null if the grid does not show it. */
  readonly shownRow: number | null;
  readonly onActiveRow: (row: number) => void;
  readonly onOpenRow: (row: number) => void;
  readonly onCloseRow: () => void;
  readonly onRowMenu: (place: MenuPlace) => void;
}

/** The rows themselves. They render alone while one scrolls. */
function Rows({ job, shown, columns, table, sorting, onRowMenu, ...panel }: RowsProps) {
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
      <div className={`${room.gridSide} ${isPending ? classes.dimmed : ''}`} aria-busy={isPending}>
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
          onRowMenu={onRowMenu}
          {...panel}
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
  if (!shown.inputColumns) return <Skeleton className={room.gridSide} />;
  return <Rows {...props} />;
}

/** The row whose details are open, by its position in a view. */
interface OpenRow {
  readonly view: RowView;
  readonly row: number;
}

const allRows: RowView = {};
const isSameView = (one: RowView, other: RowView) => JSON.stringify(one) === JSON.stringify(other);

/** The open row; `?row=12` in the address opens a row of the list, by its index. */
function useOpenRow(view: RowView, onView: (change: RowView) => void) {
  const [open, setOpen] = useState<OpenRow | null>(null);
  const [focusKey, setFocusKey] = useState(0);
  const named = new URLSearchParams(useSearch()).get('row');
  useEffect(() => {
    if (named === null) return;
    if (/^\d{1,9}$/.test(named)) {
      setOpen({ view: allRows, row: Number(named) });
      setFocusKey((key) => key + 1);
    }
    // The address then opens the same row again.
    onView({});
  }, [named, onView]);
  return {
    open,
    focusKey,
    isHere: open !== null && isSameView(open.view, view),
    /** Opens a row of the grid, and moves the focus to its details. */
    openRow: useCallback(
      (row: number) => {
        setOpen({ view, row });
        setFocusKey((key) => key + 1);
      },
      [view],
    ),
    /** Shows another row in open details. */
    follow: useCallback(
      (row: number) =>
        setOpen((before) =>
          before && !(before.row === row && isSameView(before.view, view)) ? { view, row } : before,
        ),
      [view],
    ),
    step: (row: number) => setOpen((before) => before && { view: before.view, row }),
    review: (row: number) => setOpen({ view: allRows, row }),
    close() {
      if (open === null) return;
      setOpen(null);
      document.querySelector<HTMLElement>('[role=grid]')?.focus();
    },
  };
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
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [suppressed, setSuppressed] = useState<number | null>(null);
  const usable = useMemo(() => viewOf(job.status, wanted), [job.status, wanted]);
  const shown = useJobView(job, usable);
  const { view, rowCount, isPending, peekRow } = shown;
  const columns = useJobColumns(job, shown.inputColumns ?? noColumns, shown.foundWidths);
  const table = useGridColumns(columns, job.job_id);
  const sorting = useSorting(job, view, onView);
  const { open, focusKey, isHere, openRow, follow, step, review, close } = useOpenRow(view, onView);
  const openData = useJobRow(job, open?.view ?? view, open?.row ?? null);
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
      <div className={room.room}>
        <RowsOrNone
          job={job}
          shown={shown}
          columns={columns}
          table={table}
          sorting={sorting}
          shownRow={isHere ? (open?.row ?? null) : null}
          onActiveRow={follow}
          onOpenRow={openRow}
          onCloseRow={close}
          onRowMenu={setMenu}
        />
        <RowPanel
          job={job}
          columns={columns}
          correspondences={shown.correspondences}
          row={open?.row ?? null}
          name={openData ? nameRow(openData, shown.identity) : ''}
          data={openData}
          rowCount={isHere ? rowCount : job.total_rows}
          focusKey={focusKey}
          onRow={step}
          onReview={review}
          onClose={close}
        />
      </div>
      <RowMenu
        place={menu}
        data={dataOf(menu?.row ?? null)}
        onClose={() => setMenu(null)}
        onOpen={openRow}
        onCopy={(row) => copyRow(peekRow(row), visible)}
        onSuppress={identifiers(menu?.row ?? null).length > 0 ? setSuppressed : null}
      />
      {suppressed !== null && (
        <SuppressDialog values={identifiers(suppressed)} onClose={() => setSuppressed(null)} />
      )}
    </>
  );
}
