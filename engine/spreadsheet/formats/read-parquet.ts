// Reads Parquet, the table files of data systems, one group of rows at a time (decision 099).
import { type FileHandle, open } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { EngineError } from '../../contract/errors.ts';
import {
  csvColumnsMax,
  parquetGroupBytesMax,
  tableBytesMax,
} from '../../contract/limits/spreadsheet.ts';
import { createRowCheck, type ListReader, noSheets, refuseFile } from './list-reader.ts';

const rowsAtOnce = 2_000;

/** Node unpacks; the size that the file states is the limit. */
const limited =
  (unpack: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer) =>
  (bytes: Uint8Array, size: number): Uint8Array =>
    size === 0 ? new Uint8Array(0) : unpack(bytes, { maxOutputLength: size });
const compressors: Compressors = {
  GZIP: limited(gunzipSync),
  BROTLI: limited(brotliDecompressSync),
  ZSTD: limited(zstdDecompressSync),
};

const openBuffer = (file: FileHandle, byteLength: number): AsyncBuffer => ({
  byteLength,
  async slice(start, end = byteLength) {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, byteLength) - start));
    await file.read(bytes, 0, bytes.length, start);
    return bytes.buffer;
  },
});

/** The text of a value; structures are written as JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, '');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('; ');
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
}

const count = (number: number): string => number.toLocaleString('en-US');

export const readParquet: ListReader = async (source, { take }) => {
  const { path, bytes, signal, onProgress } = source;
  const file = await open(path);
  try {
    const buffer = openBuffer(file, bytes);
    const metadata = await parquetMetadataAsync(buffer);
    const columns = parquetSchema(metadata).children.map(({ element }) => element.name);
    if (columns.length > csvColumnsMax)
      throw refuseFile(`The table has more than ${count(csvColumnsMax)} columns.`);
    const sizes = metadata.row_groups.map(({ total_byte_size: size }) => Number(size));
    const largest = Math.max(0, ...sizes);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    if (largest > parquetGroupBytesMax || all > tableBytesMax)
      throw refuseFile(
        `The table unpacks to ${count(all)} bytes, with ${count(largest)} in one group of rows; ` +
          `the maximum is ${count(tableBytesMax)}, with ${count(parquetGroupBytesMax)} in a group.`,
        'Export it as CSV and choose the new file.',
      );
    take(columns, 1);
    const check = createRowCheck();
    let row = 0;
    for (const group of metadata.row_groups) {
      const end = row + Number(group.num_rows);
      while (row < end) {
        signal?.throwIfAborted();
        const rowEnd = Math.min(end, row + rowsAtOnce);
        const read = { file: buffer, metadata, compressors, rowStart: row, rowEnd };
        for (const values of await parquetReadObjects(read)) {
          const cells = columns.map((column) => textOf(values[column]));
          row++;
          check(cells, row + 1);
          take(cells, row + 1);
        }
        if (row < rowEnd) throw refuseFile('The Parquet file has fewer rows than it states.');
      }
      onProgress(Number(metadata.num_rows) === 0 ? 1 : row / Number(metadata.num_rows));
    }
    return noSheets;
  } catch (error) {
    if (error instanceof EngineError || signal?.aborted) throw error;
    throw refuseFile(
      `The Parquet file cannot be read: ${(error as Error).message.slice(0, 200)}.`,
      'Export the table as CSV, and choose the new file.',
      error,
    );
  } finally {
    await file.close();
  }
};
