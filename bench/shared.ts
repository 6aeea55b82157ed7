// `npm run bench:shared`: rows a second and CPU seconds for a million rows over the shared
// directory, against the index in memory in the same run.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ColumnMapping } from '../engine/contract/jobs/row-input.ts';
import { importDirectory } from '../engine/directory/import/import-directory.ts';
import { buildIndex } from '../engine/directory/index/index-build.ts';
import { createMatcher } from '../engine/directory/match/match-rows.ts';
import { defaultMatchThreshold } from '../engine/directory/match/match-threshold.ts';
import { attachDirectory, openDirectory } from '../engine/directory/open-directory.ts';
import { migrationsDir } from '../engine/platform/paths.ts';
import type { WritableDatabase } from '../engine/platform/sqlite/open-database.ts';
import { openStore } from '../engine/platform/sqlite/open-store.ts';
import {
  openSharedConnection,
  type SharedConnection,
} from '../engine/shared/connection/open-connection.ts';
import { loadDirectory } from '../engine/shared/load/load-directory.ts';
import { openSharedMatcher } from '../engine/shared/match-shared.ts';
import { migrateShared } from '../engine/shared/migrations/migrate-shared.ts';
import { formatRecords } from '../engine/spreadsheet/format-record.ts';
import { parseRecords } from '../engine/spreadsheet/read-rows.ts';
import { startPostgres } from '../test/postgres/start-postgres.ts';
import { listAnswers } from '../test/shared/compare-answers.ts';
import { readCpuSeconds } from './measure.ts';
import { type BenchContext, createBenchContext, prepareFiles } from './parts/bench-context.ts';
import { bounds } from './parts/bounds.ts';
import { benchSharedSearch } from './parts/shared-search.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', multiple: true, default: ['200000', '1000000'] },
    /** Adds 5,000,000 people. */
    large: { type: 'boolean', default: false },
    /** Puts people into as many buckets, which are partitions. */
    buckets: { type: 'string' },
    rows: { type: 'string', default: '50000' },
    batch: { type: 'string', default: '5000' },
    /** Leaves out the rows, or the searches. */
    'no-rows': { type: 'boolean', default: false },
    'no-search': { type: 'boolean', default: false },
    /** Searches also over 5,000,000 people: copies of those of the last size. */
    copies: { type: 'boolean', default: false },
  },
});

const secret = Buffer.alloc(16, 42);
const batchRows = Number(values.batch);
const bars = { timesEmbedded: 8, flat: 1.6 } as const;

const ownCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** The directory of generated people, imported once and kept. */
async function prepareDirectory(
  { root, say }: BenchContext,
  files: ReturnType<typeof prepareFiles>,
  people: number,
): Promise<WritableDatabase> {
  const folder = join(root, `shared-${people}`);
  const isKept = existsSync(join(folder, 'directory.db'));
  mkdirSync(folder, { recursive: true });
  const db = openDirectory(folder);
  if (isKept) return db;
  say(`importing ${people} people …`);
  try {
    await importDirectory(db, { peoplePath: files.people, companiesPath: files.companies });
  } catch (error) {
    db.close();
    rmSync(folder, { recursive: true });
    throw error;
  }
  return db;
}

interface Measured {
  /** CPU seconds of the rows: of this process, and of the server. */
  readonly cpu: number;
  readonly server: number;
  readonly seconds: number;
  readonly answers: string[];
}

function measureEmbedded(
  db: WritableDatabase,
  batches: readonly string[][][],
  mapping: ColumnMapping,
): Measured {
  const matcher = createMatcher(buildIndex(db));
  const records = batches.map(formatRecords);
  // The first rows compile the code.
  matcher.matchRows(records[0]!, mapping, defaultMatchThreshold);
  const [from, began] = [ownCpu(), performance.now()];
  const found = records.map((bytes) => matcher.matchRows(bytes, mapping, defaultMatchThreshold));
  const [cpu, seconds] = [ownCpu() - from, (performance.now() - began) / 1000];
  return { cpu, server: 0, seconds, answers: found.flatMap(listAnswers) };
}

