/** How a row becomes a line of CSV, and how a cell is kept from running as a formula. */

/** What could be read as grammar inside a cell. */
const grammar = /[",\r\n]/;

/**
 * One record of comma-separated RFC 4180 with its line end, quoted only where needed.
 * A lone empty cell is written "" so that its line is not taken for an empty one.
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

// The whole cell must be one: "-2+3" begins like a number and still runs.
const signedNumber = /^[+-](?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?\s?%?$/;
const internationalPhone = /^\+\s?\(?\d[\d\s().\-/]*(?:(?:ext\.?|x|#)\s?\d+)?$/i;

/**
 * The cell with a leading apostrophe where a spreadsheet would run it as a formula: `=`, `@`, tab,
 * CR, and `+` or `-` where the cell is not a number or a phone (decisions.md, "Result CSV").
 */
export function protectFormula(cell: string): string {
  const first = cell.charCodeAt(0);
  const runs =
    first === 0x3d /* = */ ||
    first === 0x40 /* @ */ ||
    first === 0x09 ||
    first === 0x0d ||
    ((first === 0x2b || first === 0x2d) &&
      !signedNumber.test(cell) &&
      !internationalPhone.test(cell));
  return runs ? `'${cell}` : cell;
}
