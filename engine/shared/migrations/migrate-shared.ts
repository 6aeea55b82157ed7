// Creates and extends the tables of a shared directory.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { migrationsDir } from '../../platform/paths.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { isLockTimeout, sharedFailure } from '../connection/shared-failure.ts';
import { type Distribution, distributeTables, startLayout } from '../layout/distribute-tables.ts';
import { forgetLayout, layoutOf } from '../layout/shared-layout.ts';
import { closeDatabase, createRoles, grantRights, sharedSchema } from '../roles/create-roles.ts';
import { separateTenants } from '../roles/separate-tenants.ts';

/** What waits behind a migration waits no longer than this; the migration is then tried again. */
const lockTimeoutMs = 1_000;
const triesMax = 30;

/** Only one migrator at a time. A reader cannot take this lock, nor one that it waits for. */
const lockMigrations = 'LOCK TABLE shared_migration IN SHARE ROW EXCLUSIVE MODE';

interface Migration {
  readonly number: number;
  readonly sql: string;
}

const listMigrations = (folder: string): Migration[] =>
  readdirSync(folder)
    .filter((name) => /^\d{3}-.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(0, 3)),
      sql: readFileSync(join(folder, name), 'utf8'),
    }));

/** The number of the last migration that a database has; null without a shared directory. */
async function readApplied(client: PoolClient): Promise<number | null> {
  const { rows: tables } = await client.query(
    `SELECT to_regclass('${sharedSchema}.shared_migration') IS NOT NULL AS "isThere"`,
  );
  if (!tables[0]?.isThere) return null;
  const { rows } = await client.query<{ last: number }>(
    'SELECT coalesce(max(number), 0)::int AS last FROM shared_migration',
  );
  return rows[0]?.last ?? 0;
}

/**
 * Throws SharedFailure `empty` or `format` if the tables are not there, or are older than this
 * version needs. Migrations only add, so newer tables are used as they are.
 */
export async function checkTables(connection: SharedConnection): Promise<void> {
  const applied = await connection.use(readApplied);
  if (applied === null) throw sharedFailure('empty', connection.address);
  if (applied < listMigrations(migrationsDir('shared')).length)
    throw sharedFailure('older', connection.address);
}

/**
 * Acts as the owner of the tables: everyone who migrates creates the same ones. Citus connects to
 * its nodes as the acting role, which cannot log in, so there the login owns them.
 */
async function actAsOwner(client: PoolClient): Promise<void> {
  const { buckets } = await layoutOf(client);
  if (!buckets?.isOnCitus) await client.query('SET LOCAL ROLE desk_migrator');
}

/** Runs a migration unless it ran before. Returns whether it ran. */
const runMigration = (connection: SharedConnection, { number, sql }: Migration): Promise<boolean> =>
  connection.transact(async (client) => {
    await client.query(
      `SET LOCAL search_path = ${sharedSchema};
       SET LOCAL lock_timeout = ${lockTimeoutMs}`,
    );
    await actAsOwner(client);
    await client.query(lockMigrations);
    if (((await readApplied(client)) ?? 0) >= number) return false;
    await client.query(sql);
    await distributeTables(client);
    await client.query('INSERT INTO shared_migration (number) VALUES ($1)', [number]);
    return true;
  });

/** Repeats a migration that did not get its lock: batches that run hold theirs for a moment. */
async function runWhenFree(connection: SharedConnection, migration: Migration): Promise<boolean> {
  for (let tries = 1; ; tries += 1)
    try {
      return await runMigration(connection, migration);
    } catch (error) {
      if (!isLockTimeout(error) || tries === triesMax) throw error;
    }
}

/**
 * Runs the missing migrations, each in a transaction, and grants the rights of the roles. Engines
 * and workers may run meanwhile. The login must be a superuser or own the database the first time,
 * and a member of desk_migrator later. Returns the number of migrations that ran.
 * @param distribution puts the rows into buckets. Throws `validation_error` if there are tables
 *   already that have others
 */
export async function migrateShared(
  connection: SharedConnection,
  folder = migrationsDir('shared'),
  distribution: Distribution | null = null,
): Promise<number> {
  await connection.transact(async (client) => {
    await createRoles(client);
    await closeDatabase(client);
    // Another migrator may create the same meanwhile.
    await client.query(
      `DO $$ BEGIN CREATE SCHEMA IF NOT EXISTS ${sharedSchema} AUTHORIZATION desk_migrator;
       EXCEPTION WHEN unique_violation THEN NULL; END $$;
       SET LOCAL search_path = ${sharedSchema}`,
    );
    await client.query('SET LOCAL ROLE desk_migrator');
    const hasTables = ((await readApplied(client)) ?? 0) > 0;
    await client.query(
      `DO $$ BEGIN CREATE TABLE IF NOT EXISTS shared_migration (
         number int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now());
       EXCEPTION WHEN unique_violation THEN NULL; END $$`,
    );
    await client.query(lockMigrations);
    if (distribution) await startLayout(client, distribution, hasTables);
    forgetLayout(client);
  });
  let count = 0;
  for (const migration of listMigrations(folder))
    if (await runWhenFree(connection, migration)) count += 1;
  await connection.transact(async (client) => {
    await actAsOwner(client);
    await grantRights(client);
    const { rows } = await client.query('SELECT FROM tenant_login LIMIT 1');
    // New tables are separated like the others.
    if (rows.length > 0) await separateTenants(client, []);
  });
  return count;
}
