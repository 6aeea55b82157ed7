// A virtual grid for any number of rows and columns, with keyboard navigation.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { protectFormula } from '../../../engine/contract/exports/protect-formula.ts';
import { rowHeightPx } from '../../preferences/density.ts';
import { countOf, showCount } from '../numbers.ts';
import { showFailure, showSuccess } from '../toast.ts';
import { type CellRange, useActiveCell } from './active-cell.ts';
import { useColumnsInSight } from './columns-in-sight.ts';
import classes from './data-grid.module.css';
import { type GridEdit, useCellEdit } from './edit-cells.ts';
import { formatCell } from './format-cell.ts';
import {
  type GridColumn,
  type GridTable,
  indexOfColumn,
  moveColumn,
  resizeColumn,
  stepColumn,
} from './grid-columns.ts';
import { clickHeader, GridHeader, type GridSort, pressHeader, sortNext } from './grid-header.tsx';
import { GridRow, type PlacedColumn, type RowReaders } from './grid-row.tsx';
import { useTallRows } from './tall-rows.ts';

/** Pixels after which a press is a drag, so that a click still sorts. */
const startPx = 5;
/** Pixels from an edge of the grid where a drag scrolls, and by how many. */
const edgePx = 48;
const scrollStepPx = 16;

function scrollAtEdge(grid: HTMLElement, x: number): void {
  const { left, right } = grid.getBoundingClientRect();
  if (x > right - edgePx) grid.scrollLeft += scrollStepPx;
  else if (x < left + edgePx) grid.scrollLeft -= scrollStepPx;
}

/** The other title under the pointer, and the side of it where the column will be. */
function findTarget(header: HTMLElement, x: number) {
  const titles = header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [];
  const target = [...titles].find((title) => {
    const { left, right } = title.getBoundingClientRect();
    return x >= left && x < right;
  });
  if (!target || target === header) return null;
  const isRight = target.getBoundingClientRect().left > header.getBoundingClientRect().left;
  return { target, side: isRight ? 'after' : 'before' };
}

/** @param onDrop receives the moved column and the one whose place it takes */
function dragColumn(event: PointerEvent, onDrop: (id: string, toId: string) => void): void {
  const pressed = event.target as Element;
  const header = pressed.closest<HTMLElement>('[data-column]');
  const grid = pressed.closest<HTMLElement>('[role=grid]');
  // A finger scrolls, and the edge of a title resizes.
  const isDrag = event.button === 0 && event.pointerType !== 'touch';
  if (!header || !grid || !isDrag || pressed.closest('[data-edge]')) return;
  const ended = new AbortController();
  let found: ReturnType<typeof findTarget> = null;
  const mark = (next: typeof found) => {
    if (found) delete found.target.dataset.drop;
    if (next) next.target.dataset.drop = next.side;
    found = next;
  };
  const move = ({ clientX }: { clientX: number }) => {
    if (header.dataset.dragged === undefined && Math.abs(clientX - event.clientX) < startPx) return;
    header.dataset.dragged = '';
    grid.dataset.moving = '';
    scrollAtEdge(grid, clientX);
    mark(findTarget(header, clientX));
  };
  const end = () => {
    ended.abort();
    mark(null);
    delete grid.dataset.moving;
  };
  const drop = () => {
    const [id, toId] = [header.dataset.column, found?.target.dataset.column];
    end();
    if (id !== undefined && toId !== undefined) onDrop(id, toId);
  };
  const { signal } = ended;
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', drop, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
}

/** Rows that are copied at once; more are saved as a file. */
const copiedRowsMax = 10_000;

/** Reads a cell; undefined while its row is not loaded. Columns are counted as displayed. */
type ReadPlacedCell = (row: number, place: number) => string | undefined;

