/** The layouts of the grids that were rearranged most recently in this browser. */
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
export type ColumnLayout = z.infer<typeof LayoutSchema>;

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

/** The layout that is remembered for a grid. */
export const readLayout = (name: string | undefined): ColumnLayout =>
  readLayouts().find(([known]) => known === name)?.[1] ?? noLayout;

const isPlain = ({ columnOrder, columnVisibility, columnSizing }: ColumnLayout): boolean =>
  columnOrder.length + Object.keys(columnVisibility).length + Object.keys(columnSizing).length ===
  0;

/** Remembers the layout of a grid. */
export function keepLayout(name: string, layout: ColumnLayout): void {
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
