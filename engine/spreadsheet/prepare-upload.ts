/** Decodes an upload to a table, with the description that the user sees. */

import { inspectRows } from './inspect-rows.ts';
import { prepareTable } from './prepare-table.ts';
import { resolveMapping } from './recognize-input.ts';
import type { SpreadsheetCalls } from './spreadsheet.commands.ts';

/**
 * Decodes a spooled file to its own folder, recognises its columns and inspects its rows. Throws
 * EngineError if it cannot be read, with the folder empty.
 * @param onProgress called with the bytes done and the total
 * @param signal stops the work with the signal's reason
 */
export async function prepareUpload(
  { sourcePath, fileName, targetDir }: Parameters<SpreadsheetCalls['prepareUpload']>[0],
  onProgress?: Parameters<typeof prepareTable>[0]['onProgress'],
  signal?: AbortSignal,
): ReturnType<SpreadsheetCalls['prepareUpload']> {
  const order = { sourcePath, fileName, targetDir, onProgress };
  const table = await prepareTable({ ...order, ...(signal && { signal }) });
  const mapping = resolveMapping(table.headers);
  const { rowsWithoutIdentity, duplicateRows } = await inspectRows(targetDir, mapping, signal);
  return {
    file_name: fileName,
    kind: table.kind,
    encoding: table.encoding,
    delimiter: table.delimiter,
    bytes: table.sourceBytes,
    row_count: table.rowCount,
    headers: table.headers,
    labels: table.labels,
    first_rows: table.firstRows,
    mapping,
    rows_without_identity: rowsWithoutIdentity,
    duplicate_rows: duplicateRows,
    warnings: table.warnings,
    sha256: table.sha256,
  };
}
