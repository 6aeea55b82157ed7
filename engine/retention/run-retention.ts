// The run of retention as work for the scheduler: one step, a day after the last one or after a
// change of the days. It deletes what is due in small transactions, and then makes the files
// smaller. After a kill the next start continues, because each transaction leaves what is left.
//
//   idle ──due──> deleting ──nothing is left──> shrinking ──> idle, due again after a day
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldThread } from 'node:timers/promises';
import { recordAudit } from '../audit/record-audit.ts';
import {
  retentionIntervalMs,
  retentionStepRows,
  shrinkPagesMin,
  shrinkStepPages,
} from '../contract/limits/privacy/retention.ts';
import type { RetentionPolicy } from '../contract/retention/retention.ts';
import { clearDeletedJobs } from '../jobs/delete-job.ts';
import { forgetReplacedPicks, nextClearingJob } from '../jobs/deleted-job.table.ts';
import type { JobKinds } from '../jobs/job-kind.ts';
import { deleteRemoved } from '../jobs/removal/remove-jobs.ts';
import { nextRemoved, realignRemoved } from '../jobs/removal/removed-job.table.ts';
import { forgetPaidPeople } from '../jobs/repeats/paid-person.table.ts';
import { clearDeletedPipelines } from '../pipelines/deleted-pipeline.table.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import type { Turn, WorkItem, WorkSource } from '../platform/scheduler/work-source.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inRepeatableTransaction, inTransaction } from '../platform/sqlite/transaction.ts';
import { findClockStop, noteClock } from '../platform/trusted-clock.ts';
import { clearDeletedValidations } from '../validations/deleted-validation.table.ts';
import {
  countDeleted,
  endRun,
  planRun,
  readRun,
  startRun,
  startShrinking,
} from './retention-run.table.ts';
import { hasDays, listDueKinds } from './rules-by-kind.ts';

// Gives the free pages of a database back to the file system, a few at a time. Readers go on: the
// file becomes smaller at a checkpoint, once no reader uses an older state of it.

const schemas = { 'engine.db': 'main', 'directory.db': 'directory' } as const;

const readNumber = (database: ReadableDatabase, pragma: string): number =>
  Number(database.pragma(pragma, { simple: true }));

const countFree = (database: ReadableDatabase, file: DatabaseFile): number =>
  readNumber(database, `${schemas[file]}.freelist_count`);

export const hasFreePages = (database: ReadableDatabase, file: DatabaseFile): boolean =>
  countFree(database, file) >= shrinkPagesMin;

const isBusy = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_BUSY');

/** Runs a pragma without waiting for other connections. Returns null if one is in the way. */
function runAtOnce(database: WritableDatabase, pragma: string): unknown {
  const waitMs = readNumber(database, 'busy_timeout');
  database.pragma('busy_timeout = 0');
  try {
    return database.pragma(pragma);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return null;
  } finally {
    database.pragma(`busy_timeout = ${waitMs}`);
  }
}

const measure = (folder: string, file: DatabaseFile): number =>
  statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Shrinks a database file of the writer; yields after each step. Ends early if another connection
 * writes to the file: the next run continues.
 * @returns by how many bytes the file became smaller
 */
export function* shrinkFile(
  database: WritableDatabase,
  folder: string,
  file: DatabaseFile,
): Generator<void, number> {
  const before = measure(folder, file);
  if (!hasFreePages(database, file)) return 0;
  const schema = schemas[file];
  for (let free = countFree(database, file); free > 0; ) {
    if (runAtOnce(database, `${schema}.incremental_vacuum(${shrinkStepPages})`) === null) break;
    yield;
    const left = countFree(database, file);
    // A file without this mode, of a copy by another program, keeps its pages.
    if (left >= free) break;
    free = left;
  }
  runAtOnce(database, `${schema}.wal_checkpoint(TRUNCATE)`);
  yield;
  return Math.max(0, before - measure(folder, file));
}

export interface RetentionSourceDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly kinds: JobKinds;
  readonly policy: RetentionPolicy;
  now(): Date;
  /** Called at the start, now and then during a run, and at its end. */
  onProgress(): void;
}

const eventSteps = 20;

/** Deletes the rest of what was deleted before, and what nothing needs any more. */
function* removeLeftovers({ database, folder, kinds }: RetentionSourceDeps, at: string) {
  yield* deleteRemoved({ database, folder, kinds, at });
  yield* clearDeletedJobs({ database, folder, kinds, at });
  yield* clearDeletedPipelines(database, folder);
  yield* clearDeletedValidations(database);
  for (const forget of [
    () => forgetReplacedPicks(database, retentionStepRows),
    () => forgetPaidPeople(database, at, retentionStepRows),
  ])
    while (inRepeatableTransaction(database, forget) > 0) yield;
}

