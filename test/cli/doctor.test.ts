// `desk doctor` finds faults, names remedies, and fails only for faults.
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { mergeLogs } from '../merge-logs.ts';
import { contacts } from './lists.ts';
import { makePlace } from './run-desk.ts';

/** A folder that the tests damage one after the other; each keeps what the next one needs. */
const place = makePlace();
afterAll(() => place.remove());

interface Found {
  name: string;
  state: string;
  detail: string;
}
async function diagnose(): Promise<{ code: number | null; checks: Found[]; states: object }> {
  const { code, stdout } = await place.here('doctor', '--json');
  const checks = JSON.parse(stdout) as Found[];
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]));
  return { code, checks, states };
}

test('a new folder is fine, except for a keychain that does not answer', async () => {
  const { code, checks, states } = await diagnose();
  expect(states).toMatchObject({ 'Data folder': 'ok', Permissions: 'ok', 'engine.db': 'ok' });
  expect(states).toMatchObject({ Ledger: 'ok', 'Audit log': 'ok', Jobs: 'ok' });
  expect(states).toMatchObject({ Keychain: 'warning' });
  expect(checks.filter(({ state }) => state === 'wrong')).toEqual([]);
  expect(code).toBe(0);
});

test('a folder that others may read is a warning with its remedy, not a failure', async () => {
  chmodSync(place.dataDir, 0o755);
  const { code, checks, states } = await diagnose();
  expect(states).toMatchObject({ Permissions: 'warning' });
  expect(checks.find(({ name }) => name === 'Permissions')?.detail).toContain('chmod');
  expect(code).toBe(0);
});

test('a job without its rows is wrong', async () => {
  place.write('contacts.csv', contacts);
  const args = ['enrich', 'contacts.csv', '--layers', 'L1', '--out', 'out.csv', '--yes'];
  await place.here(...args);
  const jobs = join(place.dataDir, 'jobs');
  for (const name of readdirSync(jobs)) rmSync(join(jobs, name, 'input.csv'));
  const { code, checks, states } = await diagnose();
  expect(states).toMatchObject({ Jobs: 'wrong' });
  expect(checks.find(({ name }) => name === 'Jobs')?.detail).toContain('1 of 1 jobs');
  expect(code).toBe(1);
});

test('a file that is not a database is reported, with a remedy', async () => {
  mergeLogs(place.dataDir);
  writeFileSync(join(place.dataDir, 'engine.db'), 'no database at all '.repeat(500));
  const { code, checks } = await diagnose();
  expect(checks).toMatchObject([{ name: 'Engine', state: 'wrong' }]);
  expect(checks[0]?.detail).toContain('desk restore FILE');
  expect(code).toBe(1);
});
