// Waits outside SQLite for another writer, so that the wait can be stopped.
import { setTimeout as wait } from 'node:timers/promises';
import type { WritableDatabase } from './open-database.ts';

const retryDelayMs = 100;

export const isBusy = (error: unknown): boolean =>
  /^SQLITE_BUSY/.test(String((error as NodeJS.ErrnoException | null)?.code));

export async function writeWhenFree(
  database: WritableDatabase,
  work: () => void,
  signal: AbortSignal,
): Promise<void> {
  database.pragma('busy_timeout = 0');
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      await wait(retryDelayMs, undefined, { signal });
    }
  }
}
