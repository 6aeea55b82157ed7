// `desk person`: find, export, delete and receipts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineHere, startEngineHere } from '../engine-here.ts';
import { makePlace } from './run-desk.ts';

const place = makePlace();
let engine: EngineHere;
beforeAll(async () => {
  engine = await startEngineHere(place.dataDir);
  place.write(
    'people.csv',
    [
      'first name,last name,company,email',
      'Ada,Lovelace,Engines,ada@engines.example',
      'Ada,Lovelace,Globex,ada@globex.example',
      '',
    ].join('\n'),
  );
  await place.here('directory', 'import', 'people.csv');
}, 60_000);
afterAll(async () => {
  await engine.stop();
  place.remove();
});

test('a person is found, exported, deleted after a confirmation, and has a receipt', async () => {
  const found = await place.here('person', 'find', 'ADA@engines.example');
  expect([found.code, found.last]).toEqual([
    0,
    'Held: 2 entries. The last words say what a deletion would do.',
  ]);
  expect(found.stdout).toMatch(/^emails +ada@engines\.example$/m);
  expect(found.stdout).toMatch(/^People of the directory +1 +deleted$/m);

  const exported = await place.here('person', 'export', 'ada@engines.example', '--out', 'ada.json');
  expect([exported.code, exported.last]).toEqual([
    0,
    expect.stringMatching(/^2 entries written to /),
  ]);
  const file = JSON.parse(readFileSync(join(place.dir, 'ada.json'), 'utf8'));
  expect(file.entries[0].values).toMatchObject({ first_name: 'Ada', source: 'people.csv' });

  const asked = await place.here('person', 'delete', 'ada@engines.example');
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('Add --yes to delete.')]);
  const deleted = await place.here('person', 'delete', 'ada@engines.example', '--yes');
  expect(deleted.code).toBe(0);
  expect(deleted.stdout).toMatch(/^Deleted: 2 entries\. Receipt: [0-9a-f-]{36}\.$/m);
  const receipts = await place.here('person', 'receipts', 'ada@engines.example');
  expect(receipts.stdout).toMatch(
    /^[0-9a-f-]{36} +[\d-]+ [\d:]+ +done +2 entries +Local workspace$/m,
  );
  expect(receipts.last).toBe('1 receipt.');
  expect((await place.here('person', 'receipts', 'eve@x.example')).last).toBe('0 receipts.');
});

test('of several people, one must be picked, and a failed export leaves no file', async () => {
  place.write(
    'more.csv',
    'first name,last name,company,email\nAda,Lovelace,Acme,ada@acme.example\n',
  );
  await place.here('directory', 'import', 'more.csv');
  const several = await place.here('person', 'find', 'Ada Lovelace');
  expect([several.code, several.last]).toEqual([
    1,
    'Several people match. Add --pick with the id of one of them.',
  ]);
  expect(several.stdout).toMatch(/^[0-9a-f-]{36} +Ada Lovelace +Globex$/m);
  const refused = await place.here('person', 'export', 'Ada Lovelace', '--out', 'none.json');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('Several people match'),
  ]);
  expect(existsSync(join(place.dir, 'none.json'))).toBe(false);
  const pick = /^([0-9a-f-]{36}) +Ada Lovelace +Globex$/m.exec(several.stdout)?.[1] ?? '';
  const deleted = await place.here(
    'person',
    'delete',
    'Ada Lovelace',
    '--pick',
    pick,
    '--yes',
    '--suppress',
  );
  expect([deleted.code, deleted.last]).toEqual([0, 'The person is on the suppression list.']);
  expect((await place.here('suppress', 'check', 'ada@globex.example')).code).toBe(1);
  expect((await place.here('suppress', 'check', 'ada@acme.example')).code).toBe(0);
  const domain = await place.here('person', 'find', 'globex.example');
  expect([domain.code, domain.stderr]).toEqual([
    1,
    expect.stringContaining('A domain is not a person'),
  ]);
});

test('a restore keeps the receipts, and names the people who must be deleted again', {
  tags: ['full'],
}, async () => {
  place.write('grace.csv', 'first name,last name,email\nGrace,Hopper,grace@acme.example\n');
  await place.here('directory', 'import', 'grace.csv');
  await place.here('backup', 'before.tar.gz');
  const { stdout: found } = await place.here('person', 'find', 'grace@acme.example');
  expect(found).toMatch(/^Backups +1 +kept$/m);
  const id = /^ids +([0-9a-f-]{36})$/m.exec(found)?.[1] ?? 'none';
  const deleted = await place.here('person', 'delete', 'grace@acme.example', '--yes');
  const receipt = /Receipt: ([0-9a-f-]{36})/.exec(deleted.stdout)?.[1] ?? 'none';
  await engine.stop();
  const restored = await place.here('restore', 'before.tar.gz', '--yes', '--json');
  expect(restored.stderr).toContain(`desk person delete VALUE. Receipts: ${receipt}.`);
  expect(restored.stderr).toContain(`The backup has the people ${id}.`);
  // The two receipts of the tests above are in the backup.
  expect(restored.json).toMatchObject({
    receipts_kept: 1,
    deletions_since: [receipt],
    people_to_delete: [id],
  });
  engine = await startEngineHere(place.dataDir);
  const receipts = await place.here('person', 'receipts', 'grace@acme.example');
  expect(receipts.stdout).toContain(receipt);
  await place.here('person', 'delete', id, '--yes');
  const held = await place.here('person', 'find', 'grace@acme.example');
  expect(held.last).toBe('There is nothing that a deletion would remove.');
});
