/** Writes the table of an export as JSON Lines: an object in each line. */

import { labelColumns } from '../label-columns.ts';
import type { ExportTable } from './export-table.ts';

const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

/** Yields one text for each stretch of rows. Texts stay texts; empty cells are null. */
export function* writeJsonLines({ columns, rows }: ExportTable): Generator<string> {
  const names = labelColumns(columns.map(({ name }) => name)).map((name) => JSON.stringify(name));
  for (const stretch of rows()) {
    let text = '';
    for (const { cells } of stretch) {
      const members = names.map((name, at) => {
        const cell = cells[at] ?? '';
        if (cell === '') return `${name}:null`;
        const isNumber = columns[at]?.type === 'number' && plainNumber.test(cell);
        return `${name}:${isNumber ? cell : JSON.stringify(cell.toWellFormed())}`;
      });
      text += `{${members.join(',')}}\n`;
    }
    yield text;
  }
}
