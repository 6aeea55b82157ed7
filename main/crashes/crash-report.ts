/**
 * Reports of crashes, as files in the user's data folder. A report has no paths, names, addresses
 * or values: only what crashed, how, and which versions ran.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import {
  crashesMax,
  crashesWindowMs,
  crashReportsMax,
} from '../../engine/contract/limits/platform.ts';

/** What can crash. */
export type Crashed = 'window' | 'graphics' | 'engine' | 'helper';

export interface Crash {
  readonly what: Crashed;
  /** Electron's word, such as `crashed`, `oom` or `killed`. */
  readonly reason: string;
  readonly exitCode: number;
  /** Where in V8 the engine ended, such as `Scavenger: semi-space copy`. */
  readonly location?: string | null;
}

const word = (text: string): string => text.replace(/[^a-z_-]/gi, '').slice(0, 40);

export function writeReport(
  { what, reason, exitCode, location = null }: Crash,
  { at, appVersion, recent }: { at: Date; appVersion: string; recent: number },
): string {
  const { electron = null, chrome = null, node } = process.versions;
  return `${JSON.stringify(
    {
      at: at.toISOString(),
      what,
      reason: word(reason),
      exit_code: exitCode,
      location: location?.replace(/[^\w:. -]/g, '').slice(0, 80) ?? null,
      crashes_of_the_last_minutes: recent,
      app: appVersion,
      electron,
      chrome,
      node,
      system: platform(),
      system_release: release(),
      processor: arch(),
    },
    null,
    2,
  )}\n`;
}

/** Stores a report, and deletes the oldest ones above the limit. Returns its path. */
export function storeReport(folder: string, what: Crashed, at: Date, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${at.toISOString().replaceAll(':', '-')}-${what}.json`);
  writeFileSync(path, text, { mode: 0o600 });
  const old = readdirSync(folder).sort().slice(0, -crashReportsMax);
  for (const name of old) rmSync(join(folder, name), { force: true });
  return path;
}

/** Counts the crashes of each part, and says whether it may be restarted by itself. */
export class CrashCount {
  readonly #timesMs = new Map<Crashed, number[]>();

  /** Notes a crash. Returns how many there were in the window, and whether they are too many. */
  note(what: Crashed, nowMs: number): { recent: number; isTooOften: boolean } {
    const before = this.#timesMs.get(what) ?? [];
    const times = [...before.filter((atMs) => nowMs - atMs < crashesWindowMs), nowMs];
    this.#timesMs.set(what, times);
    return { recent: times.length, isTooOften: times.length > crashesMax };
  }

  /** Forgets the crashes of a part, after the user asked for another try. */
  forget(what: Crashed): void {
    this.#timesMs.delete(what);
  }
}
