/**
 * Replaces the rows of the shared directory with the staged ones, and keeps what it removed and
 * added, so that the update can be undone.
 */
import type { PoolClient } from 'pg';
import { type LoadedTable, loadedTables } from './shared-tables.ts';
import { columnsOf, stagedName } from './stage-rows.ts';
import { changeSets, noteSets } from './write-sets.ts';

const keyObject = ({ key }: LoadedTable, row: string): string =>
  `jsonb_build_object(${key.map((column) => `'${column}', ${row}.${column}`).join(', ')})`;

const sameKey = ({ key }: LoadedTable, one: string, other: string): string =>
  key.map((column) => `${one}.${column} = ${other}.${column}`).join(' AND ');

/** Rows as one text, to compare them. */
const asText = ({ columns }: LoadedTable, row: string): string =>
  `ROW(${Object.keys(columns)
    .map((column) => `${row}.${column}`)
    .join(', ')})::text`;

const keepRemoved = (table: LoadedTable, importId: number): string =>
  `INSERT INTO shared_change (import_id, table_name, is_added, content)
   SELECT ${importId}, '${table.name}', false, to_jsonb(gone) - 'tenant_id' FROM gone`;

const insertStaged = (table: LoadedTable, importId: number, tenant: number, rows: string): string =>
  `WITH added AS (
     INSERT INTO ${table.name} (${columnsOf(table)}, tenant_id)
     SELECT ${columnsOf(table)}, ${tenant} FROM ${rows} RETURNING *)
   INSERT INTO shared_change (import_id, table_name, is_added, content)
   SELECT ${importId}, '${table.name}', true, ${keyObject(table, 'added')} FROM added`;

/** Replaces the rows of the affected people. */
async function replacePeople(
  client: PoolClient,
  table: LoadedTable,
  importId: number,
  tenant: number,
): Promise<void> {
  await client.query(
    `WITH gone AS (
       DELETE FROM ${table.name} t USING affected a WHERE t.${table.person} = a.person_id
       RETURNING t.*)
     ${keepRemoved(table, importId)}`,
  );
  await client.query(insertStaged(table, importId, tenant, stagedName(table)));
}

/** Replaces the rows of a whole table that differ. */
async function replaceDifferent(
  client: PoolClient,
  table: LoadedTable,
  importId: number,
  tenant: number,
): Promise<void> {
  const staged = stagedName(table);
  await client.query(`ANALYZE ${staged}`);
  await client.query(
    `WITH gone AS (
       DELETE FROM ${table.name} t USING (
         SELECT o.ctid AS place FROM ${table.name} o
         LEFT JOIN ${staged} n ON ${sameKey(table, 'o', 'n')}
         WHERE n.${table.key[0]} IS NULL OR ${asText(table, 'o')} <> ${asText(table, 'n')}) x
       WHERE t.ctid = x.place RETURNING t.*)
     ${keepRemoved(table, importId)}`,
  );
  await client.query(
    insertStaged(
      table,
      importId,
      tenant,
      `${staged} n WHERE NOT EXISTS (
         SELECT FROM ${table.name} o WHERE ${sameKey(table, 'o', 'n')})`,
    ),
  );
}

/** Removes the keys of the affected people. Call it before their person_keys change. */
const removeKeys = (client: PoolClient) =>
  client.query(
    `DELETE FROM block_key b USING (
       SELECT k.person_id, unnest(k.keys) AS key_hash
       FROM person_keys k JOIN affected USING (person_id)) x
     WHERE b.key_hash = x.key_hash AND b.person_id = x.person_id`,
  );

/** Adds the keys of the affected people, or of everyone, sorted: it writes a page once. */
export const addKeys = (client: PoolClient, tenant: number, isEveryone: boolean) =>
  client.query(
    `INSERT INTO block_key (key_hash, person_id, tenant_id)
     SELECT key_hash, person_id, ${tenant} FROM (
       SELECT unnest(keys) AS key_hash, person_id FROM person_keys
       ${isEveryone ? '' : 'JOIN affected USING (person_id)'}) x ORDER BY key_hash, person_id`,
  );

/** Applies the stages. The affected people are in `affected`. */
export async function applyStages(
  client: PoolClient,
  importId: number,
  tenant: number,
): Promise<void> {
  await client.query('ANALYZE affected');
  await removeKeys(client);
  await noteSets(client);
  for (const table of loadedTables)
    await (table.person ? replacePeople : replaceDifferent)(client, table, importId, tenant);
  await addKeys(client, tenant, false);
  await changeSets(client, tenant);
}

/** Removes everything that the first load brought. */
export async function removeEverything(client: PoolClient): Promise<void> {
  for (const name of [...loadedTables.map((table) => table.name), 'block_key', 'search_set'])
    await client.query(`DELETE FROM ${name}`);
  await client.query('DELETE FROM shared_change');
}

/** Restores the rows that an import removed, in place of those that it added. */
export async function restoreRows(
  client: PoolClient,
  importId: number,
  tenant: number,
): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE affected ON COMMIT DROP AS
     SELECT DISTINCT (content->>'person_id')::int AS person_id FROM shared_change
     WHERE import_id = ${importId} AND table_name = 'person_keys'`,
  );
  await removeKeys(client);
  await noteSets(client);
  for (const table of loadedTables) {
    const changes = (isAdded: boolean) =>
      `shared_change c
       CROSS JOIN LATERAL jsonb_populate_record(NULL::${table.name}, c.content) r
       WHERE c.import_id = ${importId} AND c.table_name = '${table.name}'
         AND c.is_added = ${isAdded}`;
    await client.query(
      `DELETE FROM ${table.name} t USING (SELECT r.* FROM ${changes(true)}) x
       WHERE ${sameKey(table, 't', 'x')}`,
    );
    const columns = Object.keys(table.columns);
    await client.query(
      `INSERT INTO ${table.name} (${columns.join(', ')}, tenant_id)
       SELECT ${columns.map((column) => `r.${column}`).join(', ')}, ${tenant}
       FROM ${changes(false)}`,
    );
  }
  await addKeys(client, tenant, false);
  await changeSets(client, tenant);
  await client.query(`DELETE FROM shared_change WHERE import_id = ${importId}`);
}
