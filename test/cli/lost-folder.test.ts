// Every command refuses a folder that lost a database, or that others may write to.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startEngineHere } from '../engine-here.ts';
import { mergeLogs } from '../merge-logs.ts';
import { contacts, people } from './lists.ts';
import { makePlace, type Place } from './run-desk.ts';

/** A folder with people, a finished job, a key, and staging with its own key. */
const whole = makePlace();
beforeAll(async () => {
  whole.write('people.csv', people);
  whole.write('contacts.csv', contacts);
  const engine = await startEngineHere(whole.dataDir);
  await whole.here('directory', 'import', 'people.csv');
  await whole.here('enrich', 'contacts.csv', '--layers', 'L1', '--out', 'out.csv', '--yes');
  await whole.here('keys', 'create', '--label', 'a');
  await whole.here('enrich', 'contacts.csv', '--layers', 'L1', '--out', 's', '--yes', '--staging');
  expect(await whole.here('backup', 'copy.tar.gz')).toMatchObject({ code: 0 });
  expect(await engine.stop()).toBe(0);
  mergeLogs(whole.dataDir);
});
afterAll(() => whole.remove());

function copyPlace(): Place {
  const place = makePlace();
  onTestFinished(() => place.remove());
  cpSync(whole.dataDir, place.dataDir, { recursive: true });
  chmodSync(place.dataDir, 0o700);
  return place;
}

/** Commands for each way of opening a folder. */
const commands = [
  ['wallet', 'balance'],
  ['serve', '--port', '0'],
  ['mcp'],
  ['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'o.csv', '--yes'],
];

/** Runs every command, which must refuse without a stack trace; returns their output. */
async function refuseAll(place: Place, more: readonly string[] = []): Promise<string> {
  place.write('contacts.csv', contacts);
  const said = new Set<string>();
  const codes = new Set<unknown>();
  for (const args of commands) {
    const run = await place.here(...args, ...more, '--json');
    expect({ args, code: run.code }).toEqual({ args, code: 1 });
    expect(run.stderr + run.stdout).not.toMatch(/^\s+at /m);
    codes.add(run.json.error);
    said.add(String(run.json.detail));
  }
  expect([...codes]).not.toContain('internal_error');
  expect([said.size, codes.size]).toEqual([1, 1]);
  return `${[...codes][0]}: ${[...said][0]}`;
}

async function readDoctor(place: Place, ...args: string[]) {
  const { code, stdout, stderr } = await place.here('doctor', ...args, '--json');
  expect(stdout + stderr).not.toMatch(/^\s+at /m);
  return { code, checks: JSON.parse(stdout) as { name: string; state: string; detail: string }[] };
}

test('every command refuses a lost engine.db, and doctor reports it', async () => {
  const place = copyPlace();
  rmSync(join(place.dataDir, 'engine.db'));
  const said = await refuseAll(place);
  expect(said).toMatch(
    /^database_missing: engine\.db in .* is missing, while its jobs are there\./,
  );
  expect(said).toMatch(/desk restore FILE\. .*desk serve --new/);
  const { code, checks } = await readDoctor(place);
  expect([code, checks]).toMatchObject([1, [{ name: 'Engine', state: 'wrong' }]]);
  expect(said).toContain(checks[0]?.detail);
  // The rows of the jobs are still there and were not removed as orphans.
  expect(readdirSync(join(place.dataDir, 'jobs'))).toHaveLength(1);
});

test('a lost engine.db of staging is refused only there, with remedies for staging', async () => {
  const place = copyPlace();
  writeFileSync(join(place.dataDir, 'staging/engine.db'), '');
  const { code, json } = await place.here('wallet', 'balance', '--staging', '--json');
  expect([code, json.error]).toEqual([1, 'database_missing']);
  expect(json.detail).toMatch(/is empty.*desk restore FILE --staging\. .*serve --staging --new/);
  expect(await place.here('wallet', 'balance')).toMatchObject({ code: 0 });
  const staging = await readDoctor(place, '--staging');
  expect([staging.code, staging.checks]).toMatchObject([1, [{ name: 'Engine', state: 'wrong' }]]);
});

test('a restore makes the folder usable again', async () => {
  const place = copyPlace();
  rmSync(join(place.dataDir, 'engine.db'));
  const copy = join(whole.dir, 'copy.tar.gz');
  expect(await place.here('restore', copy, '--yes')).toMatchObject({ code: 0 });
  const { json } = await place.here('wallet', 'balance', '--json');
  expect(json).toMatchObject({ spent: '2.0000' });
});

/** Serves with options until `meanwhile` is done. Returns the text on standard error. */
async function serve(
  place: Place,
  args: readonly string[],
  meanwhile = async (): Promise<void> => undefined,
): Promise<string> {
  const engine = await startEngineHere(place.dataDir, args);
  await meanwhile();
  expect(await engine.stop(), engine.readSaid()).toBe(0);
  return engine.readSaid();
}

const readAside = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => name.startsWith('before-new-')) ?? '');

