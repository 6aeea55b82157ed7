// A shared directory on the server of the run.
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { migrationsDir } from '../../engine/platform/paths.ts';
import {
  type ConnectionOptions,
  openSharedConnection,
  type SharedConnection,
} from '../../engine/shared/connection/open-connection.ts';
import type { SharedAddress } from '../../engine/shared/connection/shared-address.ts';
import type { Distribution } from '../../engine/shared/layout/distribute-tables.ts';
import { migrateShared } from '../../engine/shared/migrations/migrate-shared.ts';
import { createTestDatabase } from '../postgres/shared-postgres.ts';

/** A shared directory with its tables, and connections of the superuser and of new logins. */
export interface TestShared {
  readonly address: SharedAddress;
  readonly password: string;
  /** The superuser's. */
  readonly admin: SharedConnection;
  /** Creates a login with the rights of a role, and connects with it. It ends with the test. */
  connectAs(
    role: string,
    options?: ConnectionOptions,
  ): Promise<SharedConnection & { readonly login: string }>;
}

function addressOf(url: string): { address: SharedAddress; password: string } {
  const { password, username: user, port, pathname, hostname: host } = new URL(url);
  const address = { host, port: Number(port), user, database: pathname.slice(1), tls: null };
  return { address, password };
}

/** Small buckets, so that the people of a test are in all of them. */
export const fewBuckets = { buckets: 5, runBits: 2 } as const satisfies Distribution;

export interface OpenOptions {
  /** One table each if it is not given. */
  readonly distribution?: Distribution;
  /** Creates an empty database, and resolves to its address; one on the run's server by default. */
  readonly createDatabase?: () => Promise<string>;
}

/** Creates a database, and its tables; everything is closed when the test ends. */
export async function openTestShared({
  distribution,
  createDatabase,
}: OpenOptions = {}): Promise<TestShared> {
  const url = createDatabase ? await createDatabase() : (await createTestDatabase()).url;
  const { address, password } = addressOf(url);
  const admin = openSharedConnection({ address, password });
  onTestFinished(() => admin.close());
  await migrateShared(admin, migrationsDir('shared'), distribution);
  return {
    address,
    password,
    admin,
    async connectAs(role, options) {
      const login = `login_${randomBytes(4).toString('hex')}`;
      await admin.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD '${login}' IN ROLE ${role}`);
      const connection = openSharedConnection(
        { address: { ...address, user: login }, password: login },
        options,
      );
      onTestFinished(() => connection.close());
      return { ...connection, login };
    },
  };
}
