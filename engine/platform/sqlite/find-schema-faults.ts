// Compares the schema of a database with that of its migrations. A file from elsewhere can have a
// trigger, a view or a generated column that changes or hides rows, or lack one that protects them.
import Database from 'better-sqlite3';
import { migrate } from './migrate.ts';

/** Tables, indexes, triggers and views with their text; SQLite's own are left out. */
function readSchema(database: Database.Database): Map<string, string | null> {
  const rows = database
    .prepare<[], { type: string; name: string; sql: string | null }>(
      `SELECT type, name, sql FROM main.sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all();
  return new Map(rows.map(({ type, name, sql }) => [`${type} ${name}`, sql]));
}

const ownSchemas = new Map<string, Map<string, string | null>>();

function readOwnSchema(dir: string, version: number): Map<string, string | null> {
  const known = ownSchemas.get(`${version} ${dir}`);
  if (known) return known;
  const scratch = new Database(':memory:');
  try {
    migrate(scratch, dir, version);
    const own = readSchema(scratch);
    ownSchemas.set(`${version} ${dir}`, own);
    return own;
  } finally {
    scratch.close();
  }
}

const foundMax = 3;

/** A phrase for each of the first differences; empty if none. @param dir of the migrations */
export function findSchemaFaults(database: Database.Database, dir: string): string[] {
  const version = Number(database.pragma('main.user_version', { simple: true }));
  const own = readOwnSchema(dir, version);
  const found = readSchema(database);
  const added = [...found].flatMap(([name, sql]) => {
    if (!own.has(name)) return `${name} is not of this product`;
    return own.get(name) === sql ? [] : `${name} is not as this product creates it`;
  });
  const missing = [...own.keys()].filter((name) => !found.has(name));
  return [...added, ...missing.map((name) => `${name} is missing`)].slice(0, foundMax);
}

/** A statement without its comments and line breaks. */
const bare = (sql: string | null | undefined): string =>
  (sql ?? '').replace(/--.*$/gm, '').replace(/\s+/g, ' ');

/**
 * The first tables and views of the product that a database lacks or has in another form: a version
 * in development wrote it, and statements would fail one by one. Indexes and triggers are left to
 * `desk doctor`, because each statement works without them.
 * @param dir of the migrations
 */
export function findOtherTables(database: Database.Database, dir: string): string[] {
  const own = readOwnSchema(dir, Number(database.pragma('main.user_version', { simple: true })));
  const found = readSchema(database);
  return [...own]
    .filter(([name, sql]) => {
      const other = found.get(name);
      return /^(?:table|view) /.test(name) && other !== sql && bare(other) !== bare(sql);
    })
    .map(([name]) => name)
    .slice(0, foundMax);
}