/** The text of a range; null if a row is not loaded. */
function writeRange(range: CellRange, read: ReadPlacedCell): string | null {
  const lines: string[] = [];
  const isOne = range.firstRow === range.lastRow && range.firstColumn === range.lastColumn;
  for (let row = range.firstRow; row <= range.lastRow; row += 1) {
    const cells: string[] = [];
    for (let column = range.firstColumn; column <= range.lastColumn; column += 1) {
      const text = read(row, column);
      if (text === undefined) return null;
      // A single value is mostly pasted into a text.
      cells.push(isOne ? protectFormula(text) : formatCell(text));
    }
    lines.push(cells.join('\t'));
  }
  return lines.join('\n');
}

function describeCopy({ firstRow, lastRow, firstColumn, lastColumn }: CellRange): string {
  const cells = (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1);
  return cells === 1 ? 'The cell was copied.' : `${countOf(cells, 'cell')} were copied.`;
}

interface CopySource {
  readonly read: ReadPlacedCell;
  /** Loads rows; returns how their cells are read. */
  readonly load?: ((first: number, last: number) => Promise<ReadPlacedCell>) | undefined;
}

/** Answers the copy command of the browser. Cells whose rows are not loaded are copied later. */
function copyRange(event: ClipboardEvent, range: CellRange, { read, load }: CopySource) {
  const rows = range.lastRow - range.firstRow + 1;
  event.preventDefault();
  if (rows > copiedRowsMax) {
    const most = showCount(copiedRowsMax);
    showFailure(
      'Nothing was copied',
      new Error(
        `At most ${most} rows can be copied at once. Select fewer, or save them as a file.`,
      ),
    );
    return;
  }
  const text = writeRange(range, read);
  if (text !== null) {
    event.clipboardData.setData('text/plain', text);
    showSuccess(describeCopy(range));
    return;
  }
  void load?.(range.firstRow, range.lastRow)
    .then((readLoaded) => navigator.clipboard.writeText(writeRange(range, readLoaded) ?? ''))
    .then(
      () => showSuccess(describeCopy(range)),
      (error: unknown) => showFailure('Nothing was copied', error),
    );
}

/** Where the menu of a row opens, in pixels of the window. */
export interface MenuPlace {
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

export interface DataGridProps<Row> extends RowReaders<Row> {
  readonly label: string;
  readonly table: GridTable;
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  /** Returns a row; undefined while it is loading. A row that stays the same is not rendered. */
  readonly readRow: (row: number) => Row | undefined;
  readonly headLabel: string;
  readonly headWidthPx: number;
  readonly heightPx?: number;
  readonly onOpenRow?: (row: number) => void;
  /** The row whose details are shown elsewhere: it is active. Null if there is none. */
  readonly shownRow?: number | null;
  readonly onActiveRow?: (row: number) => void;
  /** Closes the details of the row, by Escape. */
  readonly onCloseRow?: () => void;
  /** Called with the first and last row that is shown. */
  readonly onSight?: (first: number, last: number) => void;
  /** Loads rows to copy; with it, several cells can be selected, and a double click opens a row. */
  readonly loadRows?: (first: number, last: number) => Promise<(row: number) => Row | undefined>;
  /** The order of the rows; with it, the header can be entered and sorts, resizes and moves. */
  readonly sorting?: GridSort;
  /** The grid goes to its first row whenever this changes. */
  readonly topKey?: string;
  /** The cells that can be written; a double click or Enter then begins it. */
  readonly edit?: GridEdit | undefined;
  /** Pixels of the head's part that is shown only when the first columns are out of sight. */
  readonly headMorePx?: number;
  readonly onRowMenu?: (place: MenuPlace) => void;
}

const stepOfKey: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };
const resizeStepPx = 16;

