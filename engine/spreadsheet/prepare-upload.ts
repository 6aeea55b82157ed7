/** An upload becomes a prepared table, described for the one who dropped it. */

import { inspectRows } from './inspect-rows.ts';
import { prepareTable } from './prepare-table.ts';
import { resolveMapping } from './recognize-input.ts';
import type { SpreadsheetCalls } from './spreadsheet.commands.ts';

/**
 * Decodes a spooled file into a folder of its own, finds its columns and looks through its rows.
 * Throws EngineError where it can't be read; nothing is left in the folder then.
 * @param onProgress told the bytes that are done, of how many
 * @param signal stops the work with the signal's own reason
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
