/**
 * Pipelines of the version before, which charged batch by batch and held nothing: they stay as they
 * ended, add up, and go on with a hold for what is left where they had not ended.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAccount, grantCredits } from '../../engine/accounts/accounts.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { lookupPrices } from '../../engine/contract/lookup.ts';
import type { PipelineKind } from '../../engine/contract/pipelines/pipeline.ts';
import { attachDirectory, openDirectory } from '../../engine/directory/open-directory.ts';
import { charge, readBalances, verifyLedger } from '../../engine/ledger/ledger.ts';
import { insertOwned } from '../../engine/ledger/owned-values.ts';
import { getPipeline } from '../../engine/pipelines/pipeline.table.ts';
import { readPipelineContacts } from '../../engine/pipelines/pipeline-contact.table.ts';
import { presentPipeline } from '../../engine/pipelines/present-pipeline.ts';
import { stepPipeline } from '../../engine/pipelines/run-pipeline.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';
import { openWritable, type WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { credits } from './open-pipelines.ts';
import { now } from './run-bench.ts';

const at = now().toISOString();

/** The last migration that the version without holds had. */
const lastBefore = 7;

/** An engine.db as the version before made it, in a folder that goes with the test. */
function openBefore(): { folder: string; database: WritableDatabase } {
  const folder = mkdtempSync(join(tmpdir(), 'desk-before-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const known = join(folder, 'migrations');
  mkdirSync(known);
  for (const name of readdirSync(migrationsDir('store')))
    if (Number(name.slice(0, 3)) <= lastBefore)
      cpSync(join(migrationsDir('store'), name), join(known, name));
  const options = { synchronous: 'FULL', migrationsDir: known } as const;
  return { folder, database: openWritable(join(folder, 'engine.db'), options) };
}

/** A pipeline of four people with both values, of which the first were charged for in one batch. */
function addPipeline(
  database: WritableDatabase,
  accountId: number,
  uuid: string,
  { passed, rest }: { passed: number; rest: string },
): void {
  const values = Array.from({ length: passed }, (_, nth) =>
    (['email', 'phone'] as const).map((kind) => ({ personUuid: `${uuid} ${nth}`, kind })),
  ).flat();
  const price = (kinds: readonly PipelineKind[]) =>
    creditUnits(kinds.reduce((sum, kind) => sum + lookupPrices[kind], 0));
  const chargedUnits = price(values.map(({ kind }) => kind));
  const entryId = charge(database, accountId, chargedUnits, `pipeline ${uuid}`, at);
  for (const value of values)
    insertOwned(database, accountId, value, {
      ...{ priceUnits: lookupPrices[value.kind], at },
      entryId: entryId ?? 0,
    });
  database.exec(`
    INSERT INTO pipeline (uuid, account_id, title, source, mapping, match_threshold, kinds, status,
      total, looked_up_to, matched, unlocked_to, unlocked, charged_units, created_at, started_at)
    VALUES ('${uuid}', ${accountId}, '', 'uuids', '{}', 0.9, '["email","phone"]', 'running',
      4, 4, 4, ${passed}, ${passed}, ${chargedUnits}, '${at}', '${at}');
    UPDATE pipeline SET ${rest} WHERE uuid = '${uuid}'`);
  const contact =
    database.prepare(`INSERT INTO pipeline_contact (pipeline_id, position, person_uuid,
      email, email_status, phone, email_state, phone_state, charged_units)
    VALUES ((SELECT max(id) FROM pipeline), ?, ?, ?, 'valid', '+41', ?, ?, ?)`);
  for (let nth = 0; nth < 4; nth += 1) {
    const state = nth < passed ? 'charged' : null;
    const paid = state ? price(['email', 'phone']) : 0;
    contact.run(nth, `${uuid} ${nth}`, `person${nth}@listed.example`, state, state, paid);
  }
}

test('pipelines of the version before add up, and those that were open end', async () => {
  const { folder, database: before } = openBefore();
  const { id } = createAccount(before, 'Acme', now());
  grantCredits(before, { accountId: id, units: credits(50), reference: 'test' }, now());
  const end = (status: string) => `status = '${status}', completed_at = '${at}'`;
  addPipeline(before, id, 'ended', { passed: 4, rest: end('completed') });
  addPipeline(before, id, 'failed', {
    ...{ passed: 0, rest: `${end('failed')}, error = 'upstream_error', error_detail = 'Down.'` },
  });
  addPipeline(before, id, 'half', { passed: 1, rest: 'verify_price_units = 1000' });
  addPipeline(before, id, 'fresh', { passed: 0, rest: "status = 'running'" });
  before.close();

  openDirectory(folder).close();
  const database = openStore(folder);
  onTestFinished(() => void database.close());
  attachDirectory(database, folder);
  const read = (uuid: string) => getPipeline(database, id, uuid)!;
  expect(database.pragma('foreign_key_check')).toEqual([]);
  expect(verifyLedger(database)).toEqual([]);
  expect(presentPipeline(read('ended'))).toMatchObject({
    ...{ credits_held: '0.0000', credits_charged: '24.0000', credits_released: '0.0000' },
  });
  expect(presentPipeline(read('half')).credits_charged).toBe('6.0000');

  // Twenty are left of fifty: three people and three addresses of one, then a part of the other.
  const deps = {
    ...{ database, folder, now, isStopping: () => false, readGeneration: () => 0 },
    match: () => Promise.reject(new Error('all is looked up')),
    whenGeneration: async () => undefined,
    judge: {
      judgeEmails: async (emails: readonly string[]) => ({
        findings: [],
        verdicts: emails.map((email) => ({
          ...{ email, status: 'valid' as const, reason: 'verified_by_source' as const },
        })),
      }),
      stop: () => undefined,
    },
  };
  for (const uuid of ['half', 'fresh'])
    while ((await stepPipeline(deps, read(uuid).id)) === 'open')
      expect(verifyLedger(database)).toEqual([]);
  expect(verifyLedger(database)).toEqual([]);
  expect(read('half')).toMatchObject({
    ...{ status: 'completed', unlocked: 4, locked: 0, verified: 4 },
    ...{ heldUnits: credits(18.4), chargedUnits: credits(24.4), chargedBeforeUnits: credits(6) },
  });
  expect(read('fresh')).toMatchObject({ unlocked: 1, locked: 4, heldUnits: credits(1.6) });
  expect(readBalances(database, id)).toEqual({
    ...{ availableUnits: credits(0.6), heldUnits: 0, spentUnits: credits(49.4) },
  });
  const page = { offset: 0, limit: 4 };
  expect(readPipelineContacts(database, read('half').id, page)).toHaveLength(4);
});

test('a new pipeline has a number of its own, and those of contacts still hold', () => {
  const { folder, database: before } = openBefore();
  const { id } = createAccount(before, 'Acme', now());
  addPipeline(before, id, 'old', { passed: 0, rest: "status = 'running'" });
  before.close();
  const database = openStore(folder);
  onTestFinished(() => void database.close());
  const { id: oldId } = getPipeline(database, id, 'old')!;
  expect(() => database.exec(`DELETE FROM pipeline WHERE id = ${oldId}`)).toThrow('FOREIGN KEY');
  database.exec(`INSERT INTO pipeline (uuid, account_id, title, source, mapping, match_threshold,
      kinds, status, total, created_at)
    VALUES ('new', ${id}, '', 'uuids', '{}', 0.9, '["email"]', 'queued', 0, '${at}')`);
  expect(getPipeline(database, id, 'new')?.id).toBe(oldId + 1);
});
