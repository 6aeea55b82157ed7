// A team's directory with real processes: a PostgreSQL server, an engine that owns jobs, and a
// supervised worker. Each can be stopped at a step of a batch, and killed there.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import type { SharedTest } from '../../engine/contract/shared/settings.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { openDirectory, openDirectoryReadable } from '../../engine/directory/open-directory.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable } from '../../engine/platform/sqlite/open-database.ts';
import { openSharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { parseSharedAddress } from '../../engine/shared/connection/shared-address.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { migrateShared } from '../../engine/shared/migrations/migrate-shared.ts';
import { deskCommand } from '../desk-program.ts';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { startPostgres } from '../postgres/start-postgres.ts';
import { copySample } from '../sample-data.ts';

const secretText = '000102030405060708090a0b0c0d0e0f';
const login = 'desk_team';

/** Waits for a condition of other processes, by looking again. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await pause(5);
}

/** The people of the team's directory, and the rows of the job's list. */
export interface TeamData {
  fill(folder: string): Promise<void>;
  list(): string[];
}

const people = 400;
const nameOf = (at: number) => `Ann${at % 20},Lee${at % people},Team Company ${at % 37}`;

/** 400 people, and 5,000 rows of which every fifth is unknown. */
export const fewPeople: TeamData = {
  async fill(folder) {
    mkdirSync(folder);
    const path = join(folder, 'people.csv');
    const header = 'first_name,last_name,organization,title,email,is_current';
    const lines = Array.from(
      { length: people },
      (_, at) => `${nameOf(at)},Clerk,a${at}@b.example,1`,
    );
    writeFileSync(path, [header, ...lines, ''].join('\n'));
    const directory = openDirectory(folder);
    await importDirectory(directory, { peoplePath: path, source: 'team.csv' });
    directory.close();
  },
  list: () => [
    'first_name,last_name,company_name',
    ...Array.from({ length: 5_000 }, (_, at) =>
      at % 5 === 0 ? `Cy${at},Stranger,Elsewhere` : nameOf((at * 7) % people),
    ),
  ],
};

/** The sample directory, and the inputs for matching, twice. */
export const samplePeople: TeamData = {
  fill: copySample,
  list() {
    const fixture = join(import.meta.dirname, '../fixtures/matching/dev_inputs.csv');
    const [header = '', ...rows] = readFileSync(fixture, 'utf8').trimEnd().split(/\r?\n/);
    return [header, ...rows, ...rows];
  },
};

/** Starts `desk shared worker`, whose notes name the process of its worker. */
function startWorkers(address: string, secretFile: string) {
  const program: ChildProcess = spawn(
    process.execPath,
    [...deskCommand, 'shared', 'worker', '--url', address, '--secret-file', secretFile],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PGPASSWORD: login } },
  );
  const gone = once(program, 'exit');
  const pids: number[] = [];
  const notes: string[] = [];
  createInterface({ input: program.stderr! }).on('line', (line) => {
    notes.push(line);
    const named = / is process (\d+)\./.exec(line);
    if (named) pids.push(Number(named[1]));
  });
  return {
    notes,
    pid: () => pids.at(-1) ?? 0,
    started: () => pids.length,
    async stop() {
      if (program.exitCode === null) program.kill('SIGTERM');
      const [code] = await gone;
      return code as number | null;
    },
  };
}

/** The server with people loaded, and a login for engines and workers. */
async function openServer(folder: string, { fill }: TeamData) {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const url = new URL(await server.createDatabase());
  const { password } = url;
  url.password = '';
  const admin = openSharedConnection(
    { address: parseSharedAddress(url.href), password },
    { statementMs: 0 },
  );
  onTestFinished(() => admin.close());
  await migrateShared(admin);
  await admin.pool.query(`CREATE ROLE ${login} LOGIN PASSWORD '${login}' IN ROLE desk_queue`);
  const source = join(folder, 'team');
  await fill(source);
  const directory = openDirectoryReadable(source);
  const secret = Buffer.from(secretText, 'hex');
  await loadDirectory(admin, directory, { secret, source: 'team', expects: 'empty' });
  directory.close();
  url.username = login;
  const count = async (sql: string) =>
    (await admin.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)).rows[0]!.n;
  /** Holds a lock until the function it returns is called, or the server is killed. */
  async function hold(lock: string) {
    const client = await admin.pool.connect();
    await client.query(`BEGIN; ${lock}`);
    return async () => {
      await client.query('ROLLBACK').catch(() => undefined);
      client.release(true);
    };
  }
  /** Keeps workers from writing answers, so that a batch which is taken stays taken. */
  const holdAnswers = () => hold('LOCK TABLE match_answer IN EXCLUSIVE MODE');
  /** Keeps workers from taking the last batch that is written. */
  const holdBatch = () =>
    hold('SELECT FROM match_batch ORDER BY first_row DESC LIMIT 1 FOR UPDATE');
  /** Keeps workers from finding people, so that a batch which is taken is not matched. */
  const holdMatching = () => hold('LOCK TABLE block_key IN ACCESS EXCLUSIVE MODE');
  return { server, count, holdAnswers, holdBatch, holdMatching, address: url.href };
}

