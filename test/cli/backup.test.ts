// Backup and restore: a round trip restores everything, and an incomplete backup changes nothing.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, Server } from 'node:net';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { type Header, pack as packTar } from 'tar-stream';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { packArchive, unpackArchive } from '../../engine/maintenance/archive.ts';
import { restoreBackup } from '../../engine/maintenance/restore.ts';
import { startEngineHere } from '../engine-here.ts';
import { startEngineProcess } from '../engine-process.ts';
import { companies, contacts, people } from './lists.ts';
import { makePlace, type Person, type Place, runHere } from './run-desk.ts';

const place = makePlace();
// A backup keeps a definition as it is, also one with faults.
const ownDefinition = '{"id": "mine"}';
let jobId = '';
/** The files of the backup. */
let backedUp: Files;
/** Runs commands against one engine, which is faster than an engine per command. */
async function withEngine(work: () => Promise<void>): Promise<void> {
  const engine = await startEngineHere(place.dataDir);
  await work();
  expect(await engine.stop()).toBe(0);
}
beforeAll(async () => {
  place.write('people.csv', people);
  place.write('companies.csv', companies);
  place.write('contacts.csv', contacts);
  await withEngine(async () => {
    await place.here('directory', 'import', 'people.csv', '--companies', 'companies.csv');
    const args = ['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'out.csv', '--yes'];
    const { json } = await place.here(...args, '--json');
    jobId = String(json.job_id);
    const input = join(place.dataDir, 'jobs', jobId);
    cpSync(input, join(place.dir, 'rows'), { recursive: true });
    cpSync(join(place.dir, 'rows'), join(input, 'left-out'), { recursive: true });
    writeFileSync(join(place.dataDir, 'engine.key'), 'secret');
    mkdirSync(join(place.dataDir, 'providers'));
    writeFileSync(join(place.dataDir, 'providers/mine.json'), ownDefinition);
    writeFileSync(join(place.dataDir, 'providers/Notes on mine.txt'), 'not a definition');
    expect((await place.here('backup', 'copy.tar.gz')).code).toBe(0);
  });
  backedUp = await unpack(archivePath());
});
afterAll(() => place.remove());

const archivePath = () => join(place.dir, 'copy.tar.gz');
type Files = [name: string, bytes: Buffer][];

async function unpack(path: string): Promise<Files> {
  const files: Files = [];
  for await (const entry of unpackArchive(Readable.from([gunzipSync(readFileSync(path))]))) {
    const pieces: Buffer[] = [];
    for await (const piece of entry.content) pieces.push(Buffer.from(piece));
    files.push([entry.name, Buffer.concat(pieces)]);
  }
  return files;
}
const gzipFast = (bytes: Buffer) => gzipSync(bytes, { level: 1 });
async function repack(files: Files, path: string): Promise<void> {
  const pieces: Uint8Array[] = [];
  const entries = files.map(([name, bytes]) => ({
    name,
    sizeBytes: bytes.length,
    content: Readable.from([bytes]),
  }));
  for await (const piece of packArchive(entries)) pieces.push(Buffer.from(piece));
  writeFileSync(path, gzipFast(Buffer.concat(pieces)));
}
/** Restores in this process and returns the refusal. */
const restore = (path: string): Promise<string> =>
  restoreBackup({ archivePath: path, dataDir: place.dataDir, environment: 'live' }).then(
    () => 'not refused',
    (error: Error) => error.message,
  );
const editManifest = (files: Files, edit: (manifest: Record<string, unknown>) => void): Files =>
  files.map(([name, bytes]) => {
    if (name !== 'manifest.json') return [name, bytes];
    const manifest = JSON.parse(bytes.toString());
    edit(manifest);
    return [name, Buffer.from(JSON.stringify(manifest))];
  });

/** Replaces content of an archive together with its manifest. */
const replaceFile = (files: Files, replaced: string, change: (bytes: Buffer) => Buffer): Files => {
  const changed: Files = files.map(([name, bytes]) => [
    name,
    name === replaced ? change(Buffer.from(bytes)) : bytes,
  ]);
  return editManifest(changed, (manifest) => {
    for (const file of manifest.files as { name: string; bytes: number; sha256: string }[]) {
      const bytes = changed.find(([name]) => name === file.name)?.[1] ?? Buffer.alloc(0);
      file.bytes = bytes.length;
      file.sha256 = createHash('sha256').update(bytes).digest('hex');
    }
  });
};
/** A database after some statements, with a header that says it needs no log. */
const runOn =
  (...statements: string[]) =>
  (bytes: Buffer): Buffer => {
    const path = join(place.dir, 'changed.db');
    writeFileSync(path, bytes);
    const database = new Database(path);
    for (const sql of statements) database.exec(sql);
    database.pragma('journal_mode = DELETE');
    database.close();
    return readFileSync(path);
  };
/** Changes the first byte of the last pages, which is the page type. */
const turnPages = (bytes: Buffer): Buffer => {
  for (let page = 1; page < bytes.length / 8_192; page++) bytes[page * 8_192]! ^= 0xff;
  return bytes;
};

test('a backup holds databases, job inputs and own definitions, with hashes, and no key', async () => {
  expect(backedUp.map(([name]) => name)).toEqual([
    'manifest.json',
    'engine.db',
    'directory.db',
    `jobs/${jobId}/input.csv`,
    `jobs/${jobId}/input.idx`,
    `jobs/${jobId}/left-out/input.csv`,
    `jobs/${jobId}/left-out/input.idx`,
    'providers/mine.json',
  ]);
  const manifest = JSON.parse(String(backedUp[0]?.[1]));
  for (const [at, file] of manifest.files.entries()) {
    const bytes = backedUp[at + 1]?.[1] ?? Buffer.alloc(0);
    expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
  expect(readdirSync(place.dataDir)).not.toContain('backup-copies');
});

const plantings: readonly [what: string, file: string, statements: string[], sentence: string][] = [
  [
    'a planted trigger',
    'engine.db',
    [
      `CREATE TRIGGER evil AFTER INSERT ON api_key BEGIN
         UPDATE account SET name = (SELECT hash FROM api_key); END`,
    ],
    'trigger evil is not of this product',
  ],
  [
    'a view in the place of a table',
    'directory.db',
    [
      'ALTER TABLE person RENAME TO real_person',
      `CREATE VIEW person AS WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x FROM n)
         SELECT * FROM n`,
    ],
    'table ',
  ],
  ['a missing table', 'engine.db', ['DROP TABLE backup_file'], 'table backup_file is missing'],
  [
    'a missing protection',
    'engine.db',
    ['DROP TRIGGER audit_entry_never_goes'],
    'trigger audit_entry_never_goes is missing',
  ],
  [
    'a generated column',
    'engine.db',
    ['ALTER TABLE backup_file ADD COLUMN more TEXT AS (hex(path)) VIRTUAL'],
    'table backup_file is not as this product creates it',
  ],
];

test.each<[string, (files: Files) => Files, string]>([
  [
    'a changed byte',
    (files) => files.map(([n, b]) => [n, n.endsWith('.csv') ? Buffer.from(b).fill('x', 0, 1) : b]),
    'input.csv is damaged',
  ],
  ['a lost file', (files) => files.filter(([name]) => !name.endsWith('.idx')), 'is missing'],
  ['a file twice', (files) => [...files, ...files.slice(-1)], 'occurs twice'],
  [
    'a newer form',
    (files) => editManifest(files, (m) => Object.assign(m, { format: 99 })),
    'newer version',
  ],
  [
    'a newer schema',
    (files) => editManifest(files, (m) => Object.assign(m, { store_schema: 999 })),
    'newer version',
  ],
  ...[
    '../x',
    'providers/../engine.key',
    'providers/aux.json',
    'providers/com1.json',
    'providers/Mine.json',
    'providers/mine.json:x',
    'providers/mine.json.',
    'providers\\\\mine.json',
    'Engine.db',
    'engine.key',
    'jobs/00000000-0000-4000-8000-00000000000A/input.csv',
  ].map((name): [string, (files: Files) => Files, string] => [
    `the file ${name}`,
    (files) =>
      editManifest(files, (m) =>
        Object.assign(m, {
          files: [...(m.files as object[]), { name, bytes: 0, sha256: '0'.repeat(64) }],
        }),
      ),
    'not a backup',
  ]),
  ['no manifest', (files) => files.slice(1), 'not a backup'],
  ...['engine.db', 'directory.db'].flatMap((name): [string, (files: Files) => Files, string][] => [
    [
      `a ${name} of garbage`,
      (files) => replaceFile(files, name, (bytes) => bytes.fill('garbage ')),
      `${name} is damaged in this backup`,
    ],
    [
      `half of ${name}`,
      (files) => replaceFile(files, name, (bytes) => bytes.subarray(0, bytes.length / 2)),
      `${name} is damaged in this backup`,
    ],
    [
      `turned pages in ${name}`,
      (files) => replaceFile(files, name, turnPages),
      `${name} is damaged in this backup`,
    ],
    [
      `an empty ${name}`,
      (files) => replaceFile(files, name, () => Buffer.alloc(0)),
      'in the manifest',
    ],
    [
      `a ${name} of another schema than it says`,
      (files) => replaceFile(files, name, runOn('PRAGMA user_version = 0')),
      'its schema is 0 instead of the',
    ],
  ]),
  [
    'a ledger that does not add up',
    (files) =>
      replaceFile(
        files,
        'engine.db',
        runOn(
          'DROP TRIGGER ledger_entry_never_changes',
          'UPDATE ledger_entry SET amount_units = amount_units + 1 WHERE id = 2',
        ),
      ),
    'engine.db is damaged in this backup (',
  ],
  ...plantings.map(
    ([what, file, statements, sentence]): [string, (files: Files) => Files, string] => [
      what,
      (files) => replaceFile(files, file, runOn(...statements)),
      `${file} is damaged in this backup (${sentence}`,
    ],
  ),
])('a backup with %s is refused and the folder stays unchanged', async (_what, harm, sentence) => {
  const before = readdirSync(place.dataDir).sort();
  const path = join(place.dir, 'harmed.tar.gz');
  await repack(harm(backedUp), path);
  const refusal = await restore(path);
  expect(refusal).toContain(sentence);
  expect(refusal).toContain('The data folder was not changed');
  expect(readdirSync(place.dataDir).sort()).toEqual(before);
  expect(readdirSync(place.dir).filter((name) => name.startsWith('data'))).toEqual(['data']);
});

test.each<[string, Pick<Header, 'name'> & Partial<Header>, string]>([
  ['a path that climbs', { name: '../x' }, '../x is not in the manifest'],
  ['a path deep within', { name: 'jobs/../../x' }, 'jobs/../../x is not in the manifest'],
  ['a long path that climbs', { name: `${'a/'.repeat(200)}../x` }, '../x is not in the manifest'],
  ['an absolute path', { name: '/tmp/x' }, '/tmp/x is not in the manifest'],
  [
    'a link',
    { name: 'engine.db', type: 'symlink', linkname: '/tmp/x' },
    'engine.db is not a plain file',
  ],
  [
    'a hard link',
    { name: 'engine.db', type: 'link', linkname: '/tmp/x' },
    'engine.db is not a plain file',
  ],
  ['an extended size', { name: 'engine.db', pax: { size: '1' } }, 'engine.db is damaged'],
])('an archive with %s is refused and leaves nothing behind', async (_what, header, sentence) => {
  const tar = packTar();
  tar.entry({ name: 'manifest.json' }, backedUp[0]![1]);
  tar.entry(header, header.type ? '' : 'content');
  tar.finalize();
  const path = join(place.dir, 'hostile.tar.gz');
  writeFileSync(path, gzipFast(await buffer(tar as AsyncIterable<Uint8Array>)));
  const before = readdirSync(place.dir).sort();
  expect(await restore(path)).toContain(sentence);
  expect(readdirSync(place.dir).sort()).toEqual(before);
});

test.each([
  ['zeros after its end', {}, 4_096_000],
  ['a header of megabytes', { pax: { comment: 'x'.repeat(2_000_000) } }, 0],
])('an archive with %s unpacks no further than its files', async (_what, header, zeros) => {
  const tar = packTar();
  for (const [name, bytes] of backedUp) tar.entry({ name, ...header }, bytes);
  tar.finalize();
  const path = join(place.dir, 'hostile.tar.gz');
  const content = await buffer(tar as AsyncIterable<Uint8Array>);
  writeFileSync(path, gzipFast(Buffer.concat([content, Buffer.alloc(zeros)])));
  const before = readdirSync(place.dir).sort();
  expect(await restore(path)).toContain(
    'This file is not a complete archive (it unpacks to more than its files). Nothing was changed.',
  );
  expect(readdirSync(place.dir).sort()).toEqual(before);
});

test.each([
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['something else', () => Buffer.from('not an archive')],
])('a file that is %s is refused', async (_what, harm) => {
  const path = join(place.dir, 'broken.tar.gz');
  writeFileSync(path, harm(readFileSync(archivePath())));
  expect(await restore(path)).toContain('damaged or not a backup');
});

/** Asks only about a backup that can be restored, and changes nothing without a yes. */
async function expectNoRestore(at: Place, broken: string, ...options: string[]): Promise<void> {
  const asked: string[] = [];
  const person: Person = { answer: (question) => asked.push(question) < 0 };
  const refused = await runHere(at, ['restore', broken, ...options], person);
  expect([refused.code, refused.stderr, asked]).toEqual([
    1,
    expect.stringContaining('not a backup'),
    [],
  ]);
  const declined = await runHere(at, ['restore', archivePath(), ...options], person);
  expect([declined.code, asked]).toEqual([1, ['Restore?']]);
  expect(declined.stderr).toContain('Nothing was changed.');
  const mute = await at.here('restore', archivePath(), ...options);
  expect([mute.code, mute.stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
}

test('a restore asks when the backup is checked', async () => {
  const broken = join(place.dir, 'broken.tar.gz');
  writeFileSync(broken, 'not an archive');
  const before = readdirSync(place.dir).sort();
  await expectNoRestore(place, broken);
  expect(readdirSync(place.dir).sort()).toEqual(before);
});

test('no folder is restored under a running engine', async () => {
  await withEngine(async () => {
    const { code, json } = await place.here('restore', archivePath(), '--yes', '--json');
    expect(json.detail).toContain('Another engine is using');
    expect([code, json.error]).toEqual([1, 'folder_locked']);
    // Content that the restore below removes.
    await place.here('wallet', 'grant', '5');
    await place.here('directory', 'undo', '1');
    // An entry that it keeps.
    await place.here('suppress', 'add', 'kept@later.example');
  });
});

/** Another program takes the port when the engine is about to listen there, for two tries. */
function takePortFirst(port: number): void {
  const other = createServer();
  const { listen } = Server.prototype;
  let tries = 0;
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (
    this: Server,
    ...args: unknown[]
  ) {
    const [options] = args as [{ port?: number; host?: string }];
    if (options.port === port && options.host === '127.0.0.1') {
      tries += 1;
      if (tries === 1) listen.call(other, options);
      if (tries === 2) other.close();
    }
    return Reflect.apply(listen, this, args);
  });
  onTestFinished(() => void vi.restoreAllMocks());
}

test('a running engine restores when it is told to, and goes on at its port with what was restored', async () => {
  const other = makePlace();
  onTestFinished(() => other.remove());
  await other.here('restore', archivePath(), '--yes');
  const engine = await startEngineHere(other.dataDir);
  try {
    await other.here('wallet', 'grant', '5');
    const restoreHere = (path: string) =>
      other.here('restore', path, '--yes', '--while-running', '--json');
    const broken = join(place.dir, 'broken.tar.gz');
    writeFileSync(broken, 'not an archive');
    expect(await restoreHere(broken)).toMatchObject({
      code: 1,
      json: { error: 'validation_error', detail: expect.stringContaining('not a backup') },
    });
    await expectNoRestore(other, broken, '--while-running');
    const before = await other.here('wallet', 'balance', '--json');
    expect(before.json).toMatchObject({ available: '100003.0000' });
    takePortFirst(Number(new URL(engine.url).port));
    const { code, json } = await restoreHere(archivePath());
    expect([code, json.kept_as]).toEqual([0, expect.stringContaining('before-restore')]);
    expect(await engine.ask('GET', '/app/v1/state')).toMatchObject({
      url: engine.url,
      wallet: { available: '99998.0000' },
    });
    await other.here('enrich', '--resume', jobId, '--out', 'again.csv');
    expect(readFileSync(join(other.dir, 'again.csv'))).toEqual(
      readFileSync(join(place.dir, 'out.csv')),
    );
    expect((await other.here('doctor')).code).toBe(0);
  } finally {
    expect(await engine.stop()).toBe(0);
  }
});

test('a restore says that the engine has ended, and where to look', {
  tags: ['posix'],
}, async () => {
  const other = makePlace();
  onTestFinished(() => other.remove());
  const engine = await startEngineProcess(other.dataDir);
  onTestFinished(engine.kill);
  // Nobody writes to it, so the restore does not end.
  const pipe = join(other.dir, 'pipe.tar.gz');
  execFileSync('mkfifo', [pipe]);
  const restoring = other.start('restore', pipe, '--yes', '--while-running', '--json');
  onTestFinished(restoring.interrupt);
  await restoring.said('The engine stops after its batch');
  await engine.kill();
  const { code, json } = await restoring.done;
  expect([code, json.error]).toEqual([1, 'engine_stopped']);
  expect(json.detail).toContain('Run desk doctor');
});

test('a restore brings everything back and keeps the former content', async () => {
  const { code, json } = await place.here('restore', archivePath(), '--yes', '--json');
  expect(code).toBe(0);
  expect(json.suppressions_kept).toBe(1);
  expect(existsSync(String(json.kept_as))).toBe(true);
  const readRestored = (name: string) => readFileSync(join(place.dataDir, name), 'utf8');
  expect(readRestored('engine.key')).toBe('secret');
  expect(readRestored('providers/mine.json')).toBe(ownDefinition);
  await withEngine(async () => {
    const wallet = await place.here('wallet', 'balance', '--json');
    expect(wallet.json).toEqual({ available: '99998.0000', held: '0.0000', spent: '2.0000' });
    const stats = await place.here('directory', 'stats', '--json');
    expect(stats.json).toMatchObject({ people: 3 });
    const suppressed = await place.here('suppress', 'check', 'kept@later.example', '--json');
    expect(suppressed.json).toMatchObject([{ suppressed: true }]);
    await place.here('enrich', '--resume', jobId, '--out', 'restored.csv');
    const read = (name: string) => readFileSync(join(place.dir, name), 'utf8');
    expect(read('restored.csv')).toBe(read('out.csv'));
    const { json: checks } = await place.here('doctor', '--json');
    expect(checks).not.toContainEqual(expect.objectContaining({ state: 'wrong' }));
  });
});

test('a backup can be restored into a folder that does not exist', async () => {
  const other = makePlace();
  const { code, json } = await other.here('restore', archivePath(), '--yes', '--json');
  expect(json).toMatchObject({ kept_as: null, data_dir: other.dataDir });
  expect(code).toBe(0);
  const wallet = await other.here('wallet', 'balance', '--json');
  expect(wallet.json).toMatchObject({ spent: '2.0000' });
  other.remove();
});

test('several restores within a second keep the former content of each', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T10:00:00.000Z') });
  onTestFinished(() => void vi.useRealTimers());
  const other = makePlace();
  onTestFinished(() => other.remove());
  const command = { archivePath: archivePath(), environment: 'live' } as const;
  const names: (string | null)[] = [];
  for (let restores = 0; restores < 4; restores += 1) {
    const { kept_as: aside } = await restoreBackup({ ...command, dataDir: other.dataDir });
    names.push(aside === null ? null : basename(aside));
  }
  const first = 'data.before-restore-20261123T100000Z';
  expect(names).toEqual([null, first, `${first}-2`, `${first}-3`]);
  expect(readdirSync(other.dir).filter((name) => name.startsWith(first))).toHaveLength(3);
});
