// Each repair of `doctor --repair` on a folder that is damaged first, and its limits.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ensureFirstAccount } from '../../engine/accounts/accounts.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { planRepairs, repairFolder } from '../../engine/maintenance/repair/repair-folder.ts';
import { automaticBackupsFolder } from '../../engine/platform/data-files.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { findNextDelivery } from '../../engine/webhooks/delivery.table.ts';
import { runHere } from '../cli/run-desk.ts';

const root = mkdtempSync(join(tmpdir(), 'desk-repairs-'));
const whole = join(root, 'whole');
beforeAll(() => {
  mkdirSync(join(whole, 'jobs'), { recursive: true, mode: 0o700 });
  openDirectory(whole).close();
  const store = openStore(whole);
  ensureFirstAccount(store, new Date('2026-11-23T10:00:00.000Z'), 'live');
  store.close();
});
afterAll(() => rmSync(root, { recursive: true }));

function copyWhole(): string {
  const dir = mkdtempSync(join(root, 'place-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const folder = join(dir, 'data');
  cpSync(whole, folder, { recursive: true });
  return folder;
}

/** Adds a row that an index of its table does not have. */
function skipIndex(folder: string, file: string, index: string, insert: string): void {
  const run = (work: (database: Database.Database) => void) => {
    const database = new Database(join(folder, file));
    database.unsafeMode();
    database.pragma('writable_schema = ON');
    work(database);
    database.close();
  };
  const find = 'SELECT sql FROM sqlite_schema WHERE name = ?';
  const change = 'UPDATE sqlite_schema SET sql = ? WHERE name = ?';
  let sql = '';
  run((database) => {
    sql = database.prepare(find).pluck().get(index) as string;
    database.prepare(change).run(`${sql} WHERE 0`, index);
  });
  run((database) => database.exec(insert));
  run((database) => database.prepare(change).run(sql, index));
}

/** Adds a retry of a webhook that is due at a time. */
function addRetry(folder: string, dueAt: string): void {
  const store = openStore(folder);
  const at = '2026-11-20T10:00:00.000Z';
  store.exec(`
    INSERT OR IGNORE INTO webhook (id, account_id, url, events, secret, created_at)
      VALUES ('hook', (SELECT id FROM account), 'https://hook.example', '[]', x'00', '${at}');
    INSERT OR IGNORE INTO webhook_event VALUES ('event', 'webhook.test', '{}', '${at}');
    INSERT INTO webhook_delivery (webhook_id, event_id, attempts, due_at, created_at)
      VALUES ('hook', 'event', 2, '${dueAt}', '${at}')`);
  store.close();
}

const readMoney = (folder: string) => {
  const database = new Database(join(folder, 'engine.db'), { readonly: true });
  const rows = ['ledger_entry', 'audit_entry'].map((table) =>
    database.prepare(`SELECT * FROM ${table}`).all(),
  );
  database.close();
  return rows;
};

const damages: Readonly<Record<string, (folder: string) => void>> = {
  'engine.db': (folder) =>
    skipIndex(
      folder,
      'engine.db',
      'merged_person_survivor',
      "INSERT INTO merged_person (uuid, survivor_uuid) VALUES ('a', 'b')",
    ),
  'directory.db': (folder) =>
    skipIndex(
      folder,
      'directory.db',
      'source_import_content',
      `INSERT INTO source_import (source, trust, observed_on, status, started_at)
       VALUES ('a', 1, '2026-11-01', 'failed', '2026-11-01')`,
    ),
  'Index files': (folder) => {
    for (const name of ['directory.index', 'directory.search'])
      writeFileSync(join(folder, name), 'damaged');
  },
  Inputs: (folder) => {
    mkdirSync(join(folder, 'jobs/00000000-0000-4000-8000-000000000000'));
    writeFileSync(join(folder, 'jobs/00000000-0000-4000-8000-000000000000/input.csv'), 'a');
  },
  Deliveries: (folder) => addRetry(folder, '9999-12-31T00:00:00.000Z'),
  Uploads: (folder) => mkdirSync(join(folder, 'uploads/spool-1'), { recursive: true }),
  Leftovers: (folder) => mkdirSync(join(folder, 'import-1')),
};

test('a whole folder needs no repair and gets no backup', async () => {
  const folder = copyWhole();
  expect(planRepairs('live', folder)).toEqual([]);
  const report = await repairFolder('live', folder, []);
  expect(report).toEqual({ backup: null, repaired: [], left: [] });
  expect(existsSync(join(folder, automaticBackupsFolder))).toBe(false);
});

test.each(Object.keys(damages))(
  '%s: found, repaired after a backup, and then whole; no money or log entry changes',
  async (name) => {
    const folder = copyWhole();
    damages[name]?.(folder);
    const money = readMoney(folder);
    const plan = planRepairs('live', folder);
    expect(plan).toEqual([expect.objectContaining({ repair: name, can: true })]);
    const report = await repairFolder('live', folder, plan);
    expect(report).toEqual({
      backup: expect.stringMatching(/before-repair/),
      repaired: plan,
      left: [],
    });
    expect(existsSync(String(report.backup))).toBe(true);
    expect(planRepairs('live', folder)).toEqual([]);
    expect(readMoney(folder)).toEqual(money);
    // Again: nothing is found, and nothing is backed up.
    expect((await repairFolder('live', folder, planRepairs('live', folder))).backup).toBeNull();
  },
);

test.each([
  ['later than any retry', '9999-12-31T00:00:00.000Z'],
  ['at no time', '¿026-11-20T'],
])(
  'a delivery that waits %s is due after the repair, and another keeps its time',
  async (_, dueAt) => {
    const folder = copyWhole();
    const soon = new Date(Date.now() + 60_000).toISOString();
    addRetry(folder, soon);
    addRetry(folder, dueAt);
    const next = () => {
      const store = openStore(folder);
      const found = findNextDelivery(store, 'hook', new Date().toISOString());
      store.close();
      return found;
    };
    expect(next()).toEqual({ dueAt: soon });
    await repairFolder('live', folder, planRepairs('live', folder));
    expect(next()).toMatchObject({ delivery: { attempts: 2 } });
  },
);

test('a damaged table is named with its remedy and not touched, nor are inputs deleted', async () => {
  const folder = copyWhole();
  damages.Inputs?.(folder);
  const path = join(folder, 'engine.db');
  const bytes = readFileSync(path);
  for (let page = 20; page < bytes.length / 8_192; page += 1) bytes[page * 8_192]! ^= 0xff;
  writeFileSync(path, bytes);
  const plan = planRepairs('live', folder);
  expect(plan).toEqual([
    expect.objectContaining({
      repair: 'engine.db',
      can: false,
      action: expect.stringContaining('desk restore FILE'),
    }),
  ]);
  expect(await repairFolder('live', folder, plan)).toEqual({
    backup: null,
    repaired: [],
    left: plan,
  });
  expect(readFileSync(path)).toEqual(bytes);
  expect(readdirSync(join(folder, 'jobs'))).toHaveLength(1);
});

test.each(['engine.db', 'directory.db'])(
  'a folder with a newer %s is refused, and its files stay',
  async (file) => {
    const folder = copyWhole();
    for (const name of ['Inputs', 'Uploads', 'Leftovers']) damages[name]?.(folder);
    const database = new Database(join(folder, file));
    database.pragma('user_version = 99');
    database.close();
    const list = () => readdirSync(folder, { recursive: true }).sort();
    const before = [list(), readFileSync(join(folder, file))];
    expect(() => planRepairs('live', folder)).toThrow(/written by a newer version/);
    expect([list(), readFileSync(join(folder, file))]).toEqual(before);
  },
);

test('desk doctor --repair shows its plan, asks, repairs, and finds nothing the second time', async () => {
  const dataDir = copyWhole();
  damages.Leftovers?.(dataDir);
  const place = { dir: join(dataDir, '..'), dataDir };
  const doctor = (...args: string[]) => runHere(place, ['doctor', '--repair', ...args]);
  const looked = await doctor('--dry-run');
  expect([looked.code, looked.stdout]).toEqual([
    1,
    expect.stringContaining('Nothing was changed.'),
  ]);
  expect((await doctor()).code).toBe(2);
  const person = (answer: boolean) =>
    runHere(place, ['doctor', '--repair'], { answer: () => answer });
  expect((await person(false)).code).toBe(1);
  expect(existsSync(join(dataDir, 'import-1'))).toBe(true);
  const repaired = await person(true);
  expect([repaired.code, repaired.last]).toEqual([0, '1 repair made, 0 left.']);
  expect(existsSync(join(dataDir, 'import-1'))).toBe(false);
  expect((await doctor('--yes')).last).toBe('There is nothing to repair.');
});
