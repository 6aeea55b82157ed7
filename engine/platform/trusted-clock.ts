// The table `trusted_clock`: the time up to which the clock of this machine is trusted. It follows
// the clock back at once, and ahead by at most `clockAheadMaxMs`; a longer step waits until a
// person confirms it, because a wrong clock makes everything look old. Steps back are followed so
// that the clock's return waits too: what was written meanwhile has dates that are too old.
import { clockAheadMaxMs, clockNoteMs } from '../contract/limits/platform.ts';
import type { ReadableDatabase, WritableDatabase } from './sqlite/open-database.ts';
import { statement } from './sqlite/statement.ts';

const readNoted = (database: ReadableDatabase): Date | null => {
  const found = statement<{ at: string }>(database, 'SELECT at FROM trusted_clock').get();
  return found ? new Date(found.at) : null;
};

const isTooFar = (noted: Date | null, now: Date): boolean =>
  noted !== null && now.getTime() - noted.getTime() > clockAheadMaxMs;

/** The last trusted time if the clock is too far ahead of it; null while the clock is trusted. */
export function findClockStop(database: ReadableDatabase, now: Date): Date | null {
  const noted = readNoted(database);
  return isTooFar(noted, now) ? noted : null;
}

/** Why nothing is deleted while the clock is not trusted, and what to do. */
export const describeClockStop = (lastAt: Date, now: Date): string => {
  const [last, today] = [lastAt, now].map((time) => time.toISOString().slice(0, 10));
  return (
    `The clock of this computer shows ${today}. ` +
    `An engine last ran on this data folder on ${last}. ` +
    'Nothing is deleted for its age until the clock is confirmed. If the date is right, confirm ' +
    'it: desk retention run --confirm-clock. If it is wrong, correct it.'
  );
};

/** The time by which something may be deleted: now, unless the clock is not trusted. */
export const trustedTime = (database: ReadableDatabase, now: Date): Date =>
  findClockStop(database, now) ?? now;

/** Trusts the clock as it is, because a person has confirmed it. */
export const confirmClock = (database: WritableDatabase, now: Date): void =>
  void statement(database, 'INSERT OR REPLACE INTO trusted_clock VALUES (1, ?)').run(
    now.toISOString(),
  );

/** Notes the time of the clock, unless it is too far ahead. Call it often while an engine runs. */
export function noteClock(database: WritableDatabase, now: Date): void {
  const noted = readNoted(database);
  if (isTooFar(noted, now)) return;
  if (noted === null || Math.abs(now.getTime() - noted.getTime()) >= clockNoteMs)
    confirmClock(database, now);
}
