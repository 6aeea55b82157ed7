// Calls for uploaded tables, which run outside the HTTP thread.
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { InThread } from '../platform/workers/one-shot-task.ts';
import type { RowsInspection } from './inspect-rows.ts';
import type { prepareUpload } from './prepare-upload.ts';
import type { PreparedInput } from './prepared-input.ts';
import type { joinTables } from './reading/join-tables.ts';
import type { reviseRows } from './reading/leave-out.ts';
import type { InputRows, SparseRow } from './write-rows-table.ts';

export interface SpreadsheetCalls {
  prepareUpload: InThread<typeof prepareUpload>;
  checkRows(command: { dir: string; mapping: ColumnMapping }): Promise<RowsInspection>;
  reviseRows: InThread<typeof reviseRows>;
  joinTables: InThread<typeof joinTables>;
  /** Writes JSON rows to a table with the header `headers`. */
  writeRows(command: InputRows & { readonly rows: readonly SparseRow[] }): Promise<PreparedInput>;
}
