// Decodes an upload to a table, with the description that the user sees.
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { Reading, ReadList } from '../contract/reading/reading.ts';
import type { Upload } from '../contract/uploads.ts';
import type { OpenRowSplit, TableWarning, WrittenTable } from './collect-table.ts';
import { inspectRows, type RowsInspection } from './inspect-rows.ts';
import { readLineNumbers } from './line-numbers.ts';
import { type PreparedTable, prepareTable } from './prepare-table.ts';
import { readsLikeContact } from './reading/first-row.ts';
import { recognizeTable, suggestColumns } from './reading/recognize-table.ts';

const valueShownMax = 60;

function describeReading(
  table: PreparedTable,
  hasSeveral: boolean,
  extraCells: ReadList['extra_cells'] = 'refuse',
): ReadList {
  const { headerLine, headers, firstRows } = table;
  const hasHeader = headerLine !== null;
  const [first = [], ...rows] = hasHeader ? [headers, ...firstRows] : firstRows;
  return {
    sheet: table.sheet,
    sheets: [...table.sheets],
    header: hasHeader,
    header_line: headerLine,
    first_lines: [...table.firstLines],
    letters: {
      is_sure: table.letters.isSure,
      sample: table.letters.sample,
      others: [...table.letters.others],
    },
    first_row_is_contact: readsLikeContact(first, rows),
    extra_cells: extraCells,
    wide_count: table.wideCount,
    wide_lines: [...table.wideLines],
    other_count: table.otherCount,
    other_lines: [...table.otherLines],
    ...((table.isSplit || hasSeveral) && { several_people: table.isSplit ? 'split' : 'keep' }),
  };
}

/** Says which rows hold several people. A job looks for one of them. */
const warnOfPeople = (
  table: WrittenTable,
  mapping: ColumnMapping,
  rows: RowsInspection['severalPeople'],
): TableWarning[] => {
  const lineOf = readLineNumbers(table.lines);
  const column = table.labels[mapping.first_name ?? -1];
  return rows.map(({ row, text, said, canSplit }) => ({
    line: lineOf(row),
    ...(column !== undefined && { column }),
    message:
      `${JSON.stringify(text.slice(0, valueShownMax))} ${said}. To find all of them, ` +
      `${canSplit ? 'give each a row' : 'write each in a row of its own'}.`,
  }));
};

export async function describeTable(dir: string, table: WrittenTable, signal?: AbortSignal) {
  const { mapping, fullName } = recognizeTable(table.headers, table.firstRows);
  const inspection = await inspectRows(dir, mapping, signal);
  const { rowsWithoutIdentity, duplicateRows, sampleRepeats, severalPeople } = inspection;
  return {
    row_count: table.rowCount,
    headers: table.headers,
    labels: table.labels,
    first_rows: table.firstRows,
    mapping,
    full_name_column: fullName,
    suggestions: suggestColumns(table.headers, table.firstRows, mapping),
    rows_without_identity: rowsWithoutIdentity,
    duplicate_rows: duplicateRows,
    warnings: [...table.warnings, ...warnOfPeople(table, mapping, severalPeople)],
    sha256: table.sha256,
    sampleRepeats,
    hasSeveral: severalPeople.some(({ canSplit }) => canSplit),
  };
}

interface UploadCommand {
  readonly sourcePath: string;
  readonly fileName: string;
  /** Empty after a refusal. */
  readonly targetDir: string;
  /** How the list is read; by default the first line is the header. */
  readonly reading?: Partial<Reading> | undefined;
}

export type UploadFacts = Omit<Upload, 'upload_id' | 'expires_at'> &
  Pick<RowsInspection, 'sampleRepeats'> & { sha256: string };

/**
 * Decodes a spooled file to its own folder, recognises its columns and inspects its rows. Throws
 * EngineError if it cannot be read, with the folder empty.
 * @param onProgress called with the bytes done and the total
 * @param signal stops the work with the signal's reason
 * @param openSplit splits rows that hold several people, if the reading says so
 */
export async function prepareUpload(
  { sourcePath, fileName, targetDir, reading }: UploadCommand,
  onProgress?: Parameters<typeof prepareTable>[0]['onProgress'],
  signal?: AbortSignal,
  openSplit?: OpenRowSplit,
): Promise<UploadFacts> {
  // Requests of the REST API send no options (docs/files.md, "Options").
  const readsJson = reading !== undefined;
  const order = { sourcePath, fileName, targetDir, onProgress, reading: reading ?? {}, readsJson };
  const table = await prepareTable({ ...order, openSplit, ...(signal && { signal }) });
  const { hasSeveral, ...facts } = await describeTable(targetDir, table, signal);
  return {
    ...facts,
    file_name: fileName,
    kind: table.kind,
    encoding: table.encoding,
    delimiter: table.delimiter,
    bytes: table.sourceBytes,
    files: [{ name: fileName, row_count: table.rowCount }],
    reading: describeReading(table, hasSeveral, reading?.extra_cells),
  };
}
