// Runs numbered .sql files once each, in order, each in a transaction; refuses newer files.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../../contract/errors.ts';

/** The numbered migrations of a folder, "001-first.sql" first. Throws where a number is missing. */
function listMigrations(dir: string): { version: number; path: string }[] {
  const names = readdirSync(dir).filter((name) => /^\d{3}-.+\.sql$/.test(name));
  return names.sort().map((name, at) => {
    const version = Number(name.slice(0, 3));
    if (version !== at + 1) throw new Error(`migration ${at + 1} is missing in ${dir}`);
    return { version, path: join(dir, name) };
  });
}

/** The newest schema version that a folder of migrations knows. */
export const newestVersion = (dir: string): number => listMigrations(dir).length;

/**
 * The version of a database's schema, kept in `user_version`.
 * Throws `database_too_new` if it is newer than the newest migration of the folder.
 */
export function readKnownVersion(database: Database.Database, dir: string): number {
  const newest = listMigrations(dir).length;
  const found = database.pragma('user_version', { simple: true }) as number;
  if (found <= newest) return found;
  throw new EngineError(
    'database_too_new',
    `${basename(database.name)} was written by a newer version of Enrichment Desk (schema ` +
      `${found}, this one knows ${newest}). It was left untouched. Install the newer version, ` +
      'or open another data folder.',
  );
}

/**
 * Runs the migrations that a database has not seen yet. The version is raised first inside each
 * transaction, so that two engines cannot both run one migration. Throws what the SQL throws; the
 * database then keeps the version of the last migration that ran as a whole.
 */
export function migrate(database: Database.Database, dir: string): void {
  const found = readKnownVersion(database, dir);
  for (const { version, path } of listMigrations(dir).slice(found)) {
    const sql = readFileSync(path, 'utf8');
    database.transaction(() => {
      database.pragma(`user_version = ${version}`);
      database.exec(sql);
    })();
  }
}
