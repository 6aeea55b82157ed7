/** One row of a data grid: its fixed head and the visible cells. */
import { memo, type ReactNode } from 'react';
import classes from './data-grid.module.css';
import type { GridColumn } from './grid-columns.ts';

/** A visible column: `place` counts displayed columns, `index` all columns. */
export interface PlacedColumn extends Pick<GridColumn, 'label' | 'kind' | 'sort'> {
  readonly id: string;
  readonly place: number;
  readonly index: number;
  readonly left: number;
  readonly width: number;
}

export interface GridRowProps {
  readonly gridId: string;
  readonly row: number;
  readonly placed: readonly PlacedColumn[];
  readonly headWidthPx: number;
  readonly rowHead: (row: number) => ReactNode;
  readonly readCell: (row: number, column: number) => string | undefined;
  readonly readTitle?: (row: number, column: number) => string | undefined;
  readonly activeColumn: number | null;
  /** The first and the last selected column of the row; null if no more than one is. */
  readonly selected: readonly [first: number, last: number] | null;
  /** Renders what the active row has at the end of its head. */
  readonly rowAction?: ((row: number) => ReactNode) | undefined;
}

const isWithin = (range: readonly [number, number] | null, place: number): boolean =>
  range !== null && place >= range[0] && place <= range[1];

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { gridId, row, placed, activeColumn, readCell, readTitle, selected } = props;
  return (
    <div role="row" aria-rowindex={row + 2} data-row={row} className={classes.row}>
      <div
        role="rowheader"
        aria-colindex={1}
        className={classes.rowHead}
        style={{ width: props.headWidthPx }}
      >
        {props.rowHead(row)}
        {activeColumn !== null && props.rowAction?.(row)}
      </div>
      {placed.map(({ id, place, index, left, width, kind }) => {
        const text = readCell(row, index);
        return (
          <div
            key={id}
            id={`${gridId}-${row}-${place}`}
            role="gridcell"
            aria-colindex={place + 2}
            className={classes.cell}
            data-kind={kind}
            data-place={place}
            data-active={activeColumn === place || undefined}
            data-selected={isWithin(selected, place) || undefined}
            aria-selected={isWithin(selected, place) || undefined}
            style={{ left, width }}
            title={readTitle?.(row, index)}
            dir="auto"
          >
            {text === undefined ? <span className={classes.waiting} /> : text}
          </div>
        );
      })}
    </div>
  );
});
