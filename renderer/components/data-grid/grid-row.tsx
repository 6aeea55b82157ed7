// One row of a data grid: its fixed head and the visible cells.
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import classes from './data-grid.module.css';
import type { CellEdit } from './edit-cells.ts';
import type { GridColumn } from './grid-columns.ts';

interface CellEditorProps {
  edit: CellEdit;
  label: string;
  text: string;
}

/** Enter, Tab and leaving the field write the text; Escape keeps the cell as it is. */
function CellEditor({ edit: { typed, onEnd }, label, text }: CellEditorProps) {
  const isOver = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    if (typed === null) field.current?.select();
  }, [typed]);
  const end = (written: string | null) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(written === text ? null : written);
  };
  return (
    <input
      className={classes.editor}
      aria-label={label}
      ref={field}
      defaultValue={typed ?? text}
      onBlur={(event) => end(event.currentTarget.value)}
      onPointerDown={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') end(null);
        if (event.key !== 'Enter' && event.key !== 'Tab') return;
        event.preventDefault();
        end(event.currentTarget.value);
      }}
    />
  );
}

/** A visible column: `place` counts displayed columns, `index` all columns. */
export interface PlacedColumn
  extends Pick<GridColumn, 'label' | 'kind' | 'sort' | 'note' | 'hint' | 'isPinned'> {
  readonly id: string;
  readonly place: number;
  readonly index: number;
  readonly left: number;
  readonly width: number;
  /** Left and width, as one object for all rows: React compares it at once. */
  readonly style: { readonly left: number | string; readonly width: number };
}

/** How a grid reads its rows. The functions must be stable while the columns are. */
export interface RowReaders<Row> {
  readonly readCell: (data: Row, column: number) => string;
  /** Returns a value's source, shown on hover. */
  readonly readTitle?: ((data: Row, column: number) => string | undefined) | undefined;
  /** Returns the state of a cell, which its colour shows and its title says. */
  readonly readTone?: ((data: Row, column: number) => string | undefined) | undefined;
  /** Returns the address that the text of a cell is a link to; null if it is none. */
  readonly readLink?: ((data: Row, column: number) => string | null) | undefined;
  /** Renders the fixed first cell, such as the row's number; `data` is undefined until loaded. */
  readonly rowHead: (row: number, data: Row | undefined) => ReactNode;
  /** Renders what the active row has in place of the end of its head. */
  readonly rowAction?: ((row: number) => ReactNode) | undefined;
}

export interface GridRowProps<Row> extends RowReaders<Row> {
  readonly gridId: string;
  readonly row: number;
  /** Pixels from the start of the block. */
  readonly topPx: number;
  /** The row is rendered again only if this changes. */
  readonly data: Row | undefined;
  readonly placed: readonly PlacedColumn[];
  readonly activeColumn: number | null;
  /** The first and the last selected column of the row; null if no more than one is. */
  readonly selected: readonly [first: number, last: number] | null;
  /** The cell of the row that is written now; null if none is. */
  readonly editing: CellEdit | null;
}

const isWithin = (range: readonly [number, number] | null, place: number): boolean =>
  range !== null && place >= range[0] && place <= range[1];

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** The direction of a text. Chromium takes longer to find it for each cell. */
const directionOf = (text: string): 'auto' | undefined =>
  rightToLeft.test(text) ? 'auto' : undefined;

/** Pixels that a character takes at most, in letters of Europe and in others, and those around. */
const characterPxMax = 11;
const wideCharacterPxMax = 18;
const cellPaddingPx = 20;
const wide = /[\u0250-\uffff]/;

/** Whether a text may be wider than its cell. */
const mayBeLong = (text: string, width: number): boolean =>
  text.length * characterPxMax + cellPaddingPx > width ||
  (wide.test(text) && text.length * wideCharacterPxMax + cellPaddingPx > width);

/** What a head shows only when the first columns are out of sight. */
export const HeadMore = ({ text }: { text: string }) => (
  <span className={classes.headMore} dir={directionOf(text)} title={text}>
    {text}
  </span>
);

/** The text of a cell, as a link to a page. It is not a stop of the Tab key: the grid is one. */
const CellLink = ({ href, text }: { href: string; text: string }) => (
  <a
    className={classes.link}
    href={href}
    target="_blank"
    rel="noreferrer"
    tabIndex={-1}
    // A click on the row opens the row.
    onClick={(event) => event.stopPropagation()}
    onDoubleClick={(event) => event.stopPropagation()}
    onPointerDown={(event) => event.stopPropagation()}
  >
    {text}
  </a>
);

const cellClass = `${classes.cell} ${classes.tone}`;

function Row<Data>(props: GridRowProps<Data>) {
  const { gridId, row, data, placed, activeColumn, readCell, readTitle, readTone } = props;
  const { selected, editing, readLink } = props;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-current={activeColumn !== null || undefined}
      data-row={row}
      className={classes.row}
      style={{ top: props.topPx }}
    >
      <div role="rowheader" aria-colindex={1} className={classes.rowHead}>
        {props.rowHead(row, data)}
        {activeColumn !== null && props.rowAction && (
          <span className={classes.rowAction}>{props.rowAction(row)}</span>
        )}
      </div>
      <div className={classes.cells} role="presentation">
        {placed.map(({ id, place, index, width, kind, style, label, isPinned }) => {
          const text = data === undefined ? undefined : readCell(data, index);
          const isActive = activeColumn === place;
          const href = data === undefined ? null : readLink?.(data, index);
          return (
            <div
              key={id}
              id={isActive ? `${gridId}-${row}-${place}` : undefined}
              role="gridcell"
              aria-colindex={place + 2}
              className={cellClass}
              data-kind={kind}
              data-pinned={isPinned || undefined}
              data-tone={data === undefined ? undefined : readTone?.(data, index)}
              data-long={(text && mayBeLong(text, width)) || undefined}
              data-place={place}
              data-active={isActive || undefined}
              data-selected={isWithin(selected, place) || undefined}
              aria-selected={isWithin(selected, place) || undefined}
              style={style}
              // Others get it when the pointer enters them.
              title={isActive && data !== undefined ? readTitle?.(data, index) : undefined}
              dir={text && directionOf(text)}
            >
              {editing?.place === place ? (
                <CellEditor edit={editing} label={`${label}, row ${row + 1}`} text={text ?? ''} />
              ) : text === undefined ? (
                <span className={classes.waiting} />
              ) : href ? (
                <CellLink href={href} text={text} />
              ) : (
                text
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** A row that is rendered again only if it or its place changes. */
export const GridRow = memo(Row) as typeof Row;
