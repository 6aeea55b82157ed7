// Fetches what a pass of matching asks for: the people of keys, and their documents.
import type { PoolClient, QueryConfig } from 'pg';
import type { GroupAsk } from './group-lists.ts';
import { keyText } from './key-hash.ts';
import { type Bucket, type SharedLayout, splitBy, within } from './layout/shared-layout.ts';
import type { Ask, Asks, PeopleSlice } from './people-slice.ts';
import { createByteReader, readDocuments } from './person-document.ts';

/** The generation of a bucket, read with its rows. The only tenant's, or the first one's. */
const generationSql = (bucket: Bucket): string =>
  bucket === null
    ? ''
    : `, (SELECT min(number) FROM bucket_generation WHERE bucket = ${bucket})::text`;

/**
 * The people of each key in order, as two arrays: the key's position and the person. The lateral
 * part reads no more of a key than its cap, from the index alone.
 */
export const keysQuery = (bucket: Bucket, asks: readonly Ask[]): QueryConfig => ({
  name: `desk-keys${bucket ?? ''}`,
  text: `SELECT array_agg(k.at::int), array_agg(b.person_id)${generationSql(bucket)}
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY k(key_hash, cap, at)
  CROSS JOIN LATERAL (SELECT person_id FROM block_key
    WHERE ${within(bucket)}key_hash = k.key_hash ORDER BY person_id LIMIT k.cap) b`,
  values: arraysOf(asks),
});

const arraysOf = (asks: readonly Pick<Ask, 'key' | 'cap'>[]): [string, string] => [
  `{${asks.map(({ key }) => keyText(key)).join(',')}}`,
  `{${asks.map(({ cap }) => cap).join(',')}}`,
];

/** The same for groups, with the surnames of the people. */
export const groupsQuery = (bucket: Bucket, asks: readonly GroupAsk[]): QueryConfig => ({
  name: `desk-groups${bucket ?? ''}`,
  text: `SELECT array_agg(k.at::int), array_agg(b.person_id),
    string_agg(b.surnames, ''::bytea)${generationSql(bucket)}
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY k(key_hash, cap, at)
  CROSS JOIN LATERAL (SELECT person_id, surnames FROM block_key
    WHERE ${within(bucket)}key_hash = k.key_hash ORDER BY person_id LIMIT k.cap) b`,
  values: arraysOf(asks),
});

export const documentsQuery = (bucket: Bucket, personIds: readonly number[]): QueryConfig => ({
  name: `desk-documents${bucket ?? ''}`,
  text: `SELECT array_agg(person_id), string_agg(doc, ''::bytea)${generationSql(bucket)}
  FROM match_person WHERE ${within(bucket)}person_id = ANY($1::int[])`,
  values: [`{${personIds.join(',')}}`],
});

/** The only row of a query, unparsed: the client parses arrays many times slower. */
async function readCells(client: PoolClient, query: QueryConfig): Promise<(string | null)[]> {
  const types = { getTypeParser: () => (text: string) => text };
  const config = { ...query, types, rowMode: 'array' as const };
  return (await client.query(config)).rows[0] as (string | null)[];
}

const zero = 48;

/** The numbers of an int[] as PostgreSQL writes it, which has no NULL and nothing negative. */
function readInts(text: string | null | undefined): Int32Array {
  if (!text) return new Int32Array(0);
  // A number has a digit and a comma at least.
  const ints = new Int32Array(text.length >>> 1);
  let count = 0;
  let value = 0;
  for (let at = 1; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else {
      ints[count++] = value;
      value = 0;
    }
  }
  return ints.subarray(0, count);
}

/** The bytes of a bytea as PostgreSQL writes it: "\\x" and hexadecimal digits. */
const readBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');

export interface FetchCounts {
  passes: number;
  keys: number;
  people: number;
}

/** Thrown if a bucket has another generation than the companies and names: its node is behind. */
export const mixedGenerations = new Error('the buckets have several generations');