async function measureShared(
  { say }: BenchContext,
  connection: SharedConnection,
  batches: readonly string[][][],
  mapping: ColumnMapping,
): Promise<Measured> {
  const matcher = openSharedMatcher(connection, { secret });
  const pid = await connection.use(
    async (client) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0].pid as number,
  );
  const bytes = batches.map((rows) => formatRecords(rows));
  const opened = performance.now();
  await matcher.match(Buffer.alloc(0), mapping, defaultMatchThreshold);
  say(`companies and names read in ${((performance.now() - opened) / 1000).toFixed(1)} s`);
  const [from, serverFrom, began] = [ownCpu(), readCpuSeconds(pid), performance.now()];
  const found = [];
  for (const part of bytes)
    found.push((await matcher.match(part, mapping, defaultMatchThreshold)).batch);
  const [cpu, server] = [ownCpu() - from, readCpuSeconds(pid) - serverFrom];
  const seconds = (performance.now() - began) / 1000;
  const rows = batches.flat().length;
  const { passes, keys, people } = matcher.counts;
  say(
    `${(passes / batches.length).toFixed(1)} passes a batch; a row asked for ` +
      `${(keys / rows).toFixed(1)} keys and fetched ${(people / rows).toFixed(1)} people`,
  );
  return { cpu, server, seconds, answers: found.flatMap(listAnswers) };
}

/** The rows of a list in batches, and the columns of its fields. */
function readBatches(path: string): { batches: string[][][]; mapping: ColumnMapping } {
  const [header, ...records] = parseRecords(readFileSync(path));
  const mapping = Object.fromEntries(header!.map((name, at) => [name, at])) as ColumnMapping;
  const batches: string[][][] = [];
  for (let from = 0; from < records.length; from += batchRows)
    batches.push(records.slice(from, from + batchRows));
  return { batches, mapping };
}

/** Reports both; returns what they cost. */
function reportRows(
  { report }: BenchContext,
  people: number,
  shared: Measured,
  embedded: Measured,
): SizeCost {
  const rows = shared.answers.length;
  const differing = shared.answers.filter((answer, at) => answer !== embedded.answers[at]).length;
  const perMillion = (seconds: number) => (seconds / rows) * 1e6;
  const [inMemory, all] = [perMillion(embedded.cpu), perMillion(shared.cpu + shared.server)];
  const isEqual = differing === 0;
  report(`Answers that differ, ${people} people`, `${differing} of ${rows}`, '0', isEqual);
  report(
    `CPU for a million rows, ${people} people`,
    `${Math.round(perMillion(shared.cpu))} s + ${Math.round(perMillion(shared.server))} s of ` +
      `PostgreSQL; in memory ${Math.round(inMemory)} s: ${(all / inMemory).toFixed(1)} times`,
    `${bars.timesEmbedded} times`,
    all <= inMemory * bars.timesEmbedded,
  );
  const speedOf = ({ seconds }: Measured) => Math.round(rows / seconds);
  report(
    `Rows a second, ${people} people`,
    `${speedOf(shared)}, in memory ${speedOf(embedded)}`,
    '',
    null,
  );
  return { shared: all, inMemory };
}

