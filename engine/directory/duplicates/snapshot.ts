// The rows of a person or a company as values, so that they can be compared and restored.
import type { DuplicateKind } from '../../contract/duplicates/duplicates.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

type Row = Readonly<Record<string, unknown>>;

export type Snapshot = Readonly<Record<string, readonly Row[]>>;

const jobsOf = 'SELECT id FROM employment WHERE person_id = @id';

/** The tables of each kind, those first that the others refer to, and which rows are a record's. */
const tables: Readonly<Record<DuplicateKind, readonly (readonly [string, string])[]>> = {
  person: [
    ['person', 'id = @id'],
    ['employment', 'person_id = @id'],
    ['person_name', 'person_id = @id'],
    ['person_key', 'person_id = @id'],
    ['person_phone', 'person_id = @id'],
    ['person_listing', 'person_id = @id'],
    [
      'value_claim',
      `(record = 0 AND record_id = @id) OR (record = 1 AND record_id IN (${jobsOf}))`,
    ],
  ],
  company: [
    ['company', 'id = @id'],
    ['company_alias', 'company_id = @id'],
    ['company_listing', 'company_id = @id'],
    ['value_claim', 'record = 2 AND record_id = @id'],
  ],
};

/** Columns that depend on other records; they are derived again after a restore. */
const derived = new Set([
  'listed',
  'suppressed',
  'mobile_phone',
  'direct_phone',
  'has_foreign_phone',
  'mail_domain',
]);

export function takeSnapshot(
  db: ReadableDatabase,
  kind: DuplicateKind,
  ids: readonly number[],
): Snapshot {
  const read = tables[kind].map(([table, where]) => {
    const rows = statement<Row>(db, `SELECT * FROM ${table} WHERE ${where} ORDER BY 1, 2, 3, 4`);
    return [table, ids.flatMap((id) => rows.all({ id }))] as const;
  });
  return Object.fromEntries(read);
}

export interface Difference {
  readonly table: string;
  readonly column: string | null;
}

const withoutDerived = (row: Row): string =>
  JSON.stringify(Object.entries(row).filter(([name]) => !derived.has(name)));

/** The first difference of two snapshots apart from derived columns; null if they are equal. */
export function findDifference(before: Snapshot, after: Snapshot): Difference | null {
  for (const [table, rows] of Object.entries(before)) {
    const others = after[table] ?? [];
    const left = new Set(rows.map(withoutDerived));
    const right = new Set(others.map(withoutDerived));
    const changed =
      others.find((row) => !left.has(withoutDerived(row))) ??
      rows.find((row) => !right.has(withoutDerived(row)));
    if (!changed) continue;
    const known = rows.find((row) => 'id' in row && row.id === changed.id);
    const column =
      known && others.includes(changed)
        ? Object.keys(changed).find((name) => !derived.has(name) && changed[name] !== known[name])
        : undefined;
    return { table, column: column ?? null };
  }
  return null;
}

export const listImports = (snapshot: Snapshot): Set<number> =>
  new Set(
    Object.values(snapshot).flatMap((rows) =>
      rows.flatMap(({ import_id: id }) => (typeof id === 'number' ? id : [])),
    ),
  );

const columnsOf = (db: WritableDatabase, table: string): string[] =>
  statement<{ name: string }>(db, 'SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name);

const keysOf = (table: string): readonly string[] =>
  table === 'value_claim' ? ['record', 'record_id', 'field', 'import_id'] : ['id'];

export function replaceRows(
  db: WritableDatabase,
  kind: DuplicateKind,
  now: Snapshot,
  then: Snapshot,
): void {
  const names = tables[kind].map(([table]) => table);
  const keep = new Set((then[kind] ?? []).map(({ id }) => id));
  for (const table of names.toReversed()) {
    const keys = keysOf(table);
    const where = keys.map((key) => `${key} = @${key}`).join(' AND ');
    const remove = statement(db, `DELETE FROM ${table} WHERE ${where}`);
    // Other records refer to the record itself.
    for (const row of now[table] ?? [])
      if (table !== kind || !keep.has(row.id))
        remove.run(Object.fromEntries(keys.map((key) => [key, row[key]])));
  }
  for (const table of names) {
    const columns = columnsOf(db, table);
    const marks = columns.map((name) => `@${name}`).join(', ');
    const updated = columns.map((name) => `${name} = excluded.${name}`).join(', ');
    const conflict = `ON CONFLICT (${keysOf(table).join(', ')}) DO UPDATE SET ${updated}`;
    const insert = statement(
      db,
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks}) ${conflict}`,
    );
    for (const row of then[table] ?? [])
      insert.run(Object.fromEntries(columns.map((name) => [name, row[name]])));
  }
}
