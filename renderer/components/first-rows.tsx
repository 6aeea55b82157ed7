// The first rows of a file as a grid, and its placeholder while they load.
import { Skeleton } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { rowHeightPx } from '../preferences/density.ts';
import { DataGrid } from './data-grid/data-grid.tsx';
import { useGridColumns } from './data-grid/grid-columns.ts';
import { measureColumns } from './data-grid/input-columns.ts';

const linesShown = 7;
const columnWidthMaxPx = 280;

const readCell = (cells: readonly string[], column: number) => cells[column] ?? '';

interface FirstRowsProps {
  label: string;
  labels: readonly string[];
  rows: readonly (readonly string[])[];
  linesMax?: number;
}

/** The grid; `linesMax` is the number of visible lines including the header. */
export function FirstRows({ label, labels, rows, linesMax = linesShown }: FirstRowsProps) {
  const columns = useMemo(
    () =>
      measureColumns(labels, rows, columnWidthMaxPx).map((column) => ({
        ...column,
        kind: 'input' as const,
      })),
    [labels, rows],
  );
  const table = useGridColumns(columns);
  const readRow = useCallback((row: number) => rows[row], [rows]);
  const rowHead = useCallback((row: number) => row + 1, []);
  return (
    <DataGrid
      label={label}
      table={table}
      columns={columns}
      rowCount={rows.length}
      readRow={readRow}
      readCell={readCell}
      rowHead={rowHead}
      headLabel="#"
      headWidthPx={52}
      heightPx={Math.min(rows.length + 1, linesMax) * rowHeightPx + rowHeightPx / 2}
    />
  );
}

export function FirstRowsComing({ linesMax = linesShown }: { linesMax?: number }) {
  return <Skeleton height={linesMax * rowHeightPx} radius="md" />;
}
