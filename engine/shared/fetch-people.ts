/** Fetches what a pass of matching asks for: the people of keys, and their documents. */
import type { PoolClient, QueryConfig } from 'pg';
import { keyText } from './key-hash.ts';
import type { Ask, PeopleSlice } from './people-slice.ts';
import { readDocuments } from './person-document.ts';

/**
 * The people of each key in order, as two arrays: the key's position and the person. The lateral
 * part reads no more of a key than its cap, from the index alone.
 */
const keysSql = `SELECT array_agg(k.at::int), array_agg(b.person_id)
  FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY k(key_hash, cap, at)
  CROSS JOIN LATERAL (SELECT person_id FROM block_key
    WHERE key_hash = k.key_hash ORDER BY person_id LIMIT k.cap) b`;
const documentsSql = `SELECT array_agg(person_id), string_agg(doc, ''::bytea)
  FROM match_person WHERE person_id = ANY($1::int[])`;

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

/** Numbers of what was fetched, for benchmarks. */
export interface FetchCounts {
  passes: number;
  keys: number;
  people: number;
}

/**
 * Fetches what the rows asked for into the slice.
 * @returns false if the slice has no room: it must be replaced
 */
export async function fetchPeople(
  client: PoolClient,
  slice: PeopleSlice,
  asks: readonly Ask[],
  counts: FetchCounts,
): Promise<boolean> {
  counts.passes++;
  counts.keys += asks.length;
  const [places, people] = await readCells(client, {
    name: 'desk-keys',
    text: keysSql,
    values: [
      `{${asks.map(({ key }) => keyText(key)).join(',')}}`,
      `{${asks.map(({ cap }) => cap).join(',')}}`,
    ],
  });
  const [at, found] = [readInts(places), readInts(people)];
  const unknown = new Set<number>();
  for (const personId of found) if (slice.numberOf(personId) < 0) unknown.add(personId);
  counts.people += unknown.size;
  if (unknown.size > 0) {
    const [ids, docs] = await readCells(client, {
      name: 'desk-documents',
      text: documentsSql,
      values: [`{${[...unknown].join(',')}}`],
    });
    if (docs && !slice.addPeople(readInts(ids), readDocuments(readBytes(docs)))) return false;
  }
  const numbers = new Uint32Array(found.length);
  for (let nth = 0; nth < found.length; nth++) numbers[nth] = slice.numberOf(found[nth]!);
  let from = 0;
  for (let place = 0; place < asks.length; place++) {
    let to = from;
    while (to < at.length && at[to] === place + 1) to++;
    asks[place]!.take(numbers, from, to);
    from = to;
  }
  return true;
}
