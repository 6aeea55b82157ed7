// Runs numbered .sql files once each, in a transaction each. Refuses databases of newer versions.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../../contract/errors.ts';

/** The numbered migrations of a folder, "001-first.sql" first. Throws if a number is missing. */
function listMigrations(dir: string): { version: number; path: string }[] {
  const names = readdirSync(dir).filter((name) => /^\d{3}-.+\.sql$/.test(name));
  return names.sort().map((name, at) => {
    const version = Number(name.slice(0, 3));
    if (version !== at + 1) throw new Error(`migration ${at + 1} is missing in ${dir}`);
    return { version, path: join(dir, name) };
  });
}

export const newestVersion = (dir: string): number => listMigrations(dir).length;

/**
 * The version of a database's schema, stored in `user_version`. Throws `database_too_new` if it is
 * newer than the newest migration of the folder.
 */
export function readKnownVersion(database: Database.Database, dir: string): number {
  const found = database.pragma('user_version', { simple: true }) as number;
  return requireKnownVersion(found, database.name, dir);
}

/** Throws `database_too_new` beyond the newest migration. @param path for the message */
export function requireKnownVersion(found: number, path: string, dir: string): number {
  const newest = newestVersion(dir);
  if (found <= newest) return found;
  throw new EngineError(
    'database_too_new',
    `${basename(path)} was written by a newer version of Enrichment Desk (schema ` +
      `${found}, this version supports ${newest}). It was not changed. Install that version, ` +
      'or open another data folder.',
  );
}

/**
 * Runs the missing migrations of a database, up to a version or all of them. Each transaction
 * first raises the version, so that two engines cannot run the same migration. Throws SQL errors;
 * the database then keeps the version of the last complete migration.
 */
export function migrate(database: Database.Database, dir: string, upTo?: number): void {
  const found = readKnownVersion(database, dir);
  for (const { version, path } of listMigrations(dir).slice(found, upTo)) {
    const sql = readFileSync(path, 'utf8');
    database.transaction(() => {
      database.pragma(`user_version = ${version}`);
      database.exec(sql);
    })();
  }
}
