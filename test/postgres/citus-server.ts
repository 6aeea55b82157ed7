// A server with Citus that the machine has: the workflow starts one for its own job.
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** Its value is the address of the superuser, with its password. */
const variable = 'DESK_CITUS_URL';

/**
 * Why no test can use Citus here; null if one can. Tests print it and check nothing. A machine that
 * is there for Citus alone sets DESK_EXPECT_CITUS, and its tests fail instead.
 */
export function citusMissing(): string | null {
  if (process.env[variable]) return null;
  const reason = `No Citus was asked: ${variable} does not name a server.`;
  if (process.env.DESK_EXPECT_CITUS) throw new Error(reason);
  return reason;
}

async function runAt(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const text of statements) await client.query(text);
  } finally {
    await client.end();
  }
}

/** Creates a database with the extension, which is dropped after the test. Returns its address. */
export async function createCitusDatabase(): Promise<string> {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set`);
  const name = `desk_${randomBytes(6).toString('hex')}`;
  await runAt(url, [`CREATE DATABASE ${name}`]);
  onTestFinished(() => runAt(url, [`DROP DATABASE ${name} WITH (FORCE)`]));
  const own = new URL(url);
  own.pathname = `/${name}`;
  await runAt(own.href, ['CREATE EXTENSION citus']);
  return own.href;
}