/** Searches with an empty suppression list, and no own people. */
async function measureSearch(
  context: BenchContext,
  { connection, db }: { connection: SharedConnection; db: WritableDatabase },
  people: number,
  isCopied: boolean,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-bench-'));
  openDirectory(folder).close();
  const store = openStore(folder);
  attachDirectory(store, folder);
  try {
    await benchSharedSearch(context, { connection, db, store }, people, isCopied);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
}

/** Loads people; reports the time and the bytes. */
async function reportLoad(
  { report }: BenchContext,
  connection: SharedConnection,
  db: WritableDatabase,
  people: number,
): Promise<void> {
  await migrateShared(
    connection,
    migrationsDir('shared'),
    values.buckets === undefined ? null : { buckets: Number(values.buckets) },
  );
  const [began, from] = [performance.now(), ownCpu()];
  await loadDirectory(connection, db, { secret, source: 'bench' });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const cpu = (ownCpu() - from).toFixed(0);
  report(`Load of ${people} people`, `${seconds} s, of it ${cpu} s CPU of the loader`, '', null);
  await connection.pool.query('VACUUM ANALYZE');
  const { rows: sizes } = await connection.pool.query(
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
     WHERE relkind = 'r' AND relname ~ '^(match_person|person_keys|block_key)(_[0-9]+)?$'`,
  );
  const bytes = `${Math.round(sizes[0].bytes / people)} bytes a person`;
  report(`Match tables of ${people}`, bytes, '', null);
}

/** Buffers of the server, which hold what matching reads: about 800 bytes a person. */
const sharedBuffers = (people: number): string => `${Math.max(1, Math.ceil(people / 1e6))}GB`;

/**
 * Reads what matching reads into the buffers of the server. A server that has run for a while has
 * it there; otherwise each person would be copied from the file cache of the system once.
 */
async function warmServer({ say }: BenchContext, { pool }: SharedConnection): Promise<void> {
  const { rows } = await pool.query(
    "SELECT FROM pg_available_extensions WHERE name = 'pg_prewarm'",
  );
  if (rows.length === 0) return say('the buffers are cold: pg_prewarm is not installed');
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_prewarm SCHEMA public');
  await pool.query(
    `SELECT public.pg_prewarm(oid) FROM pg_class
     WHERE relkind IN ('r', 'i') AND relnamespace = 'desk'::regnamespace
       AND relname ~ '^(match_person|block_key)(_[0-9]+)?(_pkey)?$'`,
  );
}

/** What rows of one size cost. */
interface SizeCost {
  /** CPU seconds for a million rows, over the shared directory and in memory. */
  readonly shared: number;
  readonly inMemory: number;
}

/**
 * Measures one size; returns the cost of its rows, null without rows.
 */
async function benchSize(
  context: BenchContext,
  people: number,
  isLast: boolean,
): Promise<SizeCost | null> {
  const files = prepareFiles(context, { people, rows: Number(values.rows) });
  const db = await prepareDirectory(context, files, people);
  const server = await startPostgres({
    shared_buffers: sharedBuffers(people),
    work_mem: '64MB',
    maintenance_work_mem: '512MB',
    max_wal_size: '8GB',
  });
  try {
    const { username: user, password, pathname } = new URL(await server.createDatabase());
    const database = pathname.slice(1);
    const address = { host: '127.0.0.1', port: server.port, user, database, tls: null };
    const connection = openSharedConnection(
      { address, password },
      { connectionsMax: 1, statementMs: 0 },
    );
    await reportLoad(context, connection, db, people);
    if (!values['no-search'])
      await measureSearch(context, { connection, db }, people, isLast && values.copies);
    if (values['no-rows']) return null;
    const { batches, mapping } = readBatches(files.list);
    await warmServer(context, connection);
    const shared = await measureShared(context, connection, batches, mapping);
    await connection.close();
    return reportRows(context, people, shared, measureEmbedded(db, batches, mapping));
  } finally {
    await server.stop();
    db.close();
  }
}

const context = createBenchContext({
  people: 0,
  rows: Number(values.rows),
  rounds: 1,
  companies: 0,
  searches: 0,
  compared: 0,
});
const sizes = [...values.people.map(Number), ...(values.large ? [5_000_000] : [])];
const costs: SizeCost[] = [];
for (const [at, people] of sizes.entries()) {
  const cost = await benchSize(context, people, at === sizes.length - 1);
  if (cost !== null) costs.push(cost);
}
if (costs.length > 1) {
  const growthOf = (list: readonly number[]): number => Math.max(...list) / Math.min(...list);
  const ratio = growthOf(costs.map(({ shared }) => shared));
  const inMemory = growthOf(costs.map((cost) => cost.inMemory));
  const relative = growthOf(costs.map((cost) => cost.shared / cost.inMemory));
  context.report(
    `CPU of the sizes ${sizes.join(', ')}`,
    `${ratio.toFixed(2)} times from the lowest to the highest; in memory ${inMemory.toFixed(2)}`,
    `${bars.flat} times`,
    ratio <= bars.flat,
    bounds.sharedGrowth,
  );
  context.report(
    'Growth of the ratio to the index in memory',
    `${relative.toFixed(2)} times`,
    `${bars.flat} times`,
    relative <= bars.flat,
  );
}
process.exit(0);
