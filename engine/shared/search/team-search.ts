// Searches of the team's directory, with the answers of a search of the own directory. The records
// of a page are fetched, and the suppression list and the reads of an own directory treat them like
// the user's own.
import type { PoolClient } from 'pg';
import { EngineError, invalid } from '../../contract/errors.ts';
import type {
  SearchFirms,
  SearchPeople,
  ShownCompanies,
  WantedPeople,
} from '../../contract/records/record-search.ts';
import type { FoundContacts, SearchValues } from '../../contract/search.ts';
import { sharedTotalExactMax } from '../../contract/shared/limits.ts';
import { type ListedPerson, readPeopleByUuids } from '../../directory/read/read-people.ts';
import { readFoundCompanies, readFoundContacts } from '../../directory/search/search-rows.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { checkTables } from '../migrations/migrate-shared.ts';
import {
  type FetchedRecords,
  fillFetched,
  openFetched,
  readShownCompanies,
  readShownPeople,
} from '../records/fetched-tables.ts';
import { suppressFetched } from '../records/suppress-fetched.ts';
import { type ChunkFound, evaluatePlan, setTables } from './evaluate-plan.ts';
import {
  planCompanySearch,
  planSearch,
  readHeld,
  type Searched,
  type SearchPlan,
} from './plan-search.ts';
import { rangeOfWhole } from './search-fields.ts';
import { chunkPeople } from './search-sets.ts';
import { createWithheldReader, type ReadWithheld } from './withheld.ts';

interface PageWish {
  /** The last id of the page before; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
  /** Up to this number, totals are exact. */
  readonly exactMax: number;
}

interface FoundPage {
  readonly total: number;
  readonly isEstimate: boolean;
  readonly ids: readonly number[];
  readonly hasMore: boolean;
}

/** Chunks that are evaluated at first, and that an estimate is made from. */
const chunksAtOnce = 32;
const estimateDigits = 3;

const lastChunkSql = (searched: Searched) => `SELECT max(s.chunk) AS chunk
  FROM ${setTables[searched]} s
  WHERE s.value_id = (SELECT v.value_id FROM search_value v WHERE v.field = $1 AND v.key = $2)`;

async function readLastChunk(client: PoolClient, searched: Searched): Promise<number | null> {
  const { field, low } = rangeOfWhole(searched === 'people' ? 'everyone' : 'everyCompany');
  const { rows } = await client.query<{ chunk: number | null }>(lastChunkSql(searched), [
    field,
    low,
  ]);
  return rows[0]?.chunk ?? null;
}

const countAll = (found: readonly ChunkFound[]): number =>
  found.reduce((sum, { count }) => sum + count, 0);

export function spreadChunks(first: number, last: number, count: number): number[] {
  const size = last - first + 1;
  if (size <= count) return Array.from({ length: size }, (_, at) => first + at);
  return Array.from({ length: count }, (_, at) => first + Math.floor(((at + 0.5) * size) / count));
}

/** The number in all chunks, from counted ones and a sample of the `rest`. */
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

