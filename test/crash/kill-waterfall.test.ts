// Kills the engine at random moments while it asks paid providers. Nothing is paid twice, and what
// it recorded is what the services charged.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { ResultRow } from '../../engine/contract/jobs/job.ts';
import { getJobById } from '../../engine/jobs/job.table.ts';
import { createResultWriter } from '../../engine/jobs/results/present-result.ts';
import { readResults } from '../../engine/jobs/results/result.table.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable, type ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openApiDesk } from '../http/open-api-desk.ts';
import { createRandom } from '../random.ts';
import { personOf } from './listed-person.ts';
import { type PaidApi, startPaidApi } from './paid-apis.ts';

const seed = Number(process.env.DESK_CRASH_SEED ?? Date.now() % 1_000_000);

/** Rows of the job; each is there twice. */
interface Size {
  readonly rows: number;
  readonly kills: number;
  /** The longest time between a start and its kill. */
  readonly killMaxMs: number;
}

/** The people of a directory: those of the given numbers. */
const writePeople = (numbers: readonly number[]): string =>
  [
    'person id,first name,last name,company,email,mobile phone',
    ...numbers.map((number) => {
      const phone = number % 4 === 0 ? phoneOf(number) : '';
      return [`p${number}`, ...personOf(number), phone].join(',');
    }),
    '',
  ].join('\n');

const phoneOf = (number: number): string => `+4420${79_460_000 + number}`;

const numbersWhere = ({ rows }: Size, holds: (number: number) => boolean): number[] =>
  Array.from({ length: rows / 2 }, (_, number) => number).filter(holds);

/** The directory of the engine that is killed knows every seventh row. */
const isInDirectory = (number: number): boolean => number % 7 === 0;

