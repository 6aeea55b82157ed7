/** Writes the sets of people that searches read. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type SharedLayout, within } from '../layout/shared-layout.ts';
import { addBit, chunkBytes, chunkPeople, chunkShift, maskSql } from '../search/search-sets.ts';

/** The frame of a COPY in binary form (PostgreSQL, "COPY", "Binary Format"). */
const copyHead = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const copyEnd = Buffer.from([0xff, 0xff]);
/** Bytes of a row: the number of columns, the numbers, and the length and bits of a set. */
const rowBytes = (numbers: number): number => 2 + numbers * (4 + 4) + 4 + 4 + chunkBytes;
const rowsOfPart = 256;

/** Writes a row at a place of a buffer. */
function writeRow(
  part: Buffer,
  from: number,
  numbers: readonly number[],
  people: readonly number[],
): void {
  let at = part.writeInt16BE(numbers.length + 1, from);
  for (const number of numbers) {
    at = part.writeInt32BE(4, at);
    at = part.writeInt32BE(number, at);
  }
  at = part.writeInt32BE(4 + chunkBytes, at);
  at = part.writeInt32BE(chunkPeople, at);
  const bits = part.subarray(at, at + chunkBytes).fill(0);
  for (const person of people) addBit(bits, person);
}

/**
 * Copies the sets of one chunk into an empty part of the table. Text would be several times longer.
 * @param sets the people of each value
 */
export async function copySets(
  { client, layout, tenant }: { client: PoolClient; layout: SharedLayout; tenant: number },
  chunk: number,
  sets: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  if (sets.size === 0) return;
  const bucket = layout.bucketOfChunk(chunk);
  const ofBucket = bucket === null ? [] : [bucket];
  const stream = client.query(
    copyFrom(
      `COPY search_set (value_id, chunk, tenant_id${bucket === null ? '' : ', bucket'}, members)
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
  const all = [...sets];
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

interface Sets {
  readonly client: PoolClient;
  readonly layout: SharedLayout;
}

/** Collects the values of the affected people in a temporary table. */
async function collectValues({ client, layout }: Sets, into: string): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE ${into} (value_id int NOT NULL, person_id int NOT NULL) ON COMMIT DROP`,
  );
  const person = layout.sql.person('person_id');
  for (const bucket of layout.parts)
    await client.query(
      `INSERT INTO ${into} (value_id, person_id)
       SELECT unnest(s.value_ids), s.person_id FROM search_person s
       ${
         bucket === null
           ? 'JOIN affected USING (person_id)'
           : `WHERE ${within(bucket, 's')}s.person_id IN (
                SELECT person_id FROM affected WHERE ${person} = ${bucket})`
       }`,
    );
}

/** Remembers the values of the affected people. Call it before their search_person changes. */
export const noteSets = (sets: Sets): Promise<void> => collectValues(sets, 'values_before');

/** Changes the sets by the values that the affected people gained and lost since noteSets. */
export async function changeSets(sets: Sets & { readonly tenant: number }): Promise<void> {
  const { client, layout, tenant } = sets;
  await collectValues(sets, 'values_after');
  await client.query(
    `CREATE TEMP TABLE set_change ON COMMIT DROP AS
     WITH after AS (TABLE values_after), before AS (TABLE values_before)
     SELECT value_id, person_id >> ${chunkShift} AS chunk, bit_or(${maskSql('person_id')}) AS mask
     FROM ((TABLE before EXCEPT TABLE after) UNION ALL (TABLE after EXCEPT TABLE before)) x
     GROUP BY 1, 2`,
  );
  const chunk = layout.sql.chunk('chunk');
  const [column, value] = layout.buckets ? [', bucket', `, ${chunk}`] : ['', ''];
  await client.query(
    `INSERT INTO search_set (value_id, chunk, tenant_id${column}, members)
     SELECT value_id, chunk, ${tenant}${value}, mask FROM set_change
     ON CONFLICT (value_id, chunk, tenant_id${column})
       DO UPDATE SET members = search_set.members # excluded.members`,
  );
  for (const bucket of layout.parts)
    await client.query(
      `DELETE FROM search_set s USING set_change c
       WHERE ${within(bucket, 's')}s.value_id = c.value_id AND s.chunk = c.chunk
         AND bit_count(s.members) = 0`,
    );
}
