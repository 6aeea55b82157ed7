// A database of its own for a team, on a server that has others.
import { invalid } from '../../contract/errors.ts';
import type { SharedConnection } from '../connection/open-connection.ts';

/**
 * Creates a database to which only logins with the right to connect get, because roles are of the
 * whole server. Rejects with `validation_error` if it is there already.
 * @param connection to another database of the server, as a login that may create databases
 */
export const createTeamDatabase = (connection: SharedConnection, name: string): Promise<void> =>
  connection.use(async (client) => {
    const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rows.length > 0)
      throw invalid(`The database ${name} is there already. Leave out --create.`);
    const quoted = client.escapeIdentifier(name);
    await client.query(`CREATE DATABASE ${quoted}`);
    await client.query(`REVOKE ALL ON DATABASE ${quoted} FROM PUBLIC`);
  });
