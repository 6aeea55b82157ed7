// Where the rows of the shared directory are: in one table each, or in buckets, which are the
// shards of Citus or the partitions of one server. A query that reads one bucket names it, so that
// one shard answers it. Every definition of a bucket is here.
import type { PoolClient } from 'pg';
import type { Key } from '../key-hash.ts';
import { chunkPeople, chunkShift } from '../search/search-sets.ts';

/** The value of the column `bucket`; null in tables without buckets. */
export type Bucket = number | null;

export interface Buckets {
  /** The value of each bucket: on Citus, each has a shard of its own. */
  readonly values: readonly number[];
  /** 2 ** runBits people with consecutive ids are in one bucket. */
  readonly runBits: number;
  readonly isOnCitus: boolean;
}

/** The layout of a shared directory. It never changes. */
export interface SharedLayout {
  /** Null: one table each, without buckets. */
  readonly buckets: Buckets | null;
  readonly parts: readonly Bucket[];
  bucketOfPerson(personId: number): Bucket;
  bucketOfKey(key: Key): Bucket;
  /** The bucket of the sets of a chunk of people. */
  bucketOfChunk(chunk: number): Bucket;
  /** The same as SQL, of an expression. */
  readonly sql: Readonly<Record<'person' | 'key' | 'chunk', (of: string) => string>>;
}

/** Runs of 524,288 people: the first chunks of a search, and most pages, are in one bucket. */
export const runBitsUsual = 19;

const only = [null] as const;

export const plainLayout: SharedLayout = {
  buckets: null,
  parts: only,
  bucketOfPerson: () => null,
  bucketOfKey: () => null,
  bucketOfChunk: () => null,
  sql: { person: () => 'NULL', key: () => 'NULL', chunk: () => 'NULL' },
};

/** Bits of a key that choose its bucket. */
const keyMask = 0x7fffffff;

function createLayout(buckets: Buckets): SharedLayout {
  const { values, runBits } = buckets;
  const count = values.length;
  const bucketAt = (place: number): number => values[place % count]!;
  const valueSql = (place: string): string =>
    `('{${values.join(',')}}'::int[])[((${place}) % ${count}) + 1]`;
  const bucketOfPerson = (personId: number): number => bucketAt(personId >>> runBits);
  const personSql = (id: string): string => valueSql(`${id} >> ${runBits}`);
  return {
    buckets,
    parts: values,
    bucketOfPerson,
    bucketOfKey: ({ low }) => bucketAt(low & keyMask),
    bucketOfChunk: (chunk) => bucketOfPerson(chunk * chunkPeople),
    sql: {
      person: personSql,
      key: (hash) => valueSql(`(${hash} & ${keyMask})::int`),
      chunk: (chunk) => personSql(`(${chunk} << ${chunkShift})`),
    },
  };
}

/** A condition that keeps a query to a bucket, with the AND that follows it, as SQL. */
export const within = (bucket: Bucket, table?: string): string =>
  bucket === null ? '' : `${table ? `${table}.` : ''}bucket = ${bucket} AND `;

/** Items by bucket, in their order. */
export function splitBy<Item>(
  layout: SharedLayout,
  items: readonly Item[],
  bucketOf: (item: Item) => Bucket,
): readonly (readonly [Bucket, readonly Item[]])[] {
  if (!layout.buckets) return items.length === 0 ? [] : [[null, items]];
  const groups = new Map<Bucket, Item[]>();
  for (const item of items) {
    const bucket = bucketOf(item);
    const group = groups.get(bucket);
    if (group) group.push(item);
    else groups.set(bucket, [item]);
  }
  return [...groups];
}

/** The buckets of the numbers from a first to a last one. */
export function bucketsBetween(
  { parts }: SharedLayout,
  bucketOf: (number: number) => Bucket,
  { first, last, step = 1 }: { first: number; last: number; step?: number },
): readonly Bucket[] {
  const found = new Set<Bucket>([bucketOf(last)]);
  for (let at = first; at <= last && found.size < parts.length; at += step) found.add(bucketOf(at));
  return [...found];
}

interface LayoutRow {
  readonly buckets: number[];
  readonly runBits: number;
  readonly isOnCitus: boolean;
}

async function readLayout(client: PoolClient): Promise<SharedLayout> {
  // A directory in one table each has no row, and one of an older version no table.
  const { rows: tables } = await client.query<{ isThere: boolean }>(
    `SELECT to_regclass('desk.shared_layout') IS NOT NULL AS "isThere"`,
  );
  if (!tables[0]?.isThere) return plainLayout;
  const { rows } = await client.query<LayoutRow>(
    `SELECT buckets, run_bits AS "runBits", is_on_citus AS "isOnCitus" FROM desk.shared_layout`,
  );
  const [row] = rows;
  if (!row) return plainLayout;
  return createLayout({ values: row.buckets, runBits: row.runBits, isOnCitus: row.isOnCitus });
}

const known = new WeakMap<PoolClient, SharedLayout>();

/** The layout of the database of a connection. It is read once for each connection. */
export async function layoutOf(client: PoolClient): Promise<SharedLayout> {
  const kept = known.get(client);
  if (kept) return kept;
  const layout = await readLayout(client);
  known.set(client, layout);
  return layout;
}

/** Has the layout read again: this connection changed it. */
export const forgetLayout = (client: PoolClient): boolean => known.delete(client);