/** Deletes everything that is due; yields after each transaction. */
export function* removeDue(deps: RetentionSourceDeps, now: Date): Generator<void> {
  const { database, folder, kinds, policy } = deps;
  yield* removeLeftovers(deps, now.toISOString());
  for (const { kind, rules, scope } of listDueKinds(database, policy, now)) {
    const count = (items: number) => countDeleted(database, kind, items);
    yield* rules.remove({ database, folder, kinds, count }, scope);
  }
  yield* removeLeftovers(deps, now.toISOString());
}

const describeRun = (deleted: Readonly<Record<string, number>>, shrunkBytes: number): string => {
  const parts = Object.entries(deleted).map(([kind, count]) => `${kind} ${count}`);
  const shrunk = shrunkBytes > 0 ? `; files ${shrunkBytes} bytes smaller` : '';
  return `retention: deleted ${parts.join(', ') || 'nothing'}${shrunk}`;
};

/** Runs the steps of a generator with the thread free between them. False if it was stopped. */
async function walk<Result>(
  steps: Generator<void, Result>,
  { isStopping }: Pick<Turn, 'isStopping'>,
  onProgress: () => void,
): Promise<{ readonly result: Result } | null> {
  for (let count = 1; ; count += 1) {
    const next = steps.next();
    if (next.done) return { result: next.value };
    if (count % eventSteps === 0) onProgress();
    await yieldThread();
    if (isStopping()) return null;
  }
}

/** Ends a run. It is recorded with its counts if it deleted anything. */
function endAndRecord(database: WritableDatabase, now: Date, shrunkBytes: number): void {
  const at = now.toISOString();
  const dueAt = new Date(now.getTime() + retentionIntervalMs).toISOString();
  inTransaction(database, () => {
    endRun(database, { at, dueAt, shrunkBytes });
    const details = readRun(database).deleted;
    const rows = Object.values(details).reduce((sum, count) => sum + count, 0);
    if (rows > 0)
      recordAudit(database, { action: 'retention_run', at, accountId: null, rows, details });
  });
}

async function runOnce(deps: RetentionSourceDeps, turn: Pick<Turn, 'at' | 'isStopping'>) {
  const { database, folder, policy, now, onProgress } = deps;
  if (readRun(database).state === 'idle') {
    const items = listDueKinds(database, policy, turn.at).reduce(
      (sum, { rules, scope }) => sum + rules.find(database, folder, scope).items,
      0,
    );
    startRun(database, turn.at.toISOString(), items);
  }
  onProgress();
  if ((await walk(removeDue(deps, turn.at), turn, onProgress)) === null) return;
  startShrinking(database);
  onProgress();
  let shrunkBytes = 0;
  for (const file of ['engine.db', 'directory.db'] as const) {
    const shrunk = await walk(shrinkFile(database, folder, file), turn, onProgress);
    if (shrunk === null) return;
    shrunkBytes += shrunk.result;
  }
  endAndRecord(database, now(), shrunkBytes);
  const { deleted } = readRun(database);
  if (Object.keys(deleted).length > 0 || shrunkBytes > 0)
    console.error(describeRun(deleted, shrunkBytes));
  onProgress();
}

/** Creates the source. Wake its scheduler after a change of the days. */
export function createRetentionSource(deps: RetentionSourceDeps): WorkSource<WorkItem> {
  const { database, policy } = deps;
  const item = { id: 'retention' };
  return {
    name: 'retention',
    inFlightMax: 1,
    tidy: (at) => noteClock(database, at),
    next({ at }) {
      // The source is polled without work too, because a poll notes the time of the clock.
      const latest = new Date(at.getTime() + retentionIntervalMs);
      if (findClockStop(database, at)) return { dueAt: latest };
      const { state, due_at: dueAt } = readRun(database);
      if (state !== 'idle' || nextClearingJob(database)) return { item };
      if (dueAt === null && hasDays(database, policy)) return { item };
      const removal = nextRemoved(database)?.dueAt;
      const times = [latest, ...(dueAt === null ? [] : [new Date(dueAt)])];
      if (removal) times.push(removal);
      const first = times.reduce((one, next) => (next < one ? next : one));
      return first <= at ? { item } : { dueAt: first };
    },
    run: (_item, turn) => runOnce(deps, turn),
    fail(_item, { detail }) {
      console.error(`retention failed: ${detail}`);
    },
    realign(at) {
      const { due_at: dueAt } = readRun(database);
      const latest = new Date(at.getTime() + retentionIntervalMs).toISOString();
      if (dueAt !== null && dueAt > latest) planRun(database, latest);
      realignRemoved(database, at.toISOString());
    },
  };
}
