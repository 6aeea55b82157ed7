// Formats rows as lines of CSV.

/** Characters that require quotes. */
const grammar = /[",\r\n]/;

/**
 * One comma-separated RFC 4180 record with its line end, quoted only where needed. A single empty
 * cell is written as "", so that its line is not an empty one.
 */
export function formatRecord(cells: readonly string[], lineEnd = '\r\n'): string {
  if (cells.length === 1 && cells[0] === '') return `""${lineEnd}`;
  let quoted: string[] | null = null;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column]!;
    if (!grammar.test(cell)) continue;
    quoted ??= cells.slice();
    quoted[column] = `"${cell.replaceAll('"', '""')}"`;
  }
  return (quoted ?? cells).join(',') + lineEnd;
}

/** Rows as the bytes of canonical records, as parseRecords reads them. */
export const formatRecords = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(rows.map((cells) => formatRecord(cells, '\n')).join(''));
