// The header of a data grid: the caller's columns grey, added ones indigo; resized by dragging,
// and sorted by a click and moved by dragging where the grid can be sorted.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type MouseEvent, memo } from 'react';
import classes from './data-grid.module.css';
import type { GridTable } from './grid-columns.ts';
import type { PlacedColumn } from './grid-row.tsx';

export interface GridSort {
  /** `sort` of the column; undefined in the order of the list. */
  readonly by: string | undefined;
  readonly direction: 'asc' | 'desc';
  /** Why it cannot be sorted now; null if it can. */
  readonly refusal: string | null;
  /** Sorts by a column, or in the order of the list. */
  readonly onSort: (by: string | undefined, direction: 'asc' | 'desc') => void;
}

/** Sorts ascending, then descending, then in the order of the list. */
export function sortNext({ by, direction, refusal, onSort }: GridSort, column: string): void {
  if (refusal !== null) return;
  if (by !== column) onSort(column, 'asc');
  else if (direction === 'asc') onSort(column, 'desc');
  else onSort(undefined, 'asc');
}

const headerOf = ({ target }: { target: EventTarget }) =>
  (target as Element).closest<HTMLElement>('[role=columnheader]');

/** Forgets a drag of the title or its edge when the next press begins. */
export function pressHeader(event: { target: EventTarget }): void {
  delete headerOf(event)?.dataset.dragged;
}

/** Sorts by the header that was clicked, unless the click ended a drag. */
export function clickHeader(sorting: GridSort | undefined, event: { target: EventTarget }): void {
  const header = headerOf(event);
  const column = header?.dataset.sort;
  if (sorting && column !== undefined && header?.dataset.dragged === undefined)
    sortNext(sorting, column);
}

const sortWords = { asc: 'ascending', desc: 'descending' } as const;

interface GridHeaderProps {
  readonly gridId: string;
  readonly table: GridTable;
  readonly placed: readonly PlacedColumn[];
  readonly widthPx: number;
  readonly headLabel: string;
  readonly sorting?: GridSort | undefined;
  readonly activeColumn: number | null;
}

interface SortedLabelProps {
  label: string;
  note: string | undefined;
  isSorted: boolean;
  direction: 'asc' | 'desc' | undefined;
}

function SortedLabel({ label, note, isSorted, direction }: SortedLabelProps) {
  const Icon = direction === 'desc' ? IconArrowDown : IconArrowUp;
  return (
    <>
      <span className={classes.headerLabel}>{label}</span>
      {note && <span className={classes.headerNote}>{note}</span>}
      {isSorted && <Icon size={13} stroke={2.4} aria-hidden className={classes.sortIcon} />}
    </>
  );
}

function Header(props: GridHeaderProps) {
  const { gridId, table, placed, widthPx, headLabel, sorting, activeColumn } = props;
  const headers = new Map(table.getFlatHeaders().map((header) => [header.column.id, header]));
  return (
    <div role="rowgroup" className={classes.header} style={{ width: widthPx }}>
      <div role="row" aria-rowindex={1} className={classes.headerRow}>
        <div role="columnheader" aria-colindex={1} className={classes.corner}>
          {headLabel}
        </div>
        <div className={classes.cells} role="presentation">
          {placed.map(({ id, place, style, label, kind, sort, note, hint, isPinned }) => {
            const resize = headers.get(id)?.getResizeHandler();
            const isSorted = sort !== undefined && sorting?.by === sort;
            const canSort = sorting && sort !== undefined;
            return (
              <div
                key={id}
                id={`${gridId}-h-${place}`}
                role="columnheader"
                aria-colindex={place + 2}
                aria-sort={isSorted ? sortWords[sorting?.direction ?? 'asc'] : undefined}
                className={classes.headerCell}
                data-kind={kind}
                data-pinned={isPinned || undefined}
                data-column={sorting ? id : undefined}
                data-sort={sort}
                data-sortable={(canSort && sorting.refusal === null) || undefined}
                data-active={activeColumn === place || undefined}
                style={style}
                title={
                  hint ??
                  (canSort && sorting.refusal !== null ? `${label}. ${sorting.refusal}` : label)
                }
                dir="auto"
              >
                <SortedLabel
                  label={label}
                  note={note}
                  isSorted={isSorted}
                  direction={sorting?.direction}
                />
                <span
                  className={classes.resize}
                  data-edge=""
                  aria-hidden
                  onMouseDown={(event: MouseEvent<HTMLElement>) => {
                    // A drag that ends over the header is followed by a click on it.
                    const header = event.currentTarget.parentElement;
                    if (header) header.dataset.dragged = '';
                    resize?.(event);
                  }}
                  onTouchStart={resize}
                  onDoubleClick={() => headers.get(id)?.column.resetSize()}
                />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** The header; what it shows of the table is in `placed`. */
export const GridHeader = memo(Header);
