// Replaces the rows of the shared directory with the staged ones, and keeps what it removed and
// added, so that the update can be undone.
import type { PoolClient } from 'pg';
import { type Bucket, plainLayout, type SharedLayout, within } from '../layout/shared-layout.ts';
import { setTables } from '../search/evaluate-plan.ts';
import { type LoadedTable, loadedTables, matchTables } from './shared-tables.ts';
import { columnsOf, stagedName } from './stage-rows.ts';
import { changeSets, noteSets } from './write-sets.ts';

const keyObject = ({ key }: LoadedTable, row: string): string =>
  `jsonb_build_object(${key.map((column) => `'${column}', ${row}.${column}`).join(', ')})`;

const sameKey = ({ key }: LoadedTable, one: string, other: string): string =>
  key.map((column) => `${one}.${column} = ${other}.${column}`).join(' AND ');

const asText = ({ columns }: LoadedTable, row: string): string =>
  `ROW(${Object.keys(columns)
    .map((column) => `${row}.${column}`)
    .join(', ')})::text`;

const keepRemoved = (table: LoadedTable, importId: number): string =>
  `INSERT INTO shared_change (import_id, table_name, is_added, content)
   SELECT ${importId}, '${table.name}', false, to_jsonb(gone) - '{tenant_id,bucket}'::text[]
   FROM gone`;

const keepAdded = (table: LoadedTable, importId: number, rows: string): string =>
  `INSERT INTO shared_change (import_id, table_name, is_added, content)
   SELECT ${importId}, '${table.name}', true, ${keyObject(table, 'n')} FROM ${rows}`;

export interface Change {
  readonly client: PoolClient;
  readonly layout: SharedLayout;
  readonly importId: number;
  readonly tenant: number;
}

function insertRows({ layout, tenant }: Change, table: LoadedTable, rows: string): string {
  const columns = Object.keys(table.columns);
  const isInBucket = layout.buckets !== null && table.person !== null;
  return `INSERT INTO ${table.name}
      (${columns.join(', ')}, tenant_id${isInBucket ? ', bucket' : ''})
    SELECT ${columns.map((column) => `n.${column}`).join(', ')}, ${tenant}
      ${isInBucket ? `, ${layout.sql.person(`n.${table.person}`)}` : ''} FROM ${rows}`;
}

/** The buckets of the rows of a temporary table. @param sql the bucket of a row */
async function listBuckets(
  { client, layout }: Pick<Change, 'client' | 'layout'>,
  rows: string,
  sql: string,
): Promise<readonly Bucket[]> {
  if (!layout.buckets) return layout.parts;
  const { rows: found } = await client.query<{ bucket: number }>(
    `SELECT DISTINCT ${sql} AS bucket FROM ${rows} r`,
  );
  return found.map(({ bucket }) => bucket);
}

const rowsOf = (bucket: Bucket, rows: string, sql: string): string =>
  bucket === null ? rows : `(SELECT r.* FROM ${rows} r WHERE ${sql} = ${bucket})`;

const listAffected = (change: Pick<Change, 'client' | 'layout'>): Promise<readonly Bucket[]> =>
  listBuckets(change, 'affected', change.layout.sql.person('person_id'));

const affectedOf = ({ layout }: Pick<Change, 'layout'>, bucket: Bucket): string =>
  rowsOf(bucket, 'affected', layout.sql.person('person_id'));

async function replacePeople(change: Change, table: LoadedTable): Promise<void> {
  const { client, importId } = change;
  for (const bucket of await listAffected(change))
    await client.query(
      `WITH gone AS (
         DELETE FROM ${table.name} t USING ${affectedOf(change, bucket)} a
         WHERE ${within(bucket, 't')}t.${table.person} = a.person_id
         RETURNING t.*)
       ${keepRemoved(table, importId)}`,
    );
  await client.query(insertRows(change, table, `${stagedName(table)} n`));
  await client.query(keepAdded(table, importId, `${stagedName(table)} n`));
}

async function replaceDifferent(change: Change, table: LoadedTable): Promise<void> {
  const { client, importId, tenant } = change;
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
  const columns = columnsOf(table);
  await client.query(
    `WITH added AS (
       INSERT INTO ${table.name} (${columns}, tenant_id)
       SELECT ${columns}, ${tenant} FROM ${staged} n WHERE NOT EXISTS (
         SELECT FROM ${table.name} o WHERE ${sameKey(table, 'o', 'n')}) RETURNING *)
     ${keepAdded(table, importId, 'added n')}`,
  );
}

/** The keys of people, with the surnames of those of groups, which are the first. */
const unnestKeys = (from: string): string =>
  `SELECT k.person_id, u.key_hash, CASE WHEN u.at <= k.group_count THEN k.surnames END AS surnames
   FROM ${from} CROSS JOIN LATERAL unnest(k.keys) WITH ORDINALITY u(key_hash, at)`;

const keysOfAffected = `(${unnestKeys('person_keys k JOIN affected USING (person_id)')})`;

