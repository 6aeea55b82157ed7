// Row-level security for a server that several teams share: a login sees the rows of its team
// alone. A database for each team is simpler and needs none of it.
import type { PoolClient } from 'pg';
import { listTables, sharedSchema } from './create-roles.ts';

export interface TenantLogin {
  readonly tenant: string;
  readonly login: string;
}

const policy = (table: string): string => `
  ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS tenant_id int NOT NULL DEFAULT 1;
  ALTER TABLE ${table} ALTER COLUMN tenant_id SET DEFAULT desk_tenant();
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS own_tenant ON ${table};
  CREATE POLICY own_tenant ON ${table}
    USING (tenant_id = (SELECT desk_tenant())) WITH CHECK (tenant_id = (SELECT desk_tenant()));`;

/**
 * Assigns logins to teams, creates missing teams, and separates the rows of every table. Call it in
 * a transaction, as a member of desk_migrator.
 */
export async function separateTenants(
  client: PoolClient,
  logins: readonly TenantLogin[],
): Promise<void> {
  await client.query(`SET LOCAL ROLE desk_migrator; SET LOCAL search_path = ${sharedSchema}`);
  for (const { tenant, login } of logins)
    await client.query({
      text: `WITH added AS (
          INSERT INTO tenant SELECT (SELECT coalesce(max(tenant_id), 0) + 1 FROM tenant), $1
          WHERE NOT EXISTS (SELECT FROM tenant WHERE name = $1) RETURNING tenant_id)
        INSERT INTO tenant_login
        SELECT $2, tenant_id FROM (TABLE added UNION ALL
          SELECT tenant_id FROM tenant WHERE name = $1) known
        ON CONFLICT (login) DO UPDATE SET tenant_id = excluded.tenant_id`,
      values: [tenant, login],
    });
  await client.query((await listTables(client)).map(policy).join('\n'));
}
