/**
 * Kills workers, the engine that owns a job, and the server of a shared directory at random
 * moments. Every row is answered once and charged once. @module-tag full
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { getJobById } from '../../engine/jobs/job.table.ts';
import { readResults } from '../../engine/jobs/results/result.table.ts';
import { readFields } from '../../engine/jobs/results/result-fields.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable } from '../../engine/platform/sqlite/open-database.ts';
import { openSharedConnection } from '../../engine/shared/connection/open-connection.ts';
import {
  formatSharedAddress,
  parseSharedAddress,
} from '../../engine/shared/connection/shared-address.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { migrateShared } from '../../engine/shared/migrations/migrate-shared.ts';
import { deskProgram } from '../desk-program.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { type PostgresServer, startPostgres } from '../postgres/start-postgres.ts';
import { createRandom } from '../random.ts';
import { personOf } from './listed-person.ts';

const seed = Number(process.env.DESK_CRASH_SEED ?? Date.now() % 1_000_000);
const rows = 20_000;
const kills = 12;
const killMaxMs = 700;
/** The shared directory knows every row but each fifth. */
const isKnown = (at: number): boolean => at % 5 !== 0;

/** A process that is started again whenever it ends, until the test does. */
function superviseProcess(start: () => ChildProcess) {
  let child = start();
  let isOver = false;
  const follow = () =>
    child.once('exit', () => {
      if (isOver) return;
      child = start();
      follow();
    });
  follow();
  const end = async (isLast: boolean) => {
    isOver = isLast;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(() => end(true));
  return { kill: () => end(false) };
}

/** Creates a shared directory on a server, and returns its address for engines and workers. */
async function fillShared(server: PostgresServer, folder: string) {
  const url = new URL(await server.createDatabase());
  const { password } = url;
  url.password = '';
  const address = parseSharedAddress(url.href);
  const connection = openSharedConnection({ address, password }, { statementMs: 0 });
  await migrateShared(connection);
  const peoplePath = join(folder, 'people.csv');
  const people = Array.from({ length: rows }, (_, at) => at).filter(isKnown);
  const lines = people.map((at) => [`p${at}`, ...personOf(at)].join(','));
  writeFileSync(
    peoplePath,
    ['person id,first name,last name,company,email', ...lines, ''].join('\n'),
  );
  const directory = openDirectory(folder);
  await importDirectory(directory, { peoplePath, source: 'team.csv' });
  await loadDirectory(connection, directory, { secret: Buffer.alloc(16, 5), source: 'team' });
  directory.close();
  await connection.close();
  return { address: formatSharedAddress(address), password };
}

const programEnv = { ...process.env, DESK_KEYCHAIN: 'off' };

test('kills of workers, owner and server lose nothing and charge nothing twice', async () => {
  const missing = postgresMissing();
  if (missing) return console.warn(missing);
  const folder = mkdtempSync(join(tmpdir(), 'desk-shared-kill-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const team = mkdtempSync(join(folder, 'team-'));
  const { address, password } = await fillShared(server, team);
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, Buffer.alloc(16, 5).toString('hex'));
  const workers = [0, 1].map(() =>
    superviseProcess(() =>
      spawn(
        process.execPath,
        [deskProgram, 'shared', 'worker', '--url', address, '--secret-file', secretFile],
        { stdio: 'ignore', env: { ...programEnv, PGPASSWORD: password } },
      ),
    ),
  );
  const home = mkdtempSync(join(folder, 'home-'));
  const program = join(import.meta.dirname, 'sharing-program.ts');
  const options = JSON.stringify({ folder: home, rows, address, password });
  const ended = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  const owner = superviseProcess(() => {
    const child = spawn(process.execPath, [program, options], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: programEnv,
    });
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line === 'running') running.resolve();
        if (line === 'ended') ended.resolve();
      });
    return child;
  });
  const random = createRandom(seed);
  const victims = {
    worker: async () => workers[Math.floor(random() * 2)]?.kill(),
    owner: owner.kill,
    async server() {
      await server.kill();
      await server.start();
    },
  };
  // The job is there: it is never submitted twice.
  await running.promise;
  const names = ['worker', 'owner', 'worker', 'server'] as const;
  for (let kill = 0; kill < kills; kill += 1) {
    // The moment is random on purpose: it decides where the kill occurs, never whether a check
    // holds.
    await wait(random() * killMaxMs);
    await victims[names[kill % names.length] ?? 'worker']();
  }
  await ended.promise;
  const database = openReadable(join(home, 'engine.db'));
  onTestFinished(() => void database.close());
  expect(verifyLedger(database)).toEqual([]);
  const job = getJobById(database, 1);
  const known = Array.from({ length: rows }, (_, at) => at).filter(isKnown).length;
  expect(job).toMatchObject({ status: 'completed', enrichedRows: known, processedRows: rows });
  expect(job?.chargedUnits).toBe(((job?.heldUnits ?? 0) / rows) * known);
  const results = readResults(database, {
    ...{ resultBase: job?.resultBase ?? 0, firstRow: 0, count: rows },
  });
  expect(results).toHaveLength(rows);
  for (const [at, { fields }] of results.entries())
    expect(readFields({ fields }).Email ?? null).toBe(isKnown(at) ? personOf(at)[3] : null);
}, 600_000);
