// The audit log after a restore: what the backup lacks is added, or the entry says what is lost.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readAuditRows } from '../../engine/audit/audit.table.ts';
import { continueLog } from '../../engine/audit/continue-log.ts';
import { recordAudit } from '../../engine/audit/record-audit.ts';
import { verifyAudit } from '../../engine/audit/verify-chain.ts';
import { openStore, openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import { at, makeTemporaryFolder } from '../migrations/temporary-store.ts';

/** Adds entries with these subjects to the log of a folder. */
function add(folder: string, ...subjects: string[]): void {
  const store = openStore(folder);
  inTransaction(store, () => {
    for (const subject of subjects) recordAudit(store, { action: 'key_created', at, subject });
  });
  store.close();
}

/** A folder, and a backup of it with two entries. */
function makeBackup(): { former: string; next: string } {
  const [former, next] = [makeTemporaryFolder(), makeTemporaryFolder()];
  add(former, 'a', 'b');
  copyFileSync(join(former, 'engine.db'), join(next, 'engine.db'));
  return { former, next };
}

async function restore({ former, next }: { former: string; next: string }) {
  const backupAt = '2026-11-01T00:00:00.000Z';
  const done = continueLog(former, next, { environment: 'staging', backupAt, at });
  const store = openStoreReadable(next);
  onTestFinished(() => void store.close());
  const rows = readAuditRows(store, 0, 99);
  expect(await verifyAudit(store)).toMatchObject({ entries: rows.length, fault: null });
  const last = rows.at(-1);
  expect(last).toMatchObject({
    action: 'backup_restored',
    actor: 'command line',
    environment: 'staging',
    account: null,
  });
  const subjects = rows.slice(0, -1).map(({ subject }) => subject);
  return { done, subjects, details: JSON.parse(last?.details ?? '') };
}

test('entries after the backup are added unchanged, and the chain continues', async () => {
  const folders = makeBackup();
  add(folders.former, 'c', 'd');
  const store = openStoreReadable(folders.former);
  const { head } = await verifyAudit(store);
  store.close();
  const { done, subjects, details } = await restore(folders);
  expect(done).toEqual({ kept: 2, lost: 0 });
  expect(subjects).toEqual(['a', 'b', 'c', 'd']);
  expect(details).toEqual({
    backup_of: '2026-11-01T00:00:00.000Z',
    later_entries_kept: 2,
    later_entries_lost: 0,
  });
  // An anchor from before the restore still fits.
  const restored = openStoreReadable(folders.next);
  expect(await verifyAudit(restored, head ?? '')).toMatchObject({ fault: null });
  restored.close();
});

test('a log that continued differently says how many entries only the former log has', async () => {
  const folders = makeBackup();
  add(folders.former, 'c', 'd', 'e');
  add(folders.next, 'x');
  const { done, subjects, details } = await restore(folders);
  expect(done).toEqual({ kept: 0, lost: 3 });
  expect(subjects).toEqual(['a', 'b', 'x']);
  expect(details).toMatchObject({ later_entries_kept: 0, later_entries_lost: 3 });
});

test('a newer backup over an older folder loses nothing', async () => {
  const folders = makeBackup();
  add(folders.next, 'x');
  const { done, subjects } = await restore(folders);
  expect(done).toEqual({ kept: 0, lost: 0 });
  expect(subjects).toEqual(['a', 'b', 'x']);
});

test('a former log that cannot be read is named as such', async () => {
  const folders = makeBackup();
  writeFileSync(join(folders.former, 'engine.db'), 'no database');
  const { done, details } = await restore(folders);
  expect(done).toEqual({ kept: 0, lost: null });
  expect(details.later_entries_lost).toContain('could not be read');
});

test('a folder without databases has nothing to add', async () => {
  const folders = makeBackup();
  rmSync(join(folders.former, 'engine.db'));
  expect((await restore(folders)).done).toEqual({ kept: 0, lost: 0 });
});