test('serve --new starts empty, moves every old file aside, and says so', async () => {
  const place = copyPlace();
  rmSync(join(place.dataDir, 'engine.db'));
  const job = readdirSync(join(place.dataDir, 'jobs'))[0] ?? '';
  const said = await serve(place, ['--new'], async () => {
    const wallet = await place.here('wallet', 'balance', '--json');
    expect(wallet.json).toMatchObject({ available: '100000.0000', spent: '0.0000' });
    expect((await place.here('directory', 'stats', '--json')).json).toMatchObject({ people: 0 });
    // Staging is a separate environment and is kept.
    const staging = await place.here('keys', 'list', '--staging', '--json');
    expect(staging.code, staging.stderr).toBe(0);
  });
  const aside = readAside(place.dataDir);
  expect(said).toContain(`Kept aside in ${aside}: `);
  expect(readdirSync(aside)).toEqual(
    expect.arrayContaining(['directory.db', 'directory.index', 'engine.key', 'jobs']),
  );
  expect(existsSync(join(aside, 'jobs', job, 'input.csv'))).toBe(true);
  expect(existsSync(join(aside, 'staging'))).toBe(false);
});

test('serve --new with a lost directory keeps accounts, keys, money and jobs', async () => {
  const place = copyPlace();
  writeFileSync(join(place.dataDir, 'directory.db'), 'damaged '.repeat(2_000));
  const said = await serve(place, ['--new'], async () => {
    const wallet = await place.here('wallet', 'balance', '--json');
    expect(wallet.json).toMatchObject({ spent: '2.0000' });
    const { checks } = await readDoctor(place);
    expect(checks.filter(({ state }) => state === 'wrong')).toEqual([]);
  });
  expect(said).toMatch(/Kept aside in .*: directory\.db, directory\.index, directory\.search\.$/m);
});

test('a new folder, and one whose creation was interrupted, start without --new', async () => {
  const place = makePlace();
  onTestFinished(() => place.remove());
  mkdirSync(join(place.dataDir, 'jobs'), { recursive: true, mode: 0o700 });
  for (const name of ['engine.db', 'directory.db']) writeFileSync(join(place.dataDir, name), '');
  const { code, json } = await place.here('wallet', 'balance', '--json');
  expect([code, json.available]).toEqual([0, '100000.0000']);
});

test('a restore that was killed between its two renames is not a new installation', async () => {
  const place = copyPlace();
  renameSync(place.dataDir, `${place.dataDir}.before-restore-20261122T100000Z`);
  const said = await refuseAll(place);
  expect(said).toMatch(/^database_missing: .*has kept its former content as data\.before-restore-/);
  await serve(place, ['--new'], async () => {
    expect(await place.here('wallet', 'balance')).toMatchObject({ code: 0 });
  });
});

test('a folder that others may write to is refused by every command with its remedy', async () => {
  const place = copyPlace();
  chmodSync(place.dataDir, 0o777);
  const remedy = `chmod 700 '${place.dataDir}'`;
  const said = await refuseAll(place);
  expect(said).toMatch(/^folder_not_private: /);
  expect(said).toContain(remedy);
  const copy = join(whole.dir, 'copy.tar.gz');
  const restored = await place.here('restore', copy, '--yes', '--json');
  expect(restored.json.error).toBe('folder_not_private');
  const { code, checks } = await readDoctor(place);
  expect([code, checks]).toMatchObject([1, [{ name: 'Engine', state: 'wrong' }]]);
  expect(checks[0]?.detail).toContain(remedy);
  chmodSync(place.dataDir, 0o700);
  expect(await place.here('wallet', 'balance')).toMatchObject({ code: 0 });
});

test('a folder that others may write to while an engine runs is refused as well', async () => {
  const place = copyPlace();
  const engine = await startEngineHere(place.dataDir);
  chmodSync(place.dataDir, 0o722);
  expect((await place.here('wallet', 'balance', '--json')).json.error).toBe('folder_not_private');
  const checks = await engine.ask('GET', '/app/v1/doctor');
  expect(checks).toContainEqual({
    name: 'Permissions',
    state: 'wrong',
    detail: expect.stringContaining(`chmod 700 '${place.dataDir}'`),
  });
  expect(await engine.stop()).toBe(0);
});

test('serve reports that it closed a folder that others could read', async () => {
  const place = copyPlace();
  chmodSync(place.dataDir, 0o755);
  chmodSync(join(place.dataDir, 'engine.db'), 0o644);
  expect(await serve(place, [])).toContain(`Other users could read ${place.dataDir}.`);
});
