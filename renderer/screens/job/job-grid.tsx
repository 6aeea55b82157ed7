// The grid of a list, before its start, while its job runs, and as its result: the own columns,
// what will be or was found next to them, and a side for what belongs to the state or to one row.
import { ActionIcon, Group, Skeleton } from '@mantine/core';
import {
  IconFilterOff,
  IconLayoutSidebarRightCollapse,
  IconLayoutSidebarRightExpand,
} from '@tabler/icons-react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSearch } from 'wouter';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import type { RowView } from '../../../engine/contract/jobs/row-view.ts';
import type { Corrections } from '../../../engine/contract/reading/reading.ts';
import { KeysButton } from '../../commands/keys-button.tsx';
import { ColourLegend } from '../../components/data-grid/colour-legend.tsx';
import { ColumnsMenu, ColumnsSwitch } from '../../components/data-grid/columns-menu.tsx';
import { DataGrid, type MenuPlace } from '../../components/data-grid/data-grid.tsx';
import type { GridEdit } from '../../components/data-grid/edit-cells.ts';
import { formatCell } from '../../components/data-grid/format-cell.ts';
import {
  type GridColumn,
  type GridTable,
  indexOfColumn,
  useGridColumns,
} from '../../components/data-grid/grid-columns.ts';
import type { GridSort } from '../../components/data-grid/grid-header.tsx';
import { HeadMore } from '../../components/data-grid/grid-row.tsx';
import type { InputColumn } from '../../components/data-grid/input-columns.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount } from '../../components/numbers.ts';
import run from '../../components/run.module.css';
import { SuppressDialog } from '../../components/suppress-button.tsx';
import { Note } from '../../components/text.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import room from './job.module.css';
import { type FieldOutlook, foundTones, type JobColumn, useJobColumns } from './job-columns.ts';
import { JobHead } from './job-head.tsx';
import { useJobRow, useJobRows, useJobView } from './job-rows.ts';
import type { ListRow, ListSource } from './list-source.ts';
import classes from './outcome-bar.module.css';
import { RowIcon } from './row-chip.tsx';
import { refusalOf, SearchField } from './row-filters.tsx';
import { RowMenu, RowMenuButton } from './row-menu.tsx';
import { listIdentifiers, RowPanel } from './row-panel.tsx';
import { nameView, viewOf } from './row-view.ts';

const noColumns: InputColumn[] = [];

/** What names the contact of a row; '' if its columns are empty. */
const nameRow = ({ input }: ListRow, identity: readonly (readonly number[])[]): string =>
  identity
    .map((columns) =>
      columns
        .map((column) => input[column] ?? '')
        .join(' ')
        .trim(),
    )
    .find((name) => name !== '') ?? '';

/** Pixels of the name in the head. */
const nameWidthPx = 160;
/** Characters of the widest row number, or of the header above it. */
const numberLengthOf = ({ rowCount }: ListSource) => Math.max(3, showCount(rowCount).length);
/** Pixels of what is always in the head: the number, and the icon once there is a job. */
const headWidthOf = (source: ListSource) => (source.job ? 48 : 24) + numberLengthOf(source) * 8;
/** A narrower grid is not scrolled by itself. */
const scrolledWidthMinPx = 480;

/** Returns the text, source and state of a row by column, and its fixed first cell. */
function useCells(
  source: ListSource,
  identity: readonly (readonly number[])[],
  columns: readonly JobColumn[],
) {
  const readCell = useCallback(
    (data: ListRow, column: number) => columns[column]?.read(data) ?? '',
    [columns],
  );
  const readTitle = useCallback(
    (data: ListRow, column: number) => columns[column]?.readTitle?.(data),
    [columns],
  );
  const readTone = useCallback(
    (data: ListRow, column: number) => columns[column]?.readTone?.(data),
    [columns],
  );
  const readLink = useCallback(
    (data: ListRow, column: number) => columns[column]?.readLink?.(data) ?? null,
    [columns],
  );
  const { job } = source;
  const numberWidth = `${numberLengthOf(source)}ch`;
  const runs = job !== null && !job.ready;
  const rowHead = useCallback(
    (row: number, data: ListRow | undefined) => {
      const name = data && nameRow(data, identity);
      return (
        <>
          <span className={run.rowNumber} style={{ minWidth: numberWidth }}>
            {showCount((data?.result?.row_index ?? row) + 1)}
          </span>
          {data && (data.result || runs) && <RowIcon result={data.result} />}
          {name && <HeadMore text={name} />}
        </>
      );
    },
    [runs, numberWidth, identity],
  );
  return { readCell, readTitle, readTone, readLink, rowHead };
}

