// Kills the engine at random moments of jobs, pipelines and deliveries of webhooks. After each
// start every row occurs once, a person is charged once, and the ledger is balanced; in the end
// every pipeline was delivered.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import type { StartedPipeline } from '../../engine/contract/pipelines/pipeline.ts';
import type { Upload } from '../../engine/contract/uploads.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable, type ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { createRandom } from '../random.ts';
import { copySample } from '../sample-data.ts';
import { authorityPath, openReceiver } from '../webhook-receiver.ts';

const seed = Number(process.env.DESK_CRASH_SEED ?? Date.now() % 1_000_000);

/** The inputs for matching, repeated to be long enough for a kill. */
function writeList(path: string, repeats: number): number {
  const text = readFileSync(
    join(import.meta.dirname, '../fixtures/matching/dev_inputs.csv'),
    'utf8',
  );
  const lines = text.trimEnd().split(/\r?\n/);
  const header = lines.shift() ?? '';
  writeFileSync(path, [header, ...Array(repeats).fill(lines.join('\n')), ''].join('\n'));
  return lines.length * repeats;
}

interface People {
  enriched: number;
  people: number;
  repeats: number;
}

/** A person is charged in the first of their rows, and every later row names it. */
function checkRepeats(database: ReadableDatabase, job: { id: number; base: number }): void {
  const { processed, pending, price } = database
    .prepare(
      `SELECT processed_rows AS processed, pending_charge_units AS pending,
         price_per_row_units AS price FROM job WHERE id = ?`,
    )
    .get(job.id) as { processed: number; pending: number; price: number };
  const { enriched, people, repeats } = database
    .prepare(
      `WITH own AS (SELECT id, contact_uuid, first_value(id) OVER (
           PARTITION BY contact_uuid ORDER BY id) AS first_id
         FROM result WHERE status = 0 AND id BETWEEN @first AND @last)
       SELECT count(*) AS enriched, count(DISTINCT contact_uuid) AS people,
         (SELECT count(*) FROM own JOIN repeat_row f ON f.id = own.id AND f.kind = 0
            AND f.source_id = own.first_id) AS repeats
       FROM own`,
    )
    .get({ first: job.base, last: job.base + processed - 1 }) as People;
  expect(repeats).toBe(enriched - people);
  expect(pending).toBe(people * price);
}

interface Counts {
  rows: number;
  first: number | null;
  last: number | null;
}

/** Invariants of engine.db after any kill, from the rows alone. */
function checkStore(database: ReadableDatabase): void {
  expect(database.pragma('quick_check', { simple: true })).toBe('ok');
  expect(verifyLedger(database)).toEqual([]);
  const jobs = database
    .prepare(
      `SELECT id, result_base AS base, processed_rows AS processed, total_rows AS total, status,
         enriched_rows + skipped_rows + failed_rows AS counted FROM job`,
    )
    .all() as {
    id: number;
    base: number;
    processed: number;
    total: number;
    status: string;
    counted: number;
  }[];
  for (const job of jobs) {
    expect(job.counted).toBe(job.processed);
    checkRepeats(database, job);
    if (job.status === 'completed') expect(job.processed).toBe(job.total);
    const found = database
      .prepare(
        `SELECT count(*) AS rows, min(id) AS first, max(id) AS last
         FROM result WHERE id BETWEEN ? AND ?`,
      )
      .get(job.base, job.base + job.total - 1) as Counts;
    expect(found.rows).toBe(job.processed);
    if (job.processed > 0) {
      expect(found.first).toBe(job.base);
      expect(found.last).toBe(job.base + job.processed - 1);
    }
  }
}

function checkFolder(dataDir: string): void {
  const database = openReadable(join(dataDir, 'engine.db'));
  try {
    checkStore(database);
  } finally {
    database.close();
  }
}

const readJob = async (engine: EngineProcess, id: string) =>
  (await engine.ask('GET', `/app/v1/jobs/${id}`)) as StatusData;

async function submitList(engine: EngineProcess, path: string): Promise<string> {
  const upload = (await engine.ask('POST', '/app/v1/uploads', { path })) as Upload;
  const job = (await engine.ask('POST', '/app/v1/jobs', {
    upload_id: upload.upload_id,
    selected_layers: ['full'],
  })) as StatusData;
  return job.job_id;
}

