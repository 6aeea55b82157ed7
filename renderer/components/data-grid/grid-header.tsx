/**
 * The header of a data grid: the caller's columns grey, added ones indigo, resizable by dragging.
 */
import classes from './data-grid.module.css';
import type { GridTable } from './grid-columns.ts';
import type { PlacedColumn } from './grid-row.tsx';

export function GridHeader({
  table,
  placed,
  widthPx,
  headLabel,
  headWidthPx,
}: {
  table: GridTable;
  placed: readonly PlacedColumn[];
  widthPx: number;
  headLabel: string;
  headWidthPx: number;
}) {
  const headers = new Map(table.getFlatHeaders().map((header) => [header.column.id, header]));
  return (
    <div role="rowgroup" className={classes.header} style={{ width: widthPx }}>
      <div role="row" aria-rowindex={1} className={classes.headerRow}>
        <div
          role="columnheader"
          aria-colindex={1}
          className={classes.corner}
          style={{ width: headWidthPx }}
        >
          {headLabel}
        </div>
        {placed.map(({ id, place, left, width, label, kind }) => {
          const resize = headers.get(id)?.getResizeHandler();
          return (
            <div
              key={id}
              role="columnheader"
              aria-colindex={place + 2}
              className={classes.headerCell}
              data-kind={kind}
              style={{ left, width }}
              title={label}
              dir="auto"
            >
              {label}
              <span
                className={classes.resize}
                aria-hidden
                onMouseDown={resize}
                onTouchStart={resize}
                onDoubleClick={() => headers.get(id)?.column.resetSize()}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
