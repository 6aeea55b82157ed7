/**
 * Finds people or companies by a planned search: a page by their ids, and how many match. The total
 * is exact up to a limit; beyond it, it is estimated from chunks spread over all ids.
 */
import type { PoolClient } from 'pg';
import { type ChunkFound, evaluatePlan, setTables } from './evaluate-plan.ts';
import type { Searched, SearchPlan } from './plan-search.ts';
import { rangeOfWhole } from './search-fields.ts';
import { chunkPeople } from './search-sets.ts';

export interface PageWish {
  /** The last id of the page before; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
  /** Up to this number, totals are exact. */
  readonly exactMax: number;
}

export interface FoundPage {
  readonly total: number;
  readonly isEstimate: boolean;
  readonly ids: readonly number[];
  /** Whether more follow. */
  readonly hasMore: boolean;
}

/** Chunks that are evaluated at first, and that an estimate is made from. */
const chunksAtOnce = 32;
/** Digits of an estimate. */
const estimateDigits = 3;

const lastChunkSql = (searched: Searched) => `SELECT max(s.chunk) AS chunk
  FROM ${setTables[searched]} s
  WHERE s.value_id = (SELECT v.value_id FROM search_value v WHERE v.field = $1 AND v.key = $2)`;

/** The last chunk with any member; null if there is none. */
export async function readLastChunk(
  client: PoolClient,
  searched: Searched,
): Promise<number | null> {
  const { field, low } = rangeOfWhole(searched === 'people' ? 'everyone' : 'everyCompany');
  const { rows } = await client.query<{ chunk: number | null }>(lastChunkSql(searched), [
    field,
    low,
  ]);
  return rows[0]?.chunk ?? null;
}

const countAll = (found: readonly ChunkFound[]): number =>
  found.reduce((sum, { count }) => sum + count, 0);

/** Chunks at equal distances among those from a first to a last one. */
export function spreadChunks(first: number, last: number, count: number): number[] {
  const size = last - first + 1;
  if (size <= count) return Array.from({ length: size }, (_, at) => first + at);
  return Array.from({ length: count }, (_, at) => first + Math.floor(((at + 0.5) * size) / count));
}

/**
 * The number of people or companies in all chunks, from the counted ones and a sample of the rest.
 * @param rest chunks that were not counted
 */
export function estimateTotal(
  counted: number,
  sample: { readonly people: number; readonly chunks: number },
  rest: number,
): number {
  const total = counted + (sample.chunks === 0 ? 0 : (sample.people / sample.chunks) * rest);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(total)) + 1 - estimateDigits);
  return Math.max(counted, Math.round(total / unit) * unit);
}

/** Evaluates chunks from a first one in growing parts until there is enough. */
async function evaluateUntil(
  client: PoolClient,
  plan: SearchPlan,
  { from, last, after, limit }: { from: number; last: number; after: number; limit: number },
  isEnough: (count: number) => boolean,
): Promise<{ found: ChunkFound[]; next: number }> {
  const found: ChunkFound[] = [];
  let next = from;
  for (let size = chunksAtOnce; next <= last && !isEnough(countAll(found)); size *= 4) {
    const range = { first: next, last: Math.min(last, next + size - 1) };
    const left = Math.max(0, limit - countAll(found));
    found.push(...(await evaluatePlan(client, plan, range, { after, limit: left })));
    next = range.last + 1;
  }
  return { found, next };
}

/**
 * Finds a page. Call it in a transaction that sees one state of the directory.
 * @param last the last chunk (readLastChunk)
 */
export async function findPage(
  client: PoolClient,
  plan: SearchPlan,
  last: number | null,
  { after, limit, exactMax }: PageWish,
): Promise<FoundPage> {
  if (last === null) return { total: 0, isEstimate: false, ids: [], hasMore: false };
  // One more than the page tells whether others follow.
  const wanted = limit + 1;
  const counted = await evaluateUntil(
    client,
    plan,
    { from: 0, last, after: -1, limit: after < 0 ? wanted : 0 },
    (count) => count > exactMax && (after >= 0 || count >= wanted),
  );
  const page =
    after < 0
      ? counted
      : await evaluateUntil(
          client,
          plan,
          { from: Math.floor((after + 1) / chunkPeople), last, after, limit: wanted },
          (count) => count >= wanted,
        );
  const ids = page.found.flatMap(({ ids: own }) => own ?? []).slice(0, wanted);
  const exact = countAll(counted.found);
  const isEstimate = exact > exactMax && counted.next <= last;
  let total = exact;
  if (isEstimate) {
    const chunks = spreadChunks(counted.next, last, chunksAtOnce);
    const sample = await evaluatePlan(client, plan, { chunks }, { after: -1, limit: 0 });
    const rest = last - counted.next + 1;
    total = estimateTotal(exact, { people: countAll(sample), chunks: chunks.length }, rest);
  }
  return { total, isEstimate, ids: ids.slice(0, limit), hasMore: ids.length > limit };
}
