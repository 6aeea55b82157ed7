// The writes about paid requests while the disk is full: nothing more is sent, and an answer that
// arrives is kept in memory until it can be stored.
//
//   open ──an answer has no room, or the disk has no space──> blocked
//     └<──every answer is stored, and the disk has space──────┘
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { EngineError } from '../../contract/errors.ts';
import { spaceProbeBytes } from '../../contract/limits/maintenance.ts';
import { storageRetryMs } from '../../contract/limits/platform.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { findShortage } from '../../platform/sqlite/system-refusal.ts';

/** Waits. Rejects with the signal's reason if the signal is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<unknown>;

export interface PaidWritesDeps {
  readonly database: WritableDatabase;
  readonly wait: Wait;
  /** Called when nothing more is sent because of a full disk. */
  readonly onTrouble?: ((trouble: EngineError) => void) | undefined;
}

export interface PaidWrites {
  isBlocked(): boolean;
  /** Whether an error says that there is no room to write, which is reported. */
  isShortage(error: unknown): boolean;
  /** Resolves when it is worth asking again; rejects if the signal is aborted. */
  waitForRoom(signal: AbortSignal): Promise<unknown>;
  /** Runs a write, again while there is no room. Rejects with other errors, and after `stop`. */
  keep<Result>(write: () => Result): Promise<Result>;
  stop(): void;
}

function hasSpace({ name }: WritableDatabase): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(name));
    return bavail * bsize >= spaceProbeBytes;
  } catch {
    // A file system that does not say: the writes themselves tell.
    return true;
  }
}

export function createPaidWrites({ database, wait, onTrouble }: PaidWritesDeps): PaidWrites {
  const stopping = new AbortController();
  let waiting = 0;
  const isShortage = (error: unknown): boolean => {
    const shortage = findShortage(error);
    if (shortage) onTrouble?.(shortage);
    return shortage !== null;
  };
  const attempt = <Result>(write: () => Result): { readonly result: Result } | null => {
    try {
      return { result: write() };
    } catch (error) {
      if (!isShortage(error)) throw error;
      return null;
    }
  };
  return {
    isBlocked() {
      if (waiting > 0) return true;
      const isFull = !hasSpace(database);
      if (isFull) onTrouble?.(new EngineError('read_only'));
      return isFull;
    },
    isShortage,
    waitForRoom: (signal) => wait(storageRetryMs, signal),
    async keep(write) {
      let written = attempt(write);
      if (written) return written.result;
      waiting += 1;
      try {
        while (!written) {
          await wait(storageRetryMs, stopping.signal);
          written = attempt(write);
        }
        return written.result;
      } finally {
        waiting -= 1;
      }
    },
    stop: () => stopping.abort(new Error('the engine stops')),
  };
}