/** Handles a key of the header: Enter sorts, Shift and an arrow resize, Alt and an arrow move. */
function headerKeys<Row>(
  { table, columns, sorting }: DataGridProps<Row>,
  onMoved: (place: number) => void,
): (event: KeyboardEvent, place: number) => boolean {
  return (event, place) => {
    const id = table.getVisibleLeafColumns()[place]?.id;
    const step = stepOfKey[event.key];
    if (id === undefined) return false;
    const sort = columns[indexOfColumn(id)]?.sort;
    if (event.key === 'Enter') {
      if (sorting && sort !== undefined) sortNext(sorting, sort);
      return true;
    }
    if (step === undefined || (!event.shiftKey && !event.altKey)) return false;
    if (event.shiftKey) resizeColumn(table, id, step * resizeStepPx);
    else {
      stepColumn(table, id, step);
      onMoved(place + step);
    }
    return true;
  };
}

/** Opens the menu of a row by its key, or by the second button of the pointer. */
function menuHandlers<Row>(props: DataGridProps<Row>, active: ReturnType<typeof useActiveCell>) {
  const { onRowMenu } = props;
  const onMenuKey = (event: KeyboardEvent): boolean => {
    const isMenu = event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10');
    if (!onRowMenu || !isMenu || !active.cell || active.cell.row < 0) return false;
    event.preventDefault();
    const row = event.currentTarget.querySelector(`[data-row="${active.cell.row}"]`);
    const box = (row ?? event.currentTarget).getBoundingClientRect();
    onRowMenu({ row: active.cell.row, x: Math.max(0, box.left) + 80, y: box.bottom });
    return true;
  };
  const onContextMenu = (event: MouseEvent) => {
    const row = (event.target as Element).closest<HTMLElement>('[data-row]')?.dataset.row;
    // The key of the menu is handled above.
    if (!onRowMenu || row === undefined || event.button !== 2) return;
    event.preventDefault();
    const place = (event.target as Element).closest<HTMLElement>('[data-place]')?.dataset.place;
    active.select({ row: Number(row), column: Number(place ?? 0) }, false);
    onRowMenu({ row: Number(row), x: event.clientX, y: event.clientY });
  };
  return { onMenuKey, onContextMenu };
}

function copyHandler<Row>(props: DataGridProps<Row>, range: CellRange | null) {
  const { table, readRow, readCell, loadRows } = props;
  return (event: ClipboardEvent) => {
    // A selection of text is copied as usual.
    if (!range || getSelection()?.isCollapsed === false) return;
    const ids = table.getVisibleLeafColumns().map(({ id }) => indexOfColumn(id));
    const placed =
      (read: typeof readRow) =>
      (row: number, place: number): string | undefined => {
        const data = read(row);
        return data === undefined ? undefined : readCell(data, ids[place] ?? 0);
      };
    copyRange(event, range, {
      read: placed(readRow),
      load: loadRows && (async (first, last) => placed(await loadRows(first, last))),
    });
  };
}

/** Gives a cell its title when the pointer enters it: most titles are never read. */
function titleHandler<Row>({ table, readRow, readTitle }: DataGridProps<Row>) {
  return ({ target }: PointerEvent) => {
    const cell = (target as Element).closest<HTMLElement>('[role=gridcell]');
    const row = Number(cell?.closest<HTMLElement>('[data-row]')?.dataset.row);
    const column = table.getVisibleLeafColumns()[Number(cell?.dataset.place)];
    const data = column && readRow(row);
    if (cell && data !== undefined)
      cell.title = readTitle?.(data, indexOfColumn(column?.id ?? '')) ?? '';
  };
}

const selectedOf = (range: CellRange | null, row: number): readonly [number, number] | null => {
  if (!range || row < range.firstRow || row > range.lastRow) return null;
  const isOne = range.firstRow === range.lastRow && range.firstColumn === range.lastColumn;
  return isOne ? null : [range.firstColumn, range.lastColumn];
};

