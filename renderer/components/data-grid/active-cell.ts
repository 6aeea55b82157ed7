// The active cell of a grid and the selection around it, moved by keys and the pointer. Grids
// without a header of their own have rows alone; in the others, row -1 is the header.
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useState,
} from 'react';
import { rowHeightPx } from '../../preferences/density.ts';

/** A position in the grid; columns are counted as displayed. */
export interface ActiveCell {
  readonly row: number;
  readonly column: number;
}

/** A rectangle of cells, both ends included. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

interface Bounds {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly onShow: (row: number, column: number) => void;
  readonly onOpenRow?: ((row: number) => void) | undefined;
  /** Keys of a header that has the active cell; omitted if the header cannot be entered. */
  readonly onHeaderKey?: ((event: KeyboardEvent, column: number) => boolean) | undefined;
  /** Whether several cells can be selected. Then a click selects, and a double click opens. */
  readonly isSelectable: boolean;
}

/** Returns the cell that a key leads to; null if the key does not move. */
function moveBy(event: KeyboardEvent, from: ActiveCell, pageRows: number): ActiveCell | null {
  const { row, column } = from;
  const far = event.ctrlKey || event.metaKey;
  const moves: Record<string, ActiveCell> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + pageRows, column },
    PageUp: { row: Math.max(0, row - pageRows), column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? Number.POSITIVE_INFINITY : row, column: Number.POSITIVE_INFINITY },
  };
  return moves[event.key] ?? null;
}

function clamp(
  { row, column }: ActiveCell,
  { rowCount, columnCount, onHeaderKey }: Bounds,
): ActiveCell {
  return {
    row: Math.max(onHeaderKey ? -1 : 0, Math.min(row, rowCount - 1)),
    column: Math.max(0, Math.min(column, columnCount - 1)),
  };
}

/** The cell under the pointer; column 0 in the head of a row; null outside the rows. */
function findCell({ target }: { target: EventTarget }): ActiveCell | null {
  const element = target as Element;
  const row = element.closest<HTMLElement>('[data-row]')?.dataset.row;
  if (row === undefined) return null;
  const place = element.closest<HTMLElement>('[data-place]')?.dataset.place;
  return { row: Number(row), column: Number(place ?? 0) };
}

const isInHead = ({ target }: { target: EventTarget }): boolean =>
  (target as Element).closest('[role=rowheader]') !== null;

const rangeOf = (a: ActiveCell, b: ActiveCell): CellRange => ({
  firstRow: Math.max(0, Math.min(a.row, b.row)),
  lastRow: Math.max(a.row, b.row),
  firstColumn: Math.min(a.column, b.column),
  lastColumn: Math.max(a.column, b.column),
});

function pointerHandlers(
  { isSelectable, onOpenRow }: Bounds,
  select: (to: ActiveCell, keepsAnchor: boolean) => void,
) {
  const onPointerDown = (event: PointerEvent) => {
    const cell = event.button === 0 ? findCell(event) : null;
    if (!isSelectable || !cell || isInHead(event)) return;
    select(cell, event.shiftKey);
  };
  const onPointerMove = (event: PointerEvent) => {
    const cell = isSelectable && event.buttons === 1 ? findCell(event) : null;
    if (!cell || isInHead(event)) return;
    // The pointer selects cells, not their text.
    getSelection()?.removeAllRanges();
    select(cell, true);
  };
  const onClick = (event: MouseEvent) => {
    const cell = findCell(event);
    if (!cell || (isSelectable && !isInHead(event))) return;
    select(cell, false);
    onOpenRow?.(cell.row);
  };
  const onDoubleClick = (event: MouseEvent) => {
    const cell = isSelectable && !isInHead(event) ? findCell(event) : null;
    if (cell) onOpenRow?.(cell.row);
  };
  return { onPointerDown, onPointerMove, onClick, onDoubleClick };
}

export function useActiveCell(bounds: Bounds) {
  const { rowCount, columnCount, scrollRef, onShow, onOpenRow, onHeaderKey, isSelectable } = bounds;
  const [wanted, setCell] = useState<ActiveCell | null>(null);
  const [anchor, setAnchor] = useState<ActiveCell | null>(null);
  const isEmpty = rowCount === 0 || columnCount === 0;
  const cell = wanted && !isEmpty ? clamp(wanted, bounds) : null;
  const from = anchor && clamp(anchor, bounds);
  const range = cell && cell.row >= 0 ? rangeOf(isSelectable && from ? from : cell, cell) : null;
  const isWide =
    range !== null && (range.firstRow !== range.lastRow || range.firstColumn !== range.lastColumn);
  const select = useCallback((to: ActiveCell, keepsAnchor: boolean) => {
    setAnchor((before) => (keepsAnchor ? (before ?? to) : to));
    setCell((before) => (before?.row === to.row && before.column === to.column ? before : to));
  }, []);
  const selectAll = () => {
    setAnchor({ row: 0, column: 0 });
    setCell({ row: rowCount - 1, column: columnCount - 1 });
  };
  const onSelectionKey = (event: KeyboardEvent): boolean => {
    if (!isSelectable || !cell) return false;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') selectAll();
    else if (event.key === 'Escape' && isWide) setAnchor(cell);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (rowCount === 0) return;
    if (cell?.row === -1 && onHeaderKey?.(event, cell.column)) return event.preventDefault();
    if (event.altKey) return;
    if (onSelectionKey(event)) return event.preventDefault();
    if (event.key === 'Enter' && onOpenRow && cell && cell.row >= 0) {
      event.preventDefault();
      return onOpenRow(cell.row);
    }
    const viewPx = scrollRef.current?.clientHeight ?? 0;
    const pageRows = Math.max(1, Math.floor(viewPx / rowHeightPx) - 2);
    const to = moveBy(event, cell ?? { row: 0, column: 0 }, pageRows);
    if (!to) return;
    event.preventDefault();
    const next = clamp(to, bounds);
    const extends_ = event.shiftKey && isSelectable;
    select(extends_ ? { ...next, row: Math.max(0, next.row) } : next, extends_);
    onShow(next.row, next.column);
  };
  const onFocus = () => setCell((before) => before ?? { row: 0, column: 0 });
  return { cell, range, select, onKeyDown, onFocus, ...pointerHandlers(bounds, select) };
}
