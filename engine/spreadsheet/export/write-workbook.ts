// Writes the table of an export as a workbook (.xlsx), as a stream: rows are formatted, compressed
// and forgotten. Replaced cells are filled with a colour and listed in further sheets, which are
// written in a second pass.
import { invalid } from '../../contract/errors.ts';
import { protectFormula } from '../../contract/exports/protect-formula.ts';
import { exportCellCharactersMax, exportSheetRowsMax } from '../../contract/limits/exports.ts';
import type { ExportChange, ExportColumn, ExportRow, ExportTable } from './export-table.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packaging = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const changedFill = 'FFFFE699';

/** A style of cells: its number format, its font and fill, and further attributes. */
const format = (numFmt: number, font: number, fill: number, more = ''): string =>
  `<xf numFmtId="${numFmt}" fontId="${font}" fillId="${fill}" borderId="0" xfId="0"${more} ` +
  'applyNumberFormat="1" applyFont="1" applyFill="1"/>';

/** Number formats: 49 is text. */
const [general, asText, day] = [0, 49, 164];
const quoted = ' quotePrefix="1"';
/** The styles that `cellStyles` names, by index. */
const formats = [
  format(general, 0, 0),
  format(asText, 0, 0),
  format(asText, 0, 0, quoted),
  format(general, 0, 0),
  format(day, 0, 0),
  format(asText, 1, 0),
  format(asText, 0, 2),
  format(asText, 0, 2, quoted),
  format(asText, 1, 2),
];

const styles =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill>' +
  `<fill><patternFill patternType="solid"><fgColor rgb="${changedFill}"/>` +
  '<bgColor indexed="64"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${formats.length}">${formats.join('')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>';

const relationships = (list: readonly string[]): string =>
  `${declaration}<Relationships xmlns="${packaging}/relationships">${list.join('')}` +
  '</Relationships>';

const relate = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;

/** The name of the part of a sheet, by its number from 1. */
const sheetPart = (number: number): string => `xl/worksheets/sheet${number}.xml`;

function describeWorkbook(sheets: readonly string[]): Readonly<Record<string, string>> {
  const numbers = sheets.map((_name, at) => at + 1);
  const override = (part: string, type: string) =>
    `<Override PartName="/${part}" ContentType="${types}.${type}+xml"/>`;
  return {
    '[Content_Types].xml':
      `${declaration}<Types xmlns="${packaging}/content-types">` +
      '<Default Extension="rels" ' +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      override('xl/workbook.xml', 'sheet.main') +
      numbers.map((number) => override(sheetPart(number), 'worksheet')).join('') +
      `${override('xl/styles.xml', 'styles')}</Types>`,
    '_rels/.rels': relationships([relate('rId1', 'officeDocument', 'xl/workbook.xml')]),
    'xl/workbook.xml':
      `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
      sheets
        .map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join('') +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relationships([
      ...numbers.map((number) =>
        relate(`rId${number}`, 'worksheet', `worksheets/sheet${number}.xml`),
      ),
      relate(`rId${sheets.length + 1}`, 'styles', 'styles.xml'),
    ]),
    'xl/styles.xml': styles,
  };
}

/** The start of a sheet, up to its rows: the header frozen, and the width of each column. */
function beginSheet(widths: readonly number[], isFirst: boolean): string {
  const columns = widths
    .map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
    .join('');
  return (
    `${declaration}<worksheet xmlns="${main}"><sheetViews>` +
    `<sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>' +
    '<sheetFormatPr defaultRowHeight="15"/>' +
    `${columns ? `<cols>${columns}</cols>` : ''}<sheetData>`
  );
}

/**
 * The end of a sheet. Ids and phones are text on purpose, so programs should not warn about them.
 * @param range the cells of the sheet, such as A1:C20
 */
const endSheet = (range: string): string =>
  `</sheetData><ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/>` +
  '</ignoredErrors></worksheet>';

// The cells of a workbook as XML. Text is always stored as text, never as a formula: an id keeps
// its zeros, and `=1+1` is shown as it is.

