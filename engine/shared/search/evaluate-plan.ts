// Evaluates a planned search in chunks of people or companies: how many match, and which.
import type { PoolClient } from 'pg';
import {
  type Bucket,
  bucketsBetween,
  layoutOf,
  plainLayout,
  type SharedLayout,
  splitBy,
  within as withinBucket,
} from '../layout/shared-layout.ts';
import type { PlanMembers, Searched, SearchPlan, SetNode } from './plan-search.ts';
import { chunkPeople, chunkShift, listPeople, maskSql } from './search-sets.ts';
import { bitsArray } from './sent-members.ts';

export interface ChunkFound {
  readonly chunk: number;
  readonly count: number;
  /** Ascending; null if they were not asked for. */
  readonly ids: readonly number[] | null;
}

export type ChunkRange =
  | { readonly first: number; readonly last: number }
  | { readonly chunks: readonly number[] };

export const setTables = {
  people: 'search_set',
  companies: 'search_company_set',
} as const satisfies Record<Searched, string>;

const nobody = `B'0'::bit(${chunkPeople})`;
const everybody = `~ ${nobody}`;

function combineSql(node: SetNode): string {
  if ('set' in node) return `coalesce(bit_or(members) FILTER (WHERE set = ${node.set}), ${nobody})`;
  if ('of' in node) return `(${combineSql(node.of)} & ~ ${combineSql(node.without)})`;
  const [nodes, sign] = 'all' in node ? [node.all, ' & '] : [node.any, ' | '];
  return nodes.length === 0 ? nobody : `(${nodes.map(combineSql).join(sign)})`;
}

/**
 * The SQL of a search. It returns the bits only of the chunks that have the first members. ANY has
 * the index read the sets by value and chunk, whatever the planner knows of the table.
 */
const evaluateSql = ({ searched, root }: SearchPlan, isRange: boolean, bucket: Bucket): string => {
  const within = (chunk: string) =>
    isRange ? `${chunk} BETWEEN $8 AND $9` : `${chunk} = ANY ($8::int[])`;
  const place = isRange ? 10 : 9;
  return `
  WITH piece AS (
    SELECT w.set, s.chunk, s.members FROM ${setTables[searched]} s
    JOIN unnest($1::int[], $2::int[]) w(set, value_id) ON w.value_id = s.value_id
    WHERE ${withinBucket(bucket, 's')}s.value_id = ANY ($2) AND ${within('s.chunk')}
    UNION ALL
    SELECT m.set, m.chunk, m.bits::bit(${chunkPeople})
    FROM unnest($3::int[], $4::int[], $5::varbit[]) m(set, chunk, bits)
    UNION ALL
    SELECT i.set, i.id >> ${chunkShift}, bit_or(${maskSql('i.id')})
    FROM unnest($6::int[], $7::int[]) i(set, id) GROUP BY 1, 2),
  whole AS (SELECT chunk, ${combineSql(root)} AS members FROM piece GROUP BY chunk),
  after AS MATERIALIZED (SELECT chunk, CASE WHEN chunk = $${place}::int
    THEN members & ((${everybody}) >> $${place + 1}::int) ELSE members END AS members FROM whole),
  counted AS MATERIALIZED (
    SELECT chunk, members, bit_count(members)::int AS count FROM after)
  SELECT chunk, count, CASE WHEN sum(count) OVER (ORDER BY chunk) - count < $${place + 2}::int
    THEN encode(bit_send(members), 'base64') END AS bits
  FROM counted WHERE count > 0 ORDER BY chunk`;
};

/** Bytes before the bits of a set as bit_send writes it: the number of bits. */
const bitsAt = 4;

export interface EvaluateOptions {
  /** Ids up to this one are left out; -1 for none. */
  readonly after: number;
  /** As many ids are wanted, at least. */
  readonly limit: number;
}

function listMembers(members: readonly PlanMembers[]) {
  const all = members.flatMap(({ set, chunks }) => chunks.map((chunk) => ({ set, ...chunk })));
  const many = all.filter(({ bits }) => bits !== null);
  const few = all.filter(({ bits }) => bits === null);
  return [
    many.map(({ set }) => set),
    many.map(({ chunk }) => chunk),
    bitsArray(many.map(({ bits }) => bits!)),
    few.flatMap(({ set, ids }) => ids.map(() => set)),
    few.flatMap(({ ids }) => ids),
  ];
}

function evaluateQuery(
  plan: SearchPlan,
  range: ChunkRange,
  { after, limit }: EvaluateOptions,
  bucket: Bucket,
) {
  const isRange = 'first' in range;
  const next = after + 1;
  const { values, members } = plan;
  return {
    text: evaluateSql(plan, isRange, bucket),
    values: [
      values.map(({ set }) => set),
      values.map(({ valueId }) => valueId),
      ...listMembers(members),
      ...(isRange ? [range.first, range.last] : [range.chunks]),
      Math.floor(next / chunkPeople),
      next % chunkPeople,
      limit,
    ],
  };
}

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

function isWithin(range: ChunkRange): (chunk: number) => boolean {
  if ('first' in range) return (chunk) => chunk >= range.first && chunk <= range.last;
  const chunks = new Set(range.chunks);
  return (chunk) => chunks.has(chunk);
}

/** The chunks with people or companies that match, ascending. */
export async function evaluatePlan(
  client: PoolClient,
  plan: SearchPlan,
  range: ChunkRange,
  options: EvaluateOptions,
): Promise<ChunkFound[]> {
  // Companies are on the coordinator, in one table each.
  const layout = plan.searched === 'people' ? await layoutOf(client) : plainLayout;
  const isAsked = isWithin(range);
  const membersIn = (isIn: (chunk: number) => boolean) =>
    plan.members.map(({ set, chunks }) => ({
      set,
      chunks: chunks.filter(({ chunk }) => isIn(chunk)),
    }));
  const found: ChunkFound[] = [];
  for (const [bucket, part] of splitRange(layout, range)) {
    const members = membersIn((chunk) => isAsked(chunk) && layout.bucketOfChunk(chunk) === bucket);
    const { rows } = await client.query<{ chunk: number; count: number; bits: string | null }>(
      evaluateQuery({ ...plan, members }, part, options, bucket),
    );
    for (const { chunk, count, bits } of rows)
      found.push({
        chunk,
        count,
        ids: bits === null ? null : listPeople(chunk, Buffer.from(bits, 'base64').subarray(bitsAt)),
      });
  }
  // Each bucket has the first members of its own chunks, so they have the first ones of all.
  return found.sort((one, other) => one.chunk - other.chunk);
}
