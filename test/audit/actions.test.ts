// Every action writes one entry with its actor, its counts and its credits, and a refused one
// writes none; over the real routes.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { type AuditAction, auditActionNames } from '../../engine/contract/audit/actions.ts';
import type { AuditEntry } from '../../engine/contract/audit/audit.ts';
import type { TestEnvironment } from '../http/open-environment.ts';
import { actionTable, withOwnEntry } from './action-table.ts';
import { listAdded, shareAuditDesk } from './audit-desk.ts';

const openDesk = shareAuditDesk();

/** What every table of engine.db holds, but not when keys were used, nor the index of people. */
function hashStore({ database }: TestEnvironment): Record<string, string> {
  const tables = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
       AND name <> 'job_person'`,
    )
    .pluck()
    .all() as string[];
  const read = (table: string) =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => ({ ...(row as object), last_used_at: null, people_indexed: null }));
  const hash = (rows: unknown) => createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  return Object.fromEntries(tables.map((table) => [table, hash(read(table))]));
}

/** Runs work while no entry can be written. */
async function withoutLog(environment: TestEnvironment, work: () => Promise<unknown>) {
  const other = new Database(join(environment.folder, 'engine.db'));
  other.exec(`CREATE TRIGGER no_entry BEFORE INSERT ON audit_entry BEGIN
    SELECT RAISE(ABORT, 'no_entry'); END`);
  // The steps after a refused one may find nothing to work on.
  await work().catch(() => undefined);
  other.exec('DROP TRIGGER no_entry');
  other.close();
}

test.for(actionTable.map((row) => [row.actions.join(', '), row] as const))(
  '%s',
  async ([, row]) => {
    const desk = await openDesk();
    const prepared = await row.prepare?.(desk);
    const added = await listAdded(desk, () => row.run(desk, prepared));
    const usual = { environment: 'live', hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(added).toMatchObject(row.entries.map((entry) => ({ ...usual, ...entry })));
    const names = new Set(added.map(({ action }) => action));
    expect(row.actions.filter((action) => !names.has(action))).toEqual([]);
    const { refused } = row;
    const none = await listAdded(desk, async () => {
      expect((await refused(desk, prepared)).status).toBeGreaterThanOrEqual(400);
    });
    const isOwn = ({ action }: AuditEntry) => row.actions.includes(action as AuditAction);
    expect(none.filter(isOwn)).toEqual([]);
    expect((await desk.app('GET', 'audit-state')).data).toMatchObject({ fault: null });
  },
);

const stored = actionTable.filter(
  ({ actions }) => !actions.some((action) => withOwnEntry.has(action)),
);
test.for(stored.map((row) => [row.actions.join(', '), row] as const))(
  'without an entry, nothing is done: %s',
  { tags: ['full'] },
  async ([, row]) => {
    const desk = await openDesk();
    const prepared = await row.prepare?.(desk);
    const before = hashStore(desk.environment);
    await withoutLog(desk.environment, () => row.run(desk, prepared));
    expect(hashStore(desk.environment)).toEqual(before);
  },
);

/** Actions without a row of the table, with what proves or adds them. */
const elsewhere: Readonly<Partial<Record<AuditAction, string>>> = {
  backup_restored: 'test/audit/continue-log.test.ts',
};

test('every action has a row of the table, or is named with where it is proven', () => {
  const tried = new Set(actionTable.flatMap(({ actions }) => actions));
  const missing = auditActionNames.filter((name) => !tried.has(name) && !elsewhere[name]);
  expect(missing).toEqual([]);
});
