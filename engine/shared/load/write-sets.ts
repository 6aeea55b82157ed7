/** Writes the sets of people that searches read. */
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { addBit, chunkBytes, chunkPeople, chunkShift, maskSql } from '../search/search-sets.ts';

/** The frame of a COPY in binary form (PostgreSQL, "COPY", "Binary Format"). */
const copyHead = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const copyEnd = Buffer.from([0xff, 0xff]);
/** Bytes of a row: the number of columns, three numbers, and the length and bits of a set. */
const rowBytes = 2 + 3 * (4 + 4) + 4 + 4 + chunkBytes;
const rowsOfPart = 256;

/** Writes a row at a place of a buffer. */
function writeRow(
  part: Buffer,
  from: number,
  numbers: readonly [value: number, chunk: number, tenant: number],
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
  client: PoolClient,
  chunk: number,
  tenant: number,
  sets: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  if (sets.size === 0) return;
  const stream = client.query(
    copyFrom('COPY search_set (value_id, chunk, tenant_id, members) FROM STDIN (FORMAT binary)'),
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
    const part = Buffer.allocUnsafe(rows.length * rowBytes);
    for (const [at, [value, people]] of rows.entries())
      writeRow(part, at * rowBytes, [value, chunk, tenant], people);
    await write(part);
  }
  stream.end(copyEnd);
  await done;
}

const valuesOfAffected = `
  SELECT unnest(value_ids) AS value_id, person_id
  FROM search_person JOIN affected USING (person_id)`;

/** Remembers the values of the affected people. Call it before their search_person changes. */
export const noteSets = (client: PoolClient) =>
  client.query(`CREATE TEMP TABLE values_before ON COMMIT DROP AS ${valuesOfAffected}`);

/** Changes the sets by the values that the affected people gained and lost since noteSets. */
export async function changeSets(client: PoolClient, tenant: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE set_change ON COMMIT DROP AS
     WITH after AS (${valuesOfAffected}), before AS (SELECT value_id, person_id FROM values_before)
     SELECT value_id, person_id >> ${chunkShift} AS chunk, bit_or(${maskSql('person_id')}) AS mask
     FROM ((TABLE before EXCEPT TABLE after) UNION ALL (TABLE after EXCEPT TABLE before)) x
     GROUP BY 1, 2`,
  );
  await client.query(
    `INSERT INTO search_set (value_id, chunk, tenant_id, members)
     SELECT value_id, chunk, ${tenant}, mask FROM set_change
     ON CONFLICT (value_id, chunk, tenant_id)
       DO UPDATE SET members = search_set.members # excluded.members`,
  );
  await client.query(
    `DELETE FROM search_set s USING set_change c
     WHERE s.value_id = c.value_id AND s.chunk = c.chunk AND bit_count(s.members) = 0`,
  );
}
