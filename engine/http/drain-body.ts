/**
 * Reads the rest of a refused request's body into nothing: many clients send all of it before they
 * listen, and would not hear an answer on a connection that was closed while they sent.
 */
import type { IncomingMessage } from 'node:http';
import { drainBytesMax, drainMaxMs } from '../contract/limits/http.ts';

/** How much, and how long, is read. */
export interface DrainLimits {
  readonly maxMs: number;
  readonly bytesMax: number;
}

const drainLimits: DrainLimits = { maxMs: drainMaxMs, bytesMax: drainBytesMax };

/** Resolves with whether the body has come to its end within the bounds. */
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
