/** The first sheet with content of an .xlsx workbook, as rows of text that say what it says. */
import { open } from 'node:fs/promises';
import { readSheet, SheetNotFoundError } from 'read-excel-file/node';
import { EngineError } from '../contract/errors.ts';
import { workbookXmlBytesMax } from '../contract/limits.ts';

/** What the library hands out: text, the number's own digits (see parseNumber), a date, or null. */
type WorkbookValue = string | boolean | Date | null;

const endRecordBytes = 22;
const commentBytesMax = 65_535;
const entryHeadBytes = 46;

/** Bytes of all XML parts once unpacked, as the zip's directory tells (APPNOTE.TXT, 4.3.12). */
async function measureXml(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const tailBytes = Math.min(size, endRecordBytes + commentBytesMax);
    const tail = Buffer.alloc(tailBytes);
    await file.read(tail, 0, tailBytes, size - tailBytes);
    const end = tail.lastIndexOf('PK\x05\x06', tail.length, 'latin1');
    if (end < 0 || end + endRecordBytes > tail.length) return 0;
    const directory = Buffer.alloc(Math.min(size, tail.readUInt32LE(end + 12)));
    await file.read(directory, 0, directory.length, tail.readUInt32LE(end + 16));
    let bytes = 0;
    for (let at = 0; at + entryHeadBytes <= directory.length; ) {
      const nameBytes = directory.readUInt16LE(at + 28);
      const name = directory.toString(
        'latin1',
        at + entryHeadBytes,
        at + entryHeadBytes + nameBytes,
      );
      if (name.endsWith('.xml')) bytes += directory.readUInt32LE(at + 24);
      const extraBytes = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
      at += entryHeadBytes + nameBytes + extraBytes;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

/** The number in plain digits: 1.5E+20 as 150000000000000000000, 1.1000000000000001 as 1.1. */
function formatNumber(written: string): string {
  if (/^-?\d+$/.test(written)) return written;
  const shortest = String(Number(written));
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-])(\d+)$/.exec(shortest);
  if (!parts) return shortest === 'NaN' ? written : shortest;
  const [, sign, first, more = '', direction, power] = parts;
  if (direction === '-') return `${sign}0.${'0'.repeat(Number(power) - 1)}${first}${more}`;
  return `${sign}${first}${more.padEnd(Number(power), '0')}`;
}

/** A day as yyyy-mm-dd, with the time where there is one; a time without a day as HH:MM:SS. */
function formatDate(date: Date): string {
  // Days are binary fractions in the sheet, so that whole seconds come out a little off.
  const [day, time] = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().split('T');
  const clock = time!.slice(0, 8);
  if (day!.startsWith('1899-12-3')) return clock;
  return clock === '00:00:00' ? day! : `${day} ${clock}`;
}

function formatValue(value: WorkbookValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return formatDate(value);
}

/** Rows of one sheet as the library gives them, or null where the workbook has no such sheet. */
async function readSheetRows(path: string, sheet: number): Promise<WorkbookValue[][] | null> {
  try {
    const options = { trim: false, parseNumber: formatNumber };
    return (await readSheet(path, sheet, options)) as unknown as WorkbookValue[][];
  } catch (error) {
    if (error instanceof SheetNotFoundError) return null;
    throw new EngineError(
      'validation_error',
      'The workbook cannot be read: it is damaged, or not what its name says. Open it in a ' +
        'spreadsheet program, save it as .xlsx or as "CSV UTF-8", and try again.',
      { cause: error },
    );
  }
}

/**
 * Reads the first sheet that has content and hands on its rows that are not empty, with their row
 * numbers (from 1). Text stays text, numbers come in plain digits, days as yyyy-mm-dd, formulas as
 * their last value; a formula that failed (#N/A) comes as an empty cell.
 * The whole sheet is held in memory, which is why its unpacked size has a bound.
 * Throws EngineError('validation_error') for a workbook beyond it or one that cannot be read.
 */
export async function readWorkbook(
  path: string,
  onRecord: (cells: string[], line: number) => void,
): Promise<void> {
  if ((await measureXml(path)) > workbookXmlBytesMax) {
    throw new EngineError(
      'validation_error',
      'The workbook is too large to be read as .xlsx. Save the sheet as "CSV UTF-8" and choose ' +
        'that file: CSV is read at any length.',
    );
  }
  for (let sheet = 1; ; sheet++) {
    const rows = await readSheetRows(path, sheet);
    if (rows === null) return;
    for (const [row, values] of rows.entries()) {
      if (values.some((value) => value !== null)) onRecord(values.map(formatValue), row + 1);
    }
    if (rows.length > 0) return;
  }
}
