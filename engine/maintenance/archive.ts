// The archive format: a tar of plain files, written and read as a stream with tar-stream.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { EngineError } from '../contract/errors.ts';

export interface ArchiveEntry {
  /** Path inside the archive, with `/` between folders. Not trusted when reading: check it. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Exactly `sizeBytes` bytes. When reading, valid until the next entry is requested. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Passes bytes on. Throws if their number differs from `sizeBytes`. */
async function* countContent({ name, sizeBytes, content }: ArchiveEntry) {
  let written = 0;
  for await (const bytes of content) {
    written += bytes.length;
    if (written <= sizeBytes) yield bytes;
  }
  if (written !== sizeBytes)
    throw new Error(`${name} has ${written} bytes instead of ${sizeBytes}`);
}

/** Packs files into the bytes of an archive, in order. Memory does not grow with their size. */
export async function* packArchive(
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const writeEntries = async () => {
    for await (const entry of entries) {
      const { name, sizeBytes: size } = entry;
      const header = { name, size, mode: 0o600, mtime: new Date(0) };
      await pipeline(countContent(entry), archive.entry(header));
    }
    archive.finalize();
  };
  writeEntries().catch((error: Error) => archive.destroy(error));
  yield* archive as AsyncIterable<Uint8Array>;
}

function refuseArchive(reason: string, cause?: Error): EngineError {
  return new EngineError(
    'validation_error',
    `This file is not a complete archive (${reason}). Nothing was changed. Use another backup.`,
    { cause },
  );
}

/** Errors of the source (a damaged gzip, a disk) have a code; errors of tar-stream have none. */
function explain(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  const [firstSentence = ''] = error.message.split('.');
  return refuseArchive(firstSentence, error);
}

async function* explainErrors<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw explain(error);
  }
}

/** Bytes of an archive besides its files: headers, padding, the end, and what is read ahead. */
const besidesBytesMax = 1_048_576;
const blockBytes = 512;
const readBytes = 65_536;

/** Limits what an archive unpacks to. A packed file can have a thousand times its size of zeros. */
function limitBytes(bytes: AsyncIterable<Uint8Array>) {
  let left = besidesBytesMax;
  async function* read() {
    for await (const piece of bytes)
      for (let at = 0; at < piece.length; at += readBytes) {
        const part = piece.subarray(at, at + readBytes);
        left -= part.length;
        if (left < 0) throw refuseArchive('it unpacks to more than its files');
        yield part;
      }
  }
  return {
    read,
    allow(fileBytes: number) {
      left += blockBytes + Math.ceil(fileBytes / blockBytes) * blockBytes;
    },
  };
}

/**
 * Reads the files of an archive one after the other. The caller must read a file completely or not
 * at all. Reads all bytes, so that a compressed stream verifies its checksum. Throws
 * `validation_error` if the archive is damaged, contains anything but plain files, or unpacks to
 * more than they have.
 */
export async function* unpackArchive(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const archive = extract();
  const limited = limitBytes(bytes);
  const reading = pipeline(Readable.from(limited.read(), { highWaterMark: 1 }), archive);
  // The entries report the error too, before `reading` is awaited.
  reading.catch(() => undefined);
  for await (const entry of explainErrors(archive)) {
    const { name, size, type } = entry.header;
    if (type !== 'file') throw refuseArchive(`${name} is not a plain file`);
    limited.allow(size);
    yield { name, sizeBytes: size, content: explainErrors(entry as AsyncIterable<Uint8Array>) };
    entry.resume();
  }
  await reading;
}
