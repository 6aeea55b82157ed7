/**
 * Receives the bytes of a JSON body: small ones in memory, large ones in a file, so that many
 * bodies at once need little memory.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { EngineError } from '../../contract/errors.ts';

/** Limits of a body, and where a large one goes. */
export interface BodyWishes {
  /** Maximum number of bytes. */
  readonly bytesMax: number;
  /** Number of bytes that are kept in memory. */
  readonly inlineBytesMax: number;
  /** Time limit to receive the body. */
  readonly receiveMaxMs: number;
  /** Message about a body that is too large. */
  readonly tooLarge: string;
  /**
   * Returns the path of the file for a large body. Called once; may throw. The caller removes the
   * file.
   */
  readonly openFile: () => string;
}

export type ReceivedBytes = { readonly bytes: Buffer } | { readonly path: string };

/**
 * Receives a body. Throws `validation_error` for a body that is too large, too slow or incomplete,
 * and errors of the file system and of `openFile`. The rest of the body is then left unread.
 */
export function receiveBody(request: IncomingMessage, wishes: BodyWishes): Promise<ReceivedBytes> {
  const { bytesMax, inlineBytesMax, receiveMaxMs, tooLarge, openFile } = wishes;
  const fault = (detail: string) => new EngineError('validation_error', detail);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bytesMax) return Promise.reject(fault(tooLarge));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    let file: WriteStream | null = null;
    let path = '';
    const stop = () => {
      clearTimeout(patience);
      request.off('data', take).off('end', end).off('close', breakOff).pause();
    };
    const fail = (error: unknown) => {
      stop();
      file?.destroy();
      reject(error);
    };
    const spool = (chunk: Buffer) => {
      if (!file) {
        path = openFile();
        file = createWriteStream(path, { mode: 0o600 }).on('error', fail);
        file.on('drain', () => request.resume());
        for (const early of chunks.splice(0)) file.write(early);
      }
      if (!file.write(chunk)) request.pause();
    };
    const take = (chunk: Buffer) => {
      received += chunk.length;
      if (received > bytesMax) return fail(fault(tooLarge));
      try {
        if (received > inlineBytesMax) spool(chunk);
        else chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const end = () => {
      stop();
      if (file) file.end(() => resolve({ path }));
      else resolve({ bytes: Buffer.concat(chunks, received) });
    };
    const breakOff = () => fail(fault('The body is incomplete. Send it again.'));
    const patience = setTimeout(
      () => fail(fault(`The body did not arrive within ${receiveMaxMs / 1000} s. Send it again.`)),
      receiveMaxMs,
    );
    request.on('data', take).on('end', end).on('close', breakOff).resume();
  });
}
