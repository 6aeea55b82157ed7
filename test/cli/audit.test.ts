// `desk audit`: list, export and verify; doctor and restore with the log.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { makePlace } from './run-desk.ts';

const place = makePlace();
let engine: EngineHere;
beforeAll(async () => {
  engine = await startEngineHere(place.dataDir);
}, 60_000);
afterAll(async () => {
  await engine.stop();
  place.remove();
});

interface Entry {
  readonly id: number;
  readonly action: string;
}
const entriesOf = (json: object) => (json as { entries: Entry[] }).entries;

test('an action of the command line is listed with its actor; filters and pages limit the list', async () => {
  await place.here('keys', 'create', '--label', 'CRM', '--cap-day', '5');
  await place.here('suppress', 'add', 'ada@b.example');
  const listed = await place.here('audit', 'list');
  expect(listed.stdout).toMatch(
    /^\d+ +\S+ \S+ +command line +API key created .*cap per day: 5\.0000/m,
  );
  expect(listed.stdout).not.toContain('ada@b.example');
  expect(listed.last).toMatch(/^Entries in the log: \d+\.$/);
  const mine = await place.here('audit', 'list', '--actor', 'Command Line', '--limit', '1');
  expect(mine.stdout).toMatch(/^More: desk audit list --before \d+ --actor 'Command Line'/m);
  const keys = await place.here('audit', 'list', '--action', 'key_created', '--json');
  expect(entriesOf(keys.json)).toMatchObject([
    { action: 'key_created', actor_kind: 'command_line' },
  ]);
  const none = await place.here('audit', 'list', '--since', '2099-01-01');
  expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('No entry matches.')]);
});

test.each([
  [['audit', 'list', '--action', 'nope'], '--action is nope, but must be one of result_exported'],
  [['audit', 'list', '--since', 'yesterday'], '--since is yesterday, but must be a day'],
  [['audit', 'list', '--actor', ''], '--actor is empty'],
  [['audit', 'list', '--before', 'x'], '--before is x'],
  [['audit', 'export'], '--out is missing'],
  [['audit', 'verify', '--anchor', '2:abc'], '--anchor is 2:abc'],
])('%j is bad usage', async (line, said) => {
  const { code, stderr } = await place.here(...line);
  expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
});

test('the log is exported whole, and the anchor of a check fits later', async () => {
  const { json: state } = await place.here('audit', 'verify', '--json');
  const { head, entries } = state as { head: string; entries: number };
  const { last } = await place.here('audit', 'export', '--out', join(place.dir, 'log.csv'));
  expect(last).toBe(`${entries} rows: ${join(place.dir, 'log.csv')}`);
  const lines = readFileSync(join(place.dir, 'log.csv'), 'utf8').trim().split('\r\n');
  expect(lines.at(-1)).toMatch(new RegExp(`${head.split(':')[1]}$`));
  expect(readdirSync(place.dir).filter((name) => name.endsWith('.partial'))).toEqual([]);
  const later = await place.here('audit', 'verify', '--anchor', head);
  expect([later.code, later.last]).toEqual([0, `Entries: ${entries + 1}. The chain is intact.`]);
  const other = head.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const { code, stdout } = await place.here('audit', 'verify', '--anchor', other);
  expect([code, stdout]).toEqual([1, expect.stringContaining('not that of the anchor')]);
});

test('a restore continues the log; doctor names the first entry that does not fit', async () => {
  const archive = join(place.dir, 'backup.tar.gz');
  await place.here('backup', archive);
  await place.here('keys', 'create', '--label', 'later');
  const { json: before } = await place.here('audit', 'verify', '--json');
  await engine.stop();
  const restored = await place.here('restore', archive, '--yes', '--json');
  expect(restored.json).toMatchObject({ audit_entries_kept: 2, audit_entries_lost: 0 });
  expect(existsSync(String(restored.json.kept_as))).toBe(true);
  const store = new Database(join(place.dataDir, 'engine.db'));
  const read = store.prepare('SELECT action, details FROM audit_entry ORDER BY id DESC LIMIT 3');
  expect(read.all()).toMatchObject([
    { action: 'backup_restored', details: expect.stringContaining('"later_entries_kept":2') },
    { action: 'key_created', details: expect.stringContaining('later') },
    { action: 'backup_made' },
  ]);
  store.exec('DROP TRIGGER audit_entry_never_changes');
  store.exec("UPDATE audit_entry SET actor = 'x' WHERE id = 3");
  store.close();
  engine = await startEngineHere(place.dataDir);
  const { head } = before as { head: string };
  const doctor = await place.here('doctor');
  expect(doctor.stdout).toMatch(/^wrong +Audit log +Entry 3 does not match: it was changed/m);
  expect(doctor.code).toBe(1);
  const verified = await place.here('audit', 'verify', '--anchor', head, '--json');
  expect([verified.code, verified.json]).toMatchObject([1, { entries: 2, fault: { entry: 3 } }]);
});
