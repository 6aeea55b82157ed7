// Text of a cell for the clipboard.
import { protectFormula } from '../../../engine/contract/exports/protect-formula.ts';

/** For spreadsheets: never run as a formula, and quoted if a sign separates cells. */
export function formatCell(text: string): string {
  const cell = protectFormula(text);
  return /["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
