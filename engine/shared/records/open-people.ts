// Fetches some people of the shared directory, for a person who decides about a row. They get
// new numbers, so that an index of a few people is small whatever their ids were.
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { fillFetched, openFetched, readFetchedRecords } from './fetched-tables.ts';
import { renumberRecords } from './renumber-records.ts';
import { suppressFetched } from './suppress-fetched.ts';

export interface SharedPeople {
  /** Has the tables of a directory. Suppressed people are marked. */
  readonly database: ReadableDatabase;
  /** company.id here, for one of the shared directory; 0 if it is not there. */
  companyOf(id: number): number;
  close(): void;
}

/** By UUID, and companies by id. Rejects with SharedFailure. @param store has suppressions */
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
    const { records, companies } = renumberRecords(found);
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