export interface FetchSource {
  readonly client: PoolClient;
  readonly layout: SharedLayout;
  readonly generation: number;
}

/** Reads a bucket. Throws mixedGenerations. */
async function readBucket(
  { client, generation }: FetchSource,
  bucket: Bucket,
  query: QueryConfig,
): Promise<(string | null)[]> {
  const cells = await readCells(client, query);
  if (bucket !== null && cells.at(-1) !== String(generation)) throw mixedGenerations;
  return cells;
}

/** Keys that follow each other in the index share pages, and are read a quarter faster. */
const inKeyOrder = <Asked extends Pick<Ask, 'key'>>(asks: readonly Asked[]): readonly Asked[] =>
  asks.toSorted((one, other) => one.key.high - other.key.high);

interface FoundKeys {
  readonly asks: readonly Ask[];
  readonly at: Int32Array;
  readonly people: Int32Array;
}

async function findKeys(source: FetchSource, asks: readonly Ask[]): Promise<FoundKeys[]> {
  const { layout } = source;
  const found: FoundKeys[] = [];
  const sorted = inKeyOrder(asks);
  for (const [bucket, own] of splitBy(layout, sorted, ({ key }) => layout.bucketOfKey(key))) {
    const [places, people] = await readBucket(source, bucket, keysQuery(bucket, own));
    found.push({ asks: own, at: readInts(places), people: readInts(people) });
  }
  return found;
}

async function takeGroups(source: FetchSource, asks: readonly GroupAsk[]): Promise<void> {
  const { layout } = source;
  const sorted = inKeyOrder(asks);
  for (const [bucket, own] of splitBy(layout, sorted, ({ key }) => layout.bucketOfKey(key))) {
    const [places, people, surnames] = await readBucket(source, bucket, groupsQuery(bucket, own));
    const [at, personIds] = [readInts(places), readInts(people)];
    const reader = createByteReader(surnames ? readBytes(surnames) : new Uint8Array(0));
    let from = 0;
    for (let place = 0; place < own.length; place++) {
      const to = endOfPlace(at, from, place);
      own[place]!.take(personIds, from, to, reader);
      from = to;
    }
  }
}

/** Where the people of a key end, whose place in its query is counted from 1 there. */
function endOfPlace(at: Int32Array, from: number, place: number): number {
  let to = from;
  while (to < at.length && at[to] === place + 1) to++;
  return to;
}

/**
 * Fetches what the rows asked for into the slice: one query for each bucket that has some of it.
 * Throws mixedGenerations.
 * @returns false if the slice has no room: it must be replaced
 */
export async function fetchPeople(
  source: FetchSource,
  slice: PeopleSlice,
  asks: Asks,
  counts: FetchCounts,
): Promise<boolean> {
  counts.passes++;
  counts.keys += asks.lists.length + asks.groups.length;
  const found = await findKeys(source, asks.lists);
  await takeGroups(source, asks.groups);
  const unknown = new Set<number>(asks.people);
  for (const { people } of found)
    for (const personId of people) if (slice.numberOf(personId) < 0) unknown.add(personId);
  counts.people += unknown.size;
  const { layout } = source;
  for (const [bucket, personIds] of splitBy(layout, [...unknown], layout.bucketOfPerson)) {
    const query = documentsQuery(bucket, personIds);
    const [ids, docs] = await readBucket(source, bucket, query);
    if (docs && !slice.addPeople(readInts(ids), readDocuments(readBytes(docs)))) return false;
  }
  for (const { asks: own, at, people } of found) {
    const numbers = new Uint32Array(people.length);
    for (let nth = 0; nth < people.length; nth++) numbers[nth] = slice.numberOf(people[nth]!);
    let from = 0;
    for (let place = 0; place < own.length; place++) {
      const to = endOfPlace(at, from, place);
      own[place]!.take(numbers, from, to);
      from = to;
    }
  }
  return true;
}