/** The same array while the selection of a row does not change, so that the row is not rendered. */
function useSelectedColumns(range: CellRange | null) {
  const { firstColumn, lastColumn } = range ?? { firstColumn: 0, lastColumn: 0 };
  const columns = useMemo(() => [firstColumn, lastColumn] as const, [firstColumn, lastColumn]);
  return (row: number) => (selectedOf(range, row) ? columns : null);
}

/** The id of the active cell, if it is among the rendered ones. */
const idOfActive = (
  gridId: string,
  cell: { row: number; column: number } | null,
  { first, count }: ReturnType<typeof useTallRows>,
  placed: readonly PlacedColumn[],
) => {
  const isRendered =
    cell !== null &&
    (cell.row < 0 || (cell.row >= first && cell.row < first + count)) &&
    placed.some(({ place }) => place === cell.column);
  if (!isRendered) return undefined;
  return cell.row < 0 ? `${gridId}-h-${cell.column}` : `${gridId}-${cell.row}-${cell.column}`;
};

function useGridActions<Row>(
  props: DataGridProps<Row>,
  scrollRef: React.RefObject<HTMLDivElement | null>,
  rows: ReturnType<typeof useTallRows>,
  across: ReturnType<typeof useColumnsInSight>,
) {
  const { showColumn } = across;
  const indexOf = (place: number) => {
    const id = props.table.getVisibleLeafColumns()[place]?.id;
    return id === undefined ? undefined : indexOfColumn(id);
  };
  const { editing, begin, onKey } = useCellEdit(props.edit, indexOf, scrollRef);
  const active = useActiveCell({
    rowCount: props.rowCount,
    columnCount: across.visibleCount,
    scrollRef,
    onShow: (row, column) => {
      if (row >= 0) rows.showRow(row);
      showColumn(column);
    },
    onOpenRow: props.onOpenRow,
    onHeaderKey: props.sorting
      ? headerKeys(props, (place) => {
          const column = Math.max(0, Math.min(place, across.visibleCount - 1));
          active.select({ row: -1, column }, false);
          showColumn(column);
        })
      : undefined,
    isSelectable: props.loadRows !== undefined,
  });
  const { onMenuKey, onContextMenu } = menuHandlers(props, active);
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of a button in a row are its own.
    if (event.target !== event.currentTarget) return;
    if (!onMenuKey(event) && !onKey(event, active.cell)) active.onKeyDown(event);
    if (event.key === 'Escape' && !event.defaultPrevented) props.onCloseRow?.();
  };
  const onCopy = copyHandler(props, active.range);
  const onPointerOver = titleHandler(props);
  const onClick = (event: MouseEvent) => {
    clickHeader(props.sorting, event);
    active.onClick(event);
  };
  const onPointerDown = (event: PointerEvent) => {
    pressHeader(event);
    if (props.sorting) dragColumn(event, (id, toId) => moveColumn(props.table, id, toId));
    active.onPointerDown(event);
  };
  const handlers = { onKeyDown, onContextMenu, onCopy, onClick, onPointerDown, onPointerOver };
  const { onFocus, onPointerMove } = active;
  const onDoubleClick = (event: MouseEvent) => {
    if (!begin(active.cell)) active.onDoubleClick(event);
  };
  return {
    editing,
    cell: active.cell,
    range: active.range,
    select: active.select,
    handlers: { ...handlers, onFocus, onDoubleClick, onPointerMove },
  };
}

/** Reports which rows are shown, and goes to the first row when `topKey` changes. */
function useSight<Row>(
  { onSight, topKey }: DataGridProps<Row>,
  { showRow, first, count }: ReturnType<typeof useTallRows>,
) {
  useEffect(() => {
    if (topKey !== undefined) showRow(0);
  }, [topKey, showRow]);
  // Before the next frame, so that the rows are asked for as early as possible.
  useLayoutEffect(() => {
    if (count > 0) onSight?.(first, first + count - 1);
  }, [onSight, first, count]);
}

