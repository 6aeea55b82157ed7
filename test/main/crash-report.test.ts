// Reports of crashes: what they say, what they never say, how many are kept.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  crashesMax,
  crashesWindowMs,
  crashReportsMax,
} from '../../engine/contract/limits/platform.ts';
import { CrashCount, storeReport, writeReport } from '../../main/crashes/crashes.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';

const at = new Date('2026-11-23T10:00:00Z');
const crash = { what: 'window', reason: 'crashed', exitCode: 139 } as const;

test('a report says what crashed and which versions ran, and nothing of the user', () => {
  const reason = `crashed ${homedir()}/list.csv ada@acme.example`;
  const location = `CALL_AND_RETRY_LAST ${homedir()}`;
  const text = writeReport({ ...crash, reason, location }, { at, appVersion: '1.2.0', recent: 2 });
  expect(Object.keys(JSON.parse(text))).toEqual([
    'at',
    'what',
    'reason',
    'exit_code',
    'location',
    'crashes_of_the_last_minutes',
    'app',
    'electron',
    'chrome',
    'node',
    'system',
    'system_release',
    'processor',
  ]);
  expect(JSON.parse(text)).toMatchObject({ what: 'window', exit_code: 139, app: '1.2.0' });
  for (const word of [homedir(), hostname(), `${userInfo().username}@`, '@', '/'])
    expect(text).not.toContain(word);
});

test('the newest reports are kept', () => {
  const folder = makeTemporaryFolder();
  for (let second = 0; second < crashReportsMax + 3; second++)
    storeReport(folder, 'engine', new Date(at.getTime() + second * 1_000), '{}\n');
  const names = readdirSync(folder).sort();
  expect(names).toHaveLength(crashReportsMax);
  expect(names[0]).toBe('2026-11-23T10-00-03.000Z-engine.json');
});

test('a part is restarted a limited number of times within the window, or after a new try', () => {
  const counts = new CrashCount();
  const nowMs = at.getTime();
  for (let crashes = 1; crashes <= crashesMax; crashes++)
    expect(counts.note('window', nowMs)).toEqual({ recent: crashes, isTooOften: false });
  expect(counts.note('window', nowMs).isTooOften).toBe(true);
  expect(counts.note('graphics', nowMs).isTooOften).toBe(false);
  expect(counts.note('window', nowMs + crashesWindowMs).recent).toBe(1);
  counts.forget('graphics');
  expect(counts.note('graphics', nowMs).recent).toBe(1);
});

test('no part of the product writes memory to the disk', () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync(['engine/**/*.ts', 'main/**/*.ts'], { cwd: root });
  expect(files.length).toBeGreaterThan(500);
  const writers =
    /\bcrashReporter\b|\bprocess\.report\b|writeHeapSnapshot|HeapSnapshotNearHeapLimit|getHeapSnapshot|--(?:report|heapsnapshot|heap-prof|abort-on)-/i;
  expect(files.filter((file) => writers.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
