/** The active cell of a grid, moved by arrows, Page Up and Down, Home, End and Enter. */
import { type KeyboardEvent, type MouseEvent, type RefObject, useState } from 'react';
import { rowHeightPx } from '../../preferences/density.ts';

/** A position in the grid; columns are counted as displayed. */
export interface ActiveCell {
  readonly row: number;
  readonly column: number;
}

interface Bounds {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly onShow: (row: number, column: number) => void;
  readonly onOpenRow?: (row: number) => void;
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
    PageUp: { row: row - pageRows, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? Number.POSITIVE_INFINITY : row, column: Number.POSITIVE_INFINITY },
  };
  return moves[event.key] ?? null;
}

/** The active cell and its keyboard handlers. */
export function useActiveCell(bounds: Bounds) {
  const { rowCount, columnCount, scrollRef, onShow, onOpenRow } = bounds;
  const [wanted, setCell] = useState<ActiveCell | null>(null);
  const cell = wanted && rowCount > 0 && columnCount > 0 ? clamp(wanted, bounds) : null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || rowCount === 0) return;
    const from = cell ?? { row: 0, column: 0 };
    if (event.key === 'Enter' && onOpenRow && cell) {
      event.preventDefault();
      return onOpenRow(cell.row);
    }
    const viewPx = scrollRef.current?.clientHeight ?? 0;
    const to = moveBy(event, from, Math.max(1, Math.floor(viewPx / rowHeightPx) - 2));
    if (!to) return;
    event.preventDefault();
    const next = clamp(to, bounds);
    setCell(next);
    onShow(next.row, next.column);
  };
  const onClick = ({ target }: MouseEvent) => {
    const row = (target as Element).closest<HTMLElement>('[data-row]')?.dataset.row;
    if (row === undefined) return;
    const place = (target as Element).closest<HTMLElement>('[data-place]')?.dataset.place;
    setCell({ row: Number(row), column: Number(place ?? 0) });
    onOpenRow?.(Number(row));
  };
  const onFocus = () => setCell((before) => before ?? { row: 0, column: 0 });
  return { cell, onKeyDown, onFocus, onClick };
}

function clamp({ row, column }: ActiveCell, { rowCount, columnCount }: Bounds): ActiveCell {
  return {
    row: Math.max(0, Math.min(row, rowCount - 1)),
    column: Math.max(0, Math.min(column, columnCount - 1)),
  };
}
