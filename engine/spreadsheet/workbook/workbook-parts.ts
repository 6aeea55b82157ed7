// Reads the files in a workbook's archive in chunks, with limits for their number and sizes.
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

export interface WorkbookParts {
  /** Uncompressed size of a part according to the archive; undefined if the part does not exist. */
  sizeOf(name: string): number | undefined;
  /**
   * Passes the text of a part on in chunks. Throws EngineError('validation_error') for a part that
   * is missing, damaged, not UTF-8 or larger than the archive says, and the signal's reason.
   */
  read(name: string, onText: (text: string) => void): Promise<void>;
  close(): void;
}

const pieceBytes = 262_144;
const stored = 0;
const deflated = 8;

/** An archive error means a damaged file. File system errors stay as they are. */
const explainFault = (error: unknown, what: string): unknown =>
  (error as NodeJS.ErrnoException).syscall === undefined ? refuseDamaged(what, error) : error;

async function explain<Value>(step: Promise<Value>): Promise<Value> {
  try {
    return await step;
  } catch (error) {
    throw explainFault(error, 'it is damaged or not a workbook');
  }
}

/** Refuses a zip bomb: unpacking a repetitive part costs far more than sending it. */
function checkRatio({ fileName, uncompressedSize: bytes, compressedSize }: Entry): void {
  const ratio = Math.floor(bytes / Math.max(1, compressedSize));
  if (bytes <= workbookRatioBytesMin || ratio <= workbookRatioMax) return;
  throw refuseTooLarge(
    `The workbook's ${fileName} unpacks to ${ratio.toLocaleString('en-US')} times its size; the ` +
      `maximum is ${workbookRatioMax} times.`,
  );
}

async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** The XML entries by lower-case name. Other parts are never unpacked. */
async function listParts(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > workbookPartsMax) {
    const count = zip.entryCount.toLocaleString('en-US');
    const most = workbookPartsMax.toLocaleString('en-US');
    throw refuseTooLarge(`The workbook contains ${count} files; the maximum is ${most}.`);
  }
  const entries = await explain(listEntries(zip));
  const parts = entries.filter(({ fileName }) => /\.(?:xml|rels)$/i.test(fileName));
  const bytes = parts.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > workbookXmlBytesMax) {
    const found = bytes.toLocaleString('en-US');
    const most = workbookXmlBytesMax.toLocaleString('en-US');
    throw refuseTooLarge(`The workbook unpacks to ${found} bytes of XML; the maximum is ${most}.`);
  }
  for (const part of parts) checkRatio(part);
  return new Map(parts.map((entry) => [entry.fileName.toLowerCase(), entry]));
}

/** Opens the uncompressed bytes of an entry. Destroying the stream closes the file. */
async function openPart(zip: ZipFile, entry: Entry): Promise<Readable> {
  const { compressionMethod: method, fileName } = entry;
  if (entry.isEncrypted()) throw refuseDamaged(`${fileName} is protected with a password`);
  if (method !== stored && method !== deflated)
    throw refuseDamaged(`${fileName} uses an unsupported compression method`);
  const packed = await explain(zip.openReadStreamPromise(entry, { decodeFileData: false }));
  if (method === stored) return packed;
  const inflated = createInflateRaw({ chunkSize: pieceBytes });
  // Errors reach the reader through the last stream.
  return pipeline(packed, inflated, () => undefined);
}

/** The bytes of an entry in chunks, never more than the archive says. */
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
  throw refuseDamaged(
    `${fileName} unpacks to ${much} than the ${said} bytes in the archive's directory`,
  );
}

/**
 * Opens a workbook's archive. Throws EngineError('validation_error') if it is not an archive, or
 * has too many files or too much XML, before any is unpacked; also the signal's reason.
 * @param onRead called with the unpacked bytes of each chunk that is read
 */
export async function openParts(
  path: string,
  signal: AbortSignal | undefined,
  onRead?: (bytes: number) => void,
): Promise<WorkbookParts> {
  const zip = await explain(openPromise(path, { autoClose: false }));
  try {
    const parts = await listParts(zip);
    return {
      sizeOf: (name) => parts.get(name.toLowerCase())?.uncompressedSize,
      async read(name, onText) {
        const entry = parts.get(name.toLowerCase());
        if (!entry) throw refuseDamaged(`${name} is missing`);
        const decode = createTextDecoder('utf-8');
        const take = (bytes: Uint8Array, last: boolean) => {
          const { text, fault } = decode(bytes, last);
          if (fault) throw refuseDamaged(`${entry.fileName}: ${fault}`);
          onText(text);
        };
        for await (const bytes of readBytes(zip, entry)) {
          signal?.throwIfAborted();
          onRead?.(bytes.length);
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
