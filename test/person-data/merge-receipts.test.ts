// Receipts of deletions outlive the restore of an older backup.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { mergeReceipts } from '../../engine/person-data/merge-receipts.ts';
import {
  endDeletion,
  insertDeletion,
  listOpenDeletions,
  listReceipts,
  noteErased,
} from '../../engine/person-data/person-deletion.table.ts';
import { emptySubject } from '../../engine/person-data/subject.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';

const backupAt = '2026-11-23T08:00:00.000Z';
const live = { environment: 'live', backupAt } as const;
const [earlier, later, open] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-receipt`) as [
  string,
  string,
  string,
];

/** Records a deletion; without an end, the person is still being erased. */
function putDeletion(folder: string, uuid: string, endedAt: string | null): void {
  const store = openStore(folder);
  const subject = { ...emptySubject, uuids: [`person of ${uuid}`] };
  const plan = { subject, entries: { live: [{ place: 'results', key: [7] }] } };
  const deletion = { uuid, plan, places: [], author: 'tests', source: 'app' } as const;
  insertDeletion(store, deletion, { isSuppressed: false, at: backupAt });
  if (endedAt !== null) {
    noteErased(store, uuid);
    endDeletion(store, uuid, endedAt);
  }
  store.close();
}

/** A folder with a receipt of before its backup, and the unpacked backup. */
function makeFolders() {
  const root = mkdtempSync(join(tmpdir(), 'desk-receipts-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [former, next] = [join(root, 'former'), join(root, 'next')];
  for (const folder of [former, next]) mkdirSync(folder);
  putDeletion(former, earlier, '2026-11-22T08:00:00.000Z');
  const store = openStore(former);
  store.prepare('VACUUM INTO ?').run(join(next, 'engine.db'));
  store.close();
  for (const folder of [former, next]) openDirectory(folder).close();
  return { root, former, next };
}

test('later receipts are added once, and an interrupted deletion keeps its values alone', () => {
  const { former, next } = makeFolders();
  putDeletion(former, later, '2026-11-23T09:00:00.000Z');
  putDeletion(former, open, null);
  expect(mergeReceipts(former, next, live)).toEqual({ kept: 2, since: [later, open], people: [] });
  expect(mergeReceipts(former, next, live)).toMatchObject({ kept: 0, since: [later, open] });
  const store = openStore(next);
  const receipts = listReceipts(store, null).map(({ receipt_id: id, state }) => [id, state]);
  expect(receipts).toEqual([
    [open, 'erasing'],
    [later, 'done'],
    [earlier, 'done'],
  ]);
  const subject = { ...emptySubject, uuids: [`person of ${open}`] };
  expect(listOpenDeletions(store)).toEqual([{ uuid: open, plan: { subject, entries: {} } }]);
  store.close();
});

test('receipts of another data folder are not added, and the report says so', () => {
  const { former, root } = makeFolders();
  const other = join(root, 'other');
  mkdirSync(other);
  openStore(other).close();
  expect(mergeReceipts(former, other, live)).toEqual({ kept: null, since: [], people: [] });
  expect(mergeReceipts(other, former, live)).toEqual({ kept: 0, since: [], people: [] });
  expect(mergeReceipts(join(root, 'none'), other, live)).toMatchObject({ kept: 0 });
});

test('a backup of staging is compared with the receipts of live', () => {
  const { former, next } = makeFolders();
  putDeletion(former, later, '2026-11-23T09:00:00.000Z');
  const staging = { environment: 'staging', backupAt } as const;
  const merged = mergeReceipts(join(former, 'staging'), next, staging);
  expect(merged).toEqual({ kept: 0, since: [later], people: [] });
});
