/**
 * Writes the table of an export as a workbook (.xlsx), as a stream: rows are formatted, compressed
 * and forgotten. Replaced cells are filled with a colour and listed in further sheets, which are
 * written in a second pass.
 */
import { EngineError } from '../../contract/errors.ts';
import { exportSheetRowsMax } from '../../contract/limits/exports.ts';
import type { ExportChange, ExportColumn, ExportRow, ExportTable } from './export-table.ts';
import { cellStyles, nameColumn, writeCell, writeText } from './sheet-cells.ts';
import { beginSheet, describeWorkbook, endSheet, sheetPart } from './workbook-markup.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

const nothing = new Uint8Array();
/** Characters of XML that are compressed at once. */
const blockCharacters = 256 * 1024;

const changeColumns: readonly ExportColumn[] = [
  { name: 'Row', type: 'number', isOwn: false },
  ...['Column', 'Old value', 'New value', 'Source'].map(
    (name) => ({ name, type: 'text', isOwn: true }) as const,
  ),
  { name: 'Observed on', type: 'date', isOwn: false },
];
const legend = 'A cell of this colour in the sheet Results has a new value, which is listed here.';

/**
 * Throws `validation_error` if a sheet cannot hold the rows.
 * @param rows rows of the export, without the header
 */
export function checkSheetRows(rows: number): void {
  if (rows <= exportSheetRowsMax) return;
  throw new EngineError(
    'validation_error',
    `The export has ${rows.toLocaleString('en-US')} rows; a sheet of Excel holds ` +
      `${exportSheetRowsMax.toLocaleString('en-US')} below its header. Save as CSV, or save the ` +
      'rows of one status at a time.',
  );
}

const columnWidthMin = 8;
const columnWidthMax = 48;

/** The widths of columns, in characters, that fit the header and the first rows. */
const measureWidths = (
  columns: readonly ExportColumn[],
  rows: readonly (readonly string[])[],
): number[] =>
  columns.map(({ name }, at) => {
    const longest = rows.reduce((most, cells) => Math.max(most, (cells[at] ?? '').length), 0);
    const wanted = Math.max(name.length, longest) + 2;
    return Math.min(columnWidthMax, Math.max(columnWidthMin, wanted));
  });

/** One sheet of a workbook that is being written; each call returns the next bytes. */
function createSheet(zip: ZipWriter, number: number, columns: readonly ExportColumn[]) {
  const letters = columns.map((_column, at) => nameColumn(at));
  let rows = 0;
  let waiting = '';
  const pass = (text: string): Uint8Array => {
    waiting += text;
    if (waiting.length < blockCharacters) return nothing;
    const bytes = zip.write(Buffer.from(waiting));
    waiting = '';
    return bytes;
  };
  const addRow = (cells: string): string => {
    rows += 1;
    return `<row r="${rows}">${cells}</row>`;
  };
  return {
    get rows() {
      return rows;
    },
    /** @param note a text after the last column, in the colour of changed cells */
    begin(widths: readonly number[], note = ''): Uint8Array {
      const { header, note: noteStyle } = cellStyles;
      const names = columns.map(({ name }, at) => writeText(`${letters[at]}1`, name, header));
      const noted = note && writeText(`${nameColumn(columns.length + 1)}1`, note, noteStyle);
      const opened = zip.open(sheetPart(number));
      const first = pass(beginSheet(widths, number === 1) + addRow(names.join('') + noted));
      return Buffer.concat([opened, first]);
    },
    write(stretch: readonly ExportRow[]): Uint8Array {
      let text = '';
      for (const { cells, changed } of stretch) {
        const row = rows + 1;
        let written = '';
        for (let at = 0; at < columns.length; at++)
          written += writeCell(
            cells[at] ?? '',
            `${letters[at]}${row}`,
            columns[at]!,
            changed.includes(at),
          );
        text += addRow(written);
      }
      return pass(text);
    },
    end(): Uint8Array {
      waiting += endSheet(`A1:${letters.at(-1) ?? 'A'}${rows}`);
      const rest = zip.write(Buffer.from(waiting));
      return Buffer.concat([rest, zip.close()]);
    },
  };
}

/** A change as a row of its sheet. Rows are numbered as programs show them. */
const describeChange = (
  { row, column, old, found, source, observedOn }: ExportChange,
  columns: readonly ExportColumn[],
): ExportRow => ({
  cells: [String(row + 2), columns[column]?.name ?? '', old, found, source, observedOn],
  changed: [],
});

/** Writes the sheets of changes; returns their names. */
function* writeChanges(
  zip: ZipWriter,
  columns: readonly ExportColumn[],
  changes: NonNullable<ExportTable['changes']>,
  rowsMax: number,
): Generator<Uint8Array, string[]> {
  const names: string[] = [];
  const begin = (): ReturnType<typeof createSheet> => {
    names.push(names.length === 0 ? 'Changes' : `Changes ${names.length + 1}`);
    return createSheet(zip, names.length + 1, changeColumns);
  };
  let sheet = begin();
  const widths = [8, 24, 32, 32, 28, 14, 4, 70];
  yield sheet.begin(widths, legend);
  for (const stretch of changes()) {
    let rest = stretch.map((change) => describeChange(change, columns));
    while (rest.length > 0) {
      const free = rowsMax + 1 - sheet.rows;
      yield sheet.write(rest.slice(0, free));
      rest = rest.slice(free);
      if (rest.length === 0) continue;
      yield sheet.end();
      sheet = begin();
      yield sheet.begin(widths, legend);
    }
    // A caller may cancel between two stretches.
    yield nothing;
  }
  yield sheet.end();
  return names;
}

/**
 * Yields the workbook, one chunk for each stretch of rows. Throws `validation_error` if Excel would
 * not open it: too many rows, a cell that is too long, or more than 4 GB.
 * @param rowsMax rows in one sheet, without the header
 */
export function* writeWorkbook(
  { columns, rows, changes }: ExportTable,
  rowsMax = exportSheetRowsMax,
): Generator<Uint8Array> {
  const zip = createZipWriter();
  const sheet = createSheet(zip, 1, columns);
  let isFirst = true;
  for (const stretch of rows()) {
    if (isFirst) {
      const shown = stretch.map(({ cells }) => cells);
      yield sheet.begin(measureWidths(columns, shown));
    }
    isFirst = false;
    checkSheetRows(sheet.rows - 1 + stretch.length);
    yield sheet.write(stretch);
  }
  if (isFirst) yield sheet.begin(measureWidths(columns, []));
  yield sheet.end();
  const more = changes ? yield* writeChanges(zip, columns, changes, rowsMax) : [];
  for (const [name, text] of Object.entries(describeWorkbook(['Results', ...more]))) {
    yield zip.open(name);
    yield zip.write(Buffer.from(text));
    yield zip.close();
  }
  yield zip.end();
}
