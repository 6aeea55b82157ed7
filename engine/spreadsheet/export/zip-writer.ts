// Writes a zip archive as a stream, without knowing the size of a file in advance: each file is
// followed by its checksum and sizes. Files are compressed in blocks, each on its own, so that
// nothing but the sizes is kept.
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { invalid } from '../../contract/errors.ts';
import { exportPartBytesMax } from '../../contract/limits/exports.ts';

/** A zip archive that is being written. Each call returns the next bytes of the archive. */
export interface ZipWriter {
  open(name: string): Uint8Array;
  /** Adds to the file. Throws `validation_error` if it exceeds what the format can hold. */
  write(bytes: Uint8Array): Uint8Array;
  close(): Uint8Array;
  end(): Uint8Array;
}

// Version 2.0 of the format; sizes follow the file, and names are UTF-8; deflated.
const versionNeeded = 20;
const flags = 0x0808;
const deflated = 8;
// 1980-01-01, the first day of the format: equal results are equal files.
const firstDay = 0x0021;
const lastBlock = Uint8Array.of(3, 0);

interface ZipEntry {
  readonly name: Buffer;
  readonly offset: number;
  checksum: number;
  packed: number;
  size: number;
}

const pack = (parts: readonly [bytes: 2 | 4, value: number][]): Buffer => {
  const buffer = Buffer.alloc(parts.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of parts) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
};

const describeEntry = ({ name, checksum, packed, size }: ZipEntry): [2 | 4, number][] => [
  [2, versionNeeded],
  [2, flags],
  [2, deflated],
  [2, 0],
  [2, firstDay],
  [4, checksum],
  [4, packed],
  [4, size],
  [2, name.length],
  [2, 0],
];

function listEntry(entry: ZipEntry): Buffer {
  const rest: [2 | 4, number][] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, entry.offset],
  ];
  const head = pack([[4, 0x02014b50], [2, versionNeeded], ...describeEntry(entry), ...rest]);
  return Buffer.concat([head, entry.name]);
}

/** Starts an archive. @param bytesMax bytes of the archive, and of one file before compression */
export function createZipWriter(bytesMax = exportPartBytesMax): ZipWriter {
  const entries: ZipEntry[] = [];
  let offset = 0;
  const current = (): ZipEntry => {
    const entry = entries.at(-1);
    if (!entry) throw new Error('no file is open');
    return entry;
  };
  const count = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    offset += bytes.length;
    if (Math.max(offset, entries.at(-1)?.size ?? 0) > bytesMax)
      throw invalid(
        'The workbook would be larger than 4 GB, which spreadsheet programs do not open. Save it ' +
          'as CSV, or save fewer rows.',
      );
    return bytes;
  };
  return {
    open(name) {
      const entry = { name: Buffer.from(name), offset, checksum: 0, packed: 0, size: 0 };
      entries.push(entry);
      return count(Buffer.concat([pack([[4, 0x04034b50], ...describeEntry(entry)]), entry.name]));
    },
    write(bytes) {
      const entry = current();
      const packed = deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
      entry.checksum = crc32(bytes, entry.checksum);
      entry.size += bytes.length;
      entry.packed += packed.length;
      return count(packed);
    },
    close() {
      const entry = current();
      entry.packed += lastBlock.length;
      const { checksum, packed, size } = entry;
      const sizes = pack([
        [4, 0x08074b50],
        [4, checksum],
        [4, packed],
        [4, size],
      ]);
      return count(Buffer.concat([lastBlock, sizes]));
    },
    end() {
      const directory = Buffer.concat(entries.map(listEntry));
      const tail = pack([
        [4, 0x06054b50],
        [2, 0],
        [2, 0],
        [2, entries.length],
        [2, entries.length],
        [4, directory.length],
        [4, offset],
        [2, 0],
      ]);
      return Buffer.concat([directory, tail]);
    },
  };
}
