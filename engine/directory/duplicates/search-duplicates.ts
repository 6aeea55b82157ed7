// Searches the directory for duplicates, block by block. The state is stored with the pairs every
// few hundred milliseconds, so that a search continues after a stop or a kill:
//
//   running ──last block──> completed
//      └──cancel, kill──> stopped ──search──> running, from its position if the index is the same
import { setImmediate as yieldThread } from 'node:timers/promises';
import { duplicateBlockMax, duplicateOfferedMin } from '../../contract/limits/duplicates.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import type { Postings } from '../index/index-postings.ts';
import { foldText } from '../normalize/fold-text.ts';
import { legalFormOf, normalizeCompany } from '../normalize/normalize-company.ts';
import { countEdits, type TextSlice } from '../normalize/similarity.ts';
import { type ComparedPair, createPeopleComparison } from './compare-people.ts';
import { deleteOutdated, type FoundPair, putPair } from './duplicate.table.ts';
import { getSearch, putSearch, type SearchRow } from './duplicate-search.table.ts';
import { areOtherCompanies } from './legal-forms.ts';

/**
 * How likely two companies of the directory are one. Different legal forms or countries are never
 * one; a domain of both, a place and a phone decide about the others (decision 049).
 */
interface ComparedCompany {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly name_key: string;
  readonly domain: string | null;
  readonly street: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly phone: string | null;
}

const selectSql = `SELECT id, uuid, name, name_key, domain, street, city, state, country, phone
  FROM company WHERE listed = 0`;

const readCompaniesOfName = (
  db: ReadableDatabase,
  nameKey: string,
  limit: number,
): ComparedCompany[] =>
  statement<ComparedCompany>(db, `${selectSql} AND name_key = ? ORDER BY id LIMIT ?`).all(
    nameKey,
    limit,
  );

const readCompaniesOfDomain = (
  db: ReadableDatabase,
  domain: string,
  limit: number,
): ComparedCompany[] =>
  statement<ComparedCompany>(db, `${selectSql} AND domain = ? ORDER BY id LIMIT ?`).all(
    domain,
    limit,
  );

/** By how much an agreement or a difference changes the odds. */
const factors = {
  sameName: 0.3,
  nearName: 0.05,
  writtenAlike: 3,
  sameDomain: 200,
  sameCity: 8,
  samePhone: 30,
  sameStreet: 20,
  otherCity: 0.01,
  otherState: 0.1,
  otherPhone: 0.5,
} as const;

const nearLettersMin = 8;
const nearEditsMax = 1;

const sliceOf = (text: string): TextSlice => ({
  codes: Uint16Array.from(text, (letter) => letter.charCodeAt(0)),
  start: 0,
  length: text.length,
});

/** How alike the names are; 0 for two names. */
function compareNames(one: ComparedCompany, other: ComparedCompany): number {
  if (one.name_key === other.name_key) return factors.sameName;
  const [a, b] = [one, other].map(({ name }) => normalizeCompany(name));
  if (!a || !b || a.tokens.length !== b.tokens.length) return 0;
  const isLong = Math.min(a.key.length, b.key.length) >= nearLettersMin;
  // A number tells branches apart.
  if (!isLong || /\d/.test(a.key + b.key)) return 0;
  const edits = countEdits(sliceOf(a.key), sliceOf(b.key), nearEditsMax);
  return edits <= nearEditsMax ? factors.nearName : 0;
}

type Verdict = 'same' | 'other' | 'unknown';

function compareText(one: string | null, other: string | null): Verdict {
  const [a, b] = [foldText(one ?? ''), foldText(other ?? '')];
  if (a === '' || b === '') return 'unknown';
  return a === b ? 'same' : 'other';
}

/** Compares two companies; null if they are two. @param namesakes companies of this name */
function compareCompanies(
  db: ReadableDatabase,
  one: ComparedCompany,
  other: ComparedCompany,
  namesakes: number,
): ComparedPair | null {
  const names = compareNames(one, other);
  const domain = compareText(one.domain, other.domain);
  if (names === 0 || domain === 'other') return null;
  if (areOtherCompanies(db, one, other)) return null;
  let odds = names / Math.max(1, namesakes - 1);
  if (foldText(one.name) === foldText(other.name)) odds *= factors.writtenAlike;
  if (domain === 'same') odds *= factors.sameDomain;
  const state = compareText(one.state, other.state);
  const city = compareText(one.city, other.city);
  if (state === 'other') odds *= factors.otherState;
  else if (city === 'same') odds *= factors.sameCity;
  if (city === 'other') odds *= factors.otherCity;
  const phone = compareText(one.phone, other.phone);
  if (phone !== 'unknown') odds *= phone === 'same' ? factors.samePhone : factors.otherPhone;
  if (compareText(one.street, other.street) === 'same') odds *= factors.sameStreet;
  return { one: one.uuid, other: other.uuid, probability: odds / (1 + odds) };
}