/** Keeps the active row and the one whose details are shown the same, whichever moves. */
function useShownRow<Row>(
  { shownRow = null, onActiveRow }: DataGridProps<Row>,
  { cell, select }: ReturnType<typeof useGridActions>,
  { showRow }: ReturnType<typeof useTallRows>,
) {
  const active = cell && cell.row >= 0 ? cell.row : null;
  const column = cell?.column ?? 0;
  const latest = useRef({ active, column, onActiveRow });
  latest.current = { active, column, onActiveRow };
  useEffect(() => {
    if (shownRow === null || shownRow === latest.current.active) return;
    select({ row: shownRow, column: latest.current.column }, false);
    showRow(shownRow);
  }, [shownRow, select, showRow]);
  useEffect(() => {
    if (active !== null) latest.current.onActiveRow?.(active);
  }, [active]);
}

/** The rows of the window. A row that leaves it at one end gives its elements to another one. */
function GridRows<Row>({
  props,
  gridId,
  rows: { first, count, origin, isResting },
  placed,
  active: { cell, range, editing },
}: {
  props: DataGridProps<Row>;
  gridId: string;
  rows: ReturnType<typeof useTallRows>;
  placed: readonly PlacedColumn[];
  active: ReturnType<typeof useGridActions>;
}) {
  const selectedIn = useSelectedColumns(range);
  const { readRow, readCell, readTitle, readTone, readLink, rowHead, rowAction } = props;
  // Moved elements cost as much as new ones, so they are in the order of the rows only at rest.
  const turn = isResting ? 0 : count - (first % count);
  const shown = Array.from({ length: count }, (_row, at) => first + ((at + turn) % count));
  return shown.map((row) => (
    <GridRow
      key={row % count}
      topPx={(row - origin) * rowHeightPx}
      data={readRow(row)}
      activeColumn={cell?.row === row ? cell.column : null}
      selected={selectedIn(row)}
      gridId={gridId}
      row={row}
      placed={placed}
      readCell={readCell}
      readTitle={readTitle}
      readTone={readTone}
      readLink={readLink}
      editing={editing?.row === row ? editing : null}
      rowHead={rowHead}
      rowAction={rowAction}
    />
  ));
}

export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { rowCount, heightPx, table, columns, headWidthPx, headMorePx = 0 } = props;
  const gridId = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  // The columns first: their handler of a scroll must not wait for the layout of new rows.
  const across = useColumnsInSight(table, columns, { headWidthPx, headMorePx }, scrollRef);
  const rows = useTallRows(scrollRef, rowCount);
  const active = useGridActions(props, scrollRef, rows, across);
  useSight(props, rows);
  useShownRow(props, active, rows);
  const { placed, widthPx } = across;
  return (
    <div
      ref={scrollRef}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={across.visibleCount + 1}
      aria-activedescendant={idOfActive(gridId, active.cell, rows, placed)}
      aria-multiselectable={props.loadRows !== undefined || undefined}
      tabIndex={0}
      className={classes.grid}
      data-named={headMorePx > 0 || undefined}
      data-opens={props.onOpenRow !== undefined || undefined}
      data-selectable={props.loadRows !== undefined || undefined}
      style={
        {
          height: heightPx,
          '--grid-head': `${headWidthPx}px`,
          '--grid-head-more': `${headMorePx}px`,
        } as React.CSSProperties
      }
      {...active.handlers}
    >
      <GridHeader
        gridId={gridId}
        table={table}
        placed={placed}
        widthPx={widthPx}
        headLabel={props.headLabel}
        sorting={props.sorting}
        activeColumn={active.cell?.row === -1 ? active.cell.column : null}
      />
      <div role="rowgroup" className={classes.body} style={{ height: rows.bodyPx, width: widthPx }}>
        <div ref={rows.blockRef} className={classes.block} role="presentation">
          <GridRows props={props} gridId={gridId} rows={rows} placed={placed} active={active} />
        </div>
      </div>
    </div>
  );
}
