// The cell of a grid that is written in place: which one, and how that begins and ends.
import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { ActiveCell } from './active-cell.ts';

export interface GridEdit {
  readonly isEditable: (column: number) => boolean;
  readonly onWrite: (row: number, column: number, text: string) => void;
}

export interface CellEdit {
  readonly row: number;
  readonly place: number;
  /** The typed character that began it, which replaces the text; null keeps the text. */
  readonly typed: string | null;
  readonly onEnd: (text: string | null) => void;
}

/** A character that begins writing. The keys of the page are left to it. */
const isTyped = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  [...key].length === 1 && !/[ /?]/.test(key) && !ctrlKey && !metaKey && !altKey;

/** @param indexOf the column at a place; undefined beyond the last one */
export function useCellEdit(
  edit: GridEdit | undefined,
  indexOf: (place: number) => number | undefined,
  scrollRef: RefObject<HTMLDivElement | null>,
) {
  const [editing, setEditing] = useState<CellEdit | null>(null);
  /** Returns whether the cell can be written. */
  const begin = (cell: ActiveCell | null, typed: string | null = null): boolean => {
    const index = cell && cell.row >= 0 ? indexOf(cell.column) : undefined;
    if (!edit || !cell || index === undefined || !edit.isEditable(index)) return false;
    setEditing({
      row: cell.row,
      place: cell.column,
      typed,
      onEnd(text) {
        setEditing(null);
        scrollRef.current?.focus();
        if (text !== null) edit.onWrite(cell.row, index, text);
      },
    });
    return true;
  };
  const onKey = (event: KeyboardEvent, cell: ActiveCell | null): boolean => {
    const begins = event.key === 'Enter' || event.key === 'F2' || isTyped(event);
    if (!begins || !begin(cell, isTyped(event) ? event.key : null)) return false;
    event.preventDefault();
    return true;
  };
  return { editing, begin, onKey };
}
