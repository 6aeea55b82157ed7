/**
 * Kills the engine at random moments while it asks paid providers. Nothing is paid twice, and what
 * it recorded is what the services charged.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable, type ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { createRandom } from '../random.ts';
import { type PaidApi, startPaidApi } from './paid-apis.ts';

const seed = Number(process.env.DESK_CRASH_SEED ?? Date.now() % 1_000_000);
const rows = 600;

/** Starts the program. */
function startProgram(options: object) {
  const program = join(import.meta.dirname, 'enriching-program.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DESK_KEYCHAIN: 'off' },
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const whenSays = (text: string) =>
    new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => line === text && resolve());
      void gone.then(() => reject(new Error(`the program ended before it said ${text}`)));
    });
  const [running, ended] = [whenSays('running'), whenSays('ended')];
  ended.catch(() => undefined);
  return {
    ...{ running, ended },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

interface RequestRecord {
  readonly uuid: string;
  readonly state: string;
  readonly units: number | null;
}

/** Compares the requests to a provider with the account of its service. Returns the uncertain. */
function compareLedgers(database: ReadableDatabase, id: string, service: PaidApi): number {
  const requests = database
    .prepare<[string], RequestRecord>(
      'SELECT uuid, state, cost_units AS units FROM provider_request WHERE provider = ?',
    )
    .all(id);
  const byState = (state: string) => requests.filter((one) => one.state === state);
  const uncertain = new Set(byState('uncertain').map(({ uuid }) => uuid));
  const charged = [...service.ledger].filter(([uuid]) => !uncertain.has(uuid));
  expect(byState('intent')).toEqual([]);
  expect(byState('sent')).toEqual([]);
  expect(new Map(byState('answered').map(({ uuid, units }) => [uuid, units]))).toEqual(
    new Map(charged.map(([uuid, credits]) => [uuid, credits * 10_000])),
  );
  expect(new Set(service.sold).size).toBe(service.sold.length);
  return uncertain.size;
}

interface ResultRecord {
  readonly status: number;
  readonly fields: string | null;
  readonly provenance: string | null;
  readonly error: string | null;
}

/** Every value is of its row and names the provider that sold it. */
function checkResults(database: ReadableDatabase): void {
  const results = database
    .prepare<[], ResultRecord>('SELECT status, fields, provenance, error FROM result ORDER BY id')
    .all();
  expect(results).toHaveLength(rows);
  for (const [at, { status, fields, provenance, error }] of results.entries()) {
    if (status === 2) expect(error).toMatch(/^Service \w: /);
    if (status !== 0) continue;
    const sources = JSON.parse(provenance ?? '{}') as Record<string, [string, number, string]>;
    for (const [name, value] of Object.entries(JSON.parse(fields ?? '{}'))) {
      const id = sources[name]?.[0].replace('Service ', '');
      if (/^(Email|Current title|Mobile phone)$/.test(name))
        expect(String(value).replace('@found.example', '')).toBe(`${id}${at % (rows / 2)}`);
      expect(sources[name]?.[2]).toBe('2026-11-01');
    }
  }
}

/** Kills the program this often, then lets it end. */
async function killAtRandom(kills: number): Promise<void> {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), 'desk-waterfall-'));
  const behaviour = { isAsync: false, busyShare: 0.1, resetShare: 0.02 };
  const services = {
    a: await startPaidApi('a', random, { ...behaviour, knows: (row) => row % 2 === 0 }),
    b: await startPaidApi('b', random, {
      ...{ ...behaviour, busyShare: 0.3, resetShare: 0.2 },
      knows: (row) => row % 3 === 0,
    }),
    c: await startPaidApi('c', random, {
      ...{ ...behaviour, isAsync: true },
      knows: (row) => row % 5 !== 0,
    }),
  };
  const options = {
    ...{ folder, rows },
    providers: [
      { id: 'a', url: services.a.url, rowsMax: 10, fields: ['work_email'] },
      { id: 'b', url: services.b.url, rowsMax: 4, fields: ['work_email', 'employment'] },
      { id: 'c', url: services.c.url, rowsMax: 25, fields: ['work_email', 'phone'] },
    ],
  };
  let program = startProgram(options);
  onTestFinished(async () => {
    await program.kill();
    for (const service of Object.values(services)) service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (let kill = 0; kill < kills; kill += 1) {
    await program.running;
    // The moment is random on purpose: it decides where the kill occurs, never whether a check
    // holds.
    await wait(random() * 400);
    await program.kill();
    program = startProgram(options);
  }
  await program.ended;
  await program.kill();
  const database = openReadable(join(folder, 'engine.db'));
  onTestFinished(() => void database.close());
  expect(verifyLedger(database)).toEqual([]);
  expect(database.prepare('SELECT status FROM job').pluck().all()).toEqual(['completed']);
  checkResults(database);
  const uncertain = Object.entries(services).map(([id, service]) =>
    compareLedgers(database, id, service),
  );
  const requests = Object.values(services).map(({ ledger }) => ledger.size);
  expect(Math.min(...requests)).toBeGreaterThan(0);
  console.log(`${kills} kills, ${requests} requests charged, ${uncertain} uncertain`);
}

test(`3 kills pay for nothing twice and lose nothing that was paid (seed ${seed})`, () =>
  killAtRandom(3));

const manyKills = { tags: ['full'], timeout: 600_000 };
test(
  `20 kills pay for nothing twice and lose nothing that was paid (seed ${seed})`,
  manyKills,
  () => killAtRandom(20),
);
