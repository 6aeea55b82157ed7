/** The first rows of a chosen CSV, read at once from its first bytes, whatever its size. */
import Papa from 'papaparse';
import { previewRowsMax } from '../../engine/contract/limits/spreadsheet.ts';

const peekedBytes = 262_144;

/** A header and the rows under it, before the engine has read the file. */
export interface Peek {
  readonly labels: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const utf16Marks: readonly (readonly [encoding: string, first: number, second: number])[] = [
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
];

/** The encoding that a byte order mark of UTF-16 names, if the bytes begin with one. */
const readUtf16Mark = (bytes: Uint8Array): string | undefined =>
  utf16Marks.find(([, first, second]) => bytes[0] === first && bytes[1] === second)?.[0];

/** As the engine will: a byte order mark first, then UTF-8 where it is valid, else Windows-1252. */
function decode(bytes: Uint8Array): string {
  const marked = readUtf16Mark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  try {
    // A character cut at the end of the slice is no fault: `stream` waits for its rest.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** True where the engine alone can read the file or say what it is: a workbook, a PDF, an image. */
function isForEngine(bytes: Uint8Array): boolean {
  const start = String.fromCharCode(...bytes.subarray(0, 5));
  // "PK": a zip, as every workbook is.
  if (bytes.length === 0 || start.startsWith('PK') || start === '%PDF-') return true;
  // Bytes below the tab stand in no text but UTF-16, which the engine knows without its mark too.
  return !readUtf16Mark(bytes) && bytes.some((byte) => byte < 0x09);
}

/** The first 100 rows; null for what is not plain text, or is empty. */
export async function peekFile(file: File): Promise<Peek | null> {
  const slice = file.slice(0, peekedBytes);
  const bytes = new Uint8Array(await slice.arrayBuffer());
  if (isForEngine(bytes)) return null;
  const text = decode(bytes);
  // Excel's own first line names the delimiter and is no header.
  const [declaration, delimiter = ''] = /^sep=([,;\t|])\r?\n/i.exec(text) ?? [''];
  const { data } = Papa.parse<string[]>(text.slice(declaration.length), {
    preview: previewRowsMax + 1,
    skipEmptyLines: 'greedy',
    delimiter,
    delimitersToGuess: [',', ';', '\t', '|'],
  });
  const [labels, ...rows] = data;
  if (!labels) return null;
  // The last row of a cut slice may be half a row.
  if (file.size > peekedBytes && rows.length < previewRowsMax) rows.pop();
  return { labels, rows };
}
