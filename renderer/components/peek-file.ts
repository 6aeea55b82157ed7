/** Reads the first rows of a chosen CSV from its first bytes, whatever its size. */
import { previewRowsMax } from '../../engine/contract/limits/spreadsheet.ts';

const peekedBytes = 262_144;

/** A header with rows, before the engine has read the file. */
export interface Peek {
  readonly labels: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const utf16Marks: readonly (readonly [encoding: string, first: number, second: number])[] = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];

/** Returns the encoding of a UTF-16 byte order mark, if the bytes begin with one. */
const readUtf16Mark = (bytes: Uint8Array): string | undefined =>
  utf16Marks.find(([, first, second]) => bytes[0] === first && bytes[1] === second)?.[0];

/** Same order as the engine: a byte order mark, then UTF-8 if valid, otherwise Windows-1252. */
function decode(bytes: Uint8Array): string {
  const marked = readUtf16Mark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  try {
    // `stream` accepts a character that is cut at the end of the slice.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** True if only the engine can read or name the file: a workbook, a PDF, an image. */
function isForEngine(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 5));
  // "PK": a zip archive, as every workbook is.
  if (bytes.length === 0 || start.startsWith('PK') || start === '%PDF-') return true;
  // Control bytes below the tab occur only in UTF-16 text, which the engine also recognises without
  // a mark.
  return !readUtf16Mark(bytes) && bytes.some((byte) => byte < 0x09);
}

/** Returns the first 100 rows; null if the file is not plain text, or is empty. */
export async function peekFile(file: File): Promise<Peek | null> {
  const slice = file.slice(0, peekedBytes);
  const bytes = new Uint8Array(await slice.arrayBuffer());
  if (isForEngine(bytes)) return null;
  const text = decode(bytes);
  // JSON, which the engine turns into a table.
  if (/^\s*(?:\[\s*)?\{\s*["}]/.test(text)) return null;
  // Excel's own first line names the delimiter and is no header.
  const [declaration, delimiter = ''] = /^sep=([,;\t|])\r?\n/i.exec(text) ?? [''];
  // The parser is a file of its own, which only this needs.
  const { default: Papa } = await import('papaparse');
  const { data } = Papa.parse<string[]>(text.slice(declaration.length), {
    preview: previewRowsMax + 1,
    skipEmptyLines: 'greedy',
    delimiter,
    delimitersToGuess: [',', ';', '\t', '|'],
  });
  const [labels, ...rows] = data;
  if (!labels) return null;
  // The last row of a cut slice may be incomplete.
  if (file.size > peekedBytes && rows.length < previewRowsMax) rows.pop();
  return { labels, rows };
}
