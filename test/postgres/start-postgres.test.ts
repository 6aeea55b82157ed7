// The PostgreSQL servers of the tests.
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase, postgresMissing } from './shared-postgres.ts';
import { startPostgres } from './start-postgres.ts';

const missing = postgresMissing();

const ask = async (config: ConstructorParameters<typeof Client>[0], text: string) => {
  const client = new Client(config);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
};

test('a test file has a database of its own on the server of the run', async () => {
  if (missing) return console.warn(missing);
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await ask({ connectionString: one.url }, 'CREATE TABLE only_here (id int)');
  const count = "SELECT count(*)::int FROM pg_tables WHERE tablename = 'only_here'";
  expect(await ask({ connectionString: other.url }, count)).toEqual([[0]]);
  expect(await ask({ connectionString: one.url }, count)).toEqual([[1]]);
});

test('a server that is killed keeps what was committed and starts at the same address', {
  tags: ['full'],
}, async () => {
  if (missing) return console.warn(missing);
  const server = await startPostgres();
  try {
    const connectionString = await server.createDatabase();
    await ask({ connectionString }, 'CREATE TABLE kept AS SELECT 7 AS id');
    await server.kill();
    await expect(ask({ connectionString }, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await ask({ connectionString }, 'SELECT id FROM kept')).toEqual([[7]]);
  } finally {
    await server.stop();
  }
});
