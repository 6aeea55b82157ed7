/** Reads a list of any form that is read, for calls that take its text. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Reading } from '../../contract/reading/reading.ts';
import { detectFile } from '../../spreadsheet/detect.ts';
import { formatRecord } from '../../spreadsheet/format-record.ts';
import { prepareTable } from '../../spreadsheet/prepare-table.ts';
import { CommandError, exitCodes } from './refusal.ts';

/** The text of a list, and the lines of the file that its lines are; null if they are the same. */
export interface ListText {
  readonly text: string;
  readonly lines: readonly number[] | null;
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('not_found', exitCodes.badUsage, `${path} cannot be read (${code}).`);
  }
}

/**
 * The text of a list as CSV: its own, if it is a text in UTF-8 and no option says how it is read.
 * Throws what prepareTable throws, and CommandError if the file cannot be read.
 */
export async function readListAsText(path: string, reading: Partial<Reading>): Promise<ListText> {
  const bytes = readBytes(path);
  const isPlain =
    reading.header_line === undefined &&
    reading.encoding === undefined &&
    reading.extra_cells !== 'leave_out';
  const fileName = basename(path);
  if (isPlain && isUtf8(bytes) && detectFile(bytes, fileName).kind === 'csv')
    return { text: bytes.toString('utf8'), lines: null };
  const rows: (readonly string[])[] = [];
  const lines: number[] = [];
  const { headers, headerLine } = await prepareTable({
    sourcePath: path,
    targetDir: null,
    fileName,
    // The reader of the values sorts the lines itself.
    reading: { ...reading, other_lines: 'keep', header: reading.header === 'no' ? 'no' : 'yes' },
    onRow(line, cells) {
      rows.push(cells);
      lines.push(line);
    },
  });
  const hasHeader = reading.header !== 'no';
  const text = (hasHeader ? [headers, ...rows] : rows)
    .map((cells) => formatRecord(cells.map((cell) => cell.replace(/\s+/g, ' '))))
    .join('');
  return { text, lines: hasHeader ? [headerLine ?? 1, ...lines] : lines };
}