/** Indices of cellXfs in workbook-markup.ts. */
const cellStyles = {
  text: 1,
  /** Text that would run as a formula if a person edits the cell. */
  quoted: 2,
  number: 3,
  date: 4,
  header: 5,
  changed: 6,
  changedQuoted: 7,
  note: 8,
} as const;

/** The letters of a column: A for 0, AA for 26. */
function nameColumn(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : nameColumn(Math.floor(at / 26) - 1) + letter;
}

// What XML cannot represent, and what would be read as the escape of such a character.
const unrepresentable = /(?![\t\n])\p{Cc}|[\ufffe\uffff]|_(?=x[0-9a-f]{4}_)/giu;
const markup = /[&<>]/;
const needsEscape = /[&<>\p{Cc}\ufffe\uffff]|_x[0-9a-f]{4}_/iu;

const escapeCharacter = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** Text as XML, with the escapes that spreadsheet programs use for control characters. */
function escapeText(text: string): string {
  if (!needsEscape.test(text)) return text.isWellFormed() ? text : text.toWellFormed();
  const escaped = text.toWellFormed().replace(unrepresentable, escapeCharacter);
  if (!markup.test(escaped)) return escaped;
  return escaped.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const writeText = (reference: string, text: string, style: number): string =>
  `<c r="${reference}" s="${style}" t="inlineStr"><is><t xml:space="preserve">` +
  `${escapeText(text)}</t></is></c>`;

const writeNumber = (reference: string, value: number | string, style: number): string =>
  `<c r="${reference}" s="${style}"><v>${value}</v></c>`;

const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const plainDay = /^(\d{4})-(\d{2})-(\d{2})$/;
const dayMs = 86_400_000;
/** 1970-01-01 in the days of a sheet, which are right from 1900-03-01. */
const sheetDayOf1970 = 25_569;
const firstSheetDay = 61;

/** The day of a sheet that a text means; null if it is not a whole day from 1900-03-01 on. */
function readSheetDay(text: string): number | null {
  const [, year, month, day] = plainDay.exec(text) ?? [];
  if (year === undefined) return null;
  const timeMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(timeMs).toISOString().slice(0, 10) !== text) return null;
  const days = timeMs / dayMs + sheetDayOf1970;
  return days >= firstSheetDay ? days : null;
}

function refuseLong(cell: string, reference: string, { name }: ExportColumn): never {
  const most = exportCellCharactersMax.toLocaleString('en-US');
  throw invalid(
    `Cell ${reference} (column ${JSON.stringify(name.slice(0, 60))}) has ` +
      `${cell.length.toLocaleString('en-US')} characters; Excel opens at most ${most} in one ` +
      'cell. Save as CSV, which has no such limit.',
  );
}

/** A cell; '' if it is empty. Throws `validation_error` for a text that Excel would not open. */
function writeCell(
  text: string,
  reference: string,
  column: ExportColumn,
  isChanged: boolean,
): string {
  if (text === '') return '';
  if (column.type === 'number' && plainNumber.test(text))
    return writeNumber(reference, text, cellStyles.number);
  const day = column.type === 'date' ? readSheetDay(text) : null;
  if (day !== null) return writeNumber(reference, day, cellStyles.date);
  if (text.length > exportCellCharactersMax) refuseLong(text, reference, column);
  const runs = protectFormula(text) !== text;
  const { text: plain, quoted, changed, changedQuoted } = cellStyles;
  if (isChanged) return writeText(reference, text, runs ? changedQuoted : changed);
  return writeText(reference, text, runs ? quoted : plain);
}

const nothing = new Uint8Array();
/** Characters of XML that are compressed at once. */
const blockCharacters = 256 * 1024;

const changeColumns: readonly ExportColumn[] = [
  { name: 'Row', type: 'number', isOwn: false },
  ...['Column', 'Old value', 'New value', 'Source'].map(
    (name) => ({ name, type: 'text', isOwn: true }) as const,
  ),
  { name: 'Date of the new value', type: 'date', isOwn: false },
];
const legend = 'A cell of this colour in the sheet Results has a new value, which is listed here.';

/** Throws `validation_error` if a sheet cannot hold so many rows below the header. */
export function checkSheetRows(rows: number): void {
  if (rows <= exportSheetRowsMax) return;
  throw invalid(
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
