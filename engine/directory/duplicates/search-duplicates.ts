/**
 * Searches the directory for duplicates, block by block. The state is stored with the pairs every
 * few hundred milliseconds, so that a search continues after a stop or a kill:
 *
 *   running ──last block──> completed
 *      └──cancel, kill──> stopped ──search──> running, from its position if the index is the same
 */
import { setImmediate as yieldThread } from 'node:timers/promises';
import { duplicateBlockMax, duplicateOfferedMin } from '../../contract/limits/duplicates.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { legalFormOf } from '../normalize/normalize-company.ts';
import {
  compareCompanies,
  readCompaniesOfDomain,
  readCompaniesOfName,
} from './compare-companies.ts';
import { type ComparedPair, createPeopleComparison } from './compare-people.ts';
import { deleteOutdated, type FoundPair, putPair } from './duplicate.table.ts';
import { getSearch, putSearch, type SearchRow } from './duplicate-search.table.ts';
import {
  canBeOne,
  companyPhases,
  countBuckets,
  isByName,
  listCompanyKeys,
  listPeopleBlocks,
  peoplePhases,
} from './list-blocks.ts';

export interface DuplicateSearchOptions {
  readonly restart: boolean;
  readonly signal: AbortSignal;
  /** Called with the buckets done, and their total. */
  readonly onProgress: (done: number, total: number) => void;
  /** Wall clock. */
  readonly now: () => Date;
  /** Waits while an import writes to the directory. */
  readonly write: (work: () => void) => Promise<void>;
}

const storeIntervalMs = 300;
const phases = peoplePhases + companyPhases.length;

interface State {
  search: { -readonly [Name in keyof SearchRow]: SearchRow[Name] };
  found: FoundPair[];
  storedAt: number;
}

interface Searching extends DuplicateSearchOptions {
  readonly db: WritableDatabase;
  readonly index: MatchIndex;
  readonly state: State;
}

function beginSearch(
  db: WritableDatabase,
  index: MatchIndex,
  { restart, now }: DuplicateSearchOptions,
): SearchRow {
  const last = getSearch(db);
  const goesOn =
    last && !restart && last.status !== 'completed' && last.generation === index.generation;
  if (goesOn) return { ...last, status: 'running', endedAt: null };
  return {
    number: (last?.number ?? 0) + 1,
    status: 'running',
    generation: index.generation,
    phase: 0,
    position: '',
    compared: 0,
    blocksSkipped: 0,
    startedAt: now().toISOString(),
    endedAt: null,
  };
}

async function store({ db, state, write }: Searching): Promise<void> {
  const { search, found } = state;
  await write(() =>
    inTransaction(db, () => {
      for (const pair of found) putPair(db, search.number, pair);
      if (search.status === 'completed') deleteOutdated(db, search.number);
      putSearch(db, search);
    }),
  );
  state.found = [];
  state.storedAt = performance.now();
}

/** Stores the state from time to time. Throws the signal's reason if the search is to stop. */
async function pause(searching: Searching, phase: number, position: string): Promise<void> {
  const { state, signal } = searching;
  if (!signal.aborted && performance.now() - state.storedAt < storeIntervalMs) return;
  Object.assign(state.search, { phase, position });
  await yieldThread();
  if (signal.aborted) state.search.status = 'stopped';
  await store(searching);
  signal.throwIfAborted();
}

function takePair(state: State, kind: FoundPair['kind'], pair: ComparedPair | null): void {
  state.search.compared++;
  if (pair && pair.probability >= duplicateOfferedMin) state.found.push({ kind, ...pair });
}

async function searchPeople(searching: Searching, phase: number, from: number): Promise<void> {
  const { db, index, state, onProgress } = searching;
  const compare = createPeopleComparison(db, index);
  const sizes = Array.from({ length: peoplePhases }, (_, at) => countBuckets(index, at));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const before = sizes.slice(0, phase).reduce((sum, size) => sum + size, 0);
  const byName = isByName(phase);
  let bucketNow = from;
  for (const { bucket, people } of listPeopleBlocks(index, phase, from)) {
    if (bucket !== bucketNow) {
      bucketNow = bucket;
      await pause(searching, phase, String(bucket));
      onProgress(before + bucket, total);
    }
    if (people.length > duplicateBlockMax) {
      state.search.blocksSkipped++;
      continue;
    }
    people.forEach((one, at) => {
      for (const other of people.slice(at + 1))
        if (!byName || canBeOne(index, one, other)) takePair(state, 'person', compare(one, other));
    });
  }
}

async function searchCompanies(searching: Searching, phase: number, from: string): Promise<void> {
  const { db, state } = searching;
  const column = companyPhases[phase - peoplePhases];
  if (!column) return;
  const read = column === 'domain' ? readCompaniesOfDomain : readCompaniesOfName;
  for (let after = from; ; ) {
    const keys = listCompanyKeys(db, column, after);
    for (const { key, count } of keys) {
      after = key;
      if (count > duplicateBlockMax) state.search.blocksSkipped++;
      else {
        const companies = read(db, key, duplicateBlockMax);
        const namesakes = column === 'domain' ? 2 : companies.length;
        const forms = new Set(companies.map(({ name }) => legalFormOf(name)));
        // A name without a form may be either of two companies.
        const isOpen = forms.size > 2 && forms.has('');
        companies.forEach((one, at) => {
          for (const other of companies.slice(at + 1))
            if (!isOpen || legalFormOf(one.name) === legalFormOf(other.name))
              takePair(state, 'company', compareCompanies(db, one, other, namesakes));
        });
      }
      await pause(searching, phase, key);
    }
    if (keys.length === 0) return;
  }
}

/**
 * Searches for duplicates of people and companies, or continues a search that was stopped. Memory
 * does not grow with the directory. Rejects with the signal's reason if it is stopped.
 * @param index the current match index
 */
export async function searchDuplicates(
  db: WritableDatabase,
  index: MatchIndex,
  options: DuplicateSearchOptions,
): Promise<void> {
  const state: State = { search: beginSearch(db, index, options), found: [], storedAt: 0 };
  const searching: Searching = { ...options, db, index, state };
  await store(searching);
  const { phase: firstPhase, position } = state.search;
  for (let phase = firstPhase; phase < phases; phase++) {
    const from = phase === firstPhase ? position : '';
    if (phase < peoplePhases) await searchPeople(searching, phase, Number(from) || 0);
    else await searchCompanies(searching, phase, from);
  }
  Object.assign(state.search, { phase: phases, position: '', status: 'completed' });
  state.search.endedAt = options.now().toISOString();
  await store(searching);
}
