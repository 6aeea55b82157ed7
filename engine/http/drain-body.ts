/**
 * Reads and discards the rest of a refused request's body. Many clients send the whole body before
 * they read the answer, and would miss it if the connection were closed earlier.
 */
import type { IncomingMessage } from 'node:http';
import { drainBytesMax, drainMaxMs } from '../contract/limits/http.ts';

/** Limits of time and size. */
export interface DrainLimits {
  readonly maxMs: number;
  readonly bytesMax: number;
}

const drainLimits: DrainLimits = { maxMs: drainMaxMs, bytesMax: drainBytesMax };

/** Resolves with whether the body ended within the limits. */
export function drainBody(
  request: IncomingMessage,
  { maxMs, bytesMax }: DrainLimits = drainLimits,
): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(request.complete);
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) end();
    };
    const end = () => {
      clearTimeout(patience);
      request.off('data', count).off('end', end).off('close', end);
      resolve(request.complete);
    };
    const patience = setTimeout(end, maxMs);
    request.on('data', count).on('end', end).on('close', end).resume();
  });
}
