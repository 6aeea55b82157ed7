// The engine's output: to the terminal, and to `engine.log` in the user's data folder. An app that
// was not started from a terminal has no other log.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { engineLogBytesMax } from '../engine/contract/limits/platform.ts';

export const engineLogPath = (userData: string): string => join(userData, 'engine.log');

/** The size of a file, in bytes; 0 if there is none. */
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Appends to the log. A full one becomes `engine.log.1`, which replaces the one before. */
function append(path: string, bytes: Buffer): void {
  try {
    if (sizeOf(path) + bytes.length > engineLogBytesMax) renameSync(path, `${path}.1`);
  } catch {
    // There was none.
  }
  try {
    appendFileSync(path, bytes.subarray(-engineLogBytesMax), { mode: 0o600 });
  } catch {
    // A full disk must not end the app. The engine itself reports it.
  }
}

/** Ignores a terminal that is gone, whose error would end the app. Call before any output. */
export function ignoreClosedTerminal(outputs: readonly Writable[]): void {
  for (const output of outputs) output.on('error', () => undefined);
}

export function copyEngineOutput(
  userData: string,
  streams: readonly (readonly [from: Readable | null, to: Writable])[],
): void {
  const path = engineLogPath(userData);
  for (const [from, to] of streams)
    from?.on('data', (bytes: Buffer) => {
      append(path, bytes);
      to.write(bytes);
    });
}
