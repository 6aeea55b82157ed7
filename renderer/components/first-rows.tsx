/** The first rows of a file as a grid, and its placeholder while they load. */
import { Skeleton } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { DataGrid } from './data-grid/data-grid.tsx';
import { useGridColumns } from './data-grid/grid-columns.ts';

const rowHeightPx = 32;
const linesShown = 7;

/** The grid; `linesMax` is the number of visible lines including the header. */
export function FirstRows({
  label,
  labels,
  rows,
  linesMax = linesShown,
}: {
  label: string;
  labels: readonly string[];
  rows: readonly (readonly string[])[];
  linesMax?: number;
}) {
  const columns = useMemo(
    () => labels.map((header) => ({ label: header, kind: 'input' as const })),
    [labels],
  );
  const table = useGridColumns(columns);
  const readCell = useCallback((row: number, column: number) => rows[row]?.[column] ?? '', [rows]);
  const rowHead = useCallback((row: number) => row + 1, []);
  return (
    <DataGrid
      label={label}
      table={table}
      columns={columns}
      rowCount={rows.length}
      readCell={readCell}
      rowHead={rowHead}
      headLabel="#"
      headWidthPx={52}
      heightPx={Math.min(rows.length + 1, linesMax) * rowHeightPx + rowHeightPx / 2}
    />
  );
}

/** The placeholder of the grid. */
export function FirstRowsComing({ linesMax = linesShown }: { linesMax?: number }) {
  return <Skeleton height={linesMax * rowHeightPx} radius="md" />;
}