/** Call in a transaction with one state of the directory. @param last see readLastChunk */
async function findPage(
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

/** Searches of the team's directory. Each rejects with SharedFailure if it cannot be reached. */
export interface TeamSearch {
  /**
   * A page of people and their total, which is an estimate beyond 10,000. Rejects with
   * `validation_error` for a value that the directory does not have, and with `not_ready` if it was
   * loaded before it could be searched.
   */
  people(search: SearchPeople): Promise<FoundContacts>;
  companies(search: SearchFirms): Promise<ShownCompanies>;
  /** The UUIDs of the first people, up to a limit. Rejects like `people`. */
  uuids(wanted: WantedPeople, limit: number): Promise<string[]>;
  values(): Promise<SearchValues>;
  /** People by UUID, with the values to unlock. Unknown and suppressed ones are missing. */
  contacts(uuids: readonly string[]): Promise<ListedPerson[]>;
}

const notLoaded =
  'The directory of the team was loaded by a version that could not search it. Run ' +
  '“desk shared update” once.';

/** One state of the directory for all queries of a search. */
const beginRead = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** The last chunk with anyone. Rejects with `not_ready` if people are there but no sets. */
async function requireChunks(client: PoolClient): Promise<number | null> {
  const last = await readLastChunk(client, 'people');
  if (last !== null) return last;
  const { rows } = await client.query(
    'SELECT 1 FROM match_person WHERE NOT EXISTS (SELECT 1 FROM search_value) LIMIT 1',
  );
  if (rows.length > 0) throw new EngineError('not_ready', notLoaded);
  return null;
}

const companiesBehind =
  'The companies of the directory of the team were loaded by a version that could not search ' +
  'them. Run “desk shared update” once.';

/**
 * Whether the state of the directory, and the import that made it, have what searches of companies
 * read: an older version changes both without it.
 */
const companiesSql = `SELECT g.people = 0 OR coalesce(g.company_search = g.number AND (
    SELECT i.has_company_search FROM shared_import i WHERE i.undone_at IS NULL
    ORDER BY i.import_id DESC LIMIT 1), false) AS "areThere" FROM generation g`;

/** The last chunk with a company. Rejects with `not_ready` if an older version wrote the state. */
async function requireCompanies(client: PoolClient): Promise<number | null> {
  const { rows } = await client.query<{ areThere: boolean }>(companiesSql);
  if (rows[0] && !rows[0].areThere) throw new EngineError('not_ready', companiesBehind);
  return readLastChunk(client, 'companies');
}

/** Puts records into the scratch database, and reads them before others replace them. */
type ReadFetched = <Result>(
  records: FetchedRecords,
  readThem: (fetched: ReadableDatabase) => Result,
) => Result;

interface Searching {
  readonly exactMax: number;
  readonly readFetched: ReadFetched;
  readonly readWithheld: ReadWithheld;
}

const notAnId = 'after: send next_after of the page before.';
const noOffset =
  'offset: the directory of the team has no pages by offset. Send `after` with next_after of the ' +
  'page before.';

/** What a page wishes. Throws `validation_error` for one by offset. */
function readWish({ limit, offset, after }: Pick<SearchPeople, 'limit' | 'offset' | 'after'>) {
  if (offset > 0) throw invalid(noOffset);
  if (after !== undefined && !/^\d+$/.test(after)) throw invalid(notAnId);
  return { after: after === undefined ? -1 : Number(after), limit };
}

const describePage = <Found>(
  { total, isEstimate, ids, hasMore }: FoundPage,
  results: readonly Found[],
) => ({
  total,
  ...(isEstimate && { total_is_estimate: true as const }),
  ...(hasMore && { next_after: String(ids.at(-1)) }),
  results: [...results],
});

async function findFound(
  client: PoolClient,
  search: SearchPeople,
  { exactMax, readFetched, readWithheld }: Searching,
): Promise<FoundContacts> {
  const { limit: _limit, offset: _offset, directory: _team, after: _after, ...wanted } = search;
  const wish = { ...readWish(search), exactMax };
  const last = await requireChunks(client);
  const plan = await planSearch(client, wanted, (await readWithheld(client)).people);
  const page = await findPage(client, plan, last, wish);
  const records = await readShownPeople(client, page.ids);
  return describePage(
    page,
    readFetched(records, (own) => readFoundContacts(own, page.ids)),
  );
}

async function findFoundCompanies(
  client: PoolClient,
  search: SearchFirms,
  { exactMax, readFetched, readWithheld }: Searching,
): Promise<ShownCompanies> {
  const { limit: _limit, offset: _offset, directory: _team, after: _after, ...wanted } = search;
  const wish = { ...readWish(search), exactMax };
  const last = await requireCompanies(client);
  const plan = await planCompanySearch(client, wanted, (await readWithheld(client)).companies);
  const page = await findPage(client, plan, last, wish);
  const records = await readShownCompanies(client, page.ids);
  return describePage(
    page,
    readFetched(records, (own) => readFoundCompanies(own, page.ids)),
  );
}

async function findUuids(
  client: PoolClient,
  wanted: WantedPeople,
  limit: number,
  { readWithheld }: Searching,
): Promise<string[]> {
  const last = await requireChunks(client);
  const plan = await planSearch(client, wanted, (await readWithheld(client)).people);
  const { ids } = await findPage(client, plan, last, { after: -1, limit, exactMax: 0 });
  const { rows } = await client.query<{ uuid: string }>(
    'SELECT uuid FROM person WHERE id = ANY($1::int[]) ORDER BY id',
    [ids],
  );
  return rows.map(({ uuid }) => uuid);
}

const readValues = async (client: PoolClient): Promise<SearchValues> => ({
  industry: await readHeld(client, 'industry'),
  job_level: await readHeld(client, 'jobLevel'),
  employee_range: await readHeld(client, 'employeeRange'),
  revenue_range: await readHeld(client, 'revenueRange'),
  contact_office_country: await readHeld(client, 'contactCountry'),
});

/** @param store has the suppression list, and the own directory attached as `directory` */
export function openTeamSearch(
  { transact, ...connection }: SharedConnection,
  store: ReadableDatabase,
  exactMax = sharedTotalExactMax,
): TeamSearch & { close(): void } {
  let fetched: WritableDatabase | null = null;
  let isChecked = false;
  const read = async <Result>(act: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    if (!isChecked) await checkTables({ transact, ...connection });
    isChecked = true;
    return transact(act, beginRead);
  };
  const readFetched: ReadFetched = (records, readThem) => {
    fetched ??= openFetched();
    fillFetched(fetched, records);
    suppressFetched(fetched, store);
    return readThem(fetched);
  };
  const searching = { exactMax, readFetched, readWithheld: createWithheldReader(store) };
  return {
    people: (search) => read((client) => findFound(client, search, searching)),
    companies: (search) => read((client) => findFoundCompanies(client, search, searching)),
    uuids: (wanted, limit) => read((client) => findUuids(client, wanted, limit, searching)),
    values: () => read(readValues),
    contacts: (uuids) =>
      read(async (client) => {
        const { rows } = await client.query<{ id: number }>(
          'SELECT id FROM person WHERE uuid = ANY($1::text[])',
          [uuids],
        );
        const records = await readShownPeople(
          client,
          rows.map(({ id }) => id),
        );
        return readFetched(records, (own) =>
          [...readPeopleByUuids(own, uuids, 'main').values()].filter((one) => one.suppressed === 0),
        );
      }),
    close() {
      fetched?.close();
      fetched = null;
    },
  };
}
