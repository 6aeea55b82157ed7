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

// Spaces and characters that show nothing: some spreadsheets drop them before they read a cell.
const blankStart = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/u;
const signs: ReadonlySet<string> = new Set(['=', '@', '+', '-', '\u2212']);

/**
 * Whether a spreadsheet may take the text for a formula by its first sign, in any width or height:
 * compatibility forms such as the full-width `＝` become the plain sign.
 */
function beginsFormula(text: string): boolean {
  const first = text.codePointAt(0);
  if (first === undefined) return false;
  const sign = String.fromCodePoint(first).normalize('NFKC').charAt(0);
  return signs.has(sign) && !signedNumber.test(text) && !internationalPhone.test(text);
}

/**
 * The cell with a leading apostrophe where a spreadsheet would run it as a formula: `=`, `@`, tab,
 * CR, and `+` or `-` where the cell is not a number or a phone (docs/rules.md, "Result CSV"). Other
 * forms of these signs count as well, and so do spaces and invisible characters before one.
 */
export function protectFormula(cell: string): string {
  const first = cell.charCodeAt(0);
  // Nearly all cells begin with a Latin letter or a digit.
  const isPlain = (first >= 0x41 && first <= 0x7e) || (first >= 0x30 && first <= 0x39);
  if (isPlain) return cell;
  const runs = first === 0x09 || first === 0x0d || beginsFormula(cell.replace(blankStart, ''));
  return runs ? `'${cell}` : cell;
}
