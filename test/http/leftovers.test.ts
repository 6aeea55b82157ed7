// A start removes the leftovers of a kill; files of a running engine stay.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEngine } from '../../engine/app/main.ts';
import { people } from '../cli/lists.ts';
import { csv, send, sessionToken } from './open-api-desk.ts';

const headers = { 'x-desk-session': sessionToken };

function makeFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'desk-left-'));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  return join(parent, 'data');
}

const start = (dataDir: string, openStaging = false) =>
  startEngine({ dataDir, port: 0, socket: true, uiDir: null, sessionToken, openStaging });

const leftovers = [
  'import-x/rows.csv',
  'match-Ab3xYz/input.csv',
  'sample-Ab3xYz/people.csv',
  'sandbox-Ab3xYz/people.csv',
  'backup-copies/engine.db',
  'directory.index.new',
  'rows.tmp',
  'uploads/0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f.spool',
  'uploads/0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f/input.csv.partial',
];

function leave(folder: string): void {
  for (const path of leftovers) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), 'rows of a caller');
  }
  mkdirSync(`${folder}.restoring`);
}

const listLeft = (folder: string): string[] =>
  [...leftovers, '../data.restoring', '../staging.restoring'].filter((path) =>
    existsSync(join(folder, path)),
  );

test('a start removes them, in staging too, and keeps an upload that waits', {
  tags: ['posix'],
}, async () => {
  const dataDir = makeFolder();
  const first = await start(dataDir, true);
  const form = { file: csv('Email', 'a@x.example') };
  const upload = await send(`${first.url}/app/v1/uploads`, 'POST', { form, headers });
  await first.close();
  const staging = join(dataDir, 'staging');
  leave(dataDir);
  leave(staging);
  writeFileSync(join(dataDir, 'notes.txt'), 'a file of somebody else');
  const second = await start(dataDir);
  onTestFinished(() => second.close());
  expect([listLeft(dataDir), listLeft(staging)]).toEqual([[], []]);
  expect(existsSync(join(dataDir, 'notes.txt'))).toBe(true);
  expect(readdirSync(join(dataDir, 'uploads'))).toEqual([upload.data.upload_id]);
});

test('those of a running engine stay: without the lock nothing is removed', async () => {
  const dataDir = makeFolder();
  const engine = await start(dataDir);
  onTestFinished(() => engine.close());
  leave(dataDir);
  const before = listLeft(dataDir);
  await expect(start(dataDir)).rejects.toMatchObject({ code: 'folder_locked' });
  expect(listLeft(dataDir)).toEqual(before);
});

test('nothing is removed from a folder without its database: a copy may be all there is', async () => {
  const dataDir = makeFolder();
  await (await start(dataDir)).close();
  leave(dataDir);
  const before = listLeft(dataDir);
  rmSync(join(dataDir, 'engine.db'));
  await expect(start(dataDir)).rejects.toThrow(/engine\.db in .* is missing/);
  expect(listLeft(dataDir)).toEqual(before);
});

/** Every path in a folder with its mode. */
function listModes(folder: string, prefix = ''): [path: string, mode: string][] {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = join(prefix, entry.name);
    const mode = (statSync(join(folder, path)).mode & 0o777).toString(8);
    return [[path, mode], ...(entry.isDirectory() ? listModes(folder, path) : [])];
  });
}

test('everything that an engine writes is private to its user, in any folder, whatever the umask', {
  tags: ['posix'],
}, async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const dataDir = makeFolder();
  mkdirSync(dataDir, { mode: 0o755 });
  const engine = await start(dataDir, true);
  const app = (method: string, path: string, json?: unknown) =>
    send(`${engine.url}/app/v1/${path}`, method, { headers, json });
  const path = join(dataDir, '..', 'people.csv');
  writeFileSync(path, people);
  const imported = await app('POST', 'directory/imports?wait=1', { people_path: path });
  expect(imported.status).toBe(200);
  const form = { file: csv('Email', 'a@x.example') };
  const { data } = await send(`${engine.url}/app/v1/uploads`, 'POST', { form, headers });
  const job = { upload_id: data.upload_id, selected_layers: ['L1'] };
  expect((await app('POST', 'jobs', job)).status).toBe(202);
  await expect.poll(async () => (await app('GET', 'state')).data.running_jobs).toBe(0);
  const backup = join(dataDir, '..', 'backup.tar.gz');
  expect((await app('POST', 'backup', { path: backup })).status).toBe(200);
  expect((await app('GET', 'doctor')).status).toBe(200);
  const modes = listModes(dataDir);
  const names = modes.map(([path]) => path);
  expect(names).toEqual(
    expect.arrayContaining([
      'engine.db',
      'engine.db-wal',
      'engine.db-shm',
      'directory.db',
      'directory.index',
      'directory.search',
      'engine.lock',
      'engine.sock',
      'engine.key',
      'staging/engine.db',
      `uploads/${data.upload_id}/upload.json`,
    ]),
  );
  expect(names.filter((path) => /^jobs\/.*input\.(csv|idx)$/.test(path))).toHaveLength(2);
  expect(modes.filter(([, mode]) => mode !== '600' && mode !== '700')).toEqual([]);
  expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700');
  expect((statSync(backup).mode & 0o777).toString(8)).toBe('600');
  await engine.close();
});