/** SQL of the affected keys: a person's are in other buckets, so they are first collected. */
async function collectKeys(change: Pick<Change, 'client' | 'layout'>): Promise<string> {
  const { client, layout } = change;
  if (!layout.buckets) return keysOfAffected;
  await client.query(
    `CREATE TEMP TABLE IF NOT EXISTS affected_key (
       person_id int NOT NULL, key_hash bigint NOT NULL, surnames bytea) ON COMMIT DROP;
     TRUNCATE affected_key`,
  );
  for (const bucket of await listAffected(change))
    await client.query(
      `INSERT INTO affected_key (person_id, key_hash, surnames)
       ${unnestKeys('person_keys k')}
       WHERE ${within(bucket, 'k')}k.person_id IN (
         SELECT person_id FROM ${affectedOf(change, bucket)} a)`,
    );
  return 'affected_key';
}

/** Removes the keys of the affected people. Call it before their person_keys change. */
async function removeKeys(change: Change): Promise<void> {
  const { client, layout } = change;
  const keys = await collectKeys(change);
  const sql = layout.sql.key('key_hash');
  for (const bucket of await listBuckets(change, keys, sql))
    await client.query(
      `DELETE FROM block_key b USING ${rowsOf(bucket, keys, sql)} x
       WHERE ${within(bucket, 'b')}b.key_hash = x.key_hash AND b.person_id = x.person_id`,
    );
}

/** Adds keys, sorted: it writes a page once. */
const insertKeys = ({ layout, tenant }: Pick<Change, 'layout' | 'tenant'>, keys: string): string =>
  layout.buckets
    ? `INSERT INTO block_key (key_hash, person_id, surnames, tenant_id, bucket)
       SELECT key_hash, person_id, surnames, ${tenant}, ${layout.sql.key('key_hash')}
       FROM ${keys} x ORDER BY key_hash, person_id`
    : `INSERT INTO block_key (key_hash, person_id, surnames, tenant_id)
       SELECT key_hash, person_id, surnames, ${tenant}
       FROM ${keys} x ORDER BY key_hash, person_id`;

const addKeys = async (change: Change): Promise<unknown> =>
  change.client.query(insertKeys(change, await collectKeys(change)));

export async function addAllKeys(change: Omit<Change, 'importId'>): Promise<void> {
  const everyone = unnestKeys('person_keys k');
  for (const bucket of change.layout.parts) {
    const keys = bucket === null ? everyone : `${everyone} WHERE k.bucket = ${bucket}`;
    await change.client.query(insertKeys(change, `(${keys})`));
  }
}

async function noteBoth(change: Change): Promise<void> {
  for (const searched of ['people', 'companies'] as const) await noteSets({ ...change, searched });
}

async function changeBoth(change: Change): Promise<void> {
  for (const searched of ['people', 'companies'] as const)
    await changeSets({ ...change, searched });
}

const affectedCompanies = `CREATE TEMP TABLE affected_company ON COMMIT DROP AS
  SELECT company_id FROM search_company o
  FULL JOIN ${stagedName(matchTables.search_company)} n USING (company_id)
  WHERE o.value_ids IS DISTINCT FROM n.value_ids`;

/** Applies the stages. The affected people are in `affected`. */
export async function applyStages(change: Change): Promise<void> {
  await change.client.query(`ANALYZE affected; ${affectedCompanies}`);
  await removeKeys(change);
  await noteBoth(change);
  for (const table of loadedTables)
    await (table.person ? replacePeople : replaceDifferent)(change, table);
  await addKeys(change);
  await changeBoth(change);
}

/** Removes everything that the first load brought. */
export async function removeEverything(client: PoolClient): Promise<void> {
  const derived = ['block_key', ...Object.values(setTables)];
  for (const name of [...loadedTables.map((table) => table.name), ...derived])
    await client.query(`DELETE FROM ${name}`);
  await client.query('DELETE FROM shared_change');
}

const keptRows = (table: LoadedTable, importId: number, isAdded: boolean): string =>
  `(SELECT r.* FROM shared_change c
    CROSS JOIN LATERAL jsonb_populate_record(NULL::${table.name}, c.content) r
    WHERE c.import_id = ${importId} AND c.table_name = '${table.name}'
      AND c.is_added = ${isAdded})`;

/** Restores the rows that an import removed, in place of those that it added. */
export async function restoreRows(change: Change): Promise<void> {
  const { client, layout, importId } = change;
  await client.query(
    `CREATE TEMP TABLE affected ON COMMIT DROP AS
     SELECT DISTINCT (content->>'person_id')::int AS person_id FROM shared_change
     WHERE import_id = ${importId} AND table_name = 'person_keys';
     CREATE TEMP TABLE affected_company ON COMMIT DROP AS
     SELECT DISTINCT (content->>'company_id')::int AS company_id FROM shared_change
     WHERE import_id = ${importId} AND table_name = 'search_company'`,
  );
  await removeKeys(change);
  await noteBoth(change);
  for (const table of loadedTables) {
    const added = keptRows(table, importId, true);
    const sql = layout.sql.person(`${table.person}`);
    for (const bucket of table.person ? await listAffected(change) : plainLayout.parts)
      await client.query(
        `DELETE FROM ${table.name} t USING ${rowsOf(bucket, added, sql)} x
         WHERE ${within(bucket, 't')}${sameKey(table, 't', 'x')}`,
      );
    await client.query(insertRows(change, table, `${keptRows(table, importId, false)} n`));
  }
  await addKeys(change);
  await changeBoth(change);
  await client.query(`DELETE FROM shared_change WHERE import_id = ${importId}`);
}
