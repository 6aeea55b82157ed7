/** A virtual grid for any number of rows and columns, with keyboard navigation. */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react';
import { type CellRange, useActiveCell } from './active-cell.ts';
import { copyRange } from './copy-cells.ts';
import classes from './data-grid.module.css';
import {
  type GridColumn,
  type GridTable,
  indexOfColumn,
  resizeColumn,
  stepColumn,
} from './grid-columns.ts';
import { clickHeader, GridHeader, type GridSort, pressHeader, sortNext } from './grid-header.tsx';
import { GridRow, type PlacedColumn } from './grid-row.tsx';
import { useTallRows } from './tall-rows.ts';

/** Where the menu of a row opens, in pixels of the window. */
export interface MenuPlace {
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

export interface DataGridProps {
  /** Accessible name. */
  readonly label: string;
  readonly table: GridTable;
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  /**
   * Returns the text of a cell; undefined while its row is loading. Must be stable until the rows
   * change.
   */
  readonly readCell: (row: number, column: number) => string | undefined;
  /** Returns a value's source, shown on hover. */
  readonly readTitle?: (row: number, column: number) => string | undefined;
  /** Renders the fixed first cell of a row, such as its number or status. */
  readonly rowHead: (row: number) => ReactNode;
  readonly headLabel: string;
  readonly headWidthPx: number;
  readonly heightPx?: number;
  readonly onOpenRow?: (row: number) => void;
  /** Called with the first and last visible row. */
  readonly onSight?: (first: number, last: number) => void;
  /** Loads rows to copy; with it, several cells can be selected, and a double click opens a row. */
  readonly loadCells?: (
    first: number,
    last: number,
  ) => Promise<(row: number, column: number) => string | undefined>;
  /** The order of the rows; with it, the header can be entered and sorts, resizes and moves. */
  readonly sorting?: GridSort;
  /** The grid goes to its first row whenever this changes. */
  readonly topKey?: string;
  /** Opens the menu of a row. */
  readonly onRowMenu?: (place: MenuPlace) => void;
  /** Renders what the active row has at the end of its head. */
  readonly rowAction?: (row: number) => ReactNode;
}

function usePlacedColumns(props: DataGridProps, scrollRef: React.RefObject<HTMLDivElement | null>) {
  const { table, columns, headWidthPx } = props;
  const visible = table.getVisibleLeafColumns();
  const widths = visible.map((column) => column.getSize());
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: visible.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) => widths[index] ?? 0,
    paddingStart: headWidthPx,
    scrollPaddingStart: headWidthPx,
    overscan: 3,
  });
  const key = `${headWidthPx}:${widths.join()}`;
  useEffect(() => {
    if (key) virtualizer.measure();
  }, [key, virtualizer]);
  const placed: PlacedColumn[] = virtualizer.getVirtualItems().flatMap((item) => {
    const column = visible[item.index];
    if (!column) return [];
    const index = indexOfColumn(column.id);
    const { label = '', kind = 'plain', sort } = columns[index] ?? {};
    return [
      {
        ...{ id: column.id, place: item.index, index, left: item.start, width: item.size },
        ...{ label, kind, sort },
      },
    ];
  });
  return { placed, visible, widthPx: virtualizer.getTotalSize(), virtualizer };
}

const stepOfKey: Readonly<Record<string, -1 | 1>> = { ArrowLeft: -1, ArrowRight: 1 };
const resizeStepPx = 16;