/** Opens everything. Nothing works before a worker is started. */
export async function openSharedDesk(data: TeamData) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { server, address, count, ...locks } = await openServer(folder, data);
  const dataDir = join(folder, 'data');
  const secretFile = join(folder, 'team.secret');
  writeFileSync(secretFile, `${secretText}\n`);
  const list = join(folder, 'list.csv');
  writeFileSync(list, [...data.list(), ''].join('\n'));
  let engine: EngineProcess = await startEngineProcess(dataDir);
  onTestFinished(() => engine.kill());
  await engine.ask('POST', '/app/v1/wallet/grants', { credits: '90000000' });
  await engine.ask('PUT', '/app/v1/shared-directory', { address, password: login });
  const workers = startWorkers(address, secretFile);
  onTestFinished(async () => void (await workers.stop()));
  const readJob = async (id: string) =>
    (await engine.ask('GET', `/app/v1/jobs/${id}`)) as StatusData;
  const signal = (pid: number | undefined, name: NodeJS.Signals) => void process.kill(pid!, name);
  return {
    ...locks,
    server,
    workers,
    readJob,
    signal,
    engine: () => engine,
    async restartEngine() {
      engine = await startEngineProcess(dataDir);
    },
    async submit(): Promise<string> {
      const upload = (await engine.ask('POST', '/app/v1/uploads', { path: list })) as Upload;
      const job = (await engine.ask('POST', '/app/v1/jobs', {
        upload_id: upload.upload_id,
        selected_layers: ['full'],
      })) as StatusData;
      return job.job_id;
    },
    /** The job's end: its record, the file of its results, and a ledger that balances. */
    async finish(id: string) {
      await until(async () => (await readJob(id)).ready);
      const { status, error_detail, ...job } = await readJob(id);
      expect({ status, error_detail }).toEqual({ status: 'completed', error_detail: null });
      const path = join(folder, `${id}.csv`);
      await engine.ask('POST', `/app/v1/jobs/${id}/exports`, { path, format: 'csv' });
      const store = openReadable(join(dataDir, 'engine.db'));
      expect(verifyLedger(store)).toEqual([]);
      store.close();
      const { total_rows, processed_rows, enriched_rows, skipped_rows, failed_rows } = job;
      const { credits_held, credits_charged, credits_released } = job;
      return {
        file: readFileSync(path, 'utf8'),
        counts: { total_rows, processed_rows, enriched_rows, skipped_rows, failed_rows },
        money: { credits_held, credits_charged, credits_released },
      };
    },
    matchHere: (matches_here: boolean) =>
      engine.ask('PUT', '/app/v1/shared-directory', { address, secret: secretText, matches_here }),
    /** The processes of the engine: its worker alone is one. */
    ownWorkers(): number[] {
      const found = spawnSync('pgrep', ['-P', String(engine.child.pid)], { encoding: 'utf8' });
      return found.stdout.split('\n').filter(Boolean).map(Number);
    },
    batches: () => count('match_batch'),
    answers: () => count('match_answer'),
    waiting: () => count('pg_locks WHERE NOT granted'),
    /** Batches that no worker holds. */
    free: () => count('(SELECT FROM match_batch FOR UPDATE SKIP LOCKED) free'),
    async test() {
      const data = await engine.ask('POST', '/app/v1/shared-directory/tests');
      return (data as { test: SharedTest }).test;
    },
  };
}

/** An open team's directory. */
export type SharedDesk = Awaited<ReturnType<typeof openSharedDesk>>;
