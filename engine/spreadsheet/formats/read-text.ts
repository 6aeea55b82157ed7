// Reads the text of a file in chunks.
import { open } from 'node:fs/promises';
import { createTextDecoder } from '../decode-text.ts';
import { type ListSource, refuseFile } from './list-reader.ts';

const chunkBytes = 262_144;

/** Passes the text on. Throws for bytes that are no text, and the signal's reason. */
export async function readText(
  { path, bytes, encoding, signal, onProgress }: ListSource,
  onText: (text: string) => void,
): Promise<void> {
  const decode = createTextDecoder(encoding);
  const take = (piece: Uint8Array, isLast: boolean) => {
    const { text, fault } = decode(piece, isLast);
    if (fault) throw refuseFile(`The file cannot be read as ${encoding}: ${fault}.`);
    onText(text);
  };
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, bytes));
    for (let done = 0; ; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, buffer.length, done);
      if (bytesRead === 0) break;
      done += bytesRead;
      take(buffer.subarray(0, bytesRead), false);
      onProgress(Math.min(1, done / bytes));
    }
    take(new Uint8Array(0), true);
  } finally {
    await file.close();
  }
}
