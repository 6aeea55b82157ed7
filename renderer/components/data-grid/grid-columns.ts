/** The columns of a data grid: widths and visibility, kept by the table model. */
import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';

/**
 * One column: `input` is from the caller's file, `found` was added, `guess` is inferred, `plain` is
 * none of them.
 */
export interface GridColumn {
  readonly label: string;
  readonly kind: 'input' | 'found' | 'guess' | 'plain';
  /** Pixels. */
  readonly width?: number;
}

const features = tableFeatures({
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
});
const noRows: object[] = [];
const widthDefault = 150;

/** The table model over `columns`. It holds visibility and widths, never rows. */
export function useGridColumns(columns: readonly GridColumn[]) {
  const definitions = useMemo(
    () =>
      columns.map(({ label, width = widthDefault }, index) => ({
        id: `c${index}`,
        header: label,
        size: width,
        minSize: 60,
        maxSize: 800,
      })),
    [columns],
  );
  return useTable({ features, columns: definitions, data: noRows, columnResizeMode: 'onChange' });
}

/** The model returned by `useGridColumns`. */
export type GridTable = ReturnType<typeof useGridColumns>;

/** Returns a column id's index in the list of columns. */
export const indexOfColumn = (id: string): number => Number(id.slice(1));
