// The columns of a data grid: order, widths and visibility, kept by the table model.
import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useEffect, useMemo, useState } from 'react';
import { z } from 'zod';

const storageKey = 'desk-grid-layouts';
/** Layouts kept; the one that was used longest ago is dropped first. */
const layoutsMax = 50;

const LayoutSchema = z.object({
  columnOrder: z.array(z.string()),
  columnVisibility: z.record(z.string(), z.boolean()),
  columnSizing: z.record(z.string(), z.number()),
});
/** Order, visibility and widths of columns by their id; empty for those of the grid itself. */
type ColumnLayout = z.infer<typeof LayoutSchema>;

const LayoutsSchema = z.array(z.tuple([z.string(), LayoutSchema]));

const noLayout: ColumnLayout = { columnOrder: [], columnVisibility: {}, columnSizing: {} };

function readLayouts(): [string, ColumnLayout][] {
  try {
    const read = LayoutsSchema.safeParse(JSON.parse(localStorage.getItem(storageKey) ?? '[]'));
    return read.data ?? [];
  } catch {
    return [];
  }
}

const readLayout = (name: string | undefined): ColumnLayout =>
  readLayouts().find(([known]) => known === name)?.[1] ?? noLayout;

const isPlain = ({ columnOrder, columnVisibility, columnSizing }: ColumnLayout): boolean =>
  columnOrder.length + Object.keys(columnVisibility).length + Object.keys(columnSizing).length ===
  0;

function keepLayout(name: string, layout: ColumnLayout): void {
  const others = readLayouts().filter(([known]) => known !== name);
  const layouts: [string, ColumnLayout][] = isPlain(layout)
    ? others
    : [[name, layout], ...others.slice(0, layoutsMax - 1)];
  try {
    localStorage.setItem(storageKey, JSON.stringify(layouts));
  } catch {
    // A full storage only means that the layout is not remembered.
  }
}

/** `input` is of the caller's file, `found` was added, `guess` is inferred, `plain` is none. */
export interface GridColumn {
  readonly label: string;
  readonly kind: 'input' | 'found' | 'guess' | 'plain';
  /** Pixels. */
  readonly width?: number;
  /**
   * The index of the column that it follows at first, if that is not the one before it in the list.
   * Layouts are remembered by index, so a column that comes and goes is last in the list.
   */
  readonly behind?: number;
  /** Below the label in the header, such as what is expected of the column. */
  readonly note?: string | undefined;
  /** Stays at the right edge until the columns before it are scrolled past. */
  readonly isPinned?: boolean;
  /** Keeps its index, but is not in the grid. */
  readonly isAbsent?: boolean;
  /** Explains the header on hover; the label by default. */
  readonly hint?: string | undefined;
  /** What a grid that can be sorted is sorted by; omitted if it cannot be sorted by this column. */
  readonly sort?: string | undefined;
}

const features = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
});
/** The id of a column by its index in the list of columns, and back. */
export const idOfColumn = (index: number): string => `c${index}`;
export const indexOfColumn = (id: string): number => Number(id.slice(1));

const noRows: object[] = [];
const widthDefault = 150;

/** Minimum and maximum width of a column, in pixels. */
const widthRange = { min: 60, max: 800 } as const;

/**
 * The table model over `columns`. It holds order, visibility and widths, never rows.
 * @param layoutName what the layout is remembered for in this browser; not remembered if omitted
 */
export function useGridColumns(columns: readonly GridColumn[], layoutName?: string) {
  const definitions = useMemo(
    () =>
      columns
        .map(({ label, width = widthDefault, behind, isAbsent }, index) => ({
          id: idOfColumn(index),
          place: behind ?? index,
          header: label,
          size: width,
          minSize: widthRange.min,
          maxSize: widthRange.max,
          isAbsent,
        }))
        .filter((column) => !column.isAbsent)
        .toSorted((one, other) => one.place - other.place),
    [columns],
  );
  const [initialState] = useState((): ColumnLayout => readLayout(layoutName));
  const table = useTable({
    features,
    columns: definitions,
    data: noRows,
    initialState,
    columnResizeMode: 'onChange',
  });
  const { columnOrder, columnVisibility, columnSizing } = table.state;
  useEffect(() => {
    if (layoutName) keepLayout(layoutName, { columnOrder, columnVisibility, columnSizing });
  }, [layoutName, columnOrder, columnVisibility, columnSizing]);
  return table;
}

/** The model returned by `useGridColumns`. */
export type GridTable = ReturnType<typeof useGridColumns>;

/** Changes the width of a column by a number of pixels, within its range. */
export function resizeColumn(table: GridTable, id: string, byPx: number): void {
  const size = (table.getColumn(id)?.getSize() ?? widthDefault) + byPx;
  const width = Math.min(widthRange.max, Math.max(widthRange.min, size));
  table.setColumnSizing((sizes) => ({ ...sizes, [id]: width }));
}

export function moveColumn(table: GridTable, id: string, toId: string): void {
  const ids = table.getAllLeafColumns().map((column) => column.id);
  const to = ids.indexOf(toId);
  if (id === toId || to < 0) return;
  const others = ids.filter((one) => one !== id);
  others.splice(to, 0, id);
  table.setColumnOrder(others);
}

/** Moves a column over the next or the one before, among those that are visible. */
export function stepColumn(table: GridTable, id: string, step: -1 | 1): void {
  const visible = table.getVisibleLeafColumns().map((column) => column.id);
  const to = visible[visible.indexOf(id) + step];
  if (to !== undefined) moveColumn(table, id, to);
}
