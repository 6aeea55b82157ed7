/** The team that a load or an undo changes. */
import type { PoolClient } from 'pg';
import { EngineError } from '../../contract/errors.ts';

const teamSql = `SELECT desk_tenant() AS tenant, row_security_active('person') AS "isSeparated",
  (SELECT relrowsecurity FROM pg_class WHERE oid = 'desk.person'::regclass) AS "isShared"`;

const seesEveryTeam =
  'Teams share this database, and this login sees the people of all of them. Use a login of the ' +
  'team: desk shared tenants add TEAM LOGIN --role loader.';
const hasNoTeam =
  'Teams share this database, and this login has none: desk shared tenants add TEAM LOGIN.';

/**
 * The team of the login, and whether its rows are separated from those of others. Throws
 * `validation_error` for a login without a team, and for a superuser or an owner among teams:
 * policies do not apply to them, so that they would change the rows of every team.
 */
export async function readTeam(
  client: PoolClient,
): Promise<{ tenant: number; isSeparated: boolean }> {
  const { rows } = await client.query<{
    tenant: number | null;
    isSeparated: boolean;
    isShared: boolean;
  }>(teamSql);
  const { tenant, isSeparated, isShared } = rows[0]!;
  if (isShared && !isSeparated) throw new EngineError('validation_error', seesEveryTeam);
  if (tenant === null) throw new EngineError('validation_error', hasNoTeam);
  return { tenant, isSeparated };
}
