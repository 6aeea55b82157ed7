// The commands that search the team's directory of an environment.
import type { PoolClient } from 'pg';
import { invalid } from '../../contract/errors.ts';
import type {
  SearchFirms,
  SearchPeople,
  WantedPeople,
} from '../../contract/records/record-search.ts';
import { readCompanyRecord } from '../../directory/records/read-company-record.ts';
import {
  readPersonRecord,
  type UnlockedKinds,
} from '../../directory/records/read-person-record.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { openSharedPeople } from '../records/open-people.ts';
import { openTeamSearch, type TeamSearch } from './team-search.ts';

export interface TeamSearchDeps {
  /** Has the suppression list. */
  readonly store: ReadableDatabase;
  /** The connection in use; null if there is no directory of a team, or it is off. */
  open(): Promise<SharedConnection | null>;
}

const noTeam =
  'directory: this engine has no directory of a team. Add it under Connections, Team directory, ' +
  'and switch it on.';

async function findCompanyIds(client: PoolClient, uuid: string): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>('SELECT id FROM company WHERE uuid = $1', [
    uuid.toLowerCase(),
  ]);
  return rows.map(({ id }) => id);
}

/**
 * Creates the commands, which end with `close`. Each rejects with `unavailable` if the directory
 * cannot be reached; searches also with `not_ready` if it cannot be searched yet, and with
 * `validation_error` as a search of the own directory, and if there is none.
 */
export function createTeamSearchCalls({ store, open }: TeamSearchDeps) {
  let current: { connection: SharedConnection; search: ReturnType<typeof openTeamSearch> } | null =
    null;
  const close = () => {
    current?.search.close();
    current = null;
  };
  const find = async (): Promise<TeamSearch | null> => {
    const connection = await open();
    if (current && current.connection === connection) return current.search;
    close();
    if (!connection) return null;
    current = { connection, search: openTeamSearch(connection, store) };
    return current.search;
  };
  const require = async (): Promise<TeamSearch> => {
    const search = await find();
    if (!search) throw invalid(noTeam);
    return search;
  };
  const requireConnection = async (): Promise<SharedConnection> => {
    const connection = await open();
    if (!connection) throw invalid(noTeam);
    return connection;
  };
  const calls = {
    searchTeam: async (search: SearchPeople) => (await require()).people(search),
    searchTeamCompanies: async (search: SearchFirms) => (await require()).companies(search),
    readTeamValues: async (_command: null) => (await require()).values(),
    /**
     * People by UUID, with the values that can be unlocked; none if there is no such directory or
     * it is off. Unknown and suppressed people are missing.
     */
    readTeamPeople: async ({ uuids }: { readonly uuids: readonly string[] }) =>
      (await (await find())?.contacts(uuids)) ?? [],
    findTeamPeople: async ({ wanted, limit }: { wanted: WantedPeople; limit: number }) =>
      (await require()).uuids(wanted, limit),
    /**
     * A person with the sources of every value. Rejects with `not_found` for a person who is
     * unknown or suppressed.
     * @param command.unlocked the values that the account has unlocked
     */
    async readTeamRecord({ uuid, unlocked }: { uuid: string; unlocked: UnlockedKinds }) {
      const connection = await requireConnection();
      const people = await openSharedPeople(connection, store, [uuid]);
      try {
        return readPersonRecord(people.database, uuid, unlocked);
      } finally {
        people.close();
      }
    },
    async readTeamCompany({ uuid }: { uuid: string }) {
      const connection = await requireConnection();
      const ids = await connection.use((client) => findCompanyIds(client, uuid));
      const companies = await openSharedPeople(connection, store, [], ids);
      try {
        return readCompanyRecord(companies.database, uuid, { isOwn: false });
      } finally {
        companies.close();
      }
    },
  };
  return { calls, close };
}

export type TeamSearchCalls = ReturnType<typeof createTeamSearchCalls>['calls'];
