/** Evaluates a planned search in chunks of people: how many match, and who. */
import type { PoolClient } from 'pg';
import {
  type Bucket,
  bucketsBetween,
  layoutOf,
  type SharedLayout,
  splitBy,
  within as withinBucket,
} from '../layout/shared-layout.ts';
import type { SearchPlan, SetNode } from './plan-search.ts';
import { chunkPeople, chunkShift, listPeople, maskSql } from './search-sets.ts';

/** The people of a chunk who match. */
export interface ChunkFound {
  readonly chunk: number;
  readonly people: number;
  /** Ids, ascending; null if they were not asked for. */
  readonly personIds: readonly number[] | null;
}

/** Chunks that are evaluated: from the first to the last, or some. */
export type ChunkRange =
  | { readonly first: number; readonly last: number }
  | { readonly chunks: readonly number[] };

const nobody = `B'0'::bit(${chunkPeople})`;
const everybody = `~ ${nobody}`;

function combineSql(node: SetNode): string {
  if ('set' in node) return `coalesce(bit_or(members) FILTER (WHERE set = ${node.set}), ${nobody})`;
  const [nodes, sign] = 'all' in node ? [node.all, ' & '] : [node.any, ' | '];
  return nodes.length === 0 ? nobody : `(${nodes.map(combineSql).join(sign)})`;
}

/**
 * The SQL of a search. It returns the bits of the chunks that have the first people alone. ANY has
 * the index read the sets by value and chunk, whatever the planner knows of the table.
 */
const evaluateSql = (root: SetNode, isRange: boolean, bucket: Bucket): string => {
  const within = (chunk: string) =>
    isRange ? `${chunk} BETWEEN $5 AND $6` : `${chunk} = ANY ($5::int[])`;
  const place = isRange ? 7 : 6;
  return `
  WITH piece AS (
    SELECT w.set, s.chunk, s.members FROM search_set s
    JOIN unnest($1::int[], $2::int[]) w(set, value_id) ON w.value_id = s.value_id
    WHERE ${withinBucket(bucket, 's')}s.value_id = ANY ($2) AND ${within('s.chunk')}
    UNION ALL
    SELECT p.set, p.person_id >> ${chunkShift}, ${maskSql('p.person_id')}
    FROM unnest($3::int[], $4::int[]) p(set, person_id)
    WHERE ${within(`(p.person_id >> ${chunkShift})`)}),
  whole AS (SELECT chunk, ${combineSql(root)} AS members FROM piece GROUP BY chunk),
  after AS MATERIALIZED (SELECT chunk, CASE WHEN chunk = $${place}::int
    THEN members & ((${everybody}) >> $${place + 1}::int) ELSE members END AS members FROM whole),
  counted AS MATERIALIZED (
    SELECT chunk, members, bit_count(members)::int AS people FROM after)
  SELECT chunk, people, CASE WHEN sum(people) OVER (ORDER BY chunk) - people < $${place + 2}::int
    THEN encode(bit_send(members), 'base64') END AS bits
  FROM counted WHERE people > 0 ORDER BY chunk`;
};

/** Bytes before the bits of a set as bit_send writes it: the number of bits. */
const bitsAt = 4;

/** What is wanted of the chunks. */
export interface EvaluateOptions {
  /** People up to this id are left out; -1 for none. */
  readonly after: number;
  /** As many ids are wanted, at least. */
  readonly limit: number;
}

/** The query of a search over some chunks of a bucket. */
function evaluateQuery(
  { root, values, people }: SearchPlan,
  range: ChunkRange,
  { after, limit }: EvaluateOptions,
  bucket: Bucket,
) {
  const isRange = 'first' in range;
  const next = after + 1;
  return {
    text: evaluateSql(root, isRange, bucket),
    values: [
      values.map(({ set }) => set),
      values.map(({ valueId }) => valueId),
      people.map(({ set }) => set),
      people.map(({ personId }) => personId),
      ...(isRange ? [range.first, range.last] : [range.chunks]),
      Math.floor(next / chunkPeople),
      next % chunkPeople,
      limit,
    ],
  };
}

/** The parts of a range, by the bucket of their sets. */
const splitRange = (
  layout: SharedLayout,
  range: ChunkRange,
): readonly (readonly [Bucket, ChunkRange])[] =>
  'first' in range
    ? bucketsBetween(layout, layout.bucketOfChunk, range).map((bucket) => [bucket, range])
    : splitBy(layout, range.chunks, layout.bucketOfChunk).map(([bucket, chunks]) => [
        bucket,
        { chunks },
      ]);

/** The chunks with people who match, ascending. */
export async function evaluatePlan(
  client: PoolClient,
  plan: SearchPlan,
  range: ChunkRange,
  options: EvaluateOptions,
): Promise<ChunkFound[]> {
  const layout = await layoutOf(client);
  const found: ChunkFound[] = [];
  for (const [bucket, part] of splitRange(layout, range)) {
    const people = plan.people.filter(
      ({ personId }) => layout.bucketOfChunk(personId >>> chunkShift) === bucket,
    );
    const { rows } = await client.query<{ chunk: number; people: number; bits: string | null }>(
      evaluateQuery({ ...plan, people }, part, options, bucket),
    );
    for (const { chunk, people: count, bits } of rows)
      found.push({
        ...{ chunk, people: count },
        personIds:
          bits === null ? null : listPeople(chunk, Buffer.from(bits, 'base64').subarray(bitsAt)),
      });
  }
  // Each bucket has the first people of its own chunks, so they have the first ones of all.
  return found.sort((one, other) => one.chunk - other.chunk);
}
