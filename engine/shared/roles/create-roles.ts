// Roles with the least rights. They cannot log in; a login is made a member of one.
import type { PoolClient } from 'pg';

export const sharedSchema = 'desk';

/**
 * desk_reader matches and searches, desk_jobs also has jobs, desk_queue also works on them,
 * desk_loader loads, desk_migrator owns the tables.
 */
const roles = ['desk_reader', 'desk_jobs', 'desk_queue', 'desk_loader', 'desk_migrator'] as const;

/** The role whose rights a role has too. */
const memberships = [
  ['desk_jobs', 'desk_reader'],
  ['desk_queue', 'desk_jobs'],
  ['desk_loader', 'desk_reader'],
] as const;

/** The tables of the queue; the others are the directory. */
const queueTables = ['match_batch', 'match_answer'];

/** Tables that only the migrator reads. */
const ownTables = ['shared_migration', 'shared_layout', 'tenant', 'tenant_login'];

export async function createRoles(client: PoolClient): Promise<void> {
  const names = roles.map((name) => `'${name}'`).join(', ');
  const { rows } = await client.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles WHERE rolname IN (${names})`,
  );
  const known = new Set(rows.map(({ name }) => name));
  for (const role of roles)
    if (!known.has(role))
      await client.query(
        // Roles are of the server: another database may create the same one meanwhile.
        `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN;
         EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
      );
  await client.query(
    `DO $$ BEGIN
       IF NOT pg_has_role(current_user, 'desk_migrator', 'MEMBER') THEN
         EXECUTE format('GRANT desk_migrator TO %I', current_user);
       END IF;
       ${memberships
         .map(
           ([member, role]) => `IF NOT pg_has_role('${member}', '${role}', 'MEMBER') THEN
         GRANT ${role} TO ${member};
       END IF;`,
         )
         .join('\n')}
     EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
  );
}

/**
 * Takes from the logins of the database what no role needs: temporary tables, which loads make, and
 * large objects, which have no limit. Call it as the login that migrates, with what it may revoke.
 */
export async function closeDatabase(client: PoolClient): Promise<void> {
  await client.query(
    `DO $$ DECLARE one regprocedure; BEGIN
       EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
       EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO desk_loader', current_database());
       FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
         AND proname IN ('lo_create', 'lo_creat', 'lo_from_bytea', 'lo_import')
       LOOP
         EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
       END LOOP;
     EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`,
  );
}

export async function listTables(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    [sharedSchema],
  );
  return rows.map(({ name }) => name).filter((name) => !ownTables.includes(name));
}

/** The rights of each role on all tables, by their owner. Repeating it changes nothing. */
export async function grantRights(client: PoolClient): Promise<void> {
  const schema = sharedSchema;
  const names = await listTables(client);
  const on = (tables: readonly string[]) => tables.map((name) => `${schema}.${name}`).join(', ');
  const directory = names.filter((name) => !queueTables.includes(name));
  const statements = [
    `REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC`,
    `GRANT USAGE ON SCHEMA ${schema} TO desk_reader`,
    `REVOKE ALL ON FUNCTION ${schema}.desk_tenant() FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION ${schema}.desk_tenant() TO desk_reader`,
    `GRANT SELECT ON ${schema}.shared_migration TO desk_reader`,
    // FOR UPDATE needs the right to update a column. That of a whole table, or to delete, is also
    // the right to lock the table.
    `REVOKE DELETE ON ${on(queueTables)} FROM desk_queue`,
    `GRANT SELECT (job_uuid, first_row, digest, tenant_id, format, created_at), INSERT,
       UPDATE (created_at) ON ${schema}.match_batch TO desk_jobs`,
    `GRANT SELECT ON ${schema}.match_answer TO desk_jobs`,
    `GRANT SELECT ON ${schema}.match_batch TO desk_queue`,
    `GRANT INSERT ON ${schema}.match_answer TO desk_queue`,
    ...['delete_batch', 'delete_answer'].flatMap((name) => [
      `REVOKE ALL ON FUNCTION ${schema}.${name} FROM PUBLIC`,
      `GRANT EXECUTE ON FUNCTION ${schema}.${name} TO desk_jobs`,
    ]),
  ];
  if (directory.length > 0)
    statements.push(
      `GRANT SELECT ON ${on(directory)} TO desk_reader`,
      `GRANT INSERT, UPDATE, DELETE ON ${on(directory)} TO desk_loader`,
      // It would empty the tables of every team that shares them.
      `REVOKE TRUNCATE ON ${on(directory)} FROM desk_loader`,
      `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO desk_loader`,
    );
  await client.query(statements.join(';\n'));
}
