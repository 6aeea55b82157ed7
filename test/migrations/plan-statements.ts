// How SQLite runs the statements of an operation.
import { insertBatch } from '../../engine/jobs/results/job-batch.table.ts';
import type {
  ReadableDatabase,
  WritableDatabase,
} from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { addAccount, addJob, at, makeTemporaryFolder } from './temporary-store.ts';

/**
 * The plan of every statement that an operation prepares on a connection without prepared
 * statements, one line per step.
 */
export function planOn(database: ReadableDatabase, work: () => unknown): string[] {
  const prepared: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    prepared.push(sql);
    return prepare(sql);
  }) as typeof database.prepare;
  work();
  database.prepare = prepare;
  return prepared.flatMap((sql) => {
    const names = Array.from(sql.matchAll(/@(\w+)/g), ([, name = '']) => [name, 1]);
    const unnamed = Array.from(sql.matchAll(/\?/g), () => 1);
    const values = names.length > 0 ? [Object.fromEntries(names)] : unnamed;
    const plan = prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    return plan.all(...values).map(({ detail }) => detail);
  });
}

/** The same in a store with two jobs. */
export function planStatements(work: (database: WritableDatabase) => unknown): string[] {
  const folder = makeTemporaryFolder();
  const filled = openStore(folder);
  const { id } = addAccount(filled, 5000);
  const { id: jobId } = addJob(filled, id);
  addJob(filled, id);
  const counts = { enriched: 1, skipped: 1, failed: 1 };
  const written = { ...counts, parts: Uint8Array.of(1, 1, 1), facts: new Uint32Array(3) };
  insertBatch(filled, { jobId, firstRow: 0, rowCount: 3, ...written, at });
  filled.close();
  const database = openStore(folder);
  const steps = planOn(database, () => work(database));
  database.close();
  return steps;
}