function useSorting(
  { job }: ListSource,
  view: RowView,
  onView: (change: RowView) => void,
): GridSort {
  const refusal = job ? refusalOf(job) : 'Available when the list is enriched.';
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

function copyRow(data: ListRow | undefined, columns: readonly (JobColumn | undefined)[]): void {
  if (!data) return;
  const text = columns.map((column) => formatCell(column?.read(data) ?? '')).join('\t');
  navigator.clipboard.writeText(text).then(
    () => showSuccess('The row was copied.'),
    (error: unknown) => showFailure('Nothing was copied', error),
  );
}

interface ShownCountProps {
  job: StatusData;
  rowCount: number;
  isPending: boolean;
}

/** How many rows are shown, for readers of the screen too. */
function ShownCount({ job, rowCount, isPending }: ShownCountProps) {
  const all = countOf(job.total_rows, 'row');
  return (
    <Note role="status" className="numbers" flex="none">
      {isPending
        ? 'Searching…'
        : rowCount === job.total_rows
          ? all
          : `${showCount(rowCount)} of ${all}`}
    </Note>
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
  readonly source: ListSource;
  readonly shown: ReturnType<typeof useJobView>;
  readonly columns: readonly JobColumn[];
  readonly table: GridTable;
  readonly sorting: GridSort;
  readonly edit: GridEdit | undefined;
  /** The row whose details are open; null if the grid does not show it. */
  readonly shownRow: number | null;
  readonly onActiveRow: (row: number) => void;
  readonly onOpenRow?: (row: number) => void;
  readonly onCloseRow: () => void;
  readonly onRowMenu?: (place: MenuPlace) => void;
}

/** Found columns that are in sight at first, with the status of the row. */
const foundInSight = 2;

/** Scrolls to the first found columns, whose rows keep their names, if there is room. */
function scrollToFound(source: ListSource, table: GridTable, columns: readonly JobColumn[]): void {
  const grid = document.querySelector<HTMLElement>('[role=grid]');
  if (!grid || grid.clientWidth < scrolledWidthMinPx) return;
  const visible = table.getVisibleLeafColumns();
  const kindOf = (id: string) => columns[indexOfColumn(id)]?.kind;
  const firstOf = (kind: GridColumn['kind']) =>
    Math.max(
      0,
      visible.findIndex(({ id }) => kindOf(id) === kind),
    );
  const widthOf = (count: number) =>
    visible.slice(0, count).reduce((sum, column) => sum + column.getSize(), 0);
  const needed = headWidthOf(source) + widthOf(firstOf('found') + foundInSight) - grid.clientWidth;
  // The status, which comes first, stays next to the name.
  const most = widthOf(firstOf('plain') || firstOf('found')) - nameWidthPx;
  grid.scrollLeft = Math.max(0, Math.min(needed, most));
}

/** Has what a job fills in sight once it starts, is opened, or shows found columns alone. */
function useFoundInSight(names: readonly number[], ...shown: Parameters<typeof scrollToFound>) {
  const latest = useRef(shown);
  latest.current = shown;
  const [{ job }, table, columns] = shown;
  const isOwn = ({ id }: { id: string }) => columns[indexOfColumn(id)]?.kind === 'input';
  const isFoundOnly = table.getVisibleLeafColumns().filter(isOwn).length <= names.length;
  const shownAs = job ? `${job.job_id} ${isFoundOnly}` : undefined;
  useEffect(() => {
    if (shownAs !== undefined) scrollToFound(...latest.current);
  }, [shownAs]);
}

/** The rows themselves. They render alone while one scrolls. */
function Rows({ source, shown, columns, table, onRowMenu, ...others }: RowsProps) {
  const { view, rowCount, isPending, identity } = shown;
  const { error, ...rows } = useJobRows(source, view, rowCount);
  const cells = useCells(source, identity, columns);
  useFoundInSight(identity[0] ?? [], source, table, columns);
  const rowAction = useCallback(
    (row: number) => onRowMenu && <RowMenuButton row={row} onRowMenu={onRowMenu} />,
    [onRowMenu],
  );
  return (
    <>
      <ErrorPanel title="These rows could not be read" error={error} />
      <div className={`${room.gridSide} ${isPending ? classes.dimmed : ''}`} aria-busy={isPending}>
        <DataGrid
          label={`Rows of ${source.title}`}
          topKey={JSON.stringify(view)}
          table={table}
          columns={columns}
          rowCount={rowCount}
          rowAction={rowAction}
          headLabel="Row"
          headWidthPx={headWidthOf(source)}
          headMorePx={identity.length > 0 ? nameWidthPx : 0}
          {...(onRowMenu && { onRowMenu })}
          {...others}
          {...rows}
          {...cells}
        />
      </div>
    </>
  );
}

function RowsOrNone(props: RowsProps) {
  const { source, shown } = props;
  if (source.job && shown.rowCount === 0 && !shown.isPending)
    return <NoRows job={source.job} view={shown.view} />;
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
    openRow: useCallback(
      (row: number) => {
        setOpen({ view, row });
        setFocusKey((key) => key + 1);
      },
      [view],
    ),
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

const sideKey = 'desk-list-side';

/** Whether the side of a job is shown, which the browser remembers. */
function useKeptSide(): [boolean, () => void] {
  const [isOpen, setOpen] = useState(() => localStorage.getItem(sideKey) !== 'hidden');
  const toggle = () => {
    localStorage.setItem(sideKey, isOpen ? 'hidden' : 'shown');
    setOpen(!isOpen);
  };
  return [isOpen, toggle];
}

const SideButton = ({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) => (
  <ActionIcon
    variant="default"
    size={30}
    aria-label="Outcomes and filters"
    aria-expanded={isOpen}
    onClick={onToggle}
  >
    {isOpen ? (
      <IconLayoutSidebarRightCollapse size={16} aria-hidden />
    ) : (
      <IconLayoutSidebarRightExpand size={16} aria-hidden />
    )}
  </ActionIcon>
);

/** The grid with its search, its columns menu, the menu and the details of a row. */
export function ListGrid({
  source,
  view: wanted,
  onView,
  shownColumns,
  outlook,
  edit,
  facts,
  rail,
}: {
  source: ListSource;
  view: RowView;
  onView: (change: RowView) => void;
  /** Receives the visible columns, in their order, as an export names them. */
  shownColumns: RefObject<readonly string[]>;
  /** What is expected of the found fields before the start; null afterwards. */
  outlook: ReadonlyMap<string, FieldOutlook> | null;
  /** Writes cells of the caller; undefined after the start. */
  edit: ((cell: Corrections[number], row: ListRow | undefined) => void) | undefined;
  /** Above the grid before the start. */
  facts: ReactNode;
  /** At the side of the grid, while no row is open. */
  rail: ReactNode;
}) {
  const { job } = source;
  const [hasSide, toggleSide] = useKeptSide();
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [suppressed, setSuppressed] = useState<number | null>(null);
  const usable = useMemo(() => (job ? viewOf(job.status, wanted) : allRows), [job, wanted]);
  const shown = useJobView(source, usable);
  const { view, rowCount, isPending, peekRow, correspondences, ownColumns } = shown;
  const columns = useJobColumns(
    source,
    shown.inputColumns ?? noColumns,
    shown.foundWidths,
    correspondences,
    ownColumns,
    shown.filledFields,
    outlook,
  );
  const table = useGridColumns(columns, `list-${source.id}`);
  const sorting = useSorting(source, view, onView);
  const { open, focusKey, isHere, openRow, follow, step, review, close } = useOpenRow(view, onView);
  const openData = useJobRow(source, open?.view ?? view, open?.row ?? null);
  const dataOf = (row: number | null) => (row === null ? undefined : peekRow(row));
  const identifiers = (row: number | null) => listIdentifiers(dataOf(row)?.result ?? null);
  const visible = table.getVisibleLeafColumns().map(({ id }) => columns[indexOfColumn(id)]);
  useEffect(() => {
    shownColumns.current = visible.flatMap((column) => column?.exported ?? column?.sort ?? []);
  });
  const gridEdit = edit && {
    isEditable: (column: number) => columns[column]?.kind === 'input',
    onWrite: (row: number, column: number, value: string) =>
      edit({ row, column, value }, peekRow(row)),
  };
  return (
    <>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" miw={0} maw="100%" wrap={job ? 'nowrap' : 'wrap'}>
          {job ? (
            <>
              <SearchField job={job} view={wanted} isPending={isPending} onChange={onView} />
              <ShownCount job={job} rowCount={rowCount} isPending={isPending} />
            </>
          ) : (
            facts
          )}
        </Group>
        <Group gap="sm">
          <ColumnsSwitch table={table} columns={columns} names={shown.identity[0]} />
          <ColumnsMenu table={table} columns={columns} />
          {job && <ColourLegend tones={foundTones} />}
          <KeysButton />
          {job && <SideButton isOpen={hasSide} onToggle={toggleSide} />}
        </Group>
      </Group>
      {job && !job.ready && !hasSide && <JobHead job={job} />}
      <ErrorPanel title="These rows could not be read" error={shown.error} />
      <div className={room.room} data-draft={job ? undefined : true}>
        <RowsOrNone
          source={source}
          shown={shown}
          columns={columns}
          table={table}
          sorting={sorting}
          edit={gridEdit}
          shownRow={isHere ? (open?.row ?? null) : null}
          onActiveRow={follow}
          onCloseRow={close}
          {...(job && { onOpenRow: openRow, onRowMenu: setMenu })}
        />
        {job && (
          <RowPanel
            job={job}
            columns={columns}
            correspondences={correspondences}
            ownColumns={ownColumns}
            row={open?.row ?? null}
            name={openData ? nameRow(openData, shown.identity) : ''}
            data={openData}
            rowCount={isHere ? rowCount : job.total_rows}
            focusKey={focusKey}
            onRow={step}
            onReview={review}
            onClose={close}
          />
        )}
        {open === null && (!job || hasSide) && rail}
      </div>
      {job && (
        <RowMenu
          place={menu}
          data={dataOf(menu?.row ?? null)}
          onClose={() => setMenu(null)}
          onOpen={openRow}
          onCopy={(row) => copyRow(peekRow(row), visible)}
          onSuppress={identifiers(menu?.row ?? null).length > 0 ? setSuppressed : null}
        />
      )}
      {suppressed !== null && (
        <SuppressDialog values={identifiers(suppressed)} onClose={() => setSuppressed(null)} />
      )}
    </>
  );
}
