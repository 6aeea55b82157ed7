/**
 * The smoke test of the desktop shell: from an empty installation to the saved sample. With
 * DESK_EXPECT_HOST=electron it fails on the stand-in.
 * @module-tag full
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findElectron } from '../../scripts/electron-binary.mjs';
import { openDesk } from '../open-desk.ts';
import { trySample } from './try-sample.ts';

test('the window opens, the sample is priced with one click, enriched, and saved', async () => {
  const desk = await openDesk('desktop');
  onTestFinished(() => desk.close());
  expect(desk.host).toBe(process.env.DESK_EXPECT_HOST ?? desk.host);
  expect(await trySample(desk)).toBeGreaterThan(0);
  const saved = join(desk.dir, 'enriched.csv');
  await desk.saveCsv(saved);
  expect(readFileSync(saved, 'utf8')).toMatch(/Enrichment status.*\r\n(.*\r\n)*.*,enriched,/);
});

test.runIf(findElectron() === null)(
  'the script of the release uses an app through its window',
  () => {
    const root = resolve(import.meta.dirname, '../..');
    const args = ['scripts/release/use-app.mjs', process.execPath, 'test/double/run.ts'];
    const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(run.stdout).toMatch(
      /enriched its sample: \d+ of 60 rows enriched.*\n+The app quit\.\n$/,
    );
    expect(run.status).toBe(0);
    args[2] = 'test/double/missing.ts';
    const missing = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(missing.stderr).toContain('it ended with 1 before its window opened');
    expect(missing.status).toBe(1);
  },
);
