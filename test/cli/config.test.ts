// `desk config`: what is ruled, checks of files, and files for administrators.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makePlace } from './run-desk.ts';

const place = makePlace();
afterAll(() => place.remove());

const config = { organisation: 'Acme', updates: { mode: 'off' } };
const file = place.write('rules.json', JSON.stringify(config));

test('a file is checked, and a fault is named with its place', async () => {
  const fine = await place.here('config', 'check', file, '--json');
  expect([fine.code, fine.json]).toEqual([0, { path: file, config }]);
  const bad = place.write('bad.json', '{"caps": {"keys": {"per_day": 5}}}');
  const refused = await place.here('config', 'check', bad, '--json');
  expect([refused.code, refused.json.error]).toEqual([1, 'policy_invalid']);
  expect(refused.json.detail).toMatch(
    /bad\.json cannot be used: caps\.keys\.per_day: .* Correct it, and check/,
  );
});

test('a file is exported for Windows and macOS', async () => {
  const reg = await place.here('config', 'export', file, '--to', 'reg', '--json');
  expect(reg.json.text).toContain('"Policy"="{\\"organisation\\":\\"Acme\\"');
  const plist = await place.here('config', 'export', file, '--to', 'plist');
  expect(plist.stdout).toContain('<key>Policy</key>');
  expect((await place.here('config', 'export', file, '--to', 'csv')).code).toBe(2);
  expect((await place.here('config', 'export', file)).code).toBe(2);
});

test('the schema is printed as it is published', async () => {
  const { stdout } = await place.here('config', 'schema');
  const path = join(import.meta.dirname, '../../resources/team-config.schema.json');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
});

test('an engine that no organisation rules says so', async () => {
  const { last, code } = await place.here('config', 'show');
  expect([code, last]).toEqual([0, 'No organisation sets rules for this engine.']);
});
