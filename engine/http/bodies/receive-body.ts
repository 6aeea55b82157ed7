/**
 * Receives the bytes of a JSON body: a small one in memory, a large one in a file, so that however
 * many come at once, they take little memory.
 */
import { createWriteStream, type WriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { EngineError } from '../../contract/errors.ts';

/** Bounds of a body, and what becomes of a large one. */
export interface BodyWishes {
  /** Bytes that are read. */
  readonly bytesMax: number;
  /** Bytes that are kept in memory. */
  readonly inlineBytesMax: number;
  /** How long it may take to arrive. */
  readonly receiveMaxMs: number;
  /** What is said of a body that is too large. */
  readonly tooLarge: string;
  /** The file of a large body, which is called once; may throw. The caller removes it. */
  readonly openFile: () => string;
}

/** A body that has arrived. */
export type ReceivedBytes = { readonly bytes: Buffer } | { readonly path: string };

/**
 * Receives a body. Throws `validation_error` for one that is too large, too slow or broken off, and
 * what the disk or `openFile` refuses; the rest of the body is left unread then.
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
    const breakOff = () => fail(fault('The body broke off. Send it again.'));
    const patience = setTimeout(
      () => fail(fault(`The body did not arrive within ${receiveMaxMs / 1000} s. Send it again.`)),
      receiveMaxMs,
    );
    request.on('data', take).on('end', end).on('close', breakOff).resume();
  });
}
