/** The files inside a workbook, unpacked piece by piece; their number and sizes have bounds. */
import { pipeline, type Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import {
  workbookPartsMax,
  workbookRatioBytesMin,
  workbookRatioMax,
  workbookXmlBytesMax,
} from '../../contract/limits/spreadsheet.ts';
import { createTextDecoder } from '../decode-text.ts';
import { refuseDamaged, refuseTooLarge } from './workbook-refusals.ts';

/** The files inside an open workbook. */
export interface WorkbookParts {
  /** Bytes of a part once unpacked, as the archive says; undefined where there is no such part. */
  sizeOf(name: string): number | undefined;
  /**
   * Hands on the text of a part in pieces. Throws EngineError('validation_error') for a part that
   * is missing, damaged, no UTF-8 or larger than the archive says, and the signal's own reason.
   */
  read(name: string, onText: (text: string) => void): Promise<void>;
  close(): void;
}

const pieceBytes = 262_144;
const stored = 0;
const deflated = 8;

/** A fault of the archive means a damaged file; what the disk says stays what it is. */
const explainFault = (error: unknown, what: string): unknown =>
  (error as NodeJS.ErrnoException).syscall === undefined ? refuseDamaged(what, error) : error;

/** Runs a step of the archive's library. */
async function explain<Value>(step: Promise<Value>): Promise<Value> {
  try {
    return await step;
  } catch (error) {
    throw explainFault(error, 'it is damaged, or not what its name says');
  }
}

/** Refuses a part that is nothing but repetition: unpacking it costs far more than sending it. */
function checkRatio({ fileName, uncompressedSize: bytes, compressedSize }: Entry): void {
  const ratio = Math.floor(bytes / Math.max(1, compressedSize));
  if (bytes <= workbookRatioBytesMin || ratio <= workbookRatioMax) return;
  throw refuseTooLarge(
    `The workbook's ${fileName} unpacks to ${ratio.toLocaleString('en-US')} times its size; at ` +
      `most ${workbookRatioMax} times is read.`,
  );
}

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** The entries that hold XML, by their names in lower case: no other part is ever unpacked. */
async function listParts(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > workbookPartsMax) {
    const count = zip.entryCount.toLocaleString('en-US');
    const most = workbookPartsMax.toLocaleString('en-US');
    throw refuseTooLarge(`The workbook holds ${count} files inside; at most ${most} are read.`);
  }
  const entries = await explain(listEntries(zip));
  const parts = entries.filter(({ fileName }) => /\.(?:xml|rels)$/i.test(fileName));
  const bytes = parts.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > workbookXmlBytesMax) {
    const found = bytes.toLocaleString('en-US');
    const most = workbookXmlBytesMax.toLocaleString('en-US');
    throw refuseTooLarge(
      `The workbook unpacks to ${found} bytes of XML; at most ${most} are read.`,
    );
  }
  for (const part of parts) checkRatio(part);
  return new Map(parts.map((entry) => [entry.fileName.toLowerCase(), entry]));
}

/** Opens the unpacked bytes of an entry; destroying the stream lets go of the file. */
async function openPart(zip: ZipFile, entry: Entry): Promise<Readable> {
  const { compressionMethod: method, fileName } = entry;
  if (entry.isEncrypted()) throw refuseDamaged(`${fileName} is locked with a password`);
  if (method !== stored && method !== deflated)
    throw refuseDamaged(`${fileName} is compressed in a way that is not known here`);
  const packed = await explain(zip.openReadStreamPromise(entry, { decodeFileData: false }));
  if (method === stored) return packed;
  const inflated = createInflateRaw({ chunkSize: pieceBytes });
  // Errors reach the reader through the last stream.
  return pipeline(packed, inflated, () => undefined);
}

/** The bytes of an entry in pieces, never more than the archive says. */
async function* readBytes(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const { fileName, uncompressedSize: size } = entry;
  const stream = await openPart(zip, entry);
  let bytes = 0;
  try {
    for await (const piece of stream) {
      bytes += (piece as Buffer).length;
      if (bytes > size) break;
      yield piece as Buffer;
    }
  } catch (error) {
    throw explainFault(error, `${fileName} is damaged`);
  }
  if (bytes === size) return;
  const much = bytes > size ? 'more' : 'less';
  const said = size.toLocaleString('en-US');
  throw refuseDamaged(`${fileName} unpacks to ${much} than the ${said} bytes that it says`);
}

/**
 * Opens a workbook's archive. Throws EngineError('validation_error') for what is no archive, and
 * for more files or more bytes of XML than are read, before any is unpacked; the signal's reason.
 */
export async function openParts(
  path: string,
  signal: AbortSignal | undefined,
): Promise<WorkbookParts> {
  const zip = await explain(openPromise(path, { autoClose: false }));
  try {
    const parts = await listParts(zip);
    return {
      sizeOf: (name) => parts.get(name.toLowerCase())?.uncompressedSize,
      async read(name, onText) {
        const entry = parts.get(name.toLowerCase());
        if (!entry) throw refuseDamaged(`${name} is not there`);
        const decode = createTextDecoder('utf-8');
        const take = (bytes: Uint8Array, last: boolean) => {
          const { text, fault } = decode(bytes, last);
          if (fault) throw refuseDamaged(`${entry.fileName}: ${fault}`);
          onText(text);
        };
        for await (const bytes of readBytes(zip, entry)) {
          signal?.throwIfAborted();
          take(bytes, false);
        }
        take(new Uint8Array(0), true);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}
