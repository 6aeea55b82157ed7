/**
 * Searches of the team's directory, with the answers of a search of the own directory. The records
 * of a page come home, where the suppression list and the reads of an own directory treat them like
 * the user's own.
 */
import type { PoolClient } from 'pg';
import { EngineError } from '../../contract/errors.ts';
import type { SearchPeople, WantedPeople } from '../../contract/records/record-search.ts';
import type { FoundContacts, SearchValues } from '../../contract/search.ts';
import { sharedTotalExactMax } from '../../contract/shared/limits.ts';
import { type ListedPerson, readPeopleByUuids } from '../../directory/read/read-people.ts';
import { readFoundContacts } from '../../directory/search/search-rows.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { fillHome, openHome, readShownHome } from '../home/home-tables.ts';
import { suppressHome } from '../home/suppress-home.ts';
import { checkTables } from '../migrations/migrate-shared.ts';
import { findPage, readLastChunk } from './find-people.ts';
import { planSearch, readHeld } from './plan-search.ts';

/** Searches of the team's directory. Each rejects with SharedFailure if it cannot be reached. */
export interface TeamSearch {
  /**
   * A page of people and their total, which is an estimate beyond 10,000. Rejects with
   * `validation_error` for a value that the directory does not have, and with `not_ready` if it was
   * loaded before it could be searched.
   */
  people(search: SearchPeople): Promise<FoundContacts>;
  /** The UUIDs of the first people, up to a limit. Rejects like `people`. */
  uuids(wanted: WantedPeople, limit: number): Promise<string[]>;
  /** Valid values of the filters that take whole values. */
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
  const last = await readLastChunk(client);
  if (last !== null) return last;
  const { rows } = await client.query(
    'SELECT 1 FROM match_person WHERE NOT EXISTS (SELECT 1 FROM search_value) LIMIT 1',
  );
  if (rows.length > 0) throw new EngineError('not_ready', notLoaded);
  return null;
}

/** Brings people home, and reads them there before anything else comes. */
type ReadAtHome = <Result>(
  client: PoolClient,
  personIds: readonly number[],
  readThem: (home: ReadableDatabase) => Result,
) => Promise<Result>;

const notAnId = 'after: send next_after of the page before.';
const noOffset =
  'offset: the directory of the team has no pages by offset. Send `after` with next_after of the ' +
  'page before.';

/** A page of a search. */
async function findFound(
  client: PoolClient,
  { limit, offset, directory: _team, after, ...wanted }: SearchPeople,
  exactMax: number,
  readAtHome: ReadAtHome,
): Promise<FoundContacts> {
  if (offset > 0) throw new EngineError('validation_error', noOffset);
  if (after !== undefined && !/^\d+$/.test(after))
    throw new EngineError('validation_error', notAnId);
  const last = await requireChunks(client);
  const plan = await planSearch(client, wanted);
  const wish = { after: after === undefined ? -1 : Number(after), limit, exactMax };
  const found = await findPage(client, plan, last, wish);
  const { total, isEstimate, personIds, hasMore } = found;
  const results = await readAtHome(client, personIds, (own) => readFoundContacts(own, personIds));
  return {
    total,
    ...(isEstimate && { total_is_estimate: true as const }),
    ...(hasMore && { next_after: String(personIds.at(-1)) }),
    results,
  };
}

/** The first people of a search. */
async function findUuids(
  client: PoolClient,
  wanted: WantedPeople,
  limit: number,
): Promise<string[]> {
  const last = await requireChunks(client);
  const plan = await planSearch(client, wanted);
  const { personIds } = await findPage(client, plan, last, { after: -1, limit, exactMax: 0 });
  const { rows } = await client.query<{ uuid: string }>(
    'SELECT uuid FROM person WHERE id = ANY($1::int[]) ORDER BY id',
    [personIds],
  );
  return rows.map(({ uuid }) => uuid);
}

/**
 * Opens the searches over a connection.
 * @param store has the suppression list
 */
export function openTeamSearch(
  { transact, ...connection }: SharedConnection,
  store: ReadableDatabase,
  exactMax = sharedTotalExactMax,
): TeamSearch & { close(): void } {
  let home: WritableDatabase | null = null;
  let isChecked = false;
  const read = async <Result>(act: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    if (!isChecked) await checkTables({ transact, ...connection });
    isChecked = true;
    return transact(act, beginRead);
  };
  const readAtHome: ReadAtHome = async (client, personIds, readThem) => {
    const records = await readShownHome(client, personIds);
    home ??= openHome();
    fillHome(home, records);
    suppressHome(home, store);
    return readThem(home);
  };
  return {
    people: (search) => read((client) => findFound(client, search, exactMax, readAtHome)),
    uuids: (wanted, limit) => read((client) => findUuids(client, wanted, limit)),
    values: () =>
      read(async (client) => ({
        industry: await readHeld(client, 'industry'),
        job_level: await readHeld(client, 'jobLevel'),
        employee_range: await readHeld(client, 'employeeRange'),
        revenue_range: await readHeld(client, 'revenueRange'),
        contact_office_country: await readHeld(client, 'contactCountry'),
      })),
    contacts: (uuids) =>
      read(async (client) => {
        const { rows } = await client.query<{ id: number }>(
          'SELECT id FROM person WHERE uuid = ANY($1::text[])',
          [uuids],
        );
        const ids = rows.map(({ id }) => id);
        return readAtHome(client, ids, (own) =>
          [...readPeopleByUuids(own, uuids, 'main').values()].filter((one) => one.suppressed === 0),
        );
      }),
    close() {
      home?.close();
      home = null;
    },
  };
}
