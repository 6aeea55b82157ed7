// Puts tables into buckets, as soon as a migration has created them: as shards where the server has
// Citus, else as partitions. A unique key then contains the bucket, which both ask for. The queue,
// imports, companies and names stay tables of the one server that engines and workers connect to.
import type { PoolClient } from 'pg';
import { invalid } from '../../contract/errors.ts';
import { sharedBuckets } from '../../contract/shared/limits.ts';
import { loadedTables } from '../load/shared-tables.ts';
import { type Buckets, forgetLayout, layoutOf, runBitsUsual } from './shared-layout.ts';

/** The tables with a bucket: the rows of people, their keys, and the sets of searches. */
const bucketTables: ReadonlySet<string> = new Set([
  ...loadedTables.filter(({ person }) => person !== null).map(({ name }) => name),
  'block_key',
  'search_set',
  'bucket_generation',
]);

/** The table whose shards the others follow. */
const firstSharded = 'block_key';

export interface Distribution {
  /** Null: as many as there are, or 32. */
  readonly buckets: number | null;
  /** 2 ** runBits people with consecutive ids are in one bucket; 19 if it is not given. */
  readonly runBits?: number;
}

const createLayoutTable = `
  CREATE TABLE IF NOT EXISTS shared_layout (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    buckets int[] NOT NULL,
    run_bits int NOT NULL,
    is_on_citus boolean NOT NULL
  );
  GRANT SELECT ON shared_layout TO desk_reader`;

const hasCitus = async (client: PoolClient): Promise<boolean> =>
  (await client.query("SELECT FROM pg_extension WHERE extname = 'citus'")).rows.length > 0;

/** The layout of an empty database. Throws `validation_error` if it has another one. */
export async function startLayout(
  client: PoolClient,
  { buckets, runBits = runBitsUsual }: Distribution,
  hasTables: boolean,
): Promise<void> {
  const known = await layoutOf(client);
  if (known.buckets) {
    const count = known.buckets.values.length;
    if (buckets === null || count === buckets) return;
    throw invalid(`The tables are in ${count} buckets. Their number cannot be changed.`);
  }
  if (hasTables)
    throw invalid(
      'The tables are there already, and are not distributed. Create another database, and load ' +
        'the directory into it.',
    );
  await client.query(createLayoutTable);
  await client.query(
    'INSERT INTO shared_layout (buckets, run_bits, is_on_citus) VALUES ($1, $2, $3)',
    [
      Array.from({ length: buckets ?? sharedBuckets.usual }, (_, at) => at),
      runBits,
      await hasCitus(client),
    ],
  );
}

/**
 * The generation of each bucket. A reader of a bucket reads it in the same query, because the
 * transactions of nodes do not end at the same moment.
 */
const createGenerations = `
  CREATE TABLE IF NOT EXISTS bucket_generation (
    tenant_id int NOT NULL DEFAULT desk_tenant(),
    number bigint NOT NULL,
    PRIMARY KEY (tenant_id)
  )`;

interface TableKeys {
  /** Columns of the primary key. */
  readonly key: string[];
  readonly indexes: string[];
}

async function readKeys(client: PoolClient, table: string): Promise<TableKeys> {
  const { rows } = await client.query<{ isKey: boolean; columns: string[]; sql: string }>(
    `SELECT i.indisprimary AS "isKey", pg_get_indexdef(i.indexrelid) AS sql,
       ARRAY(SELECT quote_ident(a.attname) FROM unnest(i.indkey) WITH ORDINALITY k(number, at)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
         ORDER BY k.at) AS columns
     FROM pg_index i WHERE i.indrelid = $1::regclass AND (i.indisprimary OR NOT i.indisunique)`,
    [table],
  );
  const key = rows.find(({ isKey }) => isKey)?.columns ?? [];
  return { key, indexes: rows.flatMap(({ isKey, sql }) => (isKey ? [] : [sql])) };
}

async function partition(client: PoolClient, table: string, buckets: readonly number[]) {
  const { key, indexes } = await readKeys(client, table);
  const statements = [
    `ALTER TABLE ${table} RENAME TO undistributed`,
    `CREATE TABLE ${table} (LIKE undistributed INCLUDING DEFAULTS INCLUDING STORAGE
       INCLUDING CONSTRAINTS, bucket int NOT NULL) PARTITION BY LIST (bucket)`,
    'DROP TABLE undistributed',
    `ALTER TABLE ${table} ADD PRIMARY KEY (${[...key, 'bucket'].join(', ')})`,
    ...indexes,
    ...buckets.map(
      (bucket) => `CREATE TABLE ${table}_${bucket} PARTITION OF ${table} FOR VALUES IN (${bucket})`,
    ),
  ];
  await client.query(statements.join(';\n'));
}

async function shard(client: PoolClient, table: string, count: number): Promise<void> {
  const { key } = await readKeys(client, table);
  const place =
    table === firstSharded
      ? `colocate_with => 'none', shard_count => ${count}`
      : `colocate_with => '${firstSharded}'`;
  await client.query(
    `ALTER TABLE ${table} ADD COLUMN bucket int NOT NULL;
     -- The function of the default reads a table that other nodes do not have.
     ALTER TABLE ${table} ALTER COLUMN tenant_id SET DEFAULT 1;
     ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey;
     ALTER TABLE ${table} ADD PRIMARY KEY (${[...key, 'bucket'].join(', ')})`,
  );
  await client.query(`SELECT create_distributed_table('${table}', 'bucket', ${place})`);
}

/** A number for each shard: the smallest one that Citus puts there. */
const findValues = `
  UPDATE shared_layout SET buckets = (
    SELECT array_agg(value ORDER BY value) FROM (
      SELECT DISTINCT ON (shard) value FROM (
        SELECT value, get_shard_id_for_distribution_column('${firstSharded}', value) AS shard
        FROM generate_series(0, 99999) value) placed
      ORDER BY shard, value) first_values)`;

/** The tables that should have buckets and have none yet, the one that others follow first. */
async function listPlain(client: PoolClient, isOnCitus: boolean): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'desk'::regnamespace AND relkind = 'r' AND relname = ANY ($1)
       ${isOnCitus ? 'AND oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)' : ''}
     ORDER BY relname <> '${firstSharded}', relname`,
    [[...bucketTables]],
  );
  return rows.map(({ name }) => name);
}

const distribute = async (
  client: PoolClient,
  tables: readonly string[],
  { isOnCitus, values }: Buckets,
): Promise<void> => {
  for (const table of tables)
    await (isOnCitus ? shard(client, table, values.length) : partition(client, table, values));
};

/**
 * Puts the new tables of a migration into buckets, if the shared directory has some. Call it in the
 * transaction that created them: a table is never seen without its buckets.
 */
export async function distributeTables(client: PoolClient): Promise<void> {
  const { buckets } = await layoutOf(client);
  if (!buckets) return;
  const { isOnCitus, values } = buckets;
  // A transaction that creates objects and shards does one thing after the other.
  if (isOnCitus) await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  const plain = await listPlain(client, isOnCitus);
  if (!plain.includes(firstSharded)) {
    await distribute(client, plain, buckets);
    return;
  }
  await client.query(createGenerations);
  await distribute(client, [...plain, 'bucket_generation'], buckets);
  if (!isOnCitus) return;
  await client.query(findValues);
  forgetLayout(client);
  const found = (await layoutOf(client)).parts.length;
  if (found !== values.length) throw new Error(`found values for ${found} of the shards`);
}
