// What happens after a crash: the window loads again by itself, a limited number of times; the
// system's dialog says what happened and that nothing was lost; a report is stored in the user's
// data folder. A report has no paths, names, addresses or values: only what crashed, how, and which
// versions ran.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, release } from 'node:os';
import { join } from 'node:path';
import { app, dialog, shell } from 'electron';
import {
  crashesMax,
  crashesWindowMs,
  crashReportsMax,
} from '../../engine/contract/limits/platform.ts';
import { appPageUrl } from '../app-origin.ts';
import type { EngineProcess } from '../engine-process.ts';
import { relaunch } from '../relaunch.ts';
import { findWindow } from '../window.ts';

type Crashed = 'window' | 'graphics' | 'engine' | 'helper';

interface Crash {
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

const sentences: Readonly<Record<Crashed, { message: string; again: string; often: string }>> = {
  window: {
    message: 'The window stopped working.',
    again: 'It was reloaded.',
    often: 'It stopped several times, so it was not reloaded.',
  },
  graphics: {
    message: 'The graphics process stopped working.',
    again: 'It was restarted.',
    often: 'This happened several times. Without graphics acceleration, the app is slower.',
  },
  engine: {
    message: 'The engine stopped working.',
    again: 'It was restarted.',
    often: 'It stopped several times, so it was not restarted.',
  },
  helper: {
    message: 'A helper process stopped working.',
    again: 'It was restarted.',
    often: 'This happened several times.',
  },
};
const safe =
  'Nothing was lost: finished rows are stored, and a running job continues where it stopped.';

const counts = new CrashCount();
export const reportFolder = (): string => join(app.getPath('userData'), 'crash-reports');

/** Stores a report of a crash. Returns its path, and whether there were too many crashes. */
function report(crash: Crash): { path: string; isTooOften: boolean } {
  const at = new Date();
  const { recent, isTooOften } = counts.note(crash.what, at.getTime());
  const text = writeReport(crash, { at, appVersion: app.getVersion(), recent });
  return { path: storeReport(reportFolder(), crash.what, at, text), isTooOften };
}

/** Shows the dialog. Resolves with whether the user chose the offered step. */
async function tell(
  what: Crashed,
  isTooOften: boolean,
  path: string,
  step: string | null,
): Promise<boolean> {
  const { message, again, often } = sentences[what];
  const buttons = [...(isTooOften && step !== null ? [step] : []), 'Close', 'Show report'];
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message,
    buttons,
    noLink: true,
    detail: `${isTooOften ? often : again}\n\n${safe}`,
    cancelId: buttons.indexOf('Close'),
  });
  if (buttons[response] === 'Show report') shell.showItemInFolder(path);
  return buttons[response] === step;
}

const loadPage = (): void => void findWindow()?.loadURL(appPageUrl).catch(console.error);

async function handleWindowCrash(crash: Crash): Promise<void> {
  const { path, isTooOften } = report(crash);
  if (!isTooOften) loadPage();
  if (!(await tell('window', isTooOften, path, 'Reload'))) return;
  counts.forget('window');
  loadPage();
}

async function handleProcessCrash(crash: Crash): Promise<void> {
  const { path, isTooOften } = report(crash);
  // Electron starts these processes again itself. A dialog for each would only be in the way.
  if (!isTooOften || crash.what === 'helper') return;
  if (!(await tell(crash.what, isTooOften, path, 'Restart without acceleration'))) return;
  relaunch(['--disable-gpu']);
}

/** Reports each crash of the engine. The window itself offers a retry after the last one. */
function followEngine(engine: EngineProcess): void {
  engine.onCrash(({ exitCode, location, isRestarted }) => {
    const reason = location === null ? 'exited' : 'fatal_error';
    const { path } = report({ what: 'engine', reason, exitCode, location });
    if (!isRestarted) void tell('engine', true, path, null);
  });
}

export function setupCrashes(engine: EngineProcess): void {
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit') void handleWindowCrash({ what: 'window', reason, exitCode });
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    // The engine is followed by its own process.
    if (reason === 'clean-exit' || reason === 'killed' || type === 'Utility') return;
    const what = type === 'GPU' ? 'graphics' : 'helper';
    void handleProcessCrash({ what, reason, exitCode });
  });
  followEngine(engine);
}