/** Handles a key of the header: Enter sorts, Shift and an arrow resize, Alt and an arrow move. */
function headerKeys(
  { table, columns, sorting }: DataGridProps,
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
function menuHandlers(props: DataGridProps, active: ReturnType<typeof useActiveCell>) {
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

/** Copies the selected cells, or the active one. */
function copyHandler(props: DataGridProps, range: CellRange | null) {
  const { table, readCell, loadCells } = props;
  return (event: ClipboardEvent) => {
    // A selection of text is copied as usual.
    if (!range || getSelection()?.isCollapsed === false) return;
    const ids = table.getVisibleLeafColumns().map(({ id }) => indexOfColumn(id));
    const placed =
      (read: DataGridProps['readCell']) =>
      (row: number, place: number): string | undefined =>
        read(row, ids[place] ?? 0);
    copyRange(event, range, {
      read: placed(readCell),
      load: loadCells && (async (first, last) => placed(await loadCells(first, last))),
    });
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

const idOfActive = (gridId: string, cell: { row: number; column: number } | null) => {
  if (!cell) return undefined;
  return cell.row < 0 ? `${gridId}-h-${cell.column}` : `${gridId}-${cell.row}-${cell.column}`;
};

/** The active cell of the grid and everything that acts on it. */
function useGridActions(
  props: DataGridProps,
  scrollRef: React.RefObject<HTMLDivElement | null>,
  rows: ReturnType<typeof useTallRows>,
  across: ReturnType<typeof usePlacedColumns>,
) {
  const showColumn = (column: number) => across.virtualizer.scrollToIndex(column);
  const active = useActiveCell({
    ...{ rowCount: props.rowCount, columnCount: across.visible.length, scrollRef },
    onShow: (row, column) => {
      if (row >= 0) rows.showRow(row);
      showColumn(column);
    },
    onOpenRow: props.onOpenRow,
    onHeaderKey: props.sorting
      ? headerKeys(props, (place) => {
          const column = Math.max(0, Math.min(place, across.visible.length - 1));
          active.select({ row: -1, column }, false);
          showColumn(column);
        })
      : undefined,
    isSelectable: props.loadCells !== undefined,
  });
  const { onMenuKey, onContextMenu } = menuHandlers(props, active);
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of a button in a row are its own.
    if (event.target !== event.currentTarget) return;
    if (!onMenuKey(event)) active.onKeyDown(event);
  };
  const onCopy = copyHandler(props, active.range);
  const onClick = (event: MouseEvent) => {
    clickHeader(props.sorting, event);
    active.onClick(event);
  };
  const onPointerDown = (event: PointerEvent) => {
    pressHeader(event);
    active.onPointerDown(event);
  };
  return { ...active, onKeyDown, onContextMenu, onCopy, onClick, onPointerDown };
}

/** Reports which rows are visible, and goes to the first row when `topKey` changes. */
function useSight({ onSight, topKey }: DataGridProps, rows: ReturnType<typeof useTallRows>) {
  const { showRow } = rows;
  useEffect(() => {
    if (topKey !== undefined) showRow(0);
  }, [topKey, showRow]);
  const first = rows.items[0]?.index ?? 0;
  const last = rows.items.at(-1)?.index ?? 0;
  useEffect(() => onSight?.(first, last), [onSight, first, last]);
}

export function DataGrid(props: DataGridProps) {
  const { rowCount, heightPx } = props;
  const gridId = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  const rows = useTallRows(scrollRef, rowCount);
  const across = usePlacedColumns(props, scrollRef);
  const active = useGridActions(props, scrollRef, rows, across);
  const selectedIn = useSelectedColumns(active.range);
  useSight(props, rows);
  return (
    <div
      ref={scrollRef}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={across.visible.length + 1}
      aria-activedescendant={idOfActive(gridId, active.cell)}
      aria-multiselectable={props.loadCells !== undefined || undefined}
      tabIndex={0}
      className={classes.grid}
      data-opens={props.onOpenRow !== undefined || undefined}
      data-selectable={props.loadCells !== undefined || undefined}
      style={heightPx ? { height: heightPx } : undefined}
      onKeyDown={active.onKeyDown}
      onFocus={active.onFocus}
      onClick={active.onClick}
      onDoubleClick={active.onDoubleClick}
      onPointerDown={active.onPointerDown}
      onPointerMove={active.onPointerMove}
      onContextMenu={active.onContextMenu}
      onCopy={active.onCopy}
    >
      <GridHeader
        {...props}
        gridId={gridId}
        placed={across.placed}
        widthPx={across.widthPx}
        activeColumn={active.cell?.row === -1 ? active.cell.column : null}
      />
      <div
        role="rowgroup"
        className={classes.body}
        style={{ height: rows.bodyPx, width: across.widthPx }}
      >
        <div ref={rows.blockRef} className={classes.block} role="presentation">
          {rows.items.map((item) => (
            <GridRow
              key={item.index}
              gridId={gridId}
              row={item.index}
              placed={across.placed}
              activeColumn={active.cell?.row === item.index ? active.cell.column : null}
              selected={selectedIn(item.index)}
              rowHead={props.rowHead}
              headWidthPx={props.headWidthPx}
              readCell={props.readCell}
              {...(props.readTitle ? { readTitle: props.readTitle } : {})}
              rowAction={props.rowAction}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
