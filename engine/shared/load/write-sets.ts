// Writes the sets of people and companies that searches read.
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { plainLayout, type SharedLayout, within } from '../layout/shared-layout.ts';
import { setTables } from '../search/evaluate-plan.ts';
import type { Searched } from '../search/plan-search.ts';
import { addBit, chunkBytes, chunkPeople, chunkShift, maskSql } from '../search/search-sets.ts';

/** The frame of a COPY in binary form (PostgreSQL, "COPY", "Binary Format"). */
const copyHead = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const copyEnd = Buffer.from([0xff, 0xff]);
/** Bytes of a row: the number of columns, the numbers, and the length and bits of a set. */
const rowBytes = (numbers: number): number => 2 + numbers * (4 + 4) + 4 + 4 + chunkBytes;
const rowsOfPart = 256;

function writeRow(
  part: Buffer,
  from: number,
  numbers: readonly number[],
  members: readonly number[],
): void {
  let at = part.writeInt16BE(numbers.length + 1, from);
  for (const number of numbers) {
    at = part.writeInt32BE(4, at);
    at = part.writeInt32BE(number, at);
  }
  at = part.writeInt32BE(4 + chunkBytes, at);
  at = part.writeInt32BE(chunkPeople, at);
  const bits = part.subarray(at, at + chunkBytes).fill(0);
  for (const member of members) addBit(bits, member);
}

interface Sets {
  readonly client: PoolClient;
  readonly layout: SharedLayout;
  readonly searched: Searched;
}

/** The layout of the sets: companies are in one table each. */
const layoutOfSets = ({ layout, searched }: Sets): SharedLayout =>
  searched === 'people' ? layout : plainLayout;

/**
 * Copies the sets of one chunk into an empty part of the table. Text would be several times longer.
 * @param members the people or companies of each value
 */
export async function copySets(
  sets: Sets & { readonly tenant: number },
  chunk: number,
  members: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  if (members.size === 0) return;
  const { client, tenant, searched } = sets;
  const layout = layoutOfSets(sets);
  const bucket = layout.bucketOfChunk(chunk);
  const ofBucket = bucket === null ? [] : [bucket];
  const column = bucket === null ? '' : ', bucket';
  const stream = client.query(
    copyFrom(
      `COPY ${setTables[searched]} (value_id, chunk, tenant_id${column}, members)
       FROM STDIN (FORMAT binary)`,
    ),
  );
  const done = finished(stream);
  // A failure is thrown by what waits next.
  done.catch(() => undefined);
  const write = async (part: Buffer) => {
    if (!stream.write(part)) await Promise.race([once(stream, 'drain'), done]);
  };
  await write(copyHead);
  const all = [...members];
  for (let from = 0; from < all.length; from += rowsOfPart) {
    const rows = all.slice(from, from + rowsOfPart);
    // The stream keeps a part until it is sent.
    const bytes = rowBytes(3 + ofBucket.length);
    const part = Buffer.allocUnsafe(rows.length * bytes);
    for (const [at, [value, people]] of rows.entries())
      writeRow(part, at * bytes, [value, chunk, tenant, ...ofBucket], people);
    await write(part);
  }
  stream.end(copyEnd);
  await done;
}

/** The tables of what has values, their ids, and the temporary table of the ids that change. */
const sources = {
  people: { table: 'search_person', id: 'person_id', affected: 'affected' },
  companies: { table: 'search_company', id: 'company_id', affected: 'affected_company' },
} as const satisfies Record<Searched, object>;

async function collectValues(sets: Sets, into: string): Promise<void> {
  const { client, searched } = sets;
  const layout = layoutOfSets(sets);
  const { table, id, affected } = sources[searched];
  await client.query(
    `CREATE TEMP TABLE ${into} (value_id int NOT NULL, id int NOT NULL) ON COMMIT DROP`,
  );
  const bucketSql = layout.sql.person(id);
  for (const bucket of layout.parts)
    await client.query(
      `INSERT INTO ${into} (value_id, id)
       SELECT unnest(s.value_ids), s.${id} FROM ${table} s
       ${
         bucket === null
           ? `JOIN ${affected} USING (${id})`
           : `WHERE ${within(bucket, 's')}s.${id} IN (
                SELECT ${id} FROM ${affected} WHERE ${bucketSql} = ${bucket})`
       }`,
    );
}

/** Remembers the values of what is affected. Call it before its values change. */
export const noteSets = (sets: Sets): Promise<void> =>
  collectValues(sets, `${sets.searched}_before`);

/** Changes the sets by the values that were gained and lost since noteSets. */
export async function changeSets(sets: Sets & { readonly tenant: number }): Promise<void> {
  const { client, searched, tenant } = sets;
  const layout = layoutOfSets(sets);
  const table = setTables[searched];
  const changed = `${searched}_changed`;
  await collectValues(sets, `${searched}_after`);
  await client.query(
    `CREATE TEMP TABLE ${changed} ON COMMIT DROP AS
     WITH after AS (TABLE ${searched}_after), before AS (TABLE ${searched}_before)
     SELECT value_id, id >> ${chunkShift} AS chunk, bit_or(${maskSql('id')}) AS mask
     FROM ((TABLE before EXCEPT TABLE after) UNION ALL (TABLE after EXCEPT TABLE before)) x
     GROUP BY 1, 2`,
  );
  const chunk = layout.sql.chunk('chunk');
  const [column, value] = layout.buckets ? [', bucket', `, ${chunk}`] : ['', ''];
  await client.query(
    `INSERT INTO ${table} (value_id, chunk, tenant_id${column}, members)
     SELECT value_id, chunk, ${tenant}${value}, mask FROM ${changed}
     ON CONFLICT (value_id, chunk, tenant_id${column})
       DO UPDATE SET members = ${table}.members # excluded.members`,
  );
  for (const bucket of layout.parts)
    await client.query(
      `DELETE FROM ${table} s USING ${changed} c
       WHERE ${within(bucket, 's')}s.value_id = c.value_id AND s.chunk = c.chunk
         AND bit_count(s.members) = 0`,
    );
}
