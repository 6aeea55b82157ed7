// A data service's key in a real Secret Service: in nothing else, locked, removed, restored.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderTest, UserProviders } from '../../engine/contract/providers.ts';
import { makePlace, type Place, runHere } from '../cli/run-desk.ts';
import { startEngineProcess } from '../engine-process.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { exampleFinder } from '../providers/fakes/example-finder.ts';
import { json } from '../providers/fakes/fake-api.ts';
import { fakeKey, openFake } from '../providers/fakes/open-fake.ts';
import { type GnomeKeyring, startGnomeKeyring } from './gnome-keyring.ts';

/** The example of the documentation, whose fake quotes the key in its refusals. */
async function openService() {
  const service = await openFake({
    ...exampleFinder,
    refusals: {
      ...exampleFinder.refusals,
      quota: ({ headers }) => json(402, { message: `No credits for ${headers['x-api-key']}` }),
    },
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const page = readFileSync(join(import.meta.dirname, '../../docs/providers.md'), 'utf8');
  const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  const file = { ...example, dev: true, hosts: [service.host] };
  const definition = JSON.stringify(file).replaceAll(
    'https://api.finder.example',
    `http://${service.host}`,
  );
  return { service, definition };
}

function openPlace(): Place {
  const place = makePlace();
  onTestFinished(place.remove);
  return place;
}

/** An engine with a keychain, and everything that it writes to standard error. */
async function startEngine(place: Place, keychain: GnomeKeyring) {
  const env = { ...keychain.env, DESK_LOG_LEVEL: 'trace' };
  const engine = await startEngineProcess(place.dataDir, [], { env, stderr: 'pipe' });
  const logged = text(engine.child.stderr!);
  onTestFinished(() => void engine.stop());
  const readAll = () => engine.ask('GET', '/app/v1/providers') as Promise<UserProviders>;
  return {
    engine,
    logged,
    readAll,
    readPlace: async () =>
      (await readAll()).providers.find(({ id }) => id === 'example-finder')?.key_place,
    test: () =>
      engine.ask('POST', '/app/v1/providers/example-finder/test') as Promise<ProviderTest>,
  };
}

const addKey = (place: Place) =>
  runHere(place, ['providers', 'add', 'example-finder'], { answer: () => false, secret: fakeKey });

function listFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

async function setUp() {
  const keychainFolder = makeTemporaryFolder();
  const keychain = await startGnomeKeyring(keychainFolder);
  if (!keychain) return null;
  const place = openPlace();
  const { service, definition } = await openService();
  const first = await startEngine(place, keychain);
  await first.engine.ask('POST', '/app/v1/provider-definitions', { text: definition });
  const added = await addKey(place);
  return { place, keychain, keychainFolder, service, definition, first, added };
}

// The short form, without an engine, is in keychain.test.ts.
const long = { tags: ['full'] };

test('a key in the keychain is in no file, backup, log, answer or error', long, async () => {
  const desk = await setUp();
  if (!desk) return;
  const { place, service, first, added } = desk;
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('key in the keychain')]);
  expect(await first.readPlace()).toBe('keychain');
  expect((await first.test()).checks.map(({ is_ok }) => is_ok)).toEqual([true, true]);
  service.fail('quota');
  const backup = join(place.dir, 'copy.tar.gz');
  const rows = place.write(
    'rows.csv',
    'First Name,Last Name,Company Domain\nGrace,Hopper,navy.example\n',
  );
  await place.here('providers', 'set', 'example-finder', '--on');
  const job = await place.here('enrich', rows, '--layers', 'L1', '--out', 'out.csv', '--yes');
  await place.here('backup', backup);
  const all = await first.readAll();
  const said: [where: string, what: string | Buffer][] = [
    ...listFiles(place.dataDir).map((path): [string, Buffer] => [path, readFileSync(path)]),
    ['the backup', gunzipSync(readFileSync(backup))],
    ['GET /app/v1/providers', JSON.stringify(all)],
    ['the log of requests', JSON.stringify(await first.engine.ask('GET', '/app/v1/provider-log'))],
    ['the test', JSON.stringify(await first.test())],
    ['the job', job.stdout + job.stderr],
    ['desk providers status', (await place.here('providers', 'status')).stdout],
    ['desk doctor', (await place.here('doctor')).stdout],
  ];
  expect(all.providers.find(({ id }) => id === 'example-finder')?.notes[0]).toMatchObject({
    failure: 'quota',
    detail: expect.stringContaining('No credits for …'),
  });
  await first.engine.stop();
  said.push(['standard error', await first.logged]);
  const leaks = said.filter(([, what]) => what.includes(fakeKey)).map(([where]) => where);
  expect(leaks).toEqual([]);
  expect(said.map(([where]) => where)).toEqual(
    expect.arrayContaining([
      join(place.dataDir, 'engine.db'),
      join(place.dataDir, 'engine.db-wal'),
    ]),
  );
});

test(
  'a locked keychain stops neither the engine nor a job, and a removal waits for it',
  long,
  async () => {
    const desk = await setUp();
    if (!desk) return;
    const { place, keychain, keychainFolder, service, first } = desk;
    const rows = place.write(
      'rows.csv',
      'First Name,Last Name,Company Domain\nGrace,Hopper,navy.example\n',
    );
    await place.here('providers', 'set', 'example-finder', '--on');
    await first.engine.stop();
    await keychain.lock();
    const second = await startEngine(place, keychain);
    expect(await second.readPlace()).toBe('unavailable');
    const job = await place.here('enrich', rows, '--layers', 'L1', '--out', 'out.csv', '--yes');
    expect(job).toMatchObject({ code: 0, stderr: expect.stringContaining('Unlock it') });
    expect((await place.here('providers', 'status')).stdout).toContain('Unlock it');
    expect(service.arrivals).toEqual([]);
    const before = await keychain.countEntries();
    const removed = await place.here('providers', 'remove', 'example-finder');
    expect(removed.stdout).toContain('1 removed key will be deleted from it');
    expect(await keychain.countEntries()).toBe(before);
    await second.engine.stop();
    await keychain.stop();
    const unlocked = await startGnomeKeyring(keychainFolder);
    if (!unlocked) return;
    const third = await startEngine(place, unlocked);
    expect((await third.readAll()).keys_to_delete).toBe(0);
    expect(await unlocked.countEntries()).toBe(before - 1);
  },
);

test('a backup that is restored on another machine asks for the keys again', long, async () => {
  const desk = await setUp();
  if (!desk) return;
  const { place, first, definition } = desk;
  const backup = join(place.dir, 'copy.tar.gz');
  await place.here('backup', backup);
  await first.engine.stop();
  const other = openPlace();
  const restored = await other.here('restore', backup, '--yes');
  expect(restored).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('desk providers add: example-finder.'),
  });
  const otherKeychain = await startGnomeKeyring();
  if (!otherKeychain) return;
  const second = await startEngine(other, otherKeychain);
  await second.engine.ask('POST', '/app/v1/provider-definitions', { text: definition });
  expect(await second.readPlace()).toBe('missing');
  const { checks } = await second.test();
  expect(checks).toMatchObject([
    { is_ok: false, detail: expect.stringMatching(/Enter the key again/) },
  ]);
  await addKey(other);
  expect((await second.test()).checks).toHaveLength(2);
});