/**
 * People who share a key of the match index, by their dense numbers: of an identifier, or of an
 * employer and a surname. No other pairs are compared.
 */
interface PeopleBlock {
  readonly bucket: number;
  readonly people: readonly number[];
}

const personBits = 24;

/** The blocks of one bucket: entries of 64 bits have a tag, those of 32 bits eight bits of it. */
function* readBucket({ entries }: Postings, from: number, to: number, isTagged: boolean) {
  if (to - from < 2) return;
  const byKey = new Map<number, number[]>();
  for (let at = from; at < to; at++) {
    const entry = entries[isTagged ? at * 2 : at]!;
    const key = isTagged ? entry : entry >>> personBits;
    const person = isTagged ? entries[at * 2 + 1]! : entry & (2 ** personBits - 1);
    const known = byKey.get(key);
    if (!known) byKey.set(key, [person]);
    else if (!known.includes(person)) known.push(person);
  }
  for (const people of byKey.values()) if (people.length > 1) yield people;
}

const indexBlocks = [
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.emailOffsets,
      entries: s.emailEntries,
    }),
    isTagged: true,
    isByName: false,
  },
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.urlOffsets,
      entries: s.urlEntries,
    }),
    isTagged: true,
    isByName: false,
  },
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.phoneOffsets,
      entries: s.phoneEntries,
    }),
    isTagged: true,
    isByName: false,
  },
  {
    of: ({ sections: s }: MatchIndex): Postings => ({
      offsets: s.companyLastOffsets,
      entries: s.companyLastEntries,
    }),
    isTagged: false,
    isByName: true,
  },
] as const;

const peoplePhases = indexBlocks.length;

const countBuckets = (index: MatchIndex, phase: number): number =>
  (indexBlocks[phase]?.of(index).offsets.length ?? 1) - 1;

/** The blocks of a kind, from a bucket on. */
function* listPeopleBlocks(
  index: MatchIndex,
  phase: number,
  fromBucket: number,
): Generator<PeopleBlock> {
  const kind = indexBlocks[phase];
  if (!kind) return;
  const postings = kind.of(index);
  const { offsets } = postings;
  for (let bucket = fromBucket; bucket + 1 < offsets.length; bucket++)
    for (const people of readBucket(
      postings,
      offsets[bucket]!,
      offsets[bucket + 1]!,
      kind.isTagged,
    ))
      yield { bucket, people };
}

/** Whether the names of a block's people decide first: it is a block by employer and surname. */
const isByName = (phase: number): boolean => indexBlocks[phase]?.isByName ?? false;

const initialOf = ({ sections }: MatchIndex, name: number): number =>
  sections.namePool[sections.nameStarts[name]!] ?? 0;

/** Whether the first names of two people can stand for each other. Most pairs of a block cannot. */
function canBeOne(index: MatchIndex, one: number, other: number): boolean {
  const { mainNames, nicknameStarts, nicknames } = index.sections;
  const [a, b] = [mainNames[one * 2]!, mainNames[other * 2]!];
  if (initialOf(index, a) === initialOf(index, b)) return true;
  for (let at = nicknameStarts[a]!; at < nicknameStarts[a + 1]!; at++)
    if (nicknames[at]! >>> 1 === b) return true;
  return false;
}

const companyPhases = ['name_key', 'domain'] as const;
const companyBlocksRead = 500;

const listCompanyKeys = (
  db: ReadableDatabase,
  column: (typeof companyPhases)[number],
  after: string,
): { key: string; count: number }[] =>
  statement<{ key: string; count: number }>(
    db,
    `SELECT ${column} AS key, count(*) AS count FROM company
     WHERE ${column} > ? AND ${column} <> '' GROUP BY ${column} HAVING count(*) > 1
     ORDER BY ${column} LIMIT ${companyBlocksRead}`,
  ).all(after);

export interface DuplicateSearchOptions {
  readonly restart: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
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
