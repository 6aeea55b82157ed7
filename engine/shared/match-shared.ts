// Matches rows over the shared directory, with the same answers as over an index in memory.
import { setTimeout as waitFor } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { BatchCandidates, MatchBatch } from '../directory/index/match-batch.ts';
import { createRowMatcher, emptyBatch, type RowMatcher } from '../directory/match/match-rows.ts';
import { parseRecords } from '../spreadsheet/read-rows.ts';
import { type BlockKeys, createBlockKeys } from './block-keys.ts';
import type { SharedConnection } from './connection/open-connection.ts';
import type { SharedAddress } from './connection/shared-address.ts';
import { SharedFailure, sharedFailure } from './connection/shared-failure.ts';
import { type FetchCounts, fetchPeople, mixedGenerations } from './fetch-people.ts';
import { checkGeneration, type Generation, readGeneration } from './generation.ts';
import { layoutOf } from './layout/shared-layout.ts';
import { createPeopleSlice, openRow, type PeopleSlice } from './people-slice.ts';
import { type PeopleRoom, type ResidentLayer, readResidentLayer } from './resident-layer.ts';

export interface SharedMatcherOptions {
  /** The secret of the tenant that seeds the keys: 16 bytes. */
  readonly secret: Uint8Array;
  /** People that are kept between batches; 1,000,000 if it is not given. */
  readonly peopleMax?: number;
}

/** Matches batches one after another; several can be given at once. */
export interface SharedMatcher {
  readonly generation: number;
  readonly counts: Readonly<FetchCounts>;
  /** Matches record-aligned bytes of an input. Rejects with SharedFailure. */
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch; generation: number }>;
  /** Resolves when no batch is in flight. The connection stays open. */
  close(): Promise<void>;
}

/**
 * About 120 bytes each. With room for fewer, a directory of 1,000,000 people was fetched again
 * every few batches, which took a fifth of the CPU.
 */
const peopleUsual = 1_000_000;
/** A few people may have many names. */
const peopleLeast = 10_000;
const listsMax = 2_000_000;
/** Entries for a person, on average; a slice without room is replaced by a larger one. */
const perPerson = { forms: 8, facts: 8, jobs: 6 } as const;

const roomFor = (people: number): PeopleRoom => ({
  people,
  forms: people * perPerson.forms,
  facts: people * perPerson.facts,
  jobs: people * perPerson.jobs,
});

interface Stage {
  readonly layer: ResidentLayer;
  readonly slice: PeopleSlice;
  readonly matchRow: RowMatcher;
  readonly generation: Generation;
  readonly room: number;
}

/** A stage without people. The layer's people are overwritten. */
function startStage(
  layer: ResidentLayer,
  keys: BlockKeys,
  generation: Generation,
  room: number,
): Stage {
  const slice = createPeopleSlice(layer, keys);
  return { layer, slice, matchRow: createRowMatcher(slice.index), generation, room };
}

async function openStage(
  client: PoolClient,
  keys: BlockKeys,
  generation: Generation,
  room: number,
): Promise<Stage> {
  const layer = await readResidentLayer(client, keys, generation, roomFor(room));
  return startStage(layer, keys, generation, room);
}

function clearRow(batch: MatchBatch, row: number): void {
  batch.personIds[row] = 0;
  batch.companyIds[row] = 0;
  batch.employmentStatuses[row] = 0;
  batch.reasons[row] = 0;
  batch.confidences[row] = 0;
  batch.matchedOn[row] = 0;
}

function matchOpen(
  { slice, matchRow }: Stage,
  open: readonly number[],
  match: (matchRow: RowMatcher, row: number) => void,
): number[] {
  const still: number[] = [];
  for (const row of open) {
    slice.startRow();
    try {
      match(matchRow, row);
    } catch (error) {
      if (error !== openRow) throw error;
    }
    if (slice.isRowOpen()) still.push(row);
  }
  return still;
}

interface Batch {
  readonly rows: readonly (readonly string[])[];
  readonly mapping: ColumnMapping;
  readonly threshold: number;
  readonly counts: FetchCounts;
}

