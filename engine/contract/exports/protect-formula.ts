// Protects text from being run as a formula by a spreadsheet: in exports and in copied cells.

// The whole cell must match: "-2+3" starts like a number but is a formula.
const signedNumber = /^[+-](?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?\s?%?$/;
const internationalPhone = /^\+\s?\(?\d[\d\s().\-/]*(?:(?:ext\.?|x|#)\s?\d+)?$/i;

// White space and invisible characters, which some spreadsheets remove before they interpret a
// cell.
const blankStart = /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/u;
const signs: ReadonlySet<string> = new Set(['=', '@', '+', '-', '\u2212']);

/**
 * Whether a spreadsheet may interpret the text as a formula by its first character. Compatibility
 * forms, such as the full-width `＝`, count as the plain character.
 */
function beginsFormula(text: string): boolean {
  const first = text.codePointAt(0);
  if (first === undefined) return false;
  const sign = String.fromCodePoint(first).normalize('NFKC').charAt(0);
  return signs.has(sign) && !signedNumber.test(text) && !internationalPhone.test(text);
}

/**
 * Adds a leading apostrophe to a cell that a spreadsheet would run as a formula: `=`, `@`, tab, CR,
 * and `+` or `-` unless the cell is a number or a phone (docs/rules.md, "Exports"). Compatibility
 * forms of these characters count too, also after white space or invisible characters.
 */
export function protectFormula(cell: string): string {
  const first = cell.charCodeAt(0);
  // Almost all cells start with a Latin letter or a digit.
  const isPlain = (first >= 0x41 && first <= 0x7e) || (first >= 0x30 && first <= 0x39);
  if (isPlain) return cell;
  const runs = first === 0x09 || first === 0x0d || beginsFormula(cell.replace(blankStart, ''));
  return runs ? `'${cell}` : cell;
}
