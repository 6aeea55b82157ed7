// The shared strings of a workbook, stored as bytes and referenced by index.
import { csvCellCharactersMax, workbookTextsMax } from '../../contract/limits/spreadsheet.ts';
import type { WorkbookParts } from './workbook-parts.ts';
import { refuseDamaged, refuseTooLarge } from './workbook-refusals.ts';
import { readXml } from './workbook-xml.ts';

export interface SharedTexts {
  has(place: number): boolean;
  /** Size of a string in UTF-8 bytes. */
  bytesOf(place: number): number;
  textOf(place: number): string;
}

/** Decodes `_x000D_` and similar escapes of characters that XML cannot represent. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_written, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * Stores strings in one buffer; as JavaScript strings they would need several times the memory.
 * @param bytesMax size of the part's XML, which its strings cannot exceed
 */
function createTextStore(part: string, bytesMax: number) {
  const bytes = Buffer.allocUnsafeSlow(bytesMax);
  let ends = new Uint32Array(1_024);
  let count = 0;
  const startOf = (place: number): number => (place === 0 ? 0 : (ends[place - 1] ?? 0));

  return {
    add(text: string): void {
      if (count === workbookTextsMax) {
        const most = workbookTextsMax.toLocaleString('en-US');
        throw refuseTooLarge(`The workbook's ${part} contains more than ${most} strings.`);
      }
      if (text.includes('\0'))
        throw refuseTooLarge(
          `The workbook's ${part} contains a NUL character.`,
          'Remove it there.',
        );
      if (!text.isWellFormed()) throw refuseDamaged(`${part} contains an unpaired surrogate`);
      if (count === ends.length) {
        const more = new Uint32Array(ends.length * 2);
        more.set(ends);
        ends = more;
      }
      const start = startOf(count);
      ends[count] = start + bytes.write(text, start);
      count++;
    },
    has: (place: number): boolean => Number.isInteger(place) && place >= 0 && place < count,
    bytesOf: (place: number): number => (ends[place] ?? 0) - startOf(place),
    textOf: (place: number): string => bytes.toString('utf8', startOf(place), ends[place]),
  };
}

/** Reads the shared strings; without that part there are none. Throws what readXml throws. */
export async function readSharedTexts(parts: WorkbookParts, part: string): Promise<SharedTexts> {
  const partBytes = parts.sizeOf(part);
  const texts = createTextStore(part, partBytes ?? 0);
  if (partBytes === undefined) return texts;
  let text = '';
  let isText = false;
  // Japanese sheets repeat a text in phonetic letters.
  let isPhonetic = false;
  await readXml(parts, part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') isText = true;
      else if (name === 'rPh') isPhonetic = true;
    },
    text(more) {
      if (!isText || isPhonetic) return;
      text += more;
      if (text.length <= csvCellCharactersMax) return;
      const most = csvCellCharactersMax.toLocaleString('en-US');
      throw refuseTooLarge(
        `The workbook's ${part} contains a text longer than ${most} characters.`,
        'Shorten the longest cells and try again.',
      );
    },
    close(name) {
      if (name === 'si') texts.add(unescapeText(text));
      else if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
  });
  return texts;
}
