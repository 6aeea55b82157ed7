/** A virtual grid for any number of rows and columns, with keyboard navigation. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ClipboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { showSuccess } from '../toast.ts';
import { useActiveCell } from './active-cell.ts';
import classes from './data-grid.module.css';
import { type GridColumn, type GridTable, indexOfColumn } from './grid-columns.ts';
import { GridHeader } from './grid-header.tsx';
import { GridRow, type PlacedColumn } from './grid-row.tsx';
import { useTallRows } from './tall-rows.ts';

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
    const { label = '', kind = 'plain' } = columns[index] ?? {};
    return [
      { id: column.id, place: item.index, index, left: item.start, width: item.size, label, kind },
    ];
  });
  return { placed, count: visible.length, widthPx: virtualizer.getTotalSize(), virtualizer };
}

export function DataGrid(props: DataGridProps) {
  const { rowCount, onSight, heightPx } = props;
  const gridId = useId();
  const scrollRef = useRef<HTMLDivElement>(null);
  const rows = useTallRows(scrollRef, rowCount);
  const across = usePlacedColumns(props, scrollRef);
  const active = useActiveCell({
    rowCount,
    columnCount: across.count,
    scrollRef,
    onShow: (row, column) => {
      rows.showRow(row);
      across.virtualizer.scrollToIndex(column);
    },
    ...(props.onOpenRow ? { onOpenRow: props.onOpenRow } : {}),
  });
  const copyCell = (event: ClipboardEvent) => {
    const { cell } = active;
    const column = cell && props.table.getVisibleLeafColumns()[cell.column];
    const text = column && props.readCell(cell.row, indexOfColumn(column.id));
    // A selection of text is copied as usual.
    if (!text || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', text);
    showSuccess('The cell was copied.');
  };
  const first = rows.items[0]?.index ?? 0;
  const last = rows.items.at(-1)?.index ?? 0;
  useEffect(() => onSight?.(first, last), [onSight, first, last]);
  return (
    <div
      ref={scrollRef}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={across.count + 1}
      aria-activedescendant={
        active.cell ? `${gridId}-${active.cell.row}-${active.cell.column}` : undefined
      }
      tabIndex={0}
      className={classes.grid}
      data-opens={props.onOpenRow !== undefined || undefined}
      style={heightPx ? { height: heightPx } : undefined}
      onKeyDown={active.onKeyDown}
      onFocus={active.onFocus}
      onClick={active.onClick}
      onCopy={copyCell}
    >
      <GridHeader {...props} placed={across.placed} widthPx={across.widthPx} />
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
              {...props}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
