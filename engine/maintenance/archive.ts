/** The form of an archive: POSIX tar (ustar) of plain files, written and read as a stream. */
import { EngineError } from '../contract/errors.ts';

/** One file of an archive. */
export interface ArchiveEntry {
  /** Its path inside the archive, at most 100 ASCII characters, `/` between folders. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Exactly `sizeBytes` bytes. When reading: only valid until the next entry is asked for. */
  readonly content: AsyncIterable<Uint8Array>;
}

const blockBytes = 512;
const nameBytesMax = 100;
/** The size field holds eleven octal digits; a larger number is written in binary, high bit set. */
const octalSizeMax = 0o77777777777;
const sizeOffset = 124;
const sizeFieldBytes = 12;
const checksumOffset = 148;
const typeOffset = 156;
const magicOffset = 257;
const plainFile = '0';

const paddingOf = (sizeBytes: number): number =>
  (blockBytes - (sizeBytes % blockBytes)) % blockBytes;

function writeSize(header: Buffer, sizeBytes: number): void {
  if (sizeBytes <= octalSizeMax) {
    header.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, sizeOffset, 'latin1');
    return;
  }
  header.writeBigUInt64BE(BigInt(sizeBytes), sizeOffset + sizeFieldBytes - 8);
  header[sizeOffset] = 0x80;
}

/** The sum of a header's bytes, its checksum field counted as spaces. */
function sumHeader(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries())
    sum += at >= checksumOffset && at < checksumOffset + 8 ? 0x20 : byte;
  return sum;
}

function formatHeader(name: string, sizeBytes: number): Buffer {
  if (!/^[\x21-\x7e]+$/.test(name) || name.length > nameBytesMax)
    throw new Error(`not a name for an archive: ${name}`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 'latin1');
  header.write('0000600\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  writeSize(header, sizeBytes);
  header.write('00000000000\0', 136, 'latin1');
  header.write(plainFile, typeOffset, 'latin1');
  header.write('ustar\u000000', magicOffset, 'latin1');
  header.write(`${sumHeader(header).toString(8).padStart(6, '0')}\0 `, checksumOffset, 'latin1');
  return header;
}

/** Turns files into the bytes of an archive, in order; memory does not grow with their size. */
export async function* packArchive(
  entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
): AsyncGenerator<Uint8Array> {
  for await (const { name, sizeBytes, content } of entries) {
    yield formatHeader(name, sizeBytes);
    let written = 0;
    for await (const bytes of content) {
      written += bytes.length;
      yield bytes;
    }
    if (written !== sizeBytes)
      throw new Error(`${name} has ${written} bytes where ${sizeBytes} were promised`);
    yield Buffer.alloc(paddingOf(sizeBytes));
  }
  yield Buffer.alloc(2 * blockBytes);
}

const refuseArchive = (what: string): EngineError =>
  new EngineError(
    'validation_error',
    `This file is not a whole archive (${what}). Nothing was changed. Use another backup.`,
  );

/** Pulls exact counts of bytes from a stream of pieces of any size. */
function createByteSource(bytes: AsyncIterable<Uint8Array>) {
  const pieces = bytes[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);

  /** At least one and at most `bytesMax` bytes. */
  async function readSome(bytesMax: number): Promise<Uint8Array> {
    while (rest.length === 0) {
      const { done, value } = await pieces.next();
      if (done) throw refuseArchive('it ends too early');
      rest = value;
    }
    const taken = rest.subarray(0, bytesMax);
    rest = rest.subarray(taken.length);
    return taken;
  }

  async function readBlock(): Promise<Buffer> {
    const block = Buffer.alloc(blockBytes);
    let filled = 0;
    while (filled < blockBytes) {
      const some = await readSome(blockBytes - filled);
      block.set(some, filled);
      filled += some.length;
    }
    return block;
  }

  /** Reads to the end, so that a compressed stream checks its own sum. */
  async function drain(): Promise<void> {
    rest = new Uint8Array(0);
    while (!(await pieces.next()).done);
  }
  /** Lets go of the stream, wherever it stands. */
  async function close(): Promise<void> {
    await pieces.return?.();
  }
  return { readSome, readBlock, drain, close };
}

function parseSize(header: Buffer): number {
  const sizeBytes =
    header[sizeOffset] === 0x80
      ? Number(header.readBigUInt64BE(sizeOffset + sizeFieldBytes - 8))
      : Number.parseInt(header.toString('latin1', sizeOffset, sizeOffset + 11), 8);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw refuseArchive('a size is no number');
  return sizeBytes;
}

function parseHeader(header: Buffer): { name: string; sizeBytes: number } {
  const checksum = Number.parseInt(
    header.toString('latin1', checksumOffset, checksumOffset + 6),
    8,
  );
  if (header.toString('latin1', magicOffset, magicOffset + 5) !== 'ustar')
    throw refuseArchive('a header is not one of tar');
  if (checksum !== sumHeader(header)) throw refuseArchive('a header is damaged');
  if (header.toString('latin1', typeOffset, typeOffset + 1) !== plainFile)
    throw refuseArchive('it holds something else than plain files');
  const name = header.toString('latin1', 0, nameBytesMax).replace(/\0.*$/s, '');
  return { name, sizeBytes: parseSize(header) };
}

/**
 * Reads the files of an archive one after the other; what a caller leaves unread is passed over.
 * Throws `validation_error` on anything that packArchive would not have written.
 */
export async function* unpackArchive(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const source = createByteSource(bytes);
  try {
    for (;;) {
      const header = await source.readBlock();
      if (header.every((byte) => byte === 0)) break;
      const { name, sizeBytes } = parseHeader(header);
      let left = sizeBytes;
      const readContent = async function* (): AsyncGenerator<Uint8Array> {
        while (left > 0) {
          const some = await source.readSome(left);
          left -= some.length;
          yield some;
        }
      };
      yield { name, sizeBytes, content: readContent() };
      while (left > 0) left -= (await source.readSome(left)).length;
      let padding = paddingOf(sizeBytes);
      while (padding > 0) padding -= (await source.readSome(padding)).length;
    }
    await source.drain();
  } finally {
    await source.close();
  }
}