async function finishJob(engine: EngineProcess, id: string): Promise<StatusData> {
  await expect.poll(() => readJob(engine, id), { timeout: 300_000 }).toMatchObject({ ready: true });
  return readJob(engine, id);
}

function listContacts(dataDir: string): string[] {
  const database = openReadable(join(dataDir, 'directory.db'));
  try {
    return database.prepare('SELECT uuid FROM person ORDER BY id').pluck().all() as string[];
  } finally {
    database.close();
  }
}

/** A receiver that fails many deliveries once, and knows which pipelines it has accepted. */
async function openUnreliableReceiver(random: () => number) {
  const receiver = await openReceiver();
  const bodies = new Map<string, string>();
  const accepted = new Set<string>();
  receiver.answer = (response, { headers, body }) => {
    const id = headers['webhook-id'] ?? '';
    const isFirst = !bodies.has(id);
    // Every attempt of a delivery has the same bytes.
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
    const chance = isFirst ? random() : 1;
    if (chance < 0.1) response.destroy();
    else if (chance < 0.2) response.writeHead(500).end();
    else if (chance < 0.3) response.socket?.write('HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n');
    else {
      response.end();
      accepted.add(JSON.parse(body).data.pipeline_id);
    }
  };
  return { receiver, accepted, countDeliveries: () => bodies.size };
}

/** Kills the engine this often at random moments of its jobs, and checks its folder each time. */
async function killAtRandom(kills: number, repeats: number): Promise<void> {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'desk-crash-'));
  const dataDir = join(folder, 'data');
  const list = join(folder, 'list.csv');
  const rows = writeList(list, repeats);
  await copySample(dataDir);
  const contacts = listContacts(dataDir);
  const { receiver, accepted, countDeliveries } = await openUnreliableReceiver(random);
  const start = () =>
    startEngineProcess(dataDir, [], { env: { NODE_EXTRA_CA_CERTS: authorityPath } });
  let engine = await start();
  onTestFinished(async () => {
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await engine.ask('POST', '/app/v1/wallet/grants', { credits: '90000000' });
  await engine.ask('PUT', '/app/v1/webhook-hosts', { hosts: ['localhost'] });
  const events = ['pipeline.completed', 'pipeline.failed'];
  await engine.ask('POST', '/api/v1/webhooks/', { url: receiver.url, events });
  const pipelines: string[] = [];
  let id = await submitList(engine, list);
  let finished = 0;
  for (let kill = 0; kill < kills; kill++) {
    const uuids = contacts.slice(kill * 20, kill * 20 + 20);
    const order = { uuids, unlock: ['email', 'phone'] };
    const started = (await engine.ask('POST', '/api/v1/pipeline/', order)) as StartedPipeline;
    pipelines.push(started.pipeline_id);
    // The moment is random on purpose: it decides where the kill occurs, never whether a check
    // holds.
    await wait(Math.floor(random() * 900));
    await engine.kill();
    checkFolder(dataDir);
    engine = await start();
    const job = await readJob(engine, id);
    if (job.ready) {
      expect(job.status).toBe('completed');
      finished += 1;
      id = await submitList(engine, list);
    }
  }
  const last = await finishJob(engine, id);
  expect(last).toMatchObject({ status: 'completed', total_rows: rows, processed_rows: rows });
  await expect.poll(() => [...accepted].sort(), { timeout: 300_000 }).toEqual(pipelines.sort());
  expect(countDeliveries()).toBe(pipelines.length);
  expect(await engine.stop()).toBe(0);
  checkFolder(dataDir);
  const attempts = receiver.arrivals.length;
  console.log(`${kills} kills, ${finished + 1} jobs of ${rows} rows, ${attempts} attempts to post`);
}

test(`2 kills at random moments lose no row and no credit, and charge no person twice (seed ${seed})`, () =>
  killAtRandom(2, 6));

const manyKills = { tags: ['full'], timeout: 7_200_000 };
test(`200 kills at random moments lose no row, credit or delivery (seed ${seed})`, manyKills, () =>
  killAtRandom(200, 12),
);
