// Limits of the version before, which were those of a client of the tool server: they are the
// key's from now on.
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getKey } from '../../engine/accounts/api-key.table.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';
import { openWritable } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { addAccount, addJob, at, makeTemporaryFolder } from './temporary-store.ts';

/** The last migration of the version before. */
const lastBefore = 11;

const insertKey = (id: string, digit: string) => `INSERT INTO api_key VALUES
  ('${id}', 1, '${id}', 'p', '${digit.repeat(64)}', '${at}', NULL, NULL, 60, 500, NULL)`;

test('the limits of a client become those of its key, and work under way keeps what it may cost', () => {
  const folder = makeTemporaryFolder();
  const known = join(folder, 'migrations');
  mkdirSync(known);
  for (const name of readdirSync(migrationsDir('store')))
    if (Number(name.slice(0, 3)) <= lastBefore)
      cpSync(join(migrationsDir('store'), name), join(known, name));
  const options = { synchronous: 'FULL', migrationsDir: known } as const;
  const before = openWritable(join(folder, 'engine.db'), options);
  const { id } = addAccount(before, 5000);
  const job = addJob(before, id);
  before.exec(`${insertKey('limited', 'a')}; ${insertKey('free', 'b')};
    INSERT INTO tool_guard VALUES ('limited', 1, 200, 100), ('app:x', 1, 5, NULL);
    INSERT INTO monitor_job (account_id, job_id, key_id, price_units)
      VALUES (1, ${job.id}, 'limited', 7)`);
  before.close();

  const database = openStore(folder);
  const limits = { capDayUnits: 500, capCallUnits: 200, askAboveUnits: 100, selfApproval: false };
  expect(getKey(database, id, 'limited')).toMatchObject(limits);
  const none = { capDayUnits: 500, capCallUnits: null, askAboveUnits: null, selfApproval: false };
  expect(getKey(database, id, 'free')).toMatchObject(none);
  expect(database.prepare('SELECT authorised_units FROM monitor_job').pluck().all()).toEqual([70]);
  expect(verifyLedger(database)).toEqual([]);
  database.close();
});
