/** Reads the start of a sheet: whether it has cells, and the number of rows that it states. */
import type { WorkbookParts } from './workbook-parts.ts';
import type { Sheet } from './workbook-sheet.ts';
import { readXml } from './workbook-xml.ts';

/** Ends the reading of a part early. */
class Enough extends Error {}

/** The rows of a range such as A1:F120; null for anything else, or a range of one cell. */
function countRange(range: string): number | null {
  const [, first, last] = /^[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/i.exec(range) ?? [];
  if (first === undefined || last === undefined) return null;
  const rows = Number(last) - Number(first) + 1;
  return rows > 0 ? rows : null;
}

/**
 * The number of rows that a sheet states, with its header; null if it states none, 'empty' if it
 * has no cell with content. Stops at the first such cell. Throws what readXml throws.
 */
export async function peekSheet(
  parts: WorkbookParts,
  { part }: Sheet,
): Promise<number | null | 'empty'> {
  let rows: number | null = null;
  let isInValue = false;
  try {
    await readXml(parts, part, {
      open(name, attributes) {
        if (name === 'dimension') rows = countRange(attributes.read('ref') ?? '');
        isInValue = name === 'v' || name === 't';
      },
      text(text) {
        if (isInValue && text !== '') throw new Enough();
      },
    });
  } catch (error) {
    if (error instanceof Enough) return rows;
    throw error;
  }
  return 'empty';
}
