// Copies the records of a directory.db into a shared directory, as loading does.

import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';

const tables = [
  'source_import',
  'company',
  'person',
  'person_name',
  'person_key',
  'person_phone',
  'employment',
  'value_claim',
];

/** Copies every record. */
export async function fillRecords(
  admin: SharedConnection,
  directory: WritableDatabase,
): Promise<void> {
  for (const table of tables) {
    const columns = directory
      .prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
      .pluck()
      .all(table) as string[];
    const rows = directory.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).all();
    await admin.pool.query(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')}
       FROM jsonb_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  }
}
