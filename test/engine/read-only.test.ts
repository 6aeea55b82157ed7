// A really damaged database: the engine reads, exports and makes backups, and writes nothing.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { companies, contacts, people } from '../cli/lists.ts';
import { makePlace, runHere } from '../cli/run-desk.ts';
import { startEngineHere } from '../engine-here.ts';

const whole = makePlace();
let jobId = '';
beforeAll(async () => {
  for (const [name, text] of Object.entries({ people, companies, contacts }))
    whole.write(`${name}.csv`, text);
  const engine = await startEngineHere(whole.dataDir);
  await whole.here('directory', 'import', 'people.csv', '--companies', 'companies.csv');
  const line = 'enrich contacts.csv --layers L1 --out out.csv --yes --json';
  jobId = String((await whole.here(...line.split(' '))).json.job_id);
  await engine.stop();
});
afterAll(() => whole.remove());

/** A copy of the folder, in which the first page of a table of engine.db is damaged. */
function damage(table: string) {
  const dir = mkdtempSync(join(tmpdir(), 'desk-read-only-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const dataDir = join(dir, 'data');
  cpSync(whole.dataDir, dataDir, { recursive: true });
  const path = join(dataDir, 'engine.db');
  const database = new Database(path);
  const page = database
    .prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .pluck()
    .get(table) as number;
  database.close();
  const bytes = readFileSync(path);
  bytes[(page - 1) * 8_192]! ^= 0xff;
  writeFileSync(path, bytes);
  return { dir, dataDir, path };
}

test.each([
  ['a table that the start writes', 'rate'],
  ['a table that only later writes need', 'ledger_line'],
])('damage in %s: exports and backups work, every write is refused', async (_what, table) => {
  const { dir, dataDir, path } = damage(table);
  const desk = (line: string) => runHere({ dir, dataDir }, [...line.split(' '), '--json']);
  const engine = await startEngineHere(dataDir);
  const granted = await desk('wallet grant 5');
  expect(granted.json).toMatchObject({
    error: 'read_only',
    detail: expect.stringContaining('--repair'),
  });
  expect(await engine.ask('GET', '/app/v1/state')).toMatchObject({
    read_only: { reason: 'damaged' },
  });
  const before = readFileSync(path);
  const exported = await desk(`enrich --resume ${jobId} --out ${join(dir, 'again.csv')}`);
  expect(exported.code).toBe(0);
  expect(readFileSync(join(dir, 'again.csv'))).toEqual(readFileSync(join(whole.dir, 'out.csv')));
  const copied = await desk(`backup ${join(dir, 'copy.tar.gz')}`);
  expect(copied.json).toMatchObject({
    damage: expect.arrayContaining([expect.stringContaining('engine.db')]),
  });
  expect(await engine.stop()).toBe(0);
  expect(readFileSync(path)).toEqual(before);
});
