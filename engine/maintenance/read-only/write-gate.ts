// Refuses writes while a disk is full or a database is damaged, with one refusal that says what to
// do. Reading, exports and backups go on.
//
//   open ──a write has no space──> full ──a probe finds space──> open
//     └────a write meets damage──> damaged (until the engine starts on a repaired folder)
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadOnly } from '../../contract/engine.ts';
import { EngineError } from '../../contract/errors.ts';
import {
  spaceProbeBytes,
  spaceProbeIntervalMs,
  waitingNotesMax,
} from '../../contract/limits/maintenance.ts';
import { logFailure } from '../../platform/log-failure.ts';
import { findSystemRefusal } from '../../platform/sqlite/system-refusal.ts';
import type { SetTimer } from '../../platform/timers.ts';
import { currentOrigin, runWithOrigin } from '../../platform/workers/call-origin.ts';
import { tryWrite } from './reserve.ts';

/**
 * What happens to a call while writes are refused: it passes, it is repeated when writes are
 * possible again, or it is left out. All other calls are refused.
 */
export type Treatment = 'passes' | 'waits' | 'left out';

interface WriteGateDeps {
  readonly folder: string;
  /** The damage that was found when the folder was opened; null for none. */
  readonly damage: EngineError | null;
  readonly setTimer: SetTimer;
  readonly onChange: (readOnly: ReadOnly | null) => void;
  /** Called once when damage is found. */
  readonly onDamage: () => void;
}

export interface WriteGate {
  /** Why writes are refused; null if they are not. */
  describe(): ReadOnly | null;
  /** Notes why a write failed. Errors of other kinds are ignored. */
  note(error: unknown): void;
  /** The same calls, refused while writes are. `treatments` lists the exceptions. */
  guard<Table extends object>(calls: Table, treatments: Treatments<Table>): Table;
  /** Refuses the named calls only; all others pass. */
  guardOnly<Table extends object>(calls: Table, names: readonly (keyof Table)[]): Table;
  stop(): void;
}

export type Treatments<Table> = Readonly<Partial<Record<keyof Table, Treatment>>>;

type Call = (command: unknown, signal?: AbortSignal) => Promise<unknown>;

const canDo = 'You can still read, export and make a backup.';

const describeFull = (folder: string): ReadOnly => ({
  reason: 'disk_full',
  detail:
    `The disk of ${folder} is full, so the engine does not write. ${canDo} Free disk space: the ` +
    'engine then resumes automatically within seconds.',
});

const describeDamage = (damage: EngineError): ReadOnly => ({
  reason: 'damaged',
  detail:
    `A database is damaged, so the engine does not write. ${canDo} Then quit the app and run ` +
    `desk doctor --repair, or restore a backup: desk restore FILE. (${damage.detail})`,
});

/** Calls that wait until writes are possible, with the origin of each. */
function createWaiting() {
  const waiting: (() => Promise<unknown>)[] = [];
  return {
    add(work: () => Promise<unknown>): boolean {
      if (waiting.length >= waitingNotesMax) return false;
      const origin = currentOrigin();
      waiting.push(() => runWithOrigin(origin, work));
      return true;
    },
    async run(): Promise<void> {
      for (const work of waiting.splice(0))
        await work().catch((error) => logFailure('a record that waited was not written', error));
    },
  };
}

const findRefusal = (error: unknown): EngineError | null =>
  error instanceof EngineError ? error : findSystemRefusal(error);

const isTrouble = (error: unknown): boolean =>
  ['read_only', 'database_damaged'].includes(findRefusal(error)?.code ?? '');

function createGuards(
  describe: () => ReadOnly | null,
  note: (error: unknown) => void,
  addWaiting: (work: () => Promise<unknown>) => boolean,
): Pick<WriteGate, 'guard' | 'guardOnly'> {
  const refuse = () => new EngineError('read_only', describe()?.detail);
  const treat = (call: Call, treatment: Treatment | undefined): Call => {
    if (treatment === 'passes') return call;
    return async (command, signal) => {
      const repeat = () => call(command);
      if (describe() !== null) {
        if (treatment === 'left out') return undefined;
        if (treatment === 'waits' && addWaiting(repeat)) return undefined;
        throw refuse();
      }
      try {
        return await call(command, signal);
      } catch (error) {
        note(error);
        if (!isTrouble(error) || describe() === null) throw error;
        if (treatment === 'waits' && addWaiting(repeat)) return undefined;
        throw refuse();
      }
    };
  };
  const wrap = <Table extends object>(
    calls: Table,
    find: (name: keyof Table) => Treatment | undefined,
  ): Table =>
    new Proxy(calls, {
      get(_target, key) {
        const name = key as keyof Table;
        return treat(calls[name] as Call, find(name));
      },
    });
  return {
    guard: (calls, treatments) => wrap(calls, (name) => treatments[name]),
    guardOnly: (calls, names) =>
      wrap(calls, (name) => (names.includes(name) ? undefined : 'passes')),
  };
}

/** Creates a gate. Probes the disk once, so that a start on a full disk is noticed. */
export function createWriteGate(deps: WriteGateDeps): WriteGate {
  const { folder, damage, setTimer, onChange, onDamage } = deps;
  const waiting = createWaiting();
  let readOnly: ReadOnly | null = null;
  let cancelTimer: () => void = () => undefined;
  let isStopped = false;

  const hasSpace = (): boolean => {
    const probe = join(folder, 'space.tmp');
    const isWritten = tryWrite(probe, spaceProbeBytes);
    rmSync(probe, { force: true });
    return isWritten;
  };
  const set = (next: ReadOnly | null): void => {
    readOnly = next;
    onChange(next);
  };
  const probeLater = (): void => {
    cancelTimer = setTimer(() => {
      if (isStopped || readOnly?.reason !== 'disk_full') return;
      if (!hasSpace()) return probeLater();
      set(null);
      void waiting.run();
    }, spaceProbeIntervalMs);
  };
  const noteFull = (): void => {
    if (readOnly !== null || isStopped) return;
    set(describeFull(folder));
    probeLater();
  };
  const note = (error: unknown): void => {
    const refusal = findRefusal(error);
    if (refusal?.code === 'read_only') noteFull();
    if (refusal?.code !== 'database_damaged' || readOnly?.reason === 'damaged') return;
    cancelTimer();
    set(describeDamage(refusal));
    onDamage();
  };
  const { guard, guardOnly } = createGuards(() => readOnly, note, waiting.add);
  if (damage) readOnly = describeDamage(damage);
  else if (!hasSpace()) noteFull();
  return {
    describe: () => readOnly,
    note,
    guard,
    guardOnly,
    stop() {
      isStopped = true;
      cancelTimer();
    },
  };
}
