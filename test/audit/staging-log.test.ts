// The suppression list is that of live, also for staging: its changes are in the log of live.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAuditRows } from '../../engine/audit/audit.table.ts';
import { recordAudit } from '../../engine/audit/record-audit.ts';
import { verifyAudit } from '../../engine/audit/verify-chain.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { at, makeTemporaryFolder } from '../migrations/temporary-store.ts';

test('a change of the list in staging is in the log of live; other actions are in its own', async () => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'staging'));
  const live = openStore(folder);
  const staging = openStore(join(folder, 'staging'));
  onTestFinished(() => {
    staging.close();
    live.close();
  });
  const deps = { now: () => new Date(at), onChange: () => undefined };
  const given = { values: [{ value: 'ada@b.example' }], reason: '', source: 'app' as const };
  for (const database of [live, staging, live]) {
    inTransaction(database, () => recordAudit(database, { action: 'backup_made', at }));
    const commands = createSuppressionCommands({ ...deps, database });
    await commands.suppress({ ...given, author: 'Acme' });
    await commands.removeSuppressions({ ids: [1, 2, 3] });
  }
  const list = (database: typeof live) =>
    readAuditRows(database, 0, 99).map(({ environment, action }) => `${environment} ${action}`);
  const both = ['suppression_added', 'suppression_removed'];
  expect(list(live)).toEqual([
    ...['backup_made', ...both].map((action) => `live ${action}`),
    ...both.map((action) => `staging ${action}`),
    ...['backup_made', ...both].map((action) => `live ${action}`),
  ]);
  expect(list(staging)).toEqual(['staging backup_made']);
  for (const database of [live, staging])
    expect(await verifyAudit(database)).toMatchObject({ fault: null });
  // The same value has the same hash when it is added and when it is removed.
  const hashes = readAuditRows(live, 0, 99).map(({ details }) => JSON.parse(details).hashes);
  expect(new Set(hashes.filter(Boolean)).size).toBe(1);
});
