/**
 * Kills the engine during a pipeline of 100,000 contacts. After each start every contact occurs
 * once, paid values are owned, the hold is settled at the end, and the ledger balances.
 * @module-tag full
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { firstGrantCredits } from '../../engine/contract/limits/ledger.ts';
import { pipelineContactsMax } from '../../engine/contract/limits/pipelines.ts';
import type { Pipeline, StartedPipeline } from '../../engine/contract/pipelines/pipeline.ts';
import { readBalances, verifyLedger } from '../../engine/ledger/ledger.ts';
import { openReadable } from '../../engine/platform/sqlite/open-database.ts';
import { startEngineProcess } from '../engine-process.ts';
import { createRandom } from '../random.ts';

const kills = 4;
/** The number of known contacts: more than the first grant can pay for. */
const known = 20_000;
const seed = Number(process.env.DESK_CRASH_SEED ?? Date.now() % 1_000_000);
const uuidOf = (at: number) => `a0000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

interface Counts {
  lookedUpTo: number;
  unlockedTo: number;
  contacts: number;
  isEnded: number;
  heldUnits: number;
  chargedUnits: number;
  unlockedUnits: number;
  ownedUnits: number;
}

/** Invariants at every moment, from the rows alone. */
function check(dataDir: string): Counts {
  const database = openReadable(join(dataDir, 'engine.db'));
  const counts = database
    .prepare(
      `SELECT looked_up_to AS lookedUpTo, unlocked_to AS unlockedTo, charged_units AS chargedUnits,
         held_units AS heldUnits, completed_at IS NOT NULL AS isEnded,
         (SELECT count(*) FROM pipeline_contact) AS contacts,
         (SELECT ifnull(sum(charged_units), 0) FROM pipeline_contact) AS unlockedUnits,
         (SELECT ifnull(sum(price_units), 0) FROM owned) AS ownedUnits
       FROM pipeline`,
    )
    .get() as Counts;
  const balances = readBalances(database, 1);
  const violations = verifyLedger(database);
  database.close();
  expect(violations).toEqual([]);
  expect(counts.contacts).toBe(counts.lookedUpTo);
  expect(counts.unlockedTo === 0 || counts.lookedUpTo === pipelineContactsMax).toBe(true);
  expect([counts.unlockedUnits, counts.ownedUnits]).toEqual(Array(2).fill(counts.chargedUnits));
  expect(counts.heldUnits === 0 || counts.lookedUpTo === pipelineContactsMax).toBe(true);
  expect([balances.heldUnits, balances.spentUnits]).toEqual(
    counts.isEnded ? [0, counts.chargedUnits] : [counts.heldUnits, 0],
  );
  return counts;
}

test(`${kills} kills in a pipeline of ${pipelineContactsMax} contacts lose none and charge once (seed ${seed})`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-crash-'));
  const dataDir = join(folder, 'data');
  const random = createRandom(seed);
  let engine = await startEngineProcess(dataDir);
  onTestFinished(async () => {
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const lines = Array.from({ length: known }, (_, at) => {
    const name = `First${at},Last${at},Company ${at % 50}`;
    return `${uuidOf(at)},${name},person${at}@listed.example,+4179${1_000_000 + at}`;
  });
  const path = join(folder, 'people.csv');
  writeFileSync(path, ['id,first_name,last_name,company,email,mobile', ...lines, ''].join('\n'));
  await engine.ask('POST', '/app/v1/directory/imports?wait=1', { people_path: path });
  // Only an account with a budget leaves values locked.
  const [account] = (await engine.ask('GET', '/app/v1/accounts')) as { id: string }[];
  await engine.ask('PATCH', `/app/v1/accounts/${account?.id}`, { has_budget: true });
  const order = {
    uuids: Array.from({ length: pipelineContactsMax }, (_, at) => uuidOf(at)),
    unlock: ['email', 'phone'],
  };
  const started = (await engine.ask('POST', '/api/v1/pipeline/', order)) as StartedPipeline;
  const read = async () =>
    (await engine.ask('GET', `/api/v1/pipeline/${started.pipeline_id}/`)) as Pipeline;
  for (let kill = 0; kill < kills; kill += 1) {
    // The moment is random on purpose: it decides where the kill occurs, never whether a check
    // holds.
    await wait(Math.floor(random() * 1_500));
    await engine.kill();
    check(dataDir);
    engine = await startEngineProcess(dataDir);
  }
  await expect.poll(read, { timeout: 300_000 }).toMatchObject({ ready: true });
  const ended = await read();
  expect(ended).toMatchObject({ status: 'completed', total: pipelineContactsMax, matched: known });
  expect(ended.credits_charged).toBe(`${firstGrantCredits}.0000`);
  expect(ended.locked).toBeGreaterThan(0);
  expect(await engine.stop()).toBe(0);
  check(dataDir);
});