async function matchInPasses(
  client: PoolClient,
  keys: BlockKeys,
  first: Stage,
  { rows, mapping, threshold, counts }: Batch,
): Promise<{ stage: Stage; batch: MatchBatch }> {
  let stage = first;
  const source = { client, layout: await layoutOf(client), generation: first.generation.number };
  const found: (BatchCandidates | null)[] = rows.map(() => null);
  const batch = emptyBatch(rows.length, []);
  let open: readonly number[] = [...rows.keys()];
  let isFresh = false;
  for (;;) {
    open = matchOpen(stage, open, (matchRow, row) => {
      clearRow(batch, row);
      found[row] = null;
      found[row] = matchRow(rows[row]!, mapping, threshold, batch, row);
    });
    if (open.length === 0) break;
    if (await fetchPeople(source, stage.slice, stage.slice.takeAsks(), counts)) continue;
    // The rows that are answered stay so; the others begin again, with more room if the people
    // of this batch alone need it.
    const { layer, generation, room } = stage;
    stage = isFresh
      ? await openStage(client, keys, generation, room * 2)
      : startStage(layer, keys, generation, room);
    isFresh = true;
  }
  return { stage, batch: { ...batch, candidates: found.filter((one) => one !== null) } };
}

/**
 * One state of the directory for a batch. For a list of ten thousands of people, the planner would
 * read the whole table, which takes longer the more people there are.
 */
const beginBatch =
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_seqscan = off';

/** The pause before a batch that met several generations begins again, and how often it does. */
const mixedPauseMs = 100;
const mixedTriesMax = 300;

/** Repeats a batch until every node has the generation that the load has ended with. */
async function repeatMixed<Result>(
  address: SharedAddress,
  match: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await match();
    } catch (error) {
      if (error !== mixedGenerations) throw error;
      if (tries === mixedTriesMax)
        throw new SharedFailure(
          'unreachable',
          `A node of ${address.database} is behind the others. It should follow by itself: ` +
            'Citus ends the transactions of a load that was interrupted.',
        );
      await waitFor(mixedPauseMs);
    }
}

/** Opens a matcher. The companies and the names are read with the first batch. */
export function openSharedMatcher(
  connection: Pick<SharedConnection, 'transact' | 'address'>,
  { secret, peopleMax = peopleUsual }: SharedMatcherOptions,
): SharedMatcher {
  const keys = createBlockKeys(secret);
  const counts: FetchCounts = { passes: 0, keys: 0, people: 0 };
  let kept: Stage | null = null;
  const roomOf = ({ people }: Generation) => Math.min(peopleMax, Math.max(people, peopleLeast));
  const currentStage = async (client: PoolClient): Promise<Stage> => {
    const generation = await readGeneration(client);
    if (!generation) throw sharedFailure('empty', connection.address);
    checkGeneration(generation, keys, connection.address);
    if (kept?.generation.number !== generation.number)
      return openStage(client, keys, generation, kept?.room ?? roomOf(generation));
    return kept.slice.listsCount < listsMax
      ? kept
      : startStage(kept.layer, keys, generation, kept.room);
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    get generation() {
      return kept?.generation.number ?? 0;
    },
    counts,
    match(bytes, mapping, threshold) {
      const matchOnce = () =>
        connection.transact(async (client) => {
          const rows = parseRecords(bytes);
          const stage = await currentStage(client);
          const matched = await matchInPasses(client, keys, stage, {
            rows,
            mapping,
            threshold,
            counts,
          });
          kept = matched.stage;
          return { batch: matched.batch, generation: kept.generation.number };
        }, beginBatch);
      const result = last.then(() =>
        repeatMixed(connection.address, async () => {
          try {
            return await matchOnce();
          } catch (error) {
            // What was fetched may be of several generations.
            if (error === mixedGenerations) kept = null;
            throw error;
          }
        }),
      );
      last = result.catch(() => {
        // A batch that failed may have left lists that were asked for and not fetched.
        kept = null;
      });
      return result;
    },
    async close() {
      await last;
    },
  };
}
