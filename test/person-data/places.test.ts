// Every column that may have a value of a person is searched, or declared free of such values.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ownPlaces, textPlaces } from '../../engine/person-data/places.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';
import { migrate } from '../../engine/platform/sqlite/migrate.ts';
import { plainDirectoryColumns, plainStoreColumns } from './plain-columns.ts';

function listColumns(schema: 'store' | 'directory'): string[] {
  const database = new Database(':memory:');
  migrate(database, migrationsDir(schema));
  return database
    .prepare(
      `SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_xinfo(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type NOT IN ('INTEGER', 'REAL')
       ORDER BY 1`,
    )
    .pluck()
    .all() as string[];
}

const named = (columns: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(columns).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));

test('every column of text is in the table of places, or declared free of personal values', () => {
  const searched = [
    ...textPlaces.flatMap(({ table, columns }) => named({ [table]: Object.keys(columns) })),
    ...Object.values(ownPlaces).flatMap(({ columns }) => named(columns)),
  ];
  const plain = [...named(plainStoreColumns), ...named(plainDirectoryColumns)];
  const all = [...listColumns('store'), ...listColumns('directory')];
  const declared = [...searched, ...plain];
  expect(all.filter((column) => !declared.includes(column))).toEqual([]);
  expect(declared.filter((column) => !all.includes(column))).toEqual([]);
  expect(plain.filter((column) => searched.includes(column))).toEqual([]);
});
