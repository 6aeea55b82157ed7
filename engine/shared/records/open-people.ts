/**
 * Fetches some people of the shared directory, for a person who decides about a row. They get
 * new numbers, so that an index of a few people is small whatever their ids were.
 */
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import { recordNames } from '../../directory/normalize/record-fields.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import {
  type FetchedRecords,
  fillFetched,
  openFetched,
  readFetchedRecords,
} from './fetched-tables.ts';
import { suppressFetched } from './suppress-fetched.ts';

/** People of the shared directory, in a directory of their own. Close it. */
export interface SharedPeople {
  /** Has the tables of a directory. Suppressed people are marked. */
  readonly database: ReadableDatabase;
  /** company.id here, for one of the shared directory; 0 if it is not there. */
  companyOf(id: number): number;
  close(): void;
}

type Row = Readonly<Record<string, unknown>>;

/** The new number of each id, from 1. */
const numberRows = (rows: readonly Row[] = []): Map<number, number> =>
  new Map(rows.map(({ id }, at) => [Number(id), at + 1]));

/** Gives people and companies new numbers, wherever they are named. */
function renumber(records: FetchedRecords) {
  const people = numberRows(records.person);
  const companies = numberRows(records.company);
  const claimed = { [recordNames.indexOf('person')]: people };
  claimed[recordNames.indexOf('company')] = companies;
  const change = (table: string, row: Row): Row => {
    const own = { person: people, company: companies }[table];
    const of = table === 'value_claim' ? claimed[Number(row.record)] : undefined;
    return {
      ...row,
      ...(own && { id: own.get(Number(row.id)) }),
      ...(of && { record_id: of.get(Number(row.record_id)) }),
      ...('person_id' in row && { person_id: people.get(Number(row.person_id)) }),
      ...('company_id' in row && { company_id: companies.get(Number(row.company_id)) ?? null }),
    };
  };
  const renumbered: FetchedRecords = Object.fromEntries(
    Object.entries(records).map(([table, rows]) => [table, rows.map((row) => change(table, row))]),
  );
  return { records: renumbered, companies };
}

/**
 * Reads people by UUID, and companies by the ids of the shared directory. Rejects with
 * SharedFailure.
 * @param store has the suppression list
 */
export async function openSharedPeople(
  connection: SharedConnection,
  store: ReadableDatabase,
  uuids: readonly string[],
  companyIds: readonly number[] = [],
): Promise<SharedPeople> {
  const fetched = openFetched();
  try {
    const found = await connection.use(async (client) => {
      const { rows } = await client.query<{ id: number }>(
        'SELECT id FROM person WHERE uuid = ANY($1)',
        [uuids],
      );
      const asked: Pick<MatchBatch, 'personIds' | 'companyIds' | 'candidates'> = {
        personIds: Int32Array.from(rows, ({ id }) => id),
        companyIds: Int32Array.from(companyIds),
        candidates: [],
      };
      return readFetchedRecords(client, fetched, asked);
    });
    const { records, companies } = renumber(found);
    fillFetched(fetched, records);
    suppressFetched(fetched, store);
    return {
      database: fetched,
      companyOf: (id) => companies.get(id) ?? 0,
      close: () => fetched.close(),
    };
  } catch (error) {
    fetched.close();
    throw error;
  }
}
