// The table of an export, before it is written as CSV or as a workbook.
import { nameColumns } from '../name-columns.ts';

export interface ExportColumn {
  readonly name: string;
  /** What its cells are in a workbook if they can be; the user's own columns are text. */
  readonly type: 'text' | 'number' | 'date';
  readonly isOwn: boolean;
}

export interface ExportRow {
  readonly cells: readonly string[];
  /** Indices of own columns whose value was replaced by a found one. */
  readonly changed: readonly number[];
}

export interface ExportChange {
  /** Index of its row in the export, from 0. */
  readonly row: number;
  readonly column: number;
  readonly old: string;
  readonly found: string;
  readonly source: string;
  /** YYYY-MM-DD; '' if it is not known. */
  readonly observedOn: string;
}

export interface ExportTable {
  readonly columns: readonly ExportColumn[];
  rows(): Generator<readonly ExportRow[]>;
  /** The replaced cells, in stretches; null for an export without overwrite rules. */
  readonly changes: (() => Generator<readonly ExportChange[]>) | null;
}

/** Yields empty texts while it searches rows, so that a caller may cancel in between. */
export type TableOpening<Table extends ExportTable = ExportTable> = Generator<'', Table>;

/** No replaced cells: rows share one array. */
export const nothingChanged: readonly number[] = [];

/** The columns of a table: the user's, then the product's, which are named by nameColumns. */
export function listColumns(
  headers: readonly string[],
  added: readonly Pick<ExportColumn, 'name' | 'type'>[],
): ExportColumn[] {
  const names = nameColumns(
    headers,
    added.map(({ name }) => name),
  );
  return names.map((name, at) => {
    const column = added[at - headers.length];
    return { name, type: column?.type ?? 'text', isOwn: column === undefined };
  });
}