function startProgram(options: object) {
  const program = join(import.meta.dirname, 'enriching-program.ts');
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DESK_KEYCHAIN: 'off' },
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  const ended = gone.then(() => {
    throw new Error(`the program ended after it said ${said}`);
  });
  ended.catch(() => undefined);
  return {
    says: (line: 'running' | 'ended') =>
      Promise.race([ended, expect.poll(() => said, { timeout: 600_000 }).toContain(line)]),
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

function readRows(database: ReadableDatabase, jobId: number): ResultRow[] {
  const job = getJobById(database, jobId);
  if (!job) throw new Error('the job is gone');
  const { resultBase, totalRows: count } = job;
  const write = createResultWriter(job);
  return readResults(database, { resultBase, firstRow: 0, count }).map(
    (record) => JSON.parse(write(record, '', '')) as ResultRow,
  );
}

/** The emails in the results of all jobs. */
function listEmails(database: ReadableDatabase): Set<string> {
  const jobs = database.prepare<[], number>('SELECT id FROM job').pluck().all() as number[];
  const rows = jobs.flatMap((id) => readRows(database, id));
  return new Set(rows.flatMap(({ enriched_fields: { Email: email } }) => email ?? []));
}

/** Every value is of its row and names who answered it: the directory, or the right service. */
function checkResults(database: ReadableDatabase, { rows }: Size): void {
  const results = readRows(database, 1);
  expect(results).toHaveLength(rows);
  for (const [at, { status, enriched_fields: fields, provenance, ...row }] of results.entries()) {
    const number = at % (rows / 2);
    if (status === 'failed') expect(row.error_message).toMatch(/^Service \w: /);
    if (isInDirectory(number)) expect(status).toBe('enriched');
    for (const [name, value] of Object.entries(fields)) {
      if (!/^(Email|Current title|Mobile phone)$/.test(name)) continue;
      const { source = '', observed_at: day } = provenance[name] ?? {};
      expect(day).toBe('2026-11-01');
      const own = name === 'Email' ? personOf(number)[3] : phoneOf(number);
      if (source === 'list.csv') expect([isInDirectory(number), value]).toEqual([true, own]);
      else {
        const id = source.replace('Service ', '');
        expect(value.replace('@found.example', '')).toBe(`${id}${number}`);
      }
    }
  }
}

/** Kills the program this often, then lets it end. Returns its database. */
async function killAtRandom(options: object, { kills, killMaxMs }: Size, random: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-waterfall-'));
  const all = { ...options, folder };
  let program = startProgram(all);
  onTestFinished(async () => {
    await program.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  for (let kill = 0; kill < kills; kill += 1) {
    await program.says('running');
    // The moment is random on purpose: it decides where the kill occurs, never whether a check
    // holds.
    await wait(random() * killMaxMs);
    await program.kill();
    program = startProgram(all);
  }
  await program.says('ended');
  await program.kill();
  const database = openReadable(join(folder, 'engine.db'));
  onTestFinished(() => void database.close());
  expect(verifyLedger(database)).toEqual([]);
  expect(database.prepare('SELECT status FROM job').pluck().all()).toEqual(['completed']);
  return database;
}

/** A directory, two services that answer at once, of which one often fails, and a later one. */
async function killWithServices(size: Size): Promise<void> {
  const random = createRandom(seed);
  const behaviour = { isAsync: false, busyShare: 0.1, resetShare: 0.02 };
  const services = {
    a: await startPaidApi('a', random, { ...behaviour, knows: (row) => row % 2 === 0 }),
    b: await startPaidApi('b', random, {
      ...behaviour,
      busyShare: 0.3,
      resetShare: 0.2,
      knows: (row) => row % 3 === 0,
    }),
    c: await startPaidApi('c', random, {
      ...behaviour,
      isAsync: true,
      knows: (row) => row % 5 !== 0,
    }),
  };
  onTestFinished(() => {
    for (const service of Object.values(services)) service.close();
  });
  const options = {
    rows: size.rows,
    people: writePeople(numbersWhere(size, isInDirectory)),
    providers: [
      { id: 'a', url: services.a.url, rowsMax: 10, fields: ['work_email'] },
      { id: 'b', url: services.b.url, rowsMax: 4, fields: ['work_email', 'employment'] },
      { id: 'c', url: services.c.url, rowsMax: 25, fields: ['work_email', 'phone'] },
    ],
  };
  const database = await killAtRandom(options, size, random);
  checkResults(database, size);
  const uncertain = Object.entries(services).map(([id, service]) =>
    compareLedgers(database, id, service),
  );
  const requests = Object.values(services).map(({ ledger }) => ledger.size);
  expect(Math.min(...requests)).toBeGreaterThan(0);
  console.log(`${size.kills} kills, ${requests} requests charged, ${uncertain} uncertain`);
}

/** What an engine charged for each request of another engine, by its id, in units. */
const listCharged = (database: ReadableDatabase): Map<string, number> =>
  new Map(
    database
      .prepare<[], { key: string; units: number }>(
        `SELECT i.key, j.charged_units AS units FROM job j
         LEFT JOIN idempotency i ON i.job_uuid = j.uuid`,
      )
      .all()
      .map(({ key, units }) => [key, units]),
  );

/** Another engine is the only provider: every request of it is a job there. */
async function killWithEngine(size: Size): Promise<void> {
  const random = createRandom(seed);
  const isKnown = (number: number) => number % 2 === 0;
  // The rate limit of the interface would take minutes.
  const upstream = await openApiDesk(
    { now: () => performance.now() * 1_000 },
    { people: writePeople(numbersWhere(size, isKnown)), provider: null },
  );
  upstream.environment.gate.open();
  const { url: address, key } = upstream;
  const options = {
    rows: size.rows,
    providers: [],
    engine: { address, key },
    people: writePeople(numbersWhere(size, isInDirectory)),
  };
  const database = await killAtRandom(options, size, random);
  const asked = database
    .prepare<[], RequestRecord>('SELECT uuid, state, cost_units AS units FROM provider_request')
    .all();
  // Even what was lost is known in the end, so nothing is uncertain.
  const answered = asked.filter(({ state }) => state === 'answered');
  const unsent = asked.filter(({ state }) => state === 'failed');
  expect(answered.length + unsent.length).toBe(asked.length);
  expect(new Map(answered.map(({ uuid, units }) => [uuid, units]))).toEqual(
    listCharged(upstream.environment.database),
  );
  const { count, people } = upstream.environment.database
    .prepare(
      `SELECT count(*) AS count, count(DISTINCT contact_uuid) AS people FROM result
       WHERE status = 0`,
    )
    .get() as { count: number; people: number };
  // No person was sold twice.
  expect(people).toBe(count);
  // Every value that was sold is in the result, and every row that can be known is.
  const sold = listEmails(upstream.environment.database);
  const received = listEmails(database);
  expect([...sold].filter((email) => !received.has(email))).toEqual([]);
  expect(sold.size).toBeGreaterThan(numbersWhere(size, isKnown).length * 0.7);
  console.log(`${size.kills} kills, ${answered.length} jobs charged, ${unsent.length} not sent`);
}

const full = { tags: ['full'], timeout: 900_000 };
const small: Size = { rows: 400, kills: 2, killMaxMs: 400 };
const large: Size = { rows: 10_000, kills: 20, killMaxMs: 3_000 };

test(`2 kills pay for nothing twice and lose nothing that was paid (seed ${seed})`, () =>
  killWithServices(small));
test(
  `20 kills in 10,000 rows pay for nothing twice and lose nothing that was paid (seed ${seed})`,
  full,
  () => killWithServices(large),
);
test(`2 kills between two engines leave nothing uncertain (seed ${seed})`, () =>
  killWithEngine({ ...small, rows: 120, killMaxMs: 1_000 }));
test(`10 kills between two engines leave nothing uncertain (seed ${seed})`, full, () =>
  killWithEngine({ rows: 10_000, kills: 10, killMaxMs: 12_000 }),
);
