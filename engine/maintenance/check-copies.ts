// Checks the copied databases of a backup before they are archived: damage, ledger, row counts.
import { verifyLedger } from '../ledger/ledger.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import { findDamage } from '../platform/sqlite/find-damage.ts';
import { openReadable, type ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';

export type DatabasePaths = Readonly<Record<DatabaseFile, string>>;

export interface CopiesReport {
  /** What is wrong, such as "engine.db: …"; empty if nothing is. */
  readonly damage: string[];
  readonly schemas: Record<DatabaseFile, number>;
  readonly counts: Record<string, number>;
}

/** Tables whose rows are counted: their names are the same in every version. */
const countedTables: Readonly<Record<DatabaseFile, readonly string[]>> = {
  'engine.db': ['account', 'ledger_entry', 'job', 'audit_entry'],
  'directory.db': ['person', 'company'],
};

const shownMax = 3;

export function countRows(database: ReadableDatabase, file: DatabaseFile): Record<string, number> {
  return Object.fromEntries(
    countedTables[file].map((table) => [
      table,
      database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number,
    ]),
  );
}

function checkFile(
  path: string,
  file: DatabaseFile,
  withLedger: boolean,
): { damage: string[]; schema: number; counts: Record<string, number> } {
  const damage: string[] = [];
  let schema = 0;
  let counts: Record<string, number> = {};
  try {
    const database = openReadable(path);
    try {
      schema = database.pragma('user_version', { simple: true }) as number;
      damage.push(...findDamage(database, 'integrity_check'));
      counts = countRows(database, file);
      if (withLedger && file === 'engine.db')
        damage.push(...verifyLedger(database).slice(0, shownMax));
    } finally {
      database.close();
    }
  } catch (error) {
    if (findSystemRefusal(error)?.code !== 'database_damaged') throw error;
    damage.push((error as Error).message);
  }
  return { damage: damage.map((what) => `${file}: ${what}`), schema, counts };
}

/**
 * Checks both databases completely. Takes as long as reading them. Throws if the file system
 * prevents it.
 * @param withLedger whether the rules of the ledger are checked, which needs the current schema
 */
export function checkCopies(paths: DatabasePaths, withLedger: boolean): CopiesReport {
  const store = checkFile(paths['engine.db'], 'engine.db', withLedger);
  const directory = checkFile(paths['directory.db'], 'directory.db', withLedger);
  return {
    damage: [...store.damage, ...directory.damage],
    schemas: { 'engine.db': store.schema, 'directory.db': directory.schema },
    counts: { ...store.counts, ...directory.counts },
  };
}
