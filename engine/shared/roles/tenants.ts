// The teams of a database that several share. Call everything as a superuser, or as an owner of the
// database that may create roles: `desk shared tenants`.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { PoolClient } from 'pg';
import { invalid, notFound } from '../../contract/errors.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { layoutOf } from '../layout/shared-layout.ts';
import { listTables, sharedSchema } from './create-roles.ts';
import { separateTenants } from './separate-tenants.ts';

const rounds = 4_096;
const saltBytes = 16;
const keyBytes = 32;

/** @param password printable ASCII, which SCRAM leaves as it is */
function scramVerifier(password: string): string {
  const salt = randomBytes(saltBytes);
  const salted = pbkdf2Sync(password, salt, rounds, keyBytes, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

export const tenantRoles = {
  reader: 'desk_reader',
  jobs: 'desk_jobs',
  queue: 'desk_queue',
  loader: 'desk_loader',
};
export type TenantRole = keyof typeof tenantRoles;

export interface Tenant {
  readonly tenant: string;
  readonly logins: readonly string[];
  readonly people: number;
}

/** Whether the rows of teams are separated: every login then needs a team. */
const isSeparated = async (client: PoolClient): Promise<boolean> => {
  const { rows } = await client.query('SELECT FROM tenant_login LIMIT 1');
  return rows.length > 0;
};

const readTenants = async (client: PoolClient): Promise<Tenant[]> => {
  const { rows } = await client.query<Omit<Tenant, 'people'> & { id: number }>(
    `SELECT t.tenant_id AS id, t.name AS tenant,
       coalesce((SELECT array_agg(login::text ORDER BY login::text) FROM tenant_login l
         WHERE l.tenant_id = t.tenant_id), '{}') AS logins
     FROM tenant t ORDER BY t.tenant_id`,
  );
  const { rows: counted } = await client.query<{ id: number; people: number }>(
    'SELECT tenant_id AS id, count(*)::int AS people FROM match_person GROUP BY 1',
  );
  const people = new Map(counted.map((one) => [one.id, one.people]));
  return rows.map(({ id, ...tenant }) => ({ ...tenant, people: people.get(id) ?? 0 }));
};

/** Teams, the first one first, which has all rows without logins. Rejects with SharedFailure. */
export const listTenants = (connection: SharedConnection): Promise<Tenant[]> =>
  connection.use(readTenants);

export interface NewTenantLogin {
  readonly tenant: string;
  readonly login: string;
  readonly role: TenantRole;
  /** Null: the login must exist. */
  readonly password: string | null;
}

async function ownDatabase(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  return client.escapeIdentifier(rows[0]!.name);
}

async function createLogin(client: PoolClient, { login, role, password }: NewTenantLogin) {
  const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [login]);
  const isThere = rows.length > 0;
  if (!isThere && password === null)
    throw invalid(`There is no login ${login}. Give it a password.`);
  const quoted = client.escapeIdentifier(login);
  if (!isThere) {
    // The server, its log and its list of statements see no password.
    const verifier = client.escapeLiteral(scramVerifier(password ?? ''));
    await client.query(`CREATE ROLE ${quoted} LOGIN PASSWORD ${verifier}`);
  }
  await client.query(`GRANT ${tenantRoles[role]} TO ${quoted}`);
  await client.query(`GRANT CONNECT ON DATABASE ${await ownDatabase(client)} TO ${quoted}`);
  return !isThere;
}

const firstTeam =
  'What is loaded belongs to the team called team. Its logins see nothing once there is another ' +
  'team, so name them first: desk shared tenants add team LOGIN …';

/** A policy of a table on other nodes can have no subquery, and they do not know the teams. */
const notOnCitus =
  'Teams cannot share a database whose tables are shards of Citus. Create a database for each.';

/**
 * Makes a login a member of a team, and separates the rows of all teams. Creates both if they are
 * missing. Resolves to whether the login was created. Throws `validation_error`.
 */
export const addTenantLogin = (
  connection: SharedConnection,
  added: NewTenantLogin,
): Promise<boolean> =>
  connection.transact(async (client) => {
    await client.query(`SET LOCAL search_path = ${sharedSchema}`);
    const { buckets } = await layoutOf(client);
    if (buckets?.isOnCitus) throw invalid(notOnCitus);
    const [first] = await readTenants(client);
    if (!(await isSeparated(client)) && first && first.people > 0 && added.tenant !== first.tenant)
      throw invalid(firstTeam);
    const isNew = await createLogin(client, added);
    await separateTenants(client, [added]);
    return isNew;
  });

async function deleteRows(client: PoolClient, tenant: string): Promise<void> {
  for (const name of await listTables(client))
    await client.query(
      `DELETE FROM ${name} WHERE tenant_id = (SELECT tenant_id FROM tenant WHERE name = $1)`,
      [tenant],
    );
}

/**
 * Takes a team out of the database, and drops its logins. Its rows are deleted if `withPeople`
 * says so. Throws `not_found`, and `validation_error` if it still has people, or if its logins are
 * the last ones: without any, every login would see the rows of the first team.
 */
export const removeTenant = (
  connection: SharedConnection,
  tenant: string,
  withPeople: boolean,
): Promise<Tenant> =>
  connection.transact(async (client) => {
    await client.query(`SET LOCAL search_path = ${sharedSchema}`);
    const tenants = await readTenants(client);
    const found = tenants.find((one) => one.tenant === tenant);
    if (!found) throw notFound(`There is no team ${tenant}.`);
    if (!tenants.some((one) => one !== found && one.logins.length > 0))
      throw invalid(
        'No other team has a login. Without any, every login would see the rows of the first ' +
          'team. Drop the database instead.',
      );
    if (found.people > 0 && !withPeople)
      throw invalid(`${tenant} has ${found.people} people. Give --with-people to delete them too.`);
    await deleteRows(client, tenant);
    const ofTeam = '(SELECT tenant_id FROM tenant WHERE name = $1)';
    await client.query(`DELETE FROM tenant_login WHERE tenant_id = ${ofTeam}`, [tenant]);
    // The first team stays, because its number is that of rows without a team.
    await client.query('DELETE FROM tenant WHERE name = $1 AND tenant_id <> 1', [tenant]);
    const database = await ownDatabase(client);
    for (const login of found.logins) {
      const quoted = client.escapeIdentifier(login);
      const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [login]);
      if (rows.length > 0)
        await client.query(`REVOKE CONNECT ON DATABASE ${database} FROM ${quoted}`);
      await client.query(`DROP ROLE IF EXISTS ${quoted}`);
    }
    return found;
  });
